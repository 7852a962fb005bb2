"""Ratings at puzzles: Glicko-2 as for games, and apart from theirs.

A puzzle is an opponent of its own rating, on the scale of the ladder of its size class; the first
try at it is one game.
"""

from __future__ import annotations

from dataclasses import replace

from bot.rating.ratings import (
    LOSS,
    NEWCOMER,
    WIN,
    Opposition,
    after_absence,
    after_game,
    limits_of,
    newcomer,
    rating_at,
)
from bot.store import PuzzleRecord, Rating, RatingRecord
from engine.strength.ladder import Ladder

PUZZLE_DEVIATION = 60.0
"""The deviation of a puzzle's rating: it was measured with the ladder's rungs, not with people."""
FIRST_DEVIATION = (200.0, 250.0)
"""The least and the most with which somebody begins: playing is not solving, so a settled rating in
games is less certain here; and one guess in seven is right, so no single puzzle says much."""


def first_rating(ladder: Ladder, games: RatingRecord | None, at: float) -> Rating:
    """The rating before the first puzzle: near that in games, or else a newcomer's."""
    known = newcomer(ladder) if games is None else rating_at(games, at)
    least, most = FIRST_DEVIATION
    deviation = min(max(known.deviation, least), most)
    return Rating(known.value, deviation, NEWCOMER.volatility, 0)


def present_rating(known: PuzzleRecord, at: float) -> Rating:
    """A stored rating at puzzles, brought forward to a later time."""
    return after_absence(known.rating, at - known.updated_at)


def after_try(rating: Rating, puzzle: float, ladder: Ladder, *, solved: bool) -> Rating:
    """The rating after the first try at a puzzle of a rating."""
    opposition = Opposition(puzzle, PUZZLE_DEVIATION)
    score = WIN if solved else LOSS
    return replace(
        after_game(rating, opposition, score, within=limits_of(ladder)), shown=rating.shown
    )
