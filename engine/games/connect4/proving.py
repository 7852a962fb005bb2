"""Which positions can be proven within a move's time, from measured shares of success."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.connect4.rules import Connect4, Connect4Position

FROM_DISC: Mapping[str, int] = {
    "5x8": 5,
    "7x6": 6,
    "8x6": 8,
    "6x8": 8,
    "7x7": 8,
    "7x8": 12,
    "8x7": 10,
    "8x8": 13,
}
"""By board, the fewest discs beyond its book with which a proof succeeds now and then: four million
nodes, which take one core about 1.5 s, sufficed in at least one of six games, and hardly ever with
fewer discs (`python -m benchmarks.proofs --each-disc`)."""


def all_proven(game: Connect4) -> bool:
    """Whether the exact value of every move is in a book or proven in time on a board."""
    return game.variant not in FROM_DISC


def worth_proving(position: Connect4Position) -> bool:
    """Whether all values of a position can probably be proven within a move's time."""
    return position.ply >= FROM_DISC.get(position.game.variant, 0)
