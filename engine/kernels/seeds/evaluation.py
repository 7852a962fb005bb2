"""The evaluations of the seed agents of Connect 4, counted by lines of four.

Both weigh the two sides differently, so a position is always evaluated for the agent, whichever
side is to move.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from engine.kernels.bits import Int, U, landing, popcount
from engine.kernels.compiling import njit
from engine.kernels.connect4.memory import BOARD, BOTTOM, COLUMNS, STARTS
from engine.kernels.memory import Words


class Evaluation(IntEnum):
    """Which evaluation a search uses."""

    WINDOW = 0
    TUPLES = 1


WINDOW = int(Evaluation.WINDOW)
W_FOUR, W_THREE, W_TWO, W_THEIRS, W_CENTRE = 100, 5, 2, -4, 3
"""Weights of a window: four own stones; three and two of them, the rest empty; three of the
other's and one empty. The last is what an own stone in the centre column counts."""
W_FAVOURABLE, W_ADVERSE = 1, -100
"""Weights of a playable 3-tuple, the agent's and the opponent's."""
STEPS = (U(1), U(8), U(9), U(7))
"""From a square of a line to its next, in the order of the starts in memory."""
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
def tuple_value(agent: np.uint64, other: np.uint64, memory: Words) -> Int:
    """The sum of the weights of all 3-tuples whose empty square a stone would land on now."""
    occupied = agent | other
    squares = landing(occupied, memory[BOTTOM], memory[BOARD])
    value: Int = 0
    for direction in range(4):
        step, starts = STEPS[direction], memory[STARTS + direction]
        # Three squares are taken, so a playable one in the line is the one that is left.
        playable = starts & touched(squares, step)
        _, ours, _ = counts(agent, step)
        _, theirs, _ = counts(other, step)
        value += W_FAVOURABLE * popcount(ours & playable)
        value += W_ADVERSE * popcount(theirs & playable)
    return value


@njit("int64(int64, uint64, uint64, uint64[::1])", cache=True, nogil=True)
def evaluate(kind: Int, agent: np.uint64, other: np.uint64, memory: Words) -> Int:
    """The value of an undecided position to the agent, by the `Evaluation` of that number."""
    if kind == WINDOW:
        return window_value(agent, other, memory)
    return tuple_value(agent, other, memory)
