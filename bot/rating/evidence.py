"""What players' moves in a finished game say about their strength."""

from __future__ import annotations

from collections.abc import Collection

from bot.rating.ratings import Evidence
from engine.game import Game, Player
from engine.judgement import Judgement
from engine.ladder import Ladder, ladder_of
from engine.quality import estimate, losses_of, quality

LEAST_DEVIATION = 350.0
"""However steady somebody's moves are, one game says no more than this: that is how far estimates
of players were off who are no rungs, most of it because styles differ."""


def evidence_of(
    game: Game, judgement: Judgement, sides: Collection[Player]
) -> dict[Player, Evidence]:
    """What a judged game says of the sides; those that made too few moves are left out.

    A side's worst moves do not count, so that a game that was thrown away on purpose still shows
    how well it was played before.
    """
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
