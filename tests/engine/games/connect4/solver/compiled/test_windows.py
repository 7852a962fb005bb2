"""The order of the questions that find a score."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.connect4.solver.compiled.rules import ALL, Rule
from engine.games.connect4.solver.compiled.windows import APART, EARLY, next_question, outwards


@pytest.mark.parametrize("rules", [ALL, ALL & ~Rule.STEPS])
@pytest.mark.parametrize("ply", [0, EARLY, EARLY + 1, 30, 46, 56])
def test_every_score_is_found_in_few_questions(ply: int, rules: int) -> None:
    """For any bounds, a score is found in at most sixteen questions, each of which narrows them."""
    most = (64 - ply) // 2 + 1
    for low in range(-most, most + 1):
        for high in range(low + 1, most + 1):
            for score in {low, high, (low + high) // 2}:
                lower, upper, asked = low, high, 0
                while lower < upper:
                    alpha = next_question(lower, upper, asked, ply, 64, np.uint64(rules))
                    assert lower <= alpha < upper
                    lower, upper = (alpha + 1, upper) if score > alpha else (lower, alpha)
                    asked += 1
                assert lower == score
                assert asked <= 16


def test_the_first_question_of_the_opening_is_the_winner() -> None:
    """With few stones the first question between near bounds is whether the mover wins at all."""
    rules = np.uint64(ALL)
    assert next_question(-9, 9, 0, EARLY, 42, rules) == 0
    assert next_question(-APART, 0, 1, 0, 42, rules) == -1
    assert next_question(-APART - 1, 0, 1, 0, 42, rules) < -1


def test_quick_ends_are_asked_about_first() -> None:
    """Early, questions approach 0 from both sides by quarters; later they start in the middle."""
    assert next_question(-16, 17, 0, 9, 42, np.uint64(ALL)) == 13
    assert next_question(-16, 13, 1, 9, 42, np.uint64(ALL)) == -13
    assert next_question(-6, 6, 0, 30, 42, np.uint64(ALL)) == -1
    assert next_question(-16, 17, 0, 9, 42, np.uint64(ALL & ~Rule.STEPS)) == 8


@pytest.mark.parametrize("lower", range(-20, 20))
def test_questions_are_symmetric(lower: int) -> None:
    """The questions about wins and losses are symmetric."""
    uppers = range(lower + 1, 21 if lower >= 0 else 1)
    assert uppers
    for upper in uppers:
        assert outwards(lower, upper) == -1 - outwards(-upper, -lower)


def test_steps_from_zero_double() -> None:
    """A win is searched for at 1, 2, 4, 8 and so on, then by halves."""
    assert [outwards(lower, 40) for lower in (0, 1, 2, 4, 8)] == [0, 1, 3, 7, 15]
    assert outwards(8, 12) == 9
