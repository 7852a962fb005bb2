"""Positions as numbers that stay the same for ever, on every machine."""

from __future__ import annotations

from hashlib import sha256

from engine.core.game import Position


def fingerprint(position: Position) -> int:
    """A digest of a position, positive and of 63 bits: the same whichever moves have led there."""
    game = position.game
    cells = [[str(cell) for cell in row] for row in position.cells()]
    told = [(remark.key, sorted(dict(remark.numbers).items())) for remark in position.remarks()]
    facts = (game.key, game.variant, position.ply, int(position.to_move), cells, told)
    return int.from_bytes(sha256(repr(facts).encode()).digest()[:8], "big") >> 1
