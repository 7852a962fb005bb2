"""What a player's moves in a finished game say about their strength."""

from __future__ import annotations

from bot.ratings import Evidence
from bot.session import Session
from engine.game import Player
from engine.ladder import Ladder, ladder_of
from engine.quality import estimate, judge, losses_of, quality

LEAST_DEVIATION = 500.0
"""However steady somebody's moves are, one game says no more than this: styles differ more than
the rungs that the estimate was made with. With less, the evidence misled more than it helped."""


def evidence_of(session: Session, side: Player) -> Evidence | None:
    """Judge one side's moves; None where they are too few to say anything.

    Takes about a tenth of a second. The worst quarter of the moves does not count, so that a game
    that was thrown away on purpose still tells how well it was played before.
    """
    game = session.game
    moves = [game.parse(record.move) for record in session.moves]
    value = quality(losses_of(game, moves, judge(game, moves), side), trimmed=True)
    return None if value is None else evidence_from(ladder_of(game), value)


def evidence_from(ladder: Ladder, value: float) -> Evidence | None:
    """What moves of a trimmed quality say; None on a ladder that was not calibrated with moves."""
    try:
        elo, deviation = estimate(ladder, value, trimmed=True)
    except ValueError:
        return None
    return Evidence(elo, max(deviation, LEAST_DEVIATION))
