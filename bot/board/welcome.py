"""Answers requests for help, which is made from the commands that exist.

Greets a server that has just added the bot.

The message that greets newcomers: what there is to play, with a button for each game.

It is posted on the local page, in a server that the bot has just joined, and with help. Each game
says for itself which levels have a button (`GamePackage.welcome_levels`).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, Self, cast

import discord
from discord import ButtonStyle, Interaction, app_commands

from bot.discord.answering import Answering
from bot.discord.commands import name_of
from bot.discord.presses import presses_of
from bot.discord.replies import NO_PINGS, UNREACHABLE
from bot.discord.routes import FAMILY, NAME, lasting_view
from bot.i18n import ENGLISH, Say, fitting, say_for, say_in
from engine.core.registry import default_game, games


class HasCommands(Protocol):
    """The client, as help sees it."""

    tree: app_commands.CommandTree[Any]


@dataclass(frozen=True, slots=True)
class HelpHandler:
    """Explains a game and its commands, with buttons that begin games."""

    answering: Answering

    async def help(self, interaction: Interaction[Any], family: str) -> None:
        """List a game's commands, privately."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            tree = cast("HasCommands", interaction.client).tree
            group = tree.get_command(say_in(ENGLISH)(f"command.{family}.name"))
            assert isinstance(group, app_commands.Group), f"{family} has a group of commands"
            made = [one for one in group.commands if isinstance(one, app_commands.Command)]
            await interaction.response.send_message(
                help_text(family, map(name_of, made), say), view=welcome_view(say), ephemeral=True
            )


def help_text(family: str, commands: Iterable[str], say: Say) -> str:
    """How a game is played, and a line for each of its commands, which are given by name."""
    lines = (_line(family, name, say) for name in commands)
    return fitting("\n".join((say(f"help.{family}"), *lines, say("help.more"))))


def _line(family: str, command: str, say: Say) -> str:
    """A command, and what it is for."""
    name, description, help_ = (
        say.key("command", family, f"{command}.{part}") for part in ("name", "description", "help")
    )
    about = say(help_ if help_ in say.texts else description)
    return f"`/{say(f'command.{family}.name')} {say(name)}` – {about}"


logger = logging.getLogger(__name__)


class JoinHandler:
    """Posts one message that a newcomer understands, where people will see it."""

    async def greet(self, guild: discord.Guild) -> None:
        """Greet a server in its system channel, or in the first one where the bot may write."""
        channel = greeting_channel(guild)
        if channel is None:
            logger.info("there is no channel to greet server %s in", guild.id)
            return
        message = welcome_message(say_for(guild.preferred_locale.value))
        try:
            await channel.send(message.content, view=message.view, allowed_mentions=NO_PINGS)
        except UNREACHABLE as error:
            logger.info("server %s could not be greeted: %s", guild.id, error)


def greeting_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """Where a server is greeted; None if the bot may write nowhere."""
    system = [] if guild.system_channel is None else [guild.system_channel]
    for channel in (*system, *guild.text_channels):
        allowed = channel.permissions_for(guild.me)
        if allowed.view_channel and allowed.send_messages:
            return channel
    return None


ROW = 5
"""Buttons in a row: Discord's limit."""

MOST_OTHERS = 18
"""Buttons of games that are not the default one: as many as leave room for help and a language."""


class BeginButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:begin:(?P<family>{FAMILY}):(?P<level>{NAME})",
):
    """Begins a game of the usual size for whoever presses it."""

    def __init__(self, family: str, level: str, label: str = "", row: int | None = None) -> None:
        """A button for a family and the agent to play against."""
        super().__init__(
            discord.ui.Button(
                label=label or level,
                style=ButtonStyle.primary if (family, level) == _first() else QUIET,
                custom_id=f"cuatro:begin:{family}:{level}",
                row=row,
            )
        )
        self.family = family
        self.level = level

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["family"], match["level"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Begin the game."""
        await presses_of(interaction).begin(interaction, self.family, self.level)


class HelpButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:help:(?P<family>{FAMILY})",
):
    """Explains a game's commands."""

    def __init__(self, family: str, label: str = "", row: int | None = None) -> None:
        """A button for a family."""
        super().__init__(
            discord.ui.Button(
                label=label or "?", style=QUIET, custom_id=f"cuatro:help:{family}", row=row
            )
        )
        self.family = family

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["family"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Explain the commands."""
        await presses_of(interaction).help(interaction, self.family)


QUIET = ButtonStyle.secondary

WELCOME_BUTTONS = (BeginButton, HelpButton)
"""What the client registers so that the buttons of every welcome keep working."""


@dataclass(frozen=True, slots=True)
class WelcomeMessage:
    """The greeting as a message."""

    content: str
    view: discord.ui.View


def welcome_message(say: Say) -> WelcomeMessage:
    """The greeting in one language; its buttons answer everybody in their own."""
    offered = [key for key, package in games().items() if package.welcome_levels]
    told = " ".join(say(f"welcome.{key}") for key in offered)
    example = say(f"welcome.{default_game().key}.example")
    return WelcomeMessage(say("welcome.text", games=told, example=example), welcome_view(say))


def welcome_view(say: Say) -> discord.ui.View:
    """The buttons of the greeting alone, for other messages that end in an invitation to play.

    Those of the default game have a row of their own; help is about it as well.
    """
    view, default = lasting_view(), default_game()
    others = [one for one in _beginnings() if one[0] != default.key][:MOST_OTHERS]
    own = [(default.key, level) for level in default.welcome_levels[:ROW]]
    placed = [(one, 0) for one in own]
    placed += [(one, 1 + number // ROW) for number, one in enumerate(others)]
    for (family, level), row in placed:
        label = say(f"button.begin.{family}.{level}")
        view.add_item(BeginButton(family, level, label, row=row))
    view.add_item(HelpButton(default.key, say("button.help"), row=1 + len(others) // ROW))
    return view


def _beginnings() -> tuple[tuple[str, str], ...]:
    """What begins at the press of a button: games and levels, the default game first."""
    return tuple((key, level) for key, game in games().items() for level in game.welcome_levels)


def _first() -> tuple[str, str]:
    """The button that stands out."""
    return _beginnings()[0]
