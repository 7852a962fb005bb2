"""Saying who wins, of one position after the other, and remembering what was learnt."""

from __future__ import annotations

from typing import Any, Protocol

from engine.analysis import Verdict


class Arbiter(Protocol):
    """Finds who wins after every move of positions that have much in common, in one thread."""

    def verdict(self, position: Any) -> Verdict | None:
        """Who wins after every move of a position that is not over.

        None once the nodes are used up that it may visit in all.
        """
