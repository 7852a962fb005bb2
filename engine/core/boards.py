"""Boards as words of bits, and the checks that the `place` functions of games share.

The words have eight bits per column, as in the rules of Connect 4. A board that cannot occur in a
game is refused: books hold only positions of games, and an analysis of others would be useless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from engine.core.game import (
    Cell,
    NotAPosition,
)

STRIDE = 8
"""Bits per column."""

_FLAT_OR_SLANTING = (STRIDE, STRIDE + 1, STRIDE - 1)
"""Distance in bits to the next square of a line: right, right and up, right and down. A vertical
line never has two open ends, because stones rest on each other."""


def bits_in(word: int) -> Iterator[int]:
    """The bits that are set in a word, each as a word, the lowest first."""
    while word:
        lowest = word & -word
        yield lowest
        word ^= lowest


def has_several(word: int) -> bool:
    """Whether more than one bit is set."""
    return word & (word - 1) != 0


def completing(lines: Iterable[int], own: int, taken: int) -> int:
    """The squares outside `taken` that complete a line for the player with the stones `own`."""
    found = 0
    for line in lines:
        missing = line & ~own
        if not missing & taken and not missing & (missing - 1):
            found |= missing
    return found


def fillable(rows: int, columns: int, taken: int) -> int:
    """The lowest empty square of every column that is not full."""
    found = 0
    for column in range(columns):
        height = (taken >> (STRIDE * column) & 0xFF).bit_count()
        if height < rows:
            found |= bit_of(column, height)
    return found


def triples(rows: int, columns: int, own: int, completes: int) -> Iterator[int]:
    """Yield the two ends of each three in a row of `own` whose ends both complete a line."""
    for square in bits_in(completes):
        column, height = divmod(square.bit_length() - 1, STRIDE)
        for step, rise in zip(_FLAT_OR_SLANTING, (0, 1, -1), strict=True):
            if column + 4 >= columns or not 0 <= height + 4 * rise < rows:
                continue
            three = sum(square << (step * i) for i in (1, 2, 3))
            end = square << (step * 4)
            if own & three == three and completes & end:
                yield square | end


Board = Sequence[Sequence[Cell]]
"""Rows from the top, each from the left, as `Position.cells` gives them."""


def stones_on(board: Board) -> int:
    """The number of stones on a board."""
    return sum(cell is not Cell.EMPTY for row in board for cell in row)


def columns_of(board: Board, rows: int, columns: int) -> tuple[tuple[Cell, ...], ...]:
    """The stones of each column from the bottom up; raises NotAPosition for a floating stone."""
    require_size(board, rows, columns)
    found = []
    for column in range(columns):
        cells = [row[column] for row in reversed(board)]
        height = sum(cell is not Cell.EMPTY for cell in cells)
        if Cell.EMPTY in cells[:height]:
            raise NotAPosition("a stone rests on nothing")
        found.append(tuple(cells[:height]))
    return tuple(found)


def require_size(board: Board, rows: int, columns: int) -> None:
    """Raise NotAPosition for a board of another size."""
    if len(board) != rows or any(len(row) != columns for row in board):
        raise NotAPosition(f"the board has {rows} rows and {columns} columns")


def require_alternating(board: Board, ply: int) -> None:
    """Raise NotAPosition for bombs, and for numbers of stones that alternate moves cannot give."""
    cells = [cell for row in board for cell in row]
    first, second = (cells.count(kind) for kind in (Cell.FIRST, Cell.SECOND))
    if any(cell.is_bomb for cell in cells):
        raise NotAPosition("this game has no bombs")
    if (first, second) != (ply - ply // 2, ply // 2):
        raise NotAPosition("the players move in turn, the first one first")


def all_contain(lines: Iterable[int], stone: int) -> bool:
    """Whether every line contains `stone`."""
    return all(line & stone for line in lines)


IN_LINE = 4

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Column and height steps: up, right, right and up, right and down."""


def bit_of(column: int, height: int) -> int:
    """The word of a single square, whose column counts from the left and height from the bottom."""
    return 1 << (STRIDE * column + height)


@cache
def fours(rows: int, columns: int) -> tuple[int, ...]:
    """All lines of four squares on a board, as words: 69 of them on 6x7."""
    found = []
    for column in range(columns):
        for height in range(rows):
            for right, up in _DIRECTIONS:
                end_column, end_height = column + 3 * right, height + 3 * up
                if end_column < columns and 0 <= end_height < rows:
                    steps = range(IN_LINE)
                    found.append(sum(bit_of(column + right * i, height + up * i) for i in steps))
    return tuple(found)
