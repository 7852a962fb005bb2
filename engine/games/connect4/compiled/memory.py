"""The working memory of a Connect 4 search: one array of words.

    0          the board's squares                  9, 10   nodes so far, most nodes allowed
    1          its bottom row                       11      1 once the search was cut short
    2..5       where a four can start, by direction 12      1 if lines are overlooked
    6, 7, 8    rows, columns, squares in all        13      1 if the evaluation is fitted
    16..       the moves of each ply, 8 words a ply 600..   the weights of a fitted evaluation
    1000..     overlooked lines, 4 words a player   1024..  the transposition table

A table entry is two words: the mover's stones; the column heights (four bits per column) with, in
the high half, value (16 bits), bound (2), depth (6) and the number of the best move's bit (6).
Stones and heights determine the position and the side to move.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import board_word, bottom_word
from engine.core.compiled.memory import Words

BOARD, BOTTOM, STARTS, ROWS, COLUMNS, SQUARES = 0, 1, 2, 6, 7, 8

NODES, MOST_NODES, ABORTED, BLIND, FITTED = 9, 10, 11, 12, 13

SCRATCH, WEIGHTS, HIDDEN, TABLE = 16, 600, 1000, 1024

CONSTANT, TEMPO, BLOCKED, SQUARE_WEIGHTS, LINE_WEIGHTS = 600, 601, 602, 608, 624
"""The weights of a fitted evaluation: those of completing squares by height, eight for each player;
those of lines by their kind (upright, flat, slanting), the height of their lowest square, their
discs (one to three), and the player."""


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
    return memory
