"""Move sequence counts by depth, for any game."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Position
from engine.games import FAMILIES


def count_by_depth(position: Position, deepest: int) -> Iterator[tuple[int, int]]:
    """For each depth from 0, the number of sequences of exactly that many moves (perft).

    A sequence that ends the game counts at its own length only.
    """
    for depth in range(deepest + 1):
        yield depth, FAMILIES[position.game.key].count_sequences(position, depth)
