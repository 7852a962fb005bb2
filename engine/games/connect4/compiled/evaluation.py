"""The evaluation of a quiet Connect 4 position for the side to move, by its open lines of four.

The value of the lines is kept up to date from disc to disc, since a disc changes no more than the
sixteen lines through its square.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import (
    EVEN_HEIGHTS,
    EVERY_COLUMN,
    INLINED,
    ONE,
    PLAIN,
    S1,
    S2,
    UP1,
    Int,
    U,
    lowest,
    popcount,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.compiled.memory import (
    BLOCKED,
    CONSTANT,
    FITTED,
    LINES,
    LINES_OF_SQUARE,
    ROWS,
    SQUARE_WEIGHTS,
    TEMPO,
    WEIGHTS,
)

W_THREAT, W_PARITY = 8, 6
"""Weights of a square that would complete a four, and of such a square on a row that the parity of
the moves favours."""

WEIGHT_SCALE = 16
"""Units of a fitted weight in a point of the evaluation."""

ZERO, BOTTOM_ROW = U(0), U(EVERY_COLUMN)

SQUARE_WORDS, LINE_WORDS, PLAYER_WORDS = U(LINES_OF_SQUARE), S2, U(16)


@njit("int64(uint64, uint64, uint64, uint64, uint64[::1])", **INLINED)
def gain(
    first: np.uint64, second: np.uint64, square: np.uint64, player: np.uint64, memory: Words
) -> Int:
    """What a disc on an empty square adds to the value of the lines, for the first player.

    `first` and `second` are the discs before it; `player` is 0 for the first player, 1 for the
    second; `square` is the number of its bit.
    """
    gains = player * PLAYER_WORDS
    at = U(LINES) + square * SQUARE_WORDS
    end = at + S1 + (memory[at] << S1)
    at += S1
    score: Int = 0
    while at < end:
        line = memory[at]
        held = U(popcount(first & line)) + (U(popcount(second & line)) << S2)
        score += np.int64(memory[memory[at + ONE] + gains + held])
        at += LINE_WORDS
    return score


@njit("int64(uint64, uint64, uint64[::1])", **PLAIN)
def value_of_lines(first: np.uint64, second: np.uint64, memory: Words) -> Int:
    """The value of the open lines of a position, for the first player, disc by disc."""
    score: Int = 0
    before = after = ZERO
    while before != first:
        bit = (first ^ before) & (~(first ^ before) + ONE)
        score += gain(before, ZERO, U(lowest(bit)), ZERO, memory)
        before |= bit
    while after != second:
        bit = (second ^ after) & (~(second ^ after) + ONE)
        score += gain(first, after, U(lowest(bit)), ONE, memory)
        after |= bit
    return score


@njit("int64(int64, int64, uint64, uint64, uint64[::1])", **INLINED)
def fitted(lines: Int, ply: Int, own_wins: np.uint64, opp_wins: np.uint64, memory: Words) -> Int:
    """As `quiet_value`, by weights that were fitted to exact results of positions on one board.

    It counts lines by player, kind, height and discs; squares that complete a four by player and
    height; and those that lie directly above such a square of the other player.
    """
    is_first = ply & 1 == 0
    first, second = (own_wins, opp_wins) if is_first else (opp_wins, own_wins)
    tempo = np.int64(memory[WEIGHTS + TEMPO])
    score = lines + np.int64(memory[WEIGHTS + CONSTANT]) + (tempo if is_first else -tempo)
    row, at = BOTTOM_ROW, WEIGHTS + SQUARE_WEIGHTS
    for height in range(np.int64(memory[ROWS])):
        score += np.int64(memory[at + height]) * popcount(first & row)
        score -= np.int64(memory[at + 8 + height]) * popcount(second & row)
        row = row << ONE
    above, below = (second & UP1) << S1, (first & UP1) << S1
    blocked = popcount(first & above) - popcount(second & below)
    score += np.int64(memory[WEIGHTS + BLOCKED]) * blocked
    points = score // WEIGHT_SCALE
    return points if is_first else -points


@njit("int64(int64, int64, uint64, uint64, uint64[::1])", **INLINED)
def quiet_value(
    lines: Int, ply: Int, own_wins: np.uint64, opp_wins: np.uint64, memory: Words
) -> Int:
    """An estimate of the value of a quiet position for the side to move.

    `lines` is the value of its lines for the first player; `own_wins` and `opp_wins` are the empty
    squares that complete a four. With an even number of rows the first player gets the squares of
    odd rows in the end and the second those of even rows, so threats there count more (Allis 1988,
    "A Knowledge-Based Approach of Connect-Four"). The weights were fitted to exact scores of 6x7
    positions.
    """
    if memory[FITTED]:
        return fitted(lines, ply, own_wins, opp_wins, memory)
    score = lines if ply & 1 == 0 else -lines
    score += W_THREAT * (popcount(own_wins) - popcount(opp_wins))
    if memory[ROWS] & ONE == ZERO:
        own_rows = EVEN_HEIGHTS if ply & 1 == 0 else ~EVEN_HEIGHTS
        score += W_PARITY * (popcount(own_wins & own_rows) - popcount(opp_wins & ~own_rows))
    return score


@njit("int64(uint64, uint64, int64, uint64, uint64, uint64[::1])", **PLAIN)
def evaluate(
    own: np.uint64,
    opp: np.uint64,
    ply: Int,
    own_wins: np.uint64,
    opp_wins: np.uint64,
    memory: Words,
) -> Int:
    """As `quiet_value`, by the discs of the side to move and of the other."""
    first, second = (own, opp) if ply & 1 == 0 else (opp, own)
    lines = value_of_lines(first, second, memory)
    return quiet_value(lines, ply, own_wins, opp_wins, memory)
