"""Proving positions of one game one after the other, and keeping what was learnt.

Saying who wins, of one position after the other, and remembering what was learnt.
"""

from __future__ import annotations

from typing import Any, Protocol

from engine.core.analysis import Analysis, Verdict
from engine.core.limits import Stop


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


class Arbiter(Protocol):
    """Finds who wins after every move of positions that have much in common, in one thread."""

    def verdict(self, position: Any) -> Verdict | None:
        """Who wins after every move of a position that is not over.

        None once the nodes are used up that it may visit in all.
        """
