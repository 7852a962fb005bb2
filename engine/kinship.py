"""Positions of one and the same game: whether one may come of the other, in a mirror as well.

Whoever plays must not learn what is best from a position that their game has come through, or that
it may still come to, nor from one that only looks different. All here errs on one side: what might
be related is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations, product
from typing import Any

from engine.game import Cell, Position
from engine.gato import LINES, SIDE

Board = tuple[tuple[Cell, ...], ...]
Symmetries = Callable[[Board], Iterator[Board]]
"""All boards that are the same to the rules as one, itself among them."""


def always(_one: Any, _other: Any) -> bool:
    """Whether positions may be of one game, where nothing can be told: where stones come and go."""
    return True


def related_by(symmetries: Symmetries) -> Callable[[Any, Any], bool]:
    """A function that says whether positions may be of one game, in games whose stones stay."""

    def related(one: Position, other: Position) -> bool:
        if one.game != other.game:
            return False
        fewer, more = sorted((one, other), key=lambda position: position.ply)
        return any(_is_within(board, more.cells()) for board in symmetries(_board(fewer)))

    return related


def mirrored(board: Board) -> Iterator[Board]:
    """A board and its mirror image, left for right."""
    yield board
    yield tuple(row[::-1] for row in board)


def turned(board: Board) -> Iterator[Board]:
    """All boards of Gato with the same ten lines as one: 32, more than can be seen by turning."""
    for rows, columns in _orders():
        moved = tuple(tuple(board[row][column] for column in columns) for row in rows)
        yield moved
        yield tuple(zip(*moved, strict=True))


@cache
def _orders() -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """The orders of rows and of columns that keep the ten lines of Gato."""
    every = permutations(range(SIDE))
    return tuple(
        (rows, columns)
        for rows, columns in product(tuple(every), repeat=2)
        if {_moved(line, rows, columns) for line in LINES} == set(LINES)
    )


def _moved(line: int, rows: Sequence[int], columns: Sequence[int]) -> int:
    """A line whose squares have gone where these orders take them."""
    squares = (divmod(at, SIDE) for at in range(SIDE * SIDE) if line >> at & 1)
    return sum(1 << SIDE * rows[row] + columns[column] for row, column in squares)


def _is_within(fewer: Board, more: Sequence[Sequence[Cell]]) -> bool:
    """Whether all stones of one board are on the other too."""
    return all(
        cell in (Cell.EMPTY, there)
        for row, others in zip(fewer, more, strict=True)
        for cell, there in zip(row, others, strict=True)
    )


def _board(position: Position) -> Board:
    return tuple(tuple(row) for row in position.cells())
