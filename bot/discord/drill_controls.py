"""The buttons of a drill: its moves, the solution, trying again and going on.

As everywhere, a button's custom id holds everything that has to be known to answer it.
"""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.controls import placed_moves, rows_of_moves
from bot.discord.custom_ids import MOVE
from bot.discord.lesson_controls import LessonButton, LessonGameButton, lesson_button
from bot.discord.presses import presses_of
from bot.discord.views import lasting_view
from bot.play.drills import Answered, Drill, DrillStep, Way
from bot.words import Say

STEP = "(?P<source>[a-z]{1,12}):(?P<ref>[A-Za-z0-9.-]{1,32}):(?P<step>[0-9]{1,2})"
"""One step of one drill, as `DrillStep`."""
OPEN, ASK, SOLVE = "open", "ask", "solve"
"""What a drill's button does: it puts the drill in a new private message, or in the place of the
one that it stands under, or shows the solution there."""


class AnswerDrillButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:try:{STEP}:(?P<move>{MOVE})",
):
    """Answers one step of a drill with a move."""

    def __init__(
        self,
        at: DrillStep,
        move: str,
        *,
        label: str = "",
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for a move in the players' notation, which is also the default label."""
        super().__init__(
            discord.ui.Button(
                label=label or move,
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:try:{_id(at)}:{move}",
                disabled=disabled,
                row=row,
            )
        )
        self.at = at
        self.move = move

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(_step(match), match["move"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Judge the answer."""
        await presses_of(interaction).attempt(interaction, self.at, self.move)


class DrillButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:drill:(?P<action>open|ask|solve):{STEP}",
):
    """Puts a drill to whoever presses it, or shows them its solution."""

    def __init__(
        self,
        action: str,
        at: DrillStep,
        *,
        label: str = "",
        style: ButtonStyle = ButtonStyle.secondary,
        row: int | None = None,
    ) -> None:
        """A button for one of OPEN, ASK and SOLVE."""
        super().__init__(
            discord.ui.Button(
                label=label or action,
                style=style,
                custom_id=f"cuatro:drill:{action}:{_id(at)}",
                row=row,
            )
        )
        self.action = action
        self.at = at

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["action"], _step(match))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Do it."""
        await presses_of(interaction).drill[self.action](interaction, self.at)


DRILL_BUTTONS = (AnswerDrillButton, DrillButton)
"""What the client registers so that buttons from earlier runs work."""


def question_view(at: DrillStep, drill: Drill, say: Say) -> discord.ui.View:
    """The moves that may be the answer to a step, and the solution."""
    view = lasting_view()
    for one in placed_moves(drill.problem.position(at.step), say):
        disabled = not one.is_legal
        view.add_item(
            AnswerDrillButton(at, one.text, label=one.label, disabled=disabled, row=one.row)
        )
    last = rows_of_moves(drill.problem.game)
    view.add_item(DrillButton(SOLVE, at, label=say("button.solve"), row=last))
    return view


def answered_view(answered: Answered, say: Say) -> discord.ui.View:
    """Where to go after a wrong answer, or from a solution: the first of it stands out."""
    view, at, primary = lasting_view(), answered.at, ButtonStyle.primary
    ways = [way_button(way) for way in answered.consequence.ways]
    if answered.is_over:
        again = DrillStep(at.source, at.ref)
        ways.append(DrillButton(ASK, again, label=say("button.again")))
    else:
        ways.insert(0, DrillButton(ASK, at, label=say("button.try_again")))
        ways.append(DrillButton(SOLVE, at, label=say("button.solve")))
    ways[0].item.style = primary
    for way in ways:
        view.add_item(way)
    return view


def way_button(
    way: Way, style: ButtonStyle = ButtonStyle.secondary
) -> DrillButton | LessonButton | LessonGameButton:
    """The button that leads where a way does, in the place of what the message shows."""
    if isinstance(way.to, DrillStep):
        return DrillButton(ASK, way.to, label=way.label, style=style)
    return lesson_button(way.to, way.label, style)


def _id(at: DrillStep) -> str:
    return f"{at.source}:{at.ref}:{at.step}"


def _step(match: re.Match[str]) -> DrillStep:
    return DrillStep(match["source"], match["ref"], int(match["step"]))
