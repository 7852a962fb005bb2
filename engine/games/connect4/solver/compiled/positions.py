"""All positions of a board, layer by layer, as words with the keys that books use."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import ONE, S2, S3, Int, U, landing, winning_squares
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words

ZERO, TWO, THREE = U(0), U(2), U(3)


@njit("uint64(uint64, uint64, int64, int64, boolean)", cache=True, nogil=True)
def book_key(first: np.uint64, second: np.uint64, rows: Int, columns: Int, turned: bool) -> Int:
    """The key of a position, or of its mirror image, as defined in `solver.book`."""
    key = ZERO
    for i in range(columns):
        column = columns - 1 - i if turned else i
        bit = ONE << (U(column) << S3)
        for _ in range(rows):
            if first & bit:
                key = (key << S2) | TWO
            elif second & bit:
                key = (key << S2) | THREE
            else:
                break
            bit <<= ONE
        key <<= ONE
    return key


@njit("boolean(uint64, uint64, uint64, uint64)", cache=True, nogil=True)
def wins_at_once(own: np.uint64, opp: np.uint64, bottom: np.uint64, board: np.uint64) -> Int:
    """Whether the side to move has a winning move."""
    return (winning_squares(own) & landing(own | opp, bottom, board)) != ZERO


@njit(
    "int64(uint64[::1], uint64[::1], int64, int64, int64, uint64, uint64, "
    "uint64[::1], uint64[::1], uint64[::1], int64[::1])",
    cache=True,
    nogil=True,
)
def expand(
    firsts: Words,
    seconds: Words,
    ply: Int,
    rows: Int,
    columns: Int,
    bottom: np.uint64,
    board: np.uint64,
    out_firsts: Words,
    out_seconds: Words,
    out_keys: Words,
    parents: npt.NDArray[np.int64],
) -> Int:
    """Write every position one move on that has no four, with the smaller of its two keys.

    Returns the number written; `parents` receives the index of the position that each came from.
    """
    count = 0
    for i in range(firsts.size):
        first, second = firsts[i], seconds[i]
        own = first if ply & 1 == 0 else second
        moves = landing(first | second, bottom, board) & ~winning_squares(own)
        while moves:
            bit = moves & (~moves + ONE)
            moves ^= bit
            one = first | bit if ply & 1 == 0 else first
            two = second if ply & 1 == 0 else second | bit
            out_firsts[count], out_seconds[count] = one, two
            key = book_key(one, two, rows, columns, False)
            mirror = book_key(one, two, rows, columns, True)
            out_keys[count] = min(key, mirror)
            parents[count] = i
            count += 1
    return count


@njit("void(uint64[::1], uint64[::1], int64, uint64, uint64, boolean[::1])", cache=True, nogil=True)
def mark_wins(
    firsts: Words,
    seconds: Words,
    ply: Int,
    bottom: np.uint64,
    board: np.uint64,
    found: npt.NDArray[np.bool_],
) -> None:
    """Mark the positions in which the side to move wins at once."""
    for i in range(firsts.size):
        if ply & 1 == 0:
            found[i] = wins_at_once(firsts[i], seconds[i], bottom, board)
        else:
            found[i] = wins_at_once(seconds[i], firsts[i], bottom, board)


@njit("void(uint64[::1], uint64[::1], int64, int64, boolean, uint64[::1])", cache=True, nogil=True)
def write_keys(
    firsts: Words, seconds: Words, rows: Int, columns: Int, turned: bool, keys: Words
) -> None:
    """Write the keys of many positions, or of their mirror images."""
    for i in range(firsts.size):
        keys[i] = book_key(firsts[i], seconds[i], rows, columns, turned)
