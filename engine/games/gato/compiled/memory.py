"""The working memory of a Gato search: one array of words.

    0, 1     nodes so far, most nodes allowed
    2        1 once the search was cut short
    3        1 if lines are overlooked
    4, 5     the overlooked lines of the first and of the second player, by the numbers of
             `engine.games.gato.compiled.lines`
    16..     the moves of each ply, 16 words per ply
    512..    the transposition table

A table entry is one word: the mover's stones (16 bits), the other's (16), value (16), bound (2),
depth (5) and the number of the best move (4). Both players' stones determine the position and the
side to move. Bound 0 marks an empty entry.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.memory import Words

NODES, MOST_NODES, ABORTED, BLIND, HIDDEN = 0, 1, 2, 3, 4

SCRATCH, TABLE = 16, 512


def new_memory(table_bits: int) -> Words:
    """Return working memory with a table of 2**table_bits positions (8 bytes each)."""
    return np.zeros(TABLE + (1 << table_bits), np.uint64)
