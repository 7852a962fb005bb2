"""What a player's moves in a finished game say about their strength."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.rating.ratings import DRAW, LOSS, WIN, Evidence
from engine.core.game import Game, Player
from engine.strength.judging import Judgement, losses_of, quality
from engine.strength.ladder import estimate, ladder_of, size_class


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far the estimate from one game's moves is off for people, on one ladder.

    Moves look better in games that are won, and in long ones: who wins had good moves to choose
    from, and who errs loses early. Rungs, by which the estimate was made, err otherwise than people
    do. So it is corrected by figures from simulated people who met rungs within 250 points of them
    (`python -m benchmarks.adaptive --calibrate`).
    """

    base: float
    """Elo points by which it is too high in a long game that was lost."""
    won: float
    """How much more that is for a win; half of it for a draw."""
    short: float
    """How much more it is in short games: this divided by the plies of the game."""
    deviation: float
    """The standard deviation of what remains."""

    def bias(self, score: float, plies: int) -> float:
        """By how much the estimate is too high on average."""
        return self.base + self.won * score + self.short / plies


CALIBRATIONS: Mapping[str, Calibration] = {
    "connect4-classic": Calibration(100.0, 349.0, -3590.0, 368.0),
    "connect4-small": Calibration(-22.0, 247.0, -1160.0, 162.0),
    "connect4-large": Calibration(76.0, 314.0, -1740.0, 330.0),
    "boom": Calibration(27.0, 342.0, -830.0, 311.0),
    "gato": Calibration(6.0, 150.0, -1500.0, 68.0),
}
"""By ladder."""


def evidence_of(
    game: Game, judgement: Judgement, sides: Collection[Player], winner: Player | None
) -> dict[Player, Evidence]:
    """What a judged game says about `sides`; those with too few moves are left out.

    A side's worst moves do not count, so that a game thrown away on purpose still shows how well it
    was played before.
    """
    found = {}
    for side in sides:
        value = quality(losses_of(judgement, side), trimmed=True)
        if value is not None:
            score = DRAW if winner is None else WIN if winner is side else LOSS
            found[side] = evidence_from(game, value, score, len(judgement.findings))
    return found


def evidence_from(game: Game, value: float, score: float, plies: int) -> Evidence:
    """What moves of a trimmed quality say, in a game with a score and of a length."""
    calibration = CALIBRATIONS[size_class(game)]
    elo, _ = estimate(ladder_of(game), value, trimmed=True)
    return Evidence(elo - calibration.bias(score, plies), calibration.deviation)
