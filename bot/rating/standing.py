"""How strong a player is at a game, and how they got there."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store import Rating


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating on one ladder, with its history."""

    rating: Rating | None = None
    """As of now; None before the first rated game."""
    course: tuple[Rating, ...] = ()
    """After each rated game, oldest first."""
    best_win: float | None = None
    """The rating of the strongest opponent beaten."""
