"""Lines as words compared with lines in a list."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core.compiled.scores import WON_BOUND
from engine.games.gato.compiled.lines import (
    W_ONE,
    W_THREE,
    W_TWO,
    open_beside,
    weigh,
    winning_squares,
)
from engine.games.gato.rules import FULL, LINES

words = st.integers(0, FULL)


def test_the_winning_squares_are_those_that_three_stones_lack() -> None:
    """For every set of stones, a square wins if the three other squares of a line hold stones."""
    every = np.arange(FULL + 1, dtype=np.uint64)
    expected = np.zeros_like(every)
    for bit, line in ((1 << square, line) for line in LINES for square in range(16)):
        rest = np.uint64(line ^ bit)
        if line & bit:
            expected[every & rest == rest] |= np.uint64(bit)
    found = np.array([winning_squares(stones) for stones in every], np.uint64)
    assert (found & ~every == expected & ~every).all()


@given(words)
def test_open_lines_contain_none_of_the_stones(stones: int) -> None:
    """The open lines are those without any of the stones."""
    count = sum(line & stones == 0 for line in LINES)
    assert int(open_beside(np.uint64(stones))).bit_count() == count


@given(words, words)
def test_open_lines_are_weighed_by_their_stones(first: int, second: int) -> None:
    """An open line weighs by the number of its stones, up to 3."""
    own, opp = np.uint64(first & ~second), np.uint64(second)
    assume(not any(line & int(own) == line for line in LINES))
    weights = {1: W_ONE, 2: W_TWO, 3: W_THREE}
    held = [(line & int(own)).bit_count() for line in LINES if not line & second]
    assert weigh(own, open_beside(opp)) == sum(weights.get(stones, 0) for stones in held)


def test_evaluations_stay_within_their_bounds() -> None:
    """However many lines are open, an evaluation stays within the bound of proven scores."""
    assert len(LINES) * max(W_ONE, W_TWO, W_THREE) <= WON_BOUND
