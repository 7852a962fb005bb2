"""Whether what is known about one position helps in a running game.

This is stricter than whether both may occur in one game: early positions occur in nearly all games,
so with few stones only the very same position counts, and every game begins with the empty board.
"""

from __future__ import annotations

from itertools import chain

from engine.core.boards import stones_on
from engine.core.game import Position
from engine.core.registry import package_of

FEWEST = 6
"""Stones that both boards need before earlier and later positions count."""

NEAR = 8
"""Moves between two positions that still count as near where stones do not stay."""


def related(running: Position, other: Position) -> bool:
    """Whether a position is too close to that of a running game, in any mirror image.

    The same position is, unless its board is empty. Earlier and later ones are if both boards have
    at least six stones; where bombs remove stones, that is every position within eight moves.
    """
    package = package_of(running)
    if running.game.key != other.game.key or not package.related(running, other):
        return False
    if not package.stones_stay and abs(running.ply - other.ply) > NEAR:
        return False
    fewest = min(stones_on(one.cells()) for one in (running, other))
    return fewest >= FEWEST or (fewest > 0 and _is_same(running, other))


def _is_same(one: Position, other: Position) -> bool:
    """Whether two boards look the same, in any mirror image."""
    if one.to_move is not other.to_move:
        return False
    here, there = (tuple(chain.from_iterable(each.cells())) for each in (one, other))
    images = package_of(one).images(one.game)
    return any(tuple(here[at] for at in image) == there for image in images)
