"""The number that people see of a rating: one that follows from their results, and says so.

The rating behind it is an estimate that `auto` goes by. It listens to moves as well, and forgets
what it knew after surprises, so it may rise after a defeat or leap by hundreds. No player could
make sense of that; docs/decisions.md says more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from bot.rating.ratings import expected, is_provisional
from bot.store import Rating

PLACEMENT = 5
"""How many games on a ladder are placement: there is no number before the last of them is over."""
MOST, LEAST = 60.0, 24.0
"""What a win against somebody hopelessly stronger adds: as much as MOST while the estimate is
uncertain, never less than LEAST."""


@dataclass(frozen=True, slots=True)
class Placement:
    """How far somebody is with their placement games."""

    game: int
    """The latest one, counted from 1; 0 before the first."""
    of: int = PLACEMENT


def placement(rating: Rating | None) -> Placement | None:
    """How far placement is; None once there is a number."""
    if rating is None:
        return Placement(0)
    return Placement(rating.games) if rating.shown is None else None


def is_unsure(rating: Rating) -> bool:
    """Whether a number is to be shown as provisional."""
    return is_provisional(rating)


def number_of(rating: Rating) -> float:
    """What a game against this player is rated by: the number, before there is one the estimate."""
    return rating.value if rating.shown is None else rating.shown


def number_after(
    before: Rating,
    after: Rating,
    opponent: float,
    score: float,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> float | None:
    """The number after a game; None while placement lasts.

    It begins as the estimate does when placement ends. From then on a win never lowers it and a
    defeat never raises it.

    Args:
        before: The rating before the game.
        after: The estimate after it.
        opponent: As whom the other side counts.
        score: WIN, DRAW or LOSS.
        within: The lowest and highest number that there is.
    """
    if before.shown is None:
        return after.value if after.games >= PLACEMENT else None
    change = step(before.deviation) * (score - expected(before.shown, opponent))
    return min(max(before.shown + change, within[0]), within[1])


def step(deviation: float) -> float:
    """How many points a whole surprise is worth, by how uncertain the estimate is.

    This is Glicko's own step to the first order, within limits.
    """
    return min(max(deviation**2 * math.log(10) / 400, LEAST), MOST)
