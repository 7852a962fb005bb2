"""What the ranks of moves count."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from engine.core.boards import fours
from engine.core.compiled.bits import board_word
from engine.core.compiled.lanes import save, spread
from engine.games.connect4.solver.compiled.lines import in_fours
from engine.games.connect4.solver.compiled.ranking import lines_with_one

U = np.uint64


# Without a signature, so that only the process that calls it compiles it.
@njit(cache=True)
def counted(squares: Any, own: Any, open_: Any, found: Any) -> Any:
    """Write the counts for one square in each column."""
    save(found, U(0), lines_with_one(spread(squares), own, open_))


def test_lines_with_one_stone_are_counted_on_every_square() -> None:
    """On any board, a square counts the open lines through it that hold one stone of the mover."""
    rng = np.random.default_rng(3)
    found = np.zeros(8, np.uint64)
    for rows in range(4, 9):
        for columns in range(4, 9):
            board = board_word(rows, columns)
            first, second, third = (
                int(word) & board for word in rng.integers(0, 2**64, 3, dtype=np.uint64)
            )
            own, empty = first & second, ~first & (second | third) & board
            open_ = int(in_fours(U(own | empty)))
            lines = [line for line in fours(rows, columns) if line & (own | empty) == line]
            singles = [line for line in lines if (line & own).bit_count() == 1]
            for height in range(rows):
                counted(U(board & (0x0101010101010101 << height)), U(own), U(open_), found)
                for column in range(columns):
                    bit = 1 << (8 * column + height)
                    assert int(found[column]) == sum(bool(line & bit) for line in singles)
