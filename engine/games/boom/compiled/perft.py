"""Counting move sequences (perft), which checks the compiled rules against the plain ones."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import ONE, Int, U, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import MIX1, MIX2, Words
from engine.games.boom.compiled.memory import S12, S32, name_of
from engine.games.boom.compiled.rules import MOST_MOVEMENTS, ZERO, in_line, landing_squares, moved


@njit(
    "uint64(uint64, uint64, uint64, uint64, int64, int64, uint64[::1])",
    cache=True,
    nogil=True,
)
def perft(
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    ply: Int,
    depth: Int,
    counts: Words,
) -> Int:
    """The number of sequences of exactly `depth` >= 1 moves from here; 0 for a finished game.

    `counts` caches positions in three words: the two that identify a table entry, the second with
    the depth, and the count.
    """
    if in_line(own) or in_line(opp) or ply >= MOST_MOVEMENTS:
        return ZERO
    landing = landing_squares(own | opp)
    if depth == 1:
        return U(popcount(landing)) + U(mine != ZERO)
    stones, bombs = name_of(own, opp, mine, theirs, ply)
    tag = bombs | (U(depth) << S12)
    size = U(counts.size // 3)
    mixed = (stones * MIX1) ^ (tag * MIX2)
    mixed ^= mixed >> S32
    at = (((mixed * MIX1) >> S32) * size >> S32) * U(3)
    if counts[at] == stones and counts[at + ONE] == tag:
        return counts[at + U(2)]
    total = ZERO
    passes = (ply + 1) & 1
    moves = landing | mine
    while moves:
        bit = moves & (~moves + ONE)
        moves ^= bit
        own2, opp2, mine2, theirs2 = moved(own, opp, mine, theirs, ply, bit)
        if passes:
            total += perft(opp2, own2, theirs2, mine2, ply + 1, depth - 1, counts)
        else:
            total += perft(own2, opp2, mine2, theirs2, ply + 1, depth - 1, counts)
    counts[at] = stones
    counts[at + ONE] = tag
    counts[at + U(2)] = total
    return total
