"""Which positions can be proven within a move's time, from measured shares of success."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.connect4.rules import Connect4Position

FROM_DISC: Mapping[str, int] = {
    "8x6": 8,
    "6x8": 8,
    "7x7": 8,
    "7x8": 12,
    "8x7": 14,
    "8x8": 16,
}
"""By board, the fewest discs with which a proof succeeds now and then: four million nodes, which
take one core about 1.5 s, sufficed in at least one of six games, and hardly ever with fewer discs
(`python -m benchmarks.proofs --each-disc`)."""


def proves_every_move(variant: str) -> bool:
    """Whether the exact value of every move is known or found in time on a board."""
    return variant not in FROM_DISC


def worth_proving(position: Connect4Position) -> bool:
    """Whether all values of a position can probably be proven within a move's time."""
    return position.ply >= FROM_DISC.get(position.game.variant, 0)
