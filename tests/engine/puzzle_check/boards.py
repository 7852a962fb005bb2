"""Boards as tables: squares, the lines through them, and the symmetries, found by trying.

A board is a list of stacks, each a list of squares from the first that is filled. A column of
Connect 4 is a stack; in Gato every square is a stack of its own. So one search serves both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from typing import Any

from tests.engine.puzzle_check.compiling import words_unless_plain

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps to the next square of a line: columns to the right, rows up."""
MOST_LINES = 16
"""More lines than go through any square."""


@dataclass(frozen=True)
class Board:
    """A board's squares are numbered row by row from below, each from the left."""

    rows: int
    columns: int
    lines: tuple[frozenset[int], ...]
    stacks: tuple[tuple[int, ...], ...]
    labels: tuple[str, ...]
    """The names of the stacks, as players write them."""
    images: tuple[tuple[int, ...], ...]
    """The image of each square, for every symmetry."""
    tables: tuple[Any, ...]
    """The board's tables for the search; see `search`."""

    @property
    def squares(self) -> int:
        """The number of squares."""
        return self.rows * self.columns


def every_line(rows: int, columns: int) -> tuple[frozenset[int], ...]:
    """All lines of four squares."""
    found = []
    for row, column, (right, up) in product(range(rows), range(columns), STEPS):
        places = [(row + up * n, column + right * n) for n in range(4)]
        if all(0 <= r < rows and 0 <= c < columns for r, c in places):
            found.append(frozenset(r * columns + c for r, c in places))
    return tuple(found)


@cache
def connect4(rows: int, columns: int) -> Board:
    """A board with falling stones."""
    stacks = tuple(tuple(range(at, rows * columns, columns)) for at in range(columns))
    mirror = tuple(at - at % columns + columns - 1 - at % columns for at in range(rows * columns))
    same = tuple(range(rows * columns))
    labels = tuple(str(at + 1) for at in range(columns))
    lines = every_line(rows, columns)
    tables = tables_of(lines, stacks)
    return Board(rows, columns, lines, stacks, labels, (same, mirror), tables)


@cache
def gato() -> Board:
    """Four by four squares, any of which may be taken."""
    lines = every_line(4, 4)
    stacks = tuple((square,) for square in range(16))
    labels = tuple(f"{'abcd'[square % 4]}{4 - square // 4}" for square in range(16))
    images = tuple(image for image in rearrangements() if keeps(image, lines))
    return Board(4, 4, lines, stacks, labels, images, tables_of(lines, stacks))


def rearrangements() -> list[tuple[int, ...]]:
    """All permutations of rows and of columns, also transposed."""
    found = []
    for rows, columns in product(permutations(range(4)), repeat=2):
        straight = tuple(4 * rows[at // 4] + columns[at % 4] for at in range(16))
        found += [straight, tuple(4 * columns[at % 4] + rows[at // 4] for at in range(16))]
    return found


def keeps(image: tuple[int, ...], lines: tuple[frozenset[int], ...]) -> bool:
    """Whether a permutation maps lines onto lines."""
    return {frozenset(image[square] for square in line) for line in lines} == set(lines)


def tables_of(lines: tuple[frozenset[int], ...], stacks: tuple[tuple[int, ...], ...]) -> Any:
    """The search's tables: bits of squares, lines through each, squares and order of stacks."""
    squares = sum(map(len, stacks))
    through = [[line for line in lines if square in line] for square in range(squares)]
    masks = [0] * (squares * MOST_LINES)
    for square, found in enumerate(through):
        for number, line in enumerate(found):
            masks[square * MOST_LINES + number] = sum(1 << one for one in line)
    height = max(map(len, stacks))
    of_stacks = [square for stack in stacks for square in (*stack, *[0] * (height - len(stack)))]
    order = sorted(range(len(stacks)), key=lambda at: -sum(len(through[s]) for s in stacks[at]))
    return (
        words_unless_plain([1 << square for square in range(squares)]),
        words_unless_plain(masks),
        words_unless_plain(list(map(len, through))),
        words_unless_plain(of_stacks),
        words_unless_plain(list(map(len, stacks))),
        words_unless_plain(order),
    )
