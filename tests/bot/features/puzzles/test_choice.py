"""The choice of a person's next puzzle and of the daily puzzle."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.puzzles.choice import (
    EXPERT,
    FAR,
    FIRST_WINS,
    MIDDLE,
    MIN_NEAR,
    NEAR,
    choose,
    classes_with_puzzles,
    day_of,
    days_of,
    for_days,
    next_puzzle,
    puzzle_of_day,
    puzzles_of_theme,
    suiting,
    usual_class,
)
from bot.features.puzzles.store import PuzzleTry
from bot.ratings.levels import classes_of
from engine.core.problem import Problem, Step
from engine.core.registry import game_of, games
from engine.study.puzzles import Puzzle, PuzzleKind, has_puzzles, puzzles_in
from engine.study.themes import Theme

GAME = game_of("connect4", "6x7")
FOUR = GAME.parse("4")
PROBLEM = Problem(GAME, (), (Step((FOUR,), (FOUR,)), Step((FOUR,))))
SINGLE = Problem(GAME, (), (Step((FOUR,)),))
PUZZLES = tuple(
    Puzzle(f"P{n:05}", PuzzleKind.WIN, PROBLEM, 400 + 7 * (n * 37 % 200), forced=2)
    for n in range(200)
)
"""Puzzles rated 400 to 1,793."""

LATER = 1e9
"""The time of a choice."""

WITH_PUZZLES = [family for family in games() if classes_with_puzzles(family)]


def attempts_at(*puzzles: Puzzle, left_open: bool = False) -> list[PuzzleTry]:
    """Tries at these puzzles, one after the other."""
    return [
        PuzzleTry(1, one.id, "x", at, at, None if left_open else at, None if left_open else True,
                  None, None)
        for at, one in enumerate(puzzles, 1)
    ]  # fmt: skip


@settings(max_examples=30)
@given(
    rating=st.floats(-500, 3000), seen=st.sets(st.sampled_from(PUZZLES)), seed=st.integers(0, 99)
)
def test_no_puzzle_repeats_while_a_nearer_one_is_new(
    rating: float, seen: set[Puzzle], seed: int
) -> None:
    """While a puzzle near the rating is new, no repeated and no distant puzzle is chosen."""
    found = choose(
        PUZZLES, attempts_at(*sorted(seen, key=lambda one: one.id)), rating, LATER, Random(seed)
    )
    ranked = sorted(PUZZLES, key=lambda one: abs(one.rating - rating))
    near = [one for one in PUZZLES if abs(one.rating - rating) <= NEAR]
    near = near if len(near) > MIN_NEAR else ranked[:MIN_NEAR]
    bound = max(abs(one.rating - rating) for one in near)
    assert abs(found.rating - rating) <= bound
    if any(one not in seen for one in near):
        assert found not in seen or abs(found.rating - rating) == bound


def test_every_puzzle_near_a_rating_comes_once_before_repeats() -> None:
    """A person gets every puzzle near their rating before one is repeated, oldest first."""
    tries: list[PuzzleTry] = []
    rng, near = Random(3), {one.id for one in PUZZLES if abs(one.rating - 1000) <= NEAR}
    for _ in near:
        found = choose(PUZZLES, tries, 1000.0, LATER, rng)
        tries += attempts_at(found)
    order = [one.puzzle for one in tries]
    assert set(order) == near
    assert len(order) == len(near)
    for _ in range(20):
        again = choose(PUZZLES, tries, 1000.0, LATER, rng)
        assert again.id in order[: len(order) // 2]


def test_puzzles_are_about_as_strong_as_the_player() -> None:
    """Puzzles are spread around the player's rating."""
    found = [choose(PUZZLES, [], 1000.0, LATER, Random(seed)) for seed in range(200)]
    assert abs(sum(one.rating for one in found) / len(found) - 1000.0) < 30.0
    assert len(set(found)) > 30
    assert max(abs(one.rating - 1000.0) for one in found) <= NEAR


def test_open_puzzles_are_asked_again() -> None:
    """The latest unfinished puzzle is asked again."""
    tries = attempts_at(*PUZZLES[:3], left_open=True)
    more = [*tries, *attempts_at(PUZZLES[5])]
    assert choose(PUZZLES, more, 1000.0, LATER, Random(1)) == PUZZLES[2]


def test_days_have_puzzles_from_the_middle_that_come_back_late() -> None:
    """Days have puzzles of middle ratings, each once per cycle and in any order of the files."""
    days = for_days(PUZZLES)
    assert days == for_days(PUZZLES[::-1])
    ratings = sorted(one.rating for one in PUZZLES)
    low, high = (ratings[int(part * len(PUZZLES)) - 1] for part in MIDDLE)
    assert all(low <= one.rating <= high for one in days)
    assert len(set(days)) == len(days) > 0.2 * len(PUZZLES)
    # The daily puzzles do not come in the order of their ratings.
    assert len({one.rating > 1000 for one in days[:8]}) == 2


