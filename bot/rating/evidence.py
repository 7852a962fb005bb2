"""What a player's moves in a finished game say about their strength."""

from __future__ import annotations

from collections.abc import Collection

from bot.rating.ratings import Evidence
from engine.game import Game, Player
from engine.judgement import Judgement
from engine.ladder import Ladder, ladder_of
from engine.quality import estimate, losses_of, quality

MINIMUM_DEVIATION = 350.0
"""The smallest deviation that one game's evidence may have: how far estimates were off for players
that are not rungs, mostly because styles differ."""


def evidence_of(
    game: Game, judgement: Judgement, sides: Collection[Player]
) -> dict[Player, Evidence]:
    """What a judged game says about `sides`; those with too few moves are left out.

    A side's worst moves do not count, so that a game thrown away on purpose still shows how well it
    was played before.
    """
    found = {}
    for side in sides:
        value = quality(losses_of(judgement, side), trimmed=True)
        evidence = None if value is None else evidence_from(ladder_of(game), value)
        if evidence is not None:
            found[side] = evidence
    return found


def evidence_from(ladder: Ladder, value: float) -> Evidence | None:
    """What moves of a trimmed quality say; None if the ladder was not calibrated by moves."""
    try:
        elo, deviation = estimate(ladder, value, trimmed=True)
    except ValueError:
        return None
    return Evidence(elo, max(deviation, MINIMUM_DEVIATION))
