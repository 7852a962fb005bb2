"""The buttons under an analysis: every move, along the best line and back, and sharing it."""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.controls import placed_moves, rows_of_moves
from bot.discord.custom_ids import CODE, WAY
from bot.discord.presses import presses_of
from bot.discord.views import lasting_view
from bot.table.trail import Trail
from bot.words import Say
from engine.core.position_code import code_of
from engine.study.analysis import Line

SHARE = "share"


class ExploreButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"cuatro:explore:(?P<word>move|first|back|forward|last|share)"
    rf":(?P<code>{CODE}):(?P<way>{WAY})",
):
    """Analyses another position: the id holds where the trail began, and the moves from there."""

    def __init__(
        self,
        word: str,
        code: str,
        way: str,
        label: str = "",
        *,
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for one of the words in the template, which goes to the end of a trail."""
        super().__init__(
            discord.ui.Button(
                label=label or word,
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:explore:{word}:{code}:{way}",
                disabled=disabled,
                row=row,
            )
        )
        self.word = word
        self.code = code
        self.way = way

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["word"], match["code"], match["way"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Go there, or show everybody."""
        presses = presses_of(interaction)
        act = presses.share_analysis if self.word == SHARE else presses.explore
        await act(interaction, self.code, self.way)


def analysis_view(
    trail: Trail, line: Line | None, say: Say, *, shared: bool = False
) -> discord.ui.View:
    """The buttons under an analysed position with its best line; None where the game is over."""
    view = lasting_view()
    for one in placed_moves(trail.position, say):
        # What is not allowed has an id of its own as well.
        to = trail.on(one.move) if one.is_legal else Trail(trail.root, (*trail.moves, one.move))
        view.add_item(_button("move", to, one.label, one.row, disabled=not one.is_legal))
    ahead = () if line is None else line.moves
    goals = {
        "first": trail.begin() if trail.moves else None,
        "back": trail.back() if trail.moves else None,
        "forward": trail.on(*ahead[:1]) if ahead else None,
        "last": trail.on(*ahead) if ahead else None,
    }
    last = rows_of_moves(trail.game)
    for word, goal in goals.items():
        label = say(f"button.{word}")
        view.add_item(_button(word, goal or trail, label, last, disabled=goal is None))
    label = say("button.shared" if shared else "button.share")
    view.add_item(_button(SHARE, trail, label, last, disabled=shared))
    return view


def _button(word: str, to: Trail, label: str, row: int, *, disabled: bool) -> ExploreButton:
    """A button that goes to a trail's end."""
    return ExploreButton(word, code_of(to.root), to.way, label, disabled=disabled, row=row)
