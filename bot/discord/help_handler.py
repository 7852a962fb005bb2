"""Answers requests for help, which is made from the commands that exist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from discord import Interaction, app_commands

from bot.discord.answering import Answering
from bot.discord.command_parts import name_of
from bot.discord.welcome import welcome_view
from bot.words import ENGLISH, Say, say_for, say_in
from bot.words.plain import fitting


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