@pytest.mark.parametrize("family", WITH_PUZZLES)
def test_a_puzzle_of_the_day_is_not_given_before(family: str) -> None:
    """Every family with puzzles has one a day, which is never chosen by rating."""
    usual = usual_class(family)
    assert usual is not None
    shipped = puzzles_in(usual.ladder)
    days = [puzzle_of_day(family, day) for day in range(20_000, 20_000 + len(shipped))]
    cycle = len(set(days))
    assert days[:cycle] == days[cycle : 2 * cycle] or len(days) < 2 * cycle
    assert len(set(days[:cycle])) == cycle
    rng = Random(1)
    given = {
        next_puzzle(usual.ladder, [], float(rating), LATER, rng) for rating in range(0, 2500, 25)
    }
    assert not given & set(days)


@pytest.mark.parametrize("rating", [500.0, 1000.0, 1700.0])
@pytest.mark.parametrize("ladder", [s.ladder for key in WITH_PUZZLES for s in classes_of(key)])
def test_the_first_thirty_are_plain_wins_of_different_games(ladder: str, rating: float) -> None:
    """Everyone's first thirty are forced wins in two to four moves, never two from one game."""
    if not has_puzzles(ladder):
        return
    tries: list[PuzzleTry] = []
    rng, found = Random(5), list[Puzzle]()
    for _ in range(FIRST_WINS):
        found.append(next_puzzle(ladder, tries, rating, LATER, rng))
        tries += attempts_at(found[-1])
    assert all(one.is_plain_win and one.clicks > 1 and not one.within for one in found)
    assert len(set(found)) == FIRST_WINS
    assert all(one.source != other.source for one, other in pairwise(found))


@pytest.mark.parametrize("family", WITH_PUZZLES)
def test_days_have_plain_wins_of_different_games(family: str) -> None:
    """A puzzle of the day is a plain win; two days in a row never come from one game."""
    usual = usual_class(family)
    assert usual is not None
    days = days_of(usual.ladder)
    assert len(days) > 30
    assert all(one.is_plain_win and not one.within for one in days)
    assert all(one.source != other.source for one, other in pairwise(days))


def test_single_moves_and_far_defences_are_for_experts() -> None:
    """Puzzles of one move, and defences that take long to refute, are given from 1500 on."""
    win, hold = PuzzleKind.WIN, PuzzleKind.HOLD
    single = Puzzle("SINGLE", win, SINGLE, 1500, forced=1)
    far = Puzzle("FAR000", hold, PROBLEM, 1500, distance=FAR + 1)
    near = replace(far, id="NEAR00", distance=FAR)
    never = [
        Puzzle("OPEN00", PuzzleKind.REFUTE, PROBLEM, 1500),
        replace(PUZZLES[0], within="OTHER0"),
    ]
    every = [single, far, near, PUZZLES[1], *never]
    assert suiting(every, EXPERT - 1, FIRST_WINS) == [near, PUZZLES[1]]
    assert suiting(every, EXPERT, FIRST_WINS) == [single, far, near, PUZZLES[1]]
    assert suiting(every, EXPERT, 0) == [PUZZLES[1]]
    assert suiting([single, *never], 500.0, FIRST_WINS) == [single]


def test_a_failed_puzzle_returns_when_it_is_due() -> None:
    """A failed puzzle comes back before new ones once it is due, the first due first."""
    failed = [replace(one, returns_at=at) for one, at in zip(
        attempts_at(*PUZZLES[:3]), (300.0, 200.0, 900.0), strict=True
    )]  # fmt: skip
    found = [choose(PUZZLES, failed, 1000.0, now, Random(1)) for now in (100.0, 250.0, 1000.0)]
    assert found[0] not in PUZZLES[:3]
    assert found[1:] == [PUZZLES[1], PUZZLES[1]]


def test_a_theme_limits_the_choice() -> None:
    """Who asks for a theme gets only puzzles of that theme, also among their first."""
    rng, ladder = Random(2), "connect4-classic"
    for theme in Theme:
        found = next_puzzle(ladder, [], 1000.0, LATER, rng, theme)
        assert theme in found.themes
        assert found in puzzles_of_theme(ladder, theme)
    assert puzzles_of_theme("gato", Theme.CLAIMEVEN) == []


def test_a_day_begins_at_midnight() -> None:
    """A day begins at midnight UTC for all people."""
    assert [day_of(time) for time in (0.0, 86_399.9, 86_400.0)] == [0, 0, 1]
