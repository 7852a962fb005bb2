"""The promise of a position, which determines the order in which moves are tried."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import EVEN_HEIGHTS, INLINED, ONE, S1, UP1, Int, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.memory import ROWS

W_THREAT, W_THREATENED, W_PARITY = 13, 10, 3
"""Weights: a square that would complete a four, of the side that has moved and of the other, and
one on a row that the parity favours."""

W_ANY = 3
"""Any square that would complete a four."""

W_REPLY = 2
"""Each move that the other side has left, counted against."""

W_KILLER, W_SECOND_KILLER = 10, 3
"""The move that was decisive last with as many stones, and the one before it."""

W_ANSWER, W_SECOND_ANSWER = 7, 2
"""The move that was decisive last after the same move, and the one before it."""

W_NEXT, W_NEXT_EARLY, W_BEHIND = 13, 25, 5
"""Such a square directly above a playable one, and how much less one of the other side counts."""

W_LINE = 3
"""An open line that gets a second stone."""

W_BOTTOM = 4
"""A stone in the bottom row, counted against."""

W_FORCING, W_FORCING_EARLY = 4, 45
"""A move that must be answered."""

W_MIDDLE, W_MIDDLE_EARLY = 3, 2
"""Each half column nearer to the middle."""

NEAR = 4
"""Questions about scores beyond this, for either side, are about an early end."""


@njit("boolean(int64)", **INLINED)
def is_early(alpha: Int) -> bool:
    """Whether a question is about an end long before the board is full.

    Such ends are decided by moves that have to be answered; others by later threats and the middle.
    """
    return bool(alpha > NEAR or alpha < -NEAR - 1)


@njit(
    "int64(uint64, uint64, uint64, uint64, uint64, uint64, int64, boolean, uint64[::1])", **INLINED
)
def promise(
    own: np.uint64,
    opp: np.uint64,
    own_wins: np.uint64,
    opp_wins: np.uint64,
    moves: np.uint64,
    replies: np.uint64,
    ply: Int,
    early: bool,
    memory: Words,
) -> Int:
    """The promise of a quiet position for the side that has just moved.

    `own` is to move; `own_wins` and `opp_wins` are the empty squares that complete a four, and
    `early` is the result of `is_early`. A square directly above one that completes a four of the
    other side does not count.
    """
    a = opp_wins & ~((own_wins & UP1) << S1)
    b = own_wins & ~((opp_wins & UP1) << S1)
    above_moves = (moves & UP1) << S1
    score = W_THREAT * popcount(a) - W_THREATENED * popcount(b)
    score += W_ANY * popcount(opp_wins) - W_REPLY * popcount(replies)
    w_next = W_NEXT_EARLY if early else W_NEXT
    score += w_next * popcount(a & above_moves) - (w_next - W_BEHIND) * popcount(b & above_moves)
    if memory[ROWS] & ONE == 0:
        opp_rows = ~EVEN_HEIGHTS if ply & 1 == 0 else EVEN_HEIGHTS
        score += W_PARITY * (popcount(a & opp_rows) - popcount(b & ~opp_rows))
    return score
