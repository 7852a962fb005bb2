"""Ratings as the store takes and returns them: immutable values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.store.unaided import UnaidedMoves


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is thought to be, how certain that is, and what people see of it."""

    value: float
    deviation: float
    """The standard error: the truth lies within two of them 19 times in 20."""
    volatility: float
    """How much the strength itself changes from game to game."""
    games: int
    """Rated games behind it."""
    surprise: float = field(default=0.0, compare=False)
    """By how many points recent results exceeded expectation; earlier ones fade."""
    shown: float | None = None
    """The number that people see; None until the placement games are over."""


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """A player's stored rating on one ladder, as of their last rated game there."""

    user_id: int
    ladder: str
    rating: Rating
    updated_at: float


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one game changed in one player's rating."""

    user_id: int
    before: Rating
    """Just before the game ended, with the effect of absence applied."""
    after: Rating
    opponent: float
    """The other side's rating."""


@dataclass(frozen=True, slots=True)
class RatedEnd:
    """How the end of a game changes ratings: the store reads them, calls `rate`, and writes."""

    ladder: str
    people: tuple[int, ...]
    """Whose ratings are needed."""
    rate: Callable[[Mapping[int, RatingRecord]], tuple[RatingChange, ...]]
    """From the present ratings, of those who have one, to the changes; pure."""
    unaided: tuple[UnaidedMoves, ...] = ()
    """What the moves of each of them gave away."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A player's rating right after one of their games."""

    at: float
    rating: Rating
