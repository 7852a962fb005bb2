"""A rematch with changed settings: the board's size, the time, the opening, whether it counts."""

from __future__ import annotations

from bot.board.messages import BoardButton
from bot.feature import Core, Feature, Parts
from bot.features.rematches.discord import RematchForms, change_button


def build(core: Core) -> Parts:
    """The button under finished games between people, and its form."""
    return Parts(
        routes=RematchForms(core).routes,
        board_buttons=(BoardButton(82, change_button, row=1, begins_game=True, is_rematch=True),),
    )


FEATURE = Feature("rematches", build)
