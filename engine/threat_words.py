"""Boards as words of bits, as the rules of Connect 4 and Gato have them, seen for threats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.connect4 import STRIDE, bit_of

_FLAT_OR_SLANTING = (STRIDE, STRIDE + 1, STRIDE - 1)
"""By how many bits the next square of a line is further on: right, right and up, right and down.
Upwards there is no line with two open ends: stones lie on something."""


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
    """The squares not `taken` that complete a line for whoever has the stones `own`."""
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
    """The two ends of every three of one's own in a row, where both are squares that complete."""
    for square in bits_in(completes):
        column, height = divmod(square.bit_length() - 1, STRIDE)
        for step, rise in zip(_FLAT_OR_SLANTING, (0, 1, -1), strict=True):
            if column + 4 >= columns or not 0 <= height + 4 * rise < rows:
                continue
            three = sum(square << (step * i) for i in (1, 2, 3))
            end = square << (step * 4)
            if own & three == three and completes & end:
                yield square | end
