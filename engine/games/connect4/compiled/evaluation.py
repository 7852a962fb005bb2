"""The evaluation of a quiet Connect 4 position for the side to move, by its open lines of four."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import (
    EVEN_HEIGHTS,
    ONE,
    S1,
    S2,
    S3,
    S7,
    S8,
    S9,
    S14,
    S16,
    S18,
    S21,
    S24,
    S27,
    Int,
    U,
    popcount,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.compiled.memory import ROWS, STARTS

W_ONE, W_TWO, W_THREAT, W_PARITY = 1, 3, 8, 6
"""Weights: a line with one own stone and no other, with two, a square that would complete a four,
and such a square on a row that the parity of the moves favours."""

ZERO = U(0)


@njit("int64(uint64, uint64, uint64, uint64, uint64)", cache=True, nogil=True)
def lines(x0: np.uint64, x1: np.uint64, x2: np.uint64, x3: np.uint64, live: np.uint64) -> Int:
    """The weight of the lines that start in `live`, given the four squares of each as words.

    A bit-sliced adder counts the stones of all lines at once.
    """
    odd01, both01 = x0 ^ x1, x0 & x1
    odd23, both23 = x2 ^ x3, x2 & x3
    odd = odd01 ^ odd23
    two_or_more = both01 | both23 | (odd01 & odd23)
    one = popcount(odd & ~two_or_more & live)
    two = popcount(two_or_more & ~odd & live)
    return W_ONE * one + W_TWO * two


@njit("int64(uint64, uint64, uint64[::1])", cache=True, nogil=True)
def window_score(own: np.uint64, opp: np.uint64, memory: Words) -> Int:
    """The weighted lines of `own` without stones of `opp`, less those of `opp`."""
    score = 0
    a1, a2, a3 = own >> S1, own >> S2, own >> S3
    b1, b2, b3 = opp >> S1, opp >> S2, opp >> S3
    start = memory[STARTS]
    score += lines(own, a1, a2, a3, start & ~(opp | b1 | b2 | b3))
    score -= lines(opp, b1, b2, b3, start & ~(own | a1 | a2 | a3))

    a1, a2, a3 = own >> S8, own >> S16, own >> S24
    b1, b2, b3 = opp >> S8, opp >> S16, opp >> S24
    start = memory[STARTS + 1]
    score += lines(own, a1, a2, a3, start & ~(opp | b1 | b2 | b3))
    score -= lines(opp, b1, b2, b3, start & ~(own | a1 | a2 | a3))

    a1, a2, a3 = own >> S9, own >> S18, own >> S27
    b1, b2, b3 = opp >> S9, opp >> S18, opp >> S27
    start = memory[STARTS + 2]
    score += lines(own, a1, a2, a3, start & ~(opp | b1 | b2 | b3))
    score -= lines(opp, b1, b2, b3, start & ~(own | a1 | a2 | a3))

    a1, a2, a3 = own >> S7, own >> S14, own >> S21
    b1, b2, b3 = opp >> S7, opp >> S14, opp >> S21
    start = memory[STARTS + 3]
    score += lines(own, a1, a2, a3, start & ~(opp | b1 | b2 | b3))
    score -= lines(opp, b1, b2, b3, start & ~(own | a1 | a2 | a3))
    return score


@njit("int64(uint64, uint64, int64, uint64, uint64, uint64[::1])", cache=True, nogil=True)
def evaluate(
    own: np.uint64,
    opp: np.uint64,
    ply: Int,
    own_wins: np.uint64,
    opp_wins: np.uint64,
    memory: Words,
) -> Int:
    """An estimate of the value of a quiet position for the side to move.

    `own_wins` and `opp_wins` are the empty squares that complete a four. With an even number of
    rows the first player gets the squares of odd rows in the end and the second those of even rows,
    so threats there count more (Allis 1988, "A Knowledge-Based Approach of Connect-Four"). The
    weights were fitted to exact scores of 6x7 positions.
    """
    score = window_score(own, opp, memory)
    score += W_THREAT * (popcount(own_wins) - popcount(opp_wins))
    if memory[ROWS] & ONE == ZERO:
        own_rows = EVEN_HEIGHTS if ply & 1 == 0 else ~EVEN_HEIGHTS
        score += W_PARITY * (popcount(own_wins & own_rows) - popcount(opp_wins & ~own_rows))
    return score
