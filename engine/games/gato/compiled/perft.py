"""Counting Gato's move sequences (perft), to check the compiled rules against the plain ones."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import ONE, S16, Int, U, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import MIX1, Words
from engine.games.gato.compiled.lines import BOARD, winning_squares
from engine.games.gato.compiled.symmetry import canonical

ZERO, S1, S32 = U(0), U(1), U(32)

CANONICAL = 2
"""The least depth at which positions are looked up by their canonical image; at smaller depths
counting takes less time."""


@njit("uint64(uint64, uint64, int64, uint64[::1])", cache=True, nogil=True)
def perft(own: np.uint64, opp: np.uint64, depth: Int, counts: Words) -> Int:
    """The number of sequences of exactly `depth` >= 1 moves from a position without a line.

    A game that is finished has none. `counts` caches positions in two words: stones with depth, and
    count.
    """
    moves = BOARD & ~(own | opp)
    if depth == 1:
        return U(popcount(moves))
    moves &= ~winning_squares(own)
    tag, at = ZERO, ZERO
    if depth >= CANONICAL:
        tag = canonical(own | (opp << S16)) | (U(depth) << S32)
        mixed = tag * MIX1
        mixed ^= mixed >> S32
        at = (((mixed * MIX1) >> S32) * U(counts.size >> 1)) >> S32 << S1
        if counts[at] == tag:
            return counts[at + ONE]
    total = ZERO
    while moves:
        bit = moves & (~moves + ONE)
        moves ^= bit
        total += perft(opp, own | bit, depth - 1, counts)
    if depth >= CANONICAL:
        counts[at] = tag
        counts[at + ONE] = total
    return total
