"""Positions as plain values, for programs that read JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.game import Game, Move, Position


def state_of(position: Position) -> dict[str, Any]:
    """A position as JSON can hold it.

    Returns:
        `ply`: moves made; `board`: the rows from the top joined by `/`, cells as `Cell` writes
        them; `to_move`: 1 or 2; `legal`: the moves allowed, as players write them; `outcome`: None
        while the game goes on, else `"1"`, `"2"` or `"draw"`.
    """
    ended = position.outcome
    outcome = None if ended is None else str(int(ended.winner)) if ended.winner else "draw"
    return {
        "ply": position.ply,
        "board": "/".join("".join(row) for row in position.cells()),
        "to_move": int(position.to_move),
        "legal": [position.game.label(move) for move in position.legal_moves()],
        "outcome": outcome,
    }


def states_of(game: Game, moves: Sequence[Move]) -> Iterator[dict[str, Any]]:
    """The start and the state after each move; raises IllegalMove at the first illegal one."""
    position = game.start()
    yield state_of(position)
    for move in moves:
        position = position.play(move)
        yield state_of(position)
