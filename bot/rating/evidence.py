"""What players' moves in a finished game say about their strength."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rating.ratings import Evidence
from bot.table.session import Session
from engine.game import Player
from engine.ladder import Ladder, ladder_of
from engine.quality import estimate, judge, losses_of, quality

LEAST_DEVIATION = 350.0
"""However steady somebody's moves are, one game says no more than this: that is how far estimates
of players were off who are no rungs, most of it because styles differ."""


def evidence_of(session: Session, sides: Sequence[Player]) -> dict[Player, Evidence]:
    """Judge a game's moves; sides that made too few to say anything are left out.

    Takes about a tenth of a second. A side's worst moves do not count, so that a game that was
    thrown away on purpose still tells how well it was played before.
    """
    game = session.game
    moves = [game.parse(record.move) for record in session.moves]
    judgement = judge(game, moves, sides)
    found = {}
    for side in sides:
        value = quality(losses_of(judgement, side), trimmed=True)
        evidence = None if value is None else evidence_from(ladder_of(game), value)
        if evidence is not None:
            found[side] = evidence
    return found


def evidence_from(ladder: Ladder, value: float) -> Evidence | None:
    """What moves of a trimmed quality say; None on a ladder that was not calibrated with moves."""
    try:
        elo, deviation = estimate(ladder, value, trimmed=True)
    except ValueError:
        return None
    return Evidence(elo, max(deviation, LEAST_DEVIATION))
