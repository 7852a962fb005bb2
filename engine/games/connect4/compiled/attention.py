"""The winning squares of a player who overlooks some lines: see `engine.core.attention`."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import PLAIN, S1, S7, S8, S9, Int, U
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.compiled.memory import HIDDEN, STARTS

STEPS = (S1, S8, S9, S7)


@njit("uint64(uint64, int64, uint64[::1])", **PLAIN)
def seen_squares(stones: np.uint64, player: Int, memory: Words) -> np.uint64:
    """The squares that would complete a line of `stones` which is not overlooked.

    They may be occupied. `player` is 0 for the first, 1 for the second.
    """
    found = U(0)
    for direction in range(4):
        step = STEPS[direction]
        two, three = step + step, step + step + step
        x1, x2, x3 = stones >> step, stones >> two, stones >> three
        live = memory[STARTS + direction] & ~memory[HIDDEN + 4 * player + direction]
        found |= live & x1 & x2 & x3
        found |= (live & stones & x2 & x3) << step
        found |= (live & stones & x1 & x3) << two
        found |= (live & stones & x1 & x2) << three
    return found
