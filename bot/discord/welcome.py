"""The message that greets newcomers: what there is to play, with a button for each game.

It is posted on the local page; on Discord it suits a server that the bot has just joined, and help.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import FAMILY, NAME
from bot.discord.presses import presses_of
from bot.discord.views import lasting_view
from bot.words import Say

BEGINNINGS = (
    ("connect4", "easy"),
    ("connect4", "medium"),
    ("connect4", "hard"),
    ("gato", "medium"),
    ("boom", "medium"),
)
"""The games that begin at the press of a button: family and level. Texts stand under
`button.begin.<family>.<level>`."""
HELP_FAMILY = BEGINNINGS[0][0]
"""The game whose commands the help button explains."""
FIRST_ROW = 3
"""Buttons of the first game, which have a row of their own."""


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
                style=ButtonStyle.primary if (family, level) == BEGINNINGS[0] else QUIET,
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
    return WelcomeMessage(say("welcome.text"), welcome_view(say))


def welcome_view(say: Say) -> discord.ui.View:
    """The buttons of the greeting alone, for other messages that end in an invitation to play."""
    view = lasting_view()
    for number, (family, level) in enumerate(BEGINNINGS):
        label = say(f"button.begin.{family}.{level}")
        view.add_item(BeginButton(family, level, label, row=0 if number < FIRST_ROW else 1))
    view.add_item(HelpButton(HELP_FAMILY, say("button.help"), row=1))
    return view
