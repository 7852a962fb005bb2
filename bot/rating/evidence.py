"""What a player's moves in a finished game say about their strength."""

from __future__ import annotations

from collections.abc import Collection

from bot.rating.ratings import DRAW, LOSS, WIN, Evidence
from engine.core.game import Game, Player
from engine.core.registry import package_of
from engine.strength.judging import Judgement, losses_of, quality
from engine.strength.ladder import estimate, ladder_of, size_class


def evidence_of(
    game: Game, judgement: Judgement, sides: Collection[Player], winner: Player | None
) -> dict[Player, Evidence]:
    """What a judged game says about `sides`; those with too few moves are left out.

    Nothing where moves have not been calibrated with ratings: there, only results count. A side's
    worst moves do not count, so that a game thrown away on purpose still shows how well it was
    played before.
    """
    if size_class(game) not in package_of(game).calibrations:
        return {}
    found = {}
    for side in sides:
        value = quality(losses_of(judgement, side), trimmed=True)
        if value is not None:
            score = DRAW if winner is None else WIN if winner is side else LOSS
            found[side] = evidence_from(game, value, score, len(judgement.moves))
    return found


def evidence_from(game: Game, value: float, score: float, plies: int) -> Evidence:
    """What moves of a trimmed quality say, in a game with a score and of a length."""
    calibration = package_of(game).calibrations[size_class(game)]
    elo, _ = estimate(ladder_of(game), value, trimmed=True)
    return Evidence(elo - calibration.bias(score, plies), calibration.deviation)
