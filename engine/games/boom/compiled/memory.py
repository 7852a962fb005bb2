"""The working memory of a Conecta-4 BOOM search: one array of words.

    0      1 if a player who cannot move draws             64..    history by player and move
    1, 2   nodes so far, most nodes allowed                256..   the moves of each ply, 8 a ply
    3      1 once the search was cut short                 1872..  each ply's last decisive move
    4      1 if lines are overlooked                       2000..  overlooked lines, 4 a player
                                                           2048..  the transposition table

A table entry is two words that identify a position, including its number of movements, so that
scores can be stored unchanged even near the last movement allowed:

    word 0   the mover's stones plus, in each column, the bit on top of its highest stone (56
             bits); movements made (8 bits)
    word 1   the numbers of both bombs' bits, 63 for none (12 bits); value (16 bits), bound (2),
             depth (6), the best move (4)
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import INLINED, ONE, S1, S3, S16, Int, U, lowest, prefetch
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import EXACT, LOWER, MIX1, MIX2, UPPER, Words
from engine.core.compiled.scores import UNKNOWN
from engine.games.boom.compiled.rules import BOTTOM

STUCK_IS_DRAW, NODES, MOST_NODES, ABORTED, BLIND = 0, 1, 2, 3, 4

HISTORY, SCRATCH, KILLERS, HIDDEN, TABLE = 64, 256, 1872, 2000, 2048

KILLER_PLIES = 63
"""Plies with a decisive move of their own, less one; farther ones share their words."""

BOMBS = U(0xFFF)

S6, S12, S28, S30, S32, S36, S56 = U(6), U(12), U(28), U(30), U(32), U(36), U(56)


def new_memory(stuck_is_draw: bool, table_bits: int) -> Words:
    """Return working memory with a table of 2**table_bits positions (16 bytes each)."""
    memory = np.zeros(TABLE + (2 << table_bits), np.uint64)
    memory[STUCK_IS_DRAW] = stuck_is_draw
    return memory


@njit("UniTuple(uint64, 2)(uint64, uint64, uint64, uint64, int64)", cache=True, nogil=True)
def name_of(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64, ply: Int
) -> tuple[np.uint64, np.uint64]:
    """The two words that identify a position; the second has room for its result."""
    stones = (own + (own | opp) + BOTTOM) | (U(ply) << S56)
    one = U(lowest(mine)) if mine else U(63)
    two = U(lowest(theirs)) if theirs else U(63)
    return stones, one | (two << S6)


@njit("uint64(uint64, uint64, uint64[::1])", cache=True, nogil=True)
def slot(stones: np.uint64, bombs: np.uint64, memory: Words) -> np.uint64:
    """The index in memory of a position's entry."""
    mixed = (stones * MIX1) ^ ((bombs + ONE) * MIX2)
    mixed ^= mixed >> S32
    mixed *= MIX1
    size = U((memory.size - TABLE) >> 1)
    return U(TABLE) + (((mixed >> S32) * size) >> S32 << S1)


@njit("void(uint64, uint64, uint64, uint64, int64, uint64[::1])", **INLINED)
def fetch(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64, ply: Int, memory: Words
) -> None:
    """Prefetch the entry of a position."""
    stones, bombs = name_of(own, opp, mine, theirs, ply)
    prefetch(memory, slot(stones, bombs, memory))


@njit("uint64(uint64, uint64, uint64, uint64[::1])", **INLINED)
def entry_at(at: np.uint64, stones: np.uint64, bombs: np.uint64, memory: Words) -> np.uint64:
    """The second word of a position's entry, whose place is `at`; 0 if the table lacks it."""
    if memory[at] == stones and memory[at + ONE] & BOMBS == bombs:
        return U(memory[at + ONE])
    return U(0)


@njit("int64(uint64)", **INLINED)
def depth_in(entry: np.uint64) -> Int:
    """The depth of an entry's value; 0 for an entry that the table lacks."""
    return np.int64((entry >> S30) & U(63))


@njit("int64(uint64)", **INLINED)
def move_in(entry: np.uint64) -> Int:
    """The best move of an entry, or -1."""
    return np.int64((entry >> S36) & U(15)) if entry >> S12 else -1


@njit("int64(uint64, int64, int64)", **INLINED)
def decided(entry: np.uint64, alpha: Int, beta: Int) -> Int:
    """The value of an entry if it decides the window between `alpha` and `beta`; else UNKNOWN."""
    value: Int = np.int64((entry >> S12) & U(0xFFFF)) - 32768
    bound = (entry >> S28) & S3
    if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
        return value
    return UNKNOWN


@njit("void(int64, int64, int64, uint64[::1])", **INLINED)
def note_cutoff(number: Int, ply: Int, depth: Int, memory: Words) -> None:
    """Prefer a decisive move from now on: it is its ply's last one, and counts in the history."""
    memory[KILLERS + (ply & KILLER_PLIES)] = U(number) + ONE
    memory[HISTORY + ((ply + 1) & 2) * 32 + number] += U(depth * depth)


@njit("void(uint64, uint64, uint64, int64, int64, int64, int64, int64, uint64[::1])", **INLINED)
def keep(
    at: np.uint64,
    stones: np.uint64,
    bombs: np.uint64,
    best: Int,
    alpha: Int,
    beta: Int,
    depth: Int,
    move: Int,
    memory: Words,
) -> None:
    """Write the result of a search with the window from `alpha` to `beta` into an entry."""
    bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
    known = U(best + 32768) | (bound << S16) | (U(depth) << U(18)) | (U(move) << U(24))
    memory[at], memory[at + ONE] = stones, bombs | (known << S12)
