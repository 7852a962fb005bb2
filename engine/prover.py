"""Proving positions of one game one after the other, and keeping what was learnt."""

from __future__ import annotations

from typing import Any, Protocol

from engine.analysis import Analysis
from engine.search import Stop


class Prover(Protocol):
    """Finds the exact value of every move, in one thread at a time.

    Going through a game from its end makes the earlier positions cheap: what is remembered of the
    later ones answers most of what the earlier ones ask.
    """

    def prove(
        self, position: Any, *, nodes: int, seconds: float, stop: Stop | None = None
    ) -> Analysis | None:
        """Prove the value of every move of a position that is not over.

        None if that takes more than `nodes` or `seconds`, or is stopped. What a book knows takes
        no nodes.
        """


class NoProver:
    """Proves nothing: for games without an exact solver."""

    def __init__(self, _game: Any) -> None:
        pass

    def prove(
        self, _position: Any, *, nodes: int, seconds: float, stop: Stop | None = None
    ) -> None:
        """Prove nothing."""
