"""Puzzle ratings: their start, and the effect of a first try."""

from __future__ import annotations

from random import Random

from bot.features.puzzles.rules import (
    FIRST_DEVIATION,
    MOST,
    after_try,
    first_rating,
    present_rating,
)
from bot.features.puzzles.store import PuzzleRecord
from bot.ratings.glicko import WEEK, expected, is_provisional, limits_of, newcomer
from bot.store.records import Rating, RatingRecord
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of

LADDER = ladder_of(game_of("connect4", "6x7"))


def test_a_puzzle_rating_begins_near_the_game_rating() -> None:
    """A puzzle rating starts from the game rating with more uncertainty, or as a newcomer's."""
    games = RatingRecord(1, "x", Rating(1430.0, 80.0, 0.06, 50, shown=1450.0), 0.0)
    first = first_rating(LADDER, games, 0.0)
    assert (first.value, first.deviation, first.games, first.shown) == (
        1430.0,
        FIRST_DEVIATION[0],
        0,
        None,
    )
    unknown = first_rating(LADDER, None, 0.0)
    assert (unknown.value, unknown.deviation) == (newcomer(LADDER).value, FIRST_DEVIATION[1])


def test_a_rating_finds_the_solvers_strength() -> None:
    """A newcomer's rating reaches the solver's strength within forty puzzles, and settles there."""
    for strength in (700.0, 1200.0, 1700.0):
        rng, rating = Random(int(strength)), first_rating(LADDER, None, 0.0)
        last = []
        for number in range(120):
            puzzle = rating.value + rng.uniform(-100, 100)
            solved = rng.random() < expected(strength, puzzle)
            rating = after_try(rating, puzzle, LADDER, solved=solved)
            last += [rating.value] if number >= 40 else []
        assert abs(sum(last) / len(last) - strength) < 120.0
        assert rating.games == 120


def test_a_puzzle_changes_a_rating_by_at_most_a_hundred_points() -> None:
    """Not even a newcomer's rating changes by more than a hundred points with one puzzle."""
    first = first_rating(LADDER, None, 0.0)
    for puzzle in (first.value - 800.0, first.value, first.value + 800.0):
        for solved in (True, False):
            change = after_try(first, puzzle, LADDER, solved=solved).value - first.value
            assert abs(change) <= MOST
            assert change == 0.0 or (change > 0.0) == solved
    assert after_try(first, first.value + 800.0, LADDER, solved=True).value == first.value + MOST


def test_a_puzzle_rating_stays_within_the_ladder() -> None:
    """Solving every puzzle does not lead beyond the top of the ladder."""
    rating = first_rating(LADDER, None, 0.0)
    for _ in range(200):
        rating = after_try(rating, rating.value + 100.0, LADDER, solved=True)
    assert rating.value == limits_of(LADDER)[1]


def test_absence_widens_the_deviation() -> None:
    """After a long absence a puzzle rating is provisional, as in games."""
    known = PuzzleRecord(1, "x", Rating(1200.0, 80.0, 0.06, 50), 40, 0.0)
    assert present_rating(known, 0.5 * WEEK) == known.rating
    assert is_provisional(present_rating(known, 30 * WEEK))
