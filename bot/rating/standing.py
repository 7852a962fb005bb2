"""How strong a player is at a game, and how they got there."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rating.size_classes import SizeClass
from bot.store import Rating


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which games some statistics are about."""

    size: SizeClass | None = None
    """None for all sizes."""
    since: float | None = None
    """When the first of them was finished; None for all time."""


EVERYTHING = Coverage()
"""All sizes and all time."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A player's place among those who have a number."""

    place: int
    """Counted from 1."""
    of: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating on one ladder, with its history."""

    rating: Rating | None = None
    """As of now; None before the first rated game."""
    course: tuple[Rating, ...] = ()
    """After each rated game since the end of placement, oldest first."""
    best_win: float | None = None
    """The rating of the strongest opponent beaten."""
    rank: Rank | None = None
    """Among the players of all servers; None without a number, and for who hides statistics."""
