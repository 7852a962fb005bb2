"""The symmetries of boards: the ways to rearrange squares that change nothing for the rules."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

from engine.game import Game
from engine.gato import LINES, SIDE, SQUARES

Images = tuple[tuple[int, ...], ...]
"""For each symmetry the squares, numbered row by row from the top, in the order of the image; the
identity comes first."""


def unchanged(game: Game) -> Images:
    """The identity alone: what is true of every board."""
    return mirror_images(game)[:1]


def mirror_images(game: Game) -> Images:
    """The board and its mirror image, left for right."""
    return _mirror_images(len(game.start().cells()), len(game.column_names))


def gato_images(_game: Game) -> Images:
    """All boards of Gato with the same ten lines: 32, more than can be seen by turning."""
    return _gato_images()


@cache
def _mirror_images(rows: int, columns: int) -> Images:
    same = tuple(range(rows * columns))
    mirrored = (row * columns + columns - 1 - at for row in range(rows) for at in range(columns))
    return same, tuple(mirrored)


@cache
def _gato_images() -> Images:
    """Rotations and reflections, and exchanges of rows and columns that keep all ten lines.

    Rows may change places if columns do so in the same way (which keeps one diagonal), and the
    other diagonal stays if the order is symmetric.
    """
    found = []
    for order, columns in product(tuple(permutations(range(SIDE))), repeat=2):
        for turned in (False, True):
            image = tuple(
                SIDE * columns[at] + order[row] if turned else SIDE * order[row] + columns[at]
                for row, at in product(range(SIDE), repeat=2)
            )
            if {_moved(line, image) for line in LINES} == set(LINES):
                found.append(image)
    return tuple(found)


def _moved(line: int, image: tuple[int, ...]) -> int:
    """A line whose squares have gone where an image takes them."""
    return sum(1 << image[square] for square in range(SQUARES) if line >> square & 1)
