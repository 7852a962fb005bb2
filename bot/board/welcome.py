"""The greeting for servers, and help.

The greeting lists the games, with buttons that begin them at the levels of
`GamePackage.welcome_levels`. It is posted on a server that the bot has just joined and on the local
page. Help lists the available commands, above the same buttons.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, cast

import discord
from discord import ButtonStyle, Interaction, app_commands

from bot.board.messages import MAX_IN_ROW
from bot.discord.client import CuatroClient
from bot.discord.commands import CommandFactory, GameCommand, command, name_of
from bot.discord.replies import NO_PINGS, UNREACHABLE
from bot.discord.routes import FAMILY, NAME, CustomId, lasting_view
from bot.i18n import ENGLISH, Translator, fitting, say_for, say_in
from engine.core.package import GamePackage
from engine.core.registry import default_game, games

logger = logging.getLogger(__name__)

BEGIN = CustomId("begin", f"(?P<family>{FAMILY})", f"(?P<level>{NAME})")
"""The ids of buttons that begin a game of the usual size against an agent."""

HELP = CustomId("help", f"(?P<family>{FAMILY})")
"""The ids of buttons that list a game's commands."""

MAX_OTHERS = 18
"""The most buttons of games other than the default, so that help and a language fit too."""


async def send_help(interaction: Interaction[Any], family: str) -> None:
    """List a game's commands, privately."""
    say = say_for(interaction.locale.value)
    tree = cast("CuatroClient", interaction.client).tree
    group = tree.get_command(say_in(ENGLISH)(f"command.{family}.name"))
    assert isinstance(group, app_commands.Group), f"{family} has a group of commands"
    made = [one for one in group.commands if isinstance(one, app_commands.Command)]
    await interaction.response.send_message(
        help_text(family, map(name_of, made), say), view=welcome_view(say), ephemeral=True
    )


def _help_command(family: GamePackage) -> tuple[GameCommand]:
    @command("help")
    async def help_(interaction: Interaction[Any]) -> None:
        await send_help(interaction, family.key)

    return (help_,)


HELP_COMMAND = CommandFactory(830, _help_command)


def help_text(family: str, commands: Iterable[str], say: Translator) -> str:
    """How a game is played, and a line for each of its `commands`, which are names."""
    lines = (_line(family, name, say) for name in commands)
    return fitting("\n".join((say(f"help.{family}"), *lines, say("help.more"))))


def _line(family: str, name: str, say: Translator) -> str:
    """A line with a command and its purpose."""
    title, description, help_ = (
        say.key("command", family, f"{name}.{part}") for part in ("name", "description", "help")
    )
    about = say(help_ if help_ in say.texts else description)
    return f"`/{say(f'command.{family}.name')} {say(title)}` – {about}"


async def greet(guild: discord.Guild) -> None:
    """Greet a server in its system channel, or in the first channel where the bot may write."""
    channel = greeting_channel(guild)
    if channel is None:
        logger.info("there is no channel to greet server %s in", guild.id)
        return
    say = say_for(guild.preferred_locale.value)
    try:
        await channel.send(welcome_text(say), view=welcome_view(say), allowed_mentions=NO_PINGS)
    except UNREACHABLE as error:
        logger.info("server %s could not be greeted: %s", guild.id, error)


def greeting_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """The channel for greeting a server; None if the bot may not write in any."""
    system = [] if guild.system_channel is None else [guild.system_channel]
    for channel in (*system, *guild.text_channels):
        allowed = channel.permissions_for(guild.me)
        if allowed.view_channel and allowed.send_messages:
            return channel
    return None


def welcome_text(say: Translator) -> str:
    """The greeting in one language; its buttons answer each person in their own."""
    offered = [key for key, package in games().items() if package.welcome_levels]
    listed = " ".join(say(f"welcome.{key}") for key in offered)
    example = say(f"welcome.{default_game().key}.example")
    return say("welcome.text", games=listed, example=example)


def welcome_view(say: Translator) -> discord.ui.View:
    """The buttons of the greeting, also for other messages that invite people to play.

    The default game's buttons have their own row; the help button is about the default game too.
    """
    view, default = lasting_view(), default_game()
    offered = [(key, level) for key, game in games().items() for level in game.welcome_levels]
    others = [one for one in offered if one[0] != default.key][:MAX_OTHERS]
    placed = [((default.key, level), 0) for level in default.welcome_levels[:MAX_IN_ROW]]
    placed += [(one, 1 + number // MAX_IN_ROW) for number, one in enumerate(others)]
    for one, row in placed:
        label = say(f"button.begin.{one[0]}.{one[1]}")
        # The first button is highlighted.
        style = ButtonStyle.primary if one == offered[0] else ButtonStyle.secondary
        view.add_item(BEGIN.button(*one, label=label, style=style, row=row))
    row = 1 + len(others) // MAX_IN_ROW
    view.add_item(HELP.button(default.key, label=say("button.help"), row=row))
    return view
