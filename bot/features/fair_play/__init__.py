"""Fair play: while two people play a rated game, Cuatro helps neither of them in it."""

from __future__ import annotations

from bot.board.messages import BoardLine
from bot.feature import Core, Feature, Parts
from bot.features.fair_play.discord import Waits, board_line
from bot.features.fair_play.rules import FairPlay
from bot.features.fair_play.store import FairPlayStore


def build(core: Core) -> Parts:
    """What bars help and holds games, their line, and the look at them from time to time."""
    stored = FairPlayStore(core.store.database)
    fair_play = FairPlay(stored, core.sessions.games)
    return Parts(
        bars=(fair_play.bar,),
        holds=(fair_play.hold,),
        board_lines=(BoardLine(40, board_line),),
        tasks=(Waits(core, stored).task,),
    )


FEATURE = Feature("fair_play", build)
