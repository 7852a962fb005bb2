"""Which mistakes are within reach of a rating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player
from engine.core.reason import Reason, ReasonKind
from engine.strength.ladder import size_class
from engine.study.exercises import exercises
from engine.study.puzzles import boards
from engine.study.reach import Reach, Stake, changed, demanded
from engine.study.review import Review
from tests.engine.study.test_review import reviewed

CLASSIC = "connect4-classic"
ONE = Player.FIRST
FAR = 15
"""Own moves: farther than most puzzles ask."""


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((WIN - 9, 0), (Stake.WIN, 5)),
        ((WIN - 9, WIN - 29), (Stake.WIN, 5)),
        ((0, 8 - WIN), (Stake.HOLD, 4)),
        ((20 - WIN, 8 - WIN), (Stake.HOLD, 4)),
    ],
)
def test_a_mistake_is_as_far_as_the_result_that_it_changed(
    scores: tuple[int, ...], expected: tuple[Stake, int]
) -> None:
    """A win is as far as its last own move, a loss as far as the other side's last one."""
    assert changed(reviewed(0, ONE, 1, *scores)) == expected


def test_what_is_not_proven_is_beyond_the_search() -> None:
    """An estimate lies at least as far away as the search has seen."""
    assert changed(reviewed(0, ONE, 1, 20, -60, proven=False)) == (Stake.WIN, 4)


def test_farther_results_demand_a_higher_rating() -> None:
    """On each board the rating grows with the distance, also beyond what puzzles ask."""
    for board in boards():
        ladder = size_class(board)
        for stake in Stake:
            ratings = [demanded(ladder, stake, distance) for distance in range(1, 30)]
            assert ratings == sorted(ratings)
            assert ratings[0] > 0
            assert ratings[-1] > ratings[9] or board.key == "gato"


def test_near_mistakes_are_for_everyone_and_far_ones_for_the_strong() -> None:
    """Beginners get near results only, and always fours that were missed or allowed."""
    near, far = reviewed(0, ONE, 1, WIN - 3, 0), reviewed(2, ONE, 1, WIN - 2 * FAR, 0)
    four = replace(far, fault=Reason(ReasonKind.NOT_BLOCKED, (Move(0),)))
    beginner, strong = Reach(CLASSIC, 850.0), Reach(CLASSIC, 2500.0)
    assert [beginner.has(one) for one in (near, far, four)] == [True, False, True]
    assert [strong.has(one) for one in (near, far, four)] == [True, True, True]
    found = exercises(Review((near, far)), ONE, reach=beginner)
    assert [one.played for one in found] == [near]
