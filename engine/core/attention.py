"""The lines that a weak player overlooks, drawn at random.

People do not go blind at a certain depth: they miss one line and see the next. They miss diagonals
more often than horizontal lines, and those more often than vertical ones. A distant gap is missed
more often than one beside the latest stone, and a line through that stone least often. They look at
their own lines first, and rarely miss one of these. For one move, an overlooked line does not exist
for its player: it is neither completed nor blocked on purpose, and the evaluation ignores it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from engine.core.game import Player

STRIDE = 8
"""Bits per column in the words of boards: see `engine.core.boards`."""

STEPS = (1, 8, 9, 7)
"""Distance in bits between the squares of a line: vertical, horizontal, rising, falling."""

BY_KIND = (0.45, 1.0, 1.9, 1.9)
"""Factors on the odds of overlooking a line, by its direction, in the order of STEPS."""

BY_KIND_WITHOUT_GRAVITY = (1.0, *BY_KIND[1:])
"""The same factors for games in which stones do not fall: there, columns are as hard to see as
rows."""

NEAR, PER_STEP = 0.6, 0.2
"""The factor on the odds is NEAR + PER_STEP * steps, by the king's moves from the last stone to the
furthest gap."""

LATEST_FACTOR = 0.5
"""Factor on the odds for a line through one of the latest stones."""

TWO_GAPS_FACTOR = 1.5
"""Factor on the odds for a line with two gaps."""

OWN_FACTOR = 0.02
"""Factor on the odds for a line of one's own: people see their own chances before those of others.
It acts on the odds so that only the weakest players miss an own win now and then."""

MIN_STONES = 2
"""Stones below which a line is no threat yet and is never overlooked."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The lines and stones of a position, as words of eight bits per column."""

    lines: Sequence[int]
    """All lines of four squares on the board."""
    first: int
    """The first player's stones."""
    second: int
    """The second player's stones."""
    mover: Player
    """The player who looks."""
    latest: tuple[int, ...]
    """The squares of the latest stones, the last one first; empty if unknown."""
    falling: bool = True
    """Whether stones fall onto each other, which makes vertical lines easy to see."""


Hidden = tuple[int, ...]
"""The overlooked lines of the first and of the second player: four words in the order of STEPS,
with the lowest square of each line."""


def overlooked(sight: Sight, blind: float, rng: Random) -> Hidden:
    """Return the lines that a player overlooks in this move, drawn at random.

    Args:
        sight: The position.
        blind: From 0 to below 1: the probability for a horizontal line with one gap, two squares
            from the last stone and without one of the latest stones. The odds of others differ by
            factors.
        rng: Drawn from once for every line that might be overlooked.
    """
    hidden = [0] * (2 * len(STEPS))
    odds = blind / (1 - blind)
    latest = sum(set(sight.latest))
    by_kind = BY_KIND if sight.falling else BY_KIND_WITHOUT_GRAVITY
    sides = ((Player.FIRST, sight.first, sight.second), (Player.SECOND, sight.second, sight.first))
    for side, (player, own, other) in enumerate(sides):
        side_odds = odds * OWN_FACTOR if player is sight.mover else odds
        for line, start, kind in directed(tuple(sight.lines)):
            stones = (line & own).bit_count()
            if stones < MIN_STONES or line & other:
                continue
            line_odds = side_odds * by_kind[kind]
            if sight.latest:
                steps = max(_steps(gap, sight.latest[0]) for gap in _bits(line & ~own))
                line_odds *= NEAR + PER_STEP * steps
            if line & latest:
                line_odds *= LATEST_FACTOR
            if stones == MIN_STONES:
                line_odds *= TWO_GAPS_FACTOR
            if rng.random() * (1 + line_odds) < line_odds:
                hidden[len(STEPS) * side + kind] |= start
    return tuple(hidden)


@cache
def directed(lines: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    """Every line, with its lowest square and the index of its direction in STEPS."""
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
    """The distance of two squares in king's moves."""
    column, height = divmod(square.bit_length() - 1, STRIDE)
    other_column, other_height = divmod(other.bit_length() - 1, STRIDE)
    return max(abs(column - other_column), abs(height - other_height))
