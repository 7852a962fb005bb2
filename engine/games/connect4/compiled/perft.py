"""Counting move sequences (perft), which checks the compiled rules against the plain ones."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import ONE, S2, Int, U, landing, lowest, popcount, winning_squares
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import MIX1, MIX2, Words
from engine.games.connect4.compiled.memory import BOARD, BOTTOM

ZERO, S32 = U(0), U(32)


@njit(
    "uint64(uint64, uint64, uint64, int64, int64, uint64[::1], uint64[::1])",
    cache=True,
    nogil=True,
)
def perft(
    own: np.uint64,
    opp: np.uint64,
    heights: np.uint64,
    ply: Int,
    depth: Int,
    memory: Words,
    counts: Words,
) -> Int:
    """The number of sequences of exactly `depth` >= 1 moves from here; 0 for a finished game.

    `counts` caches positions in three words: stones, heights with depth, and count.
    """
    occupied = own | opp
    moves = landing(occupied, memory[BOTTOM], memory[BOARD])
    if depth == 1:
        return U(popcount(moves))
    moves &= ~winning_squares(own)
    tag = heights | (U(depth) << S32)
    size = U(counts.size // 3)
    mixed = (own * MIX1) ^ (tag * MIX2)
    mixed ^= mixed >> S32
    at = (((mixed * MIX1) >> S32) * size >> S32) * U(3)
    if counts[at] == own and counts[at + ONE] == tag:
        return counts[at + U(2)]
    total = ZERO
    while moves:
        bit = moves & (~moves + ONE)
        moves ^= bit
        taller = heights + (ONE << (U(lowest(bit) >> 3) << S2))
        total += perft(opp, own | bit, taller, ply + 1, depth - 1, memory, counts)
    counts[at] = own
    counts[at + ONE] = tag
    counts[at + U(2)] = total
    return total
