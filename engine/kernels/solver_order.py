"""How promising a position looks: the order in which moves are tried."""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.kernels.bits import EVEN_HEIGHTS, INLINED, ONE, S1, UP1, Int, popcount
from engine.kernels.solver_memory import ROWS, Words

W_THREAT, W_PARITY, W_NEXT = 10, 3, 4
"""Weights: a square that would complete a four, one on a row that the parity of the moves favours,
one directly above a square that can be played."""


@njit("int64(uint64, uint64, uint64, uint64, uint64, int64, uint64[::1])", **INLINED)
def promise(
    own: np.uint64,
    opp: np.uint64,
    own_wins: np.uint64,
    opp_wins: np.uint64,
    moves: np.uint64,
    ply: Int,
    memory: Words,
) -> Int:
    """How good a quiet position looks for the side that has just moved.

    `own` is to move; `own_wins` and `opp_wins` are the empty squares that complete a four. A
    square directly above one that completes a four of the other side does not count.
    """
    a = opp_wins & ~((own_wins & UP1) << S1)
    b = own_wins & ~((opp_wins & UP1) << S1)
    above_moves = (moves & UP1) << S1
    score = W_THREAT * (popcount(a) - popcount(b))
    score += W_NEXT * (popcount(a & above_moves) - popcount(b & above_moves))
    if memory[ROWS] & ONE == 0:
        opp_rows = ~EVEN_HEIGHTS if ply & 1 == 0 else EVEN_HEIGHTS
        score += W_PARITY * (popcount(a & opp_rows) - popcount(b & ~opp_rows))
    return score
