"""The evaluations of the student agents of Connect 4, counted by lines of four.

Both weigh the two sides differently: windows are always evaluated for the agent, tuples for the
side that made the last move.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from engine.core.compiled.bits import Int, U, landing, popcount, winning_squares
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.compiled.memory import BOARD, BOTTOM, COLUMNS, STARTS


class Evaluation(IntEnum):
    """The evaluation that a search uses."""

    WINDOW = 0
    TUPLES = 1


WINDOW = int(Evaluation.WINDOW)

W_FOUR, W_THREE, W_TWO, W_THEIRS, W_CENTRE = 100, 5, 2, -4, 3
"""Weights of a window: four own stones; three and two of them, the rest empty; three of the other's
and one empty. The last is the weight of an own stone in the centre column."""

W_OWN, W_OTHERS = 1, -100
"""Weights of a square that would complete a four: for the side that moved last, for the other."""

STEPS = (U(1), U(8), U(9), U(7))
"""Distance in bits to the next square of a line, in the order of the starts in memory."""

TWO, THREE, COLUMN = U(2), U(3), U(0xFF)


@njit("UniTuple(uint64, 3)(uint64, uint64)", cache=True, nogil=True)
def counts(stones: np.uint64, step: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The starts of lines that hold exactly two, exactly three, and four of `stones`.

    A bit-sliced adder counts for all lines of one direction at once.
    """
    x1, x2, x3 = stones >> step, stones >> (TWO * step), stones >> (THREE * step)
    odd01, both01 = stones ^ x1, stones & x1
    odd23, both23 = x2 ^ x3, x2 & x3
    odd = odd01 ^ odd23
    four = both01 & both23
    several = both01 | both23 | (odd01 & odd23)
    return several & ~odd & ~four, several & odd, four


@njit("uint64(uint64, uint64)", cache=True, nogil=True)
def touched(word: np.uint64, step: np.uint64) -> np.uint64:
    """The starts of lines that hold any square of `word`."""
    return word | (word >> step) | (word >> (TWO * step)) | (word >> (THREE * step))


@njit("int64(uint64, uint64, uint64[::1])", cache=True, nogil=True)
def window_value(agent: np.uint64, other: np.uint64, memory: Words) -> Int:
    """The sum of the weights of all windows, and of the agent's stones in the centre column."""
    centre = COLUMN << (U(8) * (memory[COLUMNS] >> U(1)))
    value = W_CENTRE * popcount(agent & centre)
    for direction in range(4):
        step, starts = STEPS[direction], memory[STARTS + direction]
        two, three, four = counts(agent, step)
        _, theirs, _ = counts(other, step)
        free = starts & ~touched(other, step)
        value += W_FOUR * popcount(four & starts) + W_THREE * popcount(three & free)
        value += W_TWO * popcount(two & free)
        value += W_THEIRS * popcount(theirs & starts & ~touched(agent, step))
    return value


@njit("int64(uint64, uint64, uint64[::1])", cache=True, nogil=True)
def tuple_value(last: np.uint64, other: np.uint64, memory: Words) -> Int:
    """The value of a state for the side that made the last move, whose stones are `last`.

    Each square on which a stone would land now counts at most once for each side that it would give
    a four: 1 for the side that moved last, -100 for the other.
    """
    squares = landing(last | other, memory[BOTTOM], memory[BOARD])
    own = popcount(winning_squares(last) & squares)
    return W_OWN * own + W_OTHERS * popcount(winning_squares(other) & squares)


@njit("int64(int64, uint64, uint64, boolean, uint64[::1])", cache=True, nogil=True)
def evaluate(kind: Int, own: np.uint64, opp: np.uint64, agents: bool, memory: Words) -> Int:
    """The value of an undecided position for the side to move, by the `Evaluation` of that number.

    `agents` is whether the agent is to move: windows are always evaluated for the agent. Tuples are
    evaluated for the side that made the last move, as a zero-sum value.
    """
    if kind == WINDOW:
        return window_value(own, opp, memory) if agents else -window_value(opp, own, memory)
    return -tuple_value(opp, own, memory)
