"""The lines that a weak player overlooks, drawn by chance.

People do not stop seeing everything at a certain depth: they miss one line and see the next. They
miss diagonals more often than level lines and those more often than upright ones, a far gap more
often than one beside the latest stone, and a line that this stone belongs to least of all. For one
move an overlooked line does not exist for its player: it is neither completed nor blocked on
purpose, and the evaluation ignores it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

STRIDE = 8
"""Bits a column in the words of boards: see `engine.core.boards`."""

STEPS = (1, 8, 9, 7)
"""By how many bits the squares of a line are apart: upright, level, rising and falling lines."""

BY_KIND = (0.45, 1.0, 1.9, 1.9)
"""How the odds of overlooking a line depend on its direction, in the order of STEPS."""

BY_KIND_LYING = (1.0, *BY_KIND[1:])
"""The same where stones do not fall: columns are nothing but rows seen from the side."""

NEAR, FURTHER = 0.6, 0.2
"""The odds where the furthest gap touches the square of the last stone less one step, and what
each step adds to that."""

FRESH = 0.5
"""How the odds change for a line that holds one of the latest stones."""

UNFINISHED = 1.5
"""How the odds change for a line with two gaps."""

FEWEST = 2
"""With fewer stones a line threatens nothing yet, and counts as seen."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A position as lines and stones, in words of eight bits a column."""

    lines: Sequence[int]
    """All lines of four squares on the board."""
    first: int
    """The first player's stones."""
    second: int
    """The second player's stones."""
    latest: tuple[int, ...]
    """The squares of the latest stones, the last one first; empty if unknown."""
    falling: bool = True
    """Whether stones fall onto each other, which makes upright lines easy to see."""


Hidden = tuple[int, ...]
"""For the first player and then the second, four words in the order of STEPS: the lowest square of
each line of that player which is overlooked."""


def overlooked(sight: Sight, blind: float, rng: Random) -> Hidden:
    """Draw which lines a player overlooks this time.

    Args:
        sight: The position.
        blind: From 0 to below 1: the chance for a level line with one gap, two squares from the
            last stone and without one of the latest stones. The odds of others differ by factors.
        rng: Drawn from once for every line that might be overlooked.
    """
    hidden = [0] * (2 * len(STEPS))
    odds = blind / (1 - blind)
    latest = sum(set(sight.latest))
    by_kind = BY_KIND if sight.falling else BY_KIND_LYING
    for side, (own, other) in enumerate(((sight.first, sight.second), (sight.second, sight.first))):
        for line, start, kind in directed(tuple(sight.lines)):
            stones = (line & own).bit_count()
            if stones < FEWEST or line & other:
                continue
            own_odds = odds * by_kind[kind]
            if sight.latest:
                steps = max(_steps(gap, sight.latest[0]) for gap in _bits(line & ~own))
                own_odds *= NEAR + FURTHER * steps
            if line & latest:
                own_odds *= FRESH
            if stones == FEWEST:
                own_odds *= UNFINISHED
            if rng.random() * (1 + own_odds) < own_odds:
                hidden[len(STEPS) * side + kind] |= start
    return tuple(hidden)


@cache
def directed(lines: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    """Every line with its lowest square and the place of its direction in STEPS."""
    found = []
    for line in lines:
        lowest, second, *_ = _bits(line)
        step = second.bit_length() - lowest.bit_length()
        found.append((line, lowest, STEPS.index(step)))
    return tuple(found)


def _bits(word: int) -> Iterator[int]:
    """The squares of a word, from the lowest."""
    while word:
        lowest = word & -word
        yield lowest
        word ^= lowest


def _steps(square: int, other: int) -> int:
    """How many steps of a king two squares are apart."""
    column, height = divmod(square.bit_length() - 1, STRIDE)
    other_column, other_height = divmod(other.bit_length() - 1, STRIDE)
    return max(abs(column - other_column), abs(height - other_height))
