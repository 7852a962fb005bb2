"""Hints: the engine's move, in three levels of detail."""

from __future__ import annotations

from bot.board.messages import BoardButton
from bot.discord.commands import CommandFactory
from bot.feature import Core, Feature, Parts
from bot.features.hints.discord import HintHandler, hint_button
from bot.features.hints.rules import Hints


def build(core: Core) -> Parts:
    """The command, the button under the board, and the buttons under a hint."""
    games = core.sessions.games
    hints = Hints(games, core.store.games, core.ownership, core.workers, core.clock)
    handler = HintHandler(
        hints,
        games,
        core.messages,
        core.answering,
        core.limiter,
        core.contributions.require_help,
    )
    return Parts(
        commands=(CommandFactory(200, handler.commands),),
        routes=handler.routes,
        board_buttons=(BoardButton(20, hint_button),),
    )


FEATURE = Feature("hints", build)
