"""The message that greets newcomers: what there is to play, with a button for each game.

It is posted on the local page, in a server that the bot has just joined, and with help. Each game
says for itself which levels have a button (`GamePackage.welcome_levels`).
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
from engine.core.registry import default_game, games

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
