"""The evaluation of a quiet Connect 4 position for the side to move, by its open lines of four."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import (
    EVEN_HEIGHTS,
    EVERY_COLUMN,
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
    UP1,
    Int,
    U,
    popcount,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.compiled.memory import (
    BLOCKED,
    CONSTANT,
    FITTED,
    LINE_WEIGHTS,
    ROWS,
    SQUARE_WEIGHTS,
    STARTS,
    TEMPO,
)

W_ONE, W_TWO, W_THREAT, W_PARITY = 1, 3, 8, 6
"""Weights: a line with one own stone and no other, with two, a square that would complete a four,
and such a square on a row that the parity of the moves favours."""

WEIGHT_SCALE = 16
"""Units of a fitted weight in a point of the evaluation."""

STRIDES = (1, 8, 9, 7)
"""The distance between neighbouring squares of a line, by direction as in `STARTS`."""

UPRIGHT, FLAT, SLANTING = 0, 48, 96
"""Where the weights of lines of a kind begin: six for each of eight heights."""

ZERO, BOTTOM_ROW = U(0), U(EVERY_COLUMN)


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


@njit("int64(uint64, uint64, int64, int64, int64, int64, uint64[::1])", cache=True, nogil=True)
def fitted_lines(
    own: np.uint64,
    opp: np.uint64,
    direction: Int,
    kind: Int,
    drop: Int,
    player: Int,
    memory: Words,
) -> Int:
    """The fitted weight of a player's lines in one direction.

    A line's lowest square is `drop` below the one where it starts.
    """
    stride = U(STRIDES[direction])
    x1, y1 = own >> stride, opp >> stride
    x2, y2 = x1 >> stride, y1 >> stride
    x3, y3 = x2 >> stride, y2 >> stride
    live = memory[STARTS + direction] & ~(opp | y1 | y2 | y3)
    odd01, both01, odd23, both23 = own ^ x1, own & x1, x2 ^ x3, x2 & x3
    odd = odd01 ^ odd23
    more = both01 | both23 | (odd01 & odd23)
    one, two, three = odd & ~more & live, more & ~odd & live, more & odd & live
    score, at = 0, LINE_WEIGHTS + kind + player
    row = BOTTOM_ROW << U(drop)
    last = memory[ROWS] if stride == S8 else memory[ROWS] - U(3)
    for _ in range(np.int64(last)):
        score += np.int64(memory[at]) * popcount(one & row)
        score += np.int64(memory[at + 2]) * popcount(two & row)
        score += np.int64(memory[at + 4]) * popcount(three & row)
        row, at = row << ONE, at + 6
    return score


@njit("int64(uint64, uint64, int64, uint64, uint64, uint64[::1])", cache=True, nogil=True)
def fitted(
    own: np.uint64,
    opp: np.uint64,
    ply: Int,
    own_wins: np.uint64,
    opp_wins: np.uint64,
    memory: Words,
) -> Int:
    """As `evaluate`, by weights that were fitted to exact results of positions on one board.

    It counts lines by player, kind, height and discs; squares that complete a four by player and
    height; and those that lie directly above such a square of the other player.
    """
    is_first = ply & 1 == 0
    a, b = (own, opp) if is_first else (opp, own)
    first, second = (own_wins, opp_wins) if is_first else (opp_wins, own_wins)
    tempo = np.int64(memory[TEMPO])
    score = np.int64(memory[CONSTANT]) + (tempo if is_first else -tempo)
    score += fitted_lines(a, b, 0, UPRIGHT, 0, 0, memory)
    score -= fitted_lines(b, a, 0, UPRIGHT, 0, 1, memory)
    score += fitted_lines(a, b, 1, FLAT, 0, 0, memory)
    score -= fitted_lines(b, a, 1, FLAT, 0, 1, memory)
    score += fitted_lines(a, b, 2, SLANTING, 0, 0, memory)
    score -= fitted_lines(b, a, 2, SLANTING, 0, 1, memory)
    score += fitted_lines(a, b, 3, SLANTING, 3, 0, memory)
    score -= fitted_lines(b, a, 3, SLANTING, 3, 1, memory)
    row = BOTTOM_ROW
    for height in range(np.int64(memory[ROWS])):
        score += np.int64(memory[SQUARE_WEIGHTS + height]) * popcount(first & row)
        score -= np.int64(memory[SQUARE_WEIGHTS + 8 + height]) * popcount(second & row)
        row = row << ONE
    above, below = (second & UP1) << S1, (first & UP1) << S1
    score += np.int64(memory[BLOCKED]) * (popcount(first & above) - popcount(second & below))
    points = score // WEIGHT_SCALE
    return points if is_first else -points


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
    if memory[FITTED]:
        return fitted(own, opp, ply, own_wins, opp_wins, memory)
    score = window_score(own, opp, memory)
    score += W_THREAT * (popcount(own_wins) - popcount(opp_wins))
    if memory[ROWS] & ONE == ZERO:
        own_rows = EVEN_HEIGHTS if ply & 1 == 0 else ~EVEN_HEIGHTS
        score += W_PARITY * (popcount(own_wins & own_rows) - popcount(opp_wins & ~own_rows))
    return score
