"""Which squares of a winning line stand beside each other in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.game import Square

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps down and to the right."""
_LENGTH = 4


def links(line: frozenset[Square]) -> Iterator[tuple[Square, Square]]:
    """Return the neighbours in every run of four or more; two lines may cross or touch."""
    for square in sorted(line):
        for down, right in _DIRECTIONS:
            if _step(square, -down, -right) in line:
                continue
            run = [square]
            while (following := _step(run[-1], down, right)) in line:
                run.append(following)
            if len(run) >= _LENGTH:
                yield from pairwise(run)


def _step(square: Square, down: int, right: int) -> Square:
    return Square(square.row + down, square.column + right)
