"""The working memory of a Connect 4 search: one array of words.

    0          the board's squares                  9, 10   nodes so far, most nodes allowed
    1          its bottom row                       11      1 once the search was cut short
    2..5       where a four can start, by direction 12      1 if lines are overlooked
    6, 7, 8    rows, columns, squares in all        13      1 if the evaluation is fitted
                                                    14      1 if late moves are searched less deep
    16..       the moves of each ply, 8 words a ply
    528..      the squares that win after each of them, by column
    1040..     overlooked lines, 4 words a player
    1048..     the weights of a fitted evaluation but for those of lines
    1072..     what a disc adds to the value of a line
    1840..     the lines through each square
    4016..     the transposition table

A table entry is two words: the mover's stones; the column heights (four bits per column) with, in
the high half, value (16 bits), bound (2), depth (6) and the number of the best move's bit (6).
Stones and heights determine the position and the side to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from engine.core.boards import fours
from engine.core.compiled.bits import board_word, bottom_word
from engine.core.compiled.memory import Words

BOARD, BOTTOM, STARTS, ROWS, COLUMNS, SQUARES = 0, 1, 2, 6, 7, 8

NODES, MOST_NODES, ABORTED, BLIND, FITTED, SELECTIVE = 9, 10, 11, 12, 13, 14

SCRATCH, WINS, HIDDEN, WEIGHTS, GAINS, LINES, TABLE = 16, 528, 1040, 1048, 1072, 1840, 4016

CONSTANT, TEMPO, BLOCKED, SQUARE_WEIGHTS, LINE_WEIGHTS = 0, 1, 2, 8, 24
"""Where the numbers of a fitted evaluation stand among its weights: those of completing squares by
height, eight for each player; those of lines by their kind (upright, flat, slanting), the height of
their lowest square, their discs (one to three), and the player."""

UPRIGHT, FLAT, SLANTING = range(3)

HEIGHTS, DISCS, PLAYERS = 8, 3, 2

W_ONE, W_TWO = 1, 3
"""Ordinary weights of a line with one or two discs of a player and none of the other."""

GAINS_OF_CLASS = 32
"""The words in `GAINS` of a class of lines, that is of a kind and height: for each player, what a
further disc adds, at the first player's discs so far plus four times the second's."""

LINES_OF_SQUARE = 34
"""The words in `LINES` of a square: how many lines pass through it, and for each its squares and
where its class begins in `GAINS`."""


def new_memory(rows: int, columns: int, table_bits: int) -> Words:
    """Return working memory for a board, with a table of 2**table_bits 16-byte entries."""
    memory = np.zeros(TABLE + (2 << table_bits), np.uint64)
    memory[BOARD] = board_word(rows, columns)
    memory[BOTTOM] = bottom_word(columns)
    low, left = max(rows - 3, 0), max(columns - 3, 0)
    memory[STARTS] = board_word(low, columns)
    memory[STARTS + 1] = board_word(rows, left)
    memory[STARTS + 2] = board_word(low, left)
    memory[STARTS + 3] = board_word(low, left) << 3
    memory[ROWS], memory[COLUMNS], memory[SQUARES] = rows, columns, rows * columns
    memory[GAINS:LINES] = _gains(_ORDINARY)
    memory[LINES:TABLE] = _lines(rows, columns)
    return memory


def use_weights(weights: Sequence[int], memory: Words) -> None:
    """Make the evaluation a fitted one, by its weights in their order."""
    memory[WEIGHTS:GAINS] = _words(weights[:LINE_WEIGHTS])
    memory[GAINS:LINES] = _gains(tuple(weights[LINE_WEIGHTS:]))
    memory[FITTED] = 1


_ORDINARY = (W_ONE, W_ONE, W_TWO, W_TWO, 0, 0) * (3 * HEIGHTS)


@cache
def _gains(weights: Sequence[int]) -> Words:
    """What a disc adds to the value of each class of lines, by the weights of lines."""
    found = []
    for start in range(0, len(weights), DISCS * PLAYERS):
        by_discs = weights[start : start + DISCS * PLAYERS]

        def value(first: int, second: int, of: Sequence[int] = by_discs) -> int:
            if (first and second) or first == second:
                return 0
            # An overlooked four weighs as much as two discs.
            discs, player = (first, 0) if first else (second, 1)
            weight = of[2 * (discs if discs <= DISCS else 2) - 2 + player]
            return -weight if player else weight

        found += [value(a + 1, b) - value(a, b) for b in range(4) for a in range(4)]
        found += [value(a, b + 1) - value(a, b) for b in range(4) for a in range(4)]
    return _words(found)


@cache
def _lines(rows: int, columns: int) -> Words:
    """The lines through each square of a board."""
    found = np.zeros((8 * 8, LINES_OF_SQUARE), np.uint64)
    for four in fours(rows, columns):
        squares = [divmod(number, 8) for number in range(64) if four >> number & 1]
        (column, height), (next_column, next_height) = squares[:2]
        is_flat = next_height == height
        kind = UPRIGHT if column == next_column else FLAT if is_flat else SLANTING
        lowest = min(height for _, height in squares)
        for column, height in squares:
            of_square = found[8 * column + height]
            at = 1 + 2 * int(of_square[0])
            of_square[0] += np.uint64(1)
            of_square[at], of_square[at + 1] = four, GAINS + GAINS_OF_CLASS * (8 * kind + lowest)
    return found.ravel()


def _words(numbers: Sequence[int]) -> Words:
    return np.array(numbers, np.int64).view(np.uint64)
