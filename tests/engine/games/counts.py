"""The tables of counts: how many sequences of moves, and more, each game is known to have."""

from __future__ import annotations

from pathlib import Path

from tests.engine.tables import rows_of


def counts_of(key: str) -> list[dict[str, str]]:
    """The rows of a game's table; empty for a game without one.

    Each has `variant`, `moves` (a game), `depth` and `sequences`: how many sequences of that many
    moves continue the game. The head of each table explains its other columns.
    """
    path = Path(__file__).with_name(key) / "counts.csv"
    return rows_of(path) if path.exists() else []
