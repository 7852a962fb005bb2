"""The buttons and the menu of lessons.

As everywhere, a control's custom id holds everything that has to be known to answer it: of a
lesson's game, all that has been played in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Self, cast

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import FAMILY, row_id
from bot.discord.presses import presses_of
from bot.table.lesson_places import LessonGame, LessonPage

NUMBER = "[0-9]{1,2}"
"""The number of a lesson."""
MOVES = "[A-Za-z0-9]{0,56}"
"""A game in its notation, as far as a custom id has room for it."""


class LessonButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:lesson:(?P<family>{FAMILY}):(?P<number>{NUMBER})",
):
    """Shows a lesson's page, or the list of all lessons."""

    def __init__(
        self, at: LessonPage, label: str = "", style: ButtonStyle = ButtonStyle.secondary
    ) -> None:
        """A button for a page."""
        super().__init__(
            discord.ui.Button(
                label=label or str(at.number),
                style=style,
                custom_id=f"cuatro:lesson:{at.family}:{at.number}",
            )
        )
        self.at = at

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(LessonPage(match["family"], int(match["number"])))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Show the page."""
        await presses_of(interaction).lesson(interaction, self.at)


class LessonSelect(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]],
    template=rf"cuatro:lessons:(?P<family>{FAMILY})",
):
    """Opens one of the lessons of a family."""

    def __init__(self, family: str, names: Sequence[str] = (), placeholder: str = "") -> None:
        """A menu of lessons by their names, in order."""
        options = [
            discord.SelectOption(label=name, value=str(number))
            for number, name in enumerate(names, 1)
        ]
        super().__init__(
            discord.ui.Select(
                custom_id=f"cuatro:lessons:{family}",
                options=options,
                placeholder=placeholder or None,
            )
        )
        self.family = family

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the menu from its custom id."""
        return cls(match["family"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Show the chosen lesson."""
        values = cast("dict[str, Any]", interaction.data).get("values") or [""]
        at = LessonPage(self.family, row_id(str(values[0])))
        await presses_of(interaction).lesson(interaction, at)


class LessonGameButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:lessongame:(?P<family>{FAMILY}):(?P<number>{NUMBER}):(?P<moves>{MOVES})",
):
    """Goes on with a lesson's game, or back in it."""

    def __init__(
        self,
        at: LessonGame,
        label: str = "",
        style: ButtonStyle = ButtonStyle.secondary,
        *,
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for how the game then stands."""
        super().__init__(
            discord.ui.Button(
                label=label or at.moves[-1:],
                style=style,
                custom_id=f"cuatro:lessongame:{at.family}:{at.number}:{at.moves}",
                disabled=disabled,
                row=row,
            )
        )
        self.at = at

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(LessonGame(match["family"], int(match["number"]), match["moves"]), "·")

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Go there."""
        await presses_of(interaction).lesson_game(interaction, self.at)


LESSON_CONTROLS = (LessonButton, LessonSelect, LessonGameButton)
"""What the client registers so that controls from earlier runs work."""


def lesson_button(
    at: LessonPage | LessonGame, label: str, style: ButtonStyle = ButtonStyle.secondary
) -> LessonButton | LessonGameButton:
    """The button that leads to a place in a lesson."""
    if isinstance(at, LessonGame):
        return LessonGameButton(at, label, style)
    return LessonButton(at, label, style)
