"""Tables of searches and proofs that are kept from one move of a game to the next.

All tables of a process share one budget; the least recently used ones are dropped first. Only the
strongest level and the proofs of hints use them, on boards where not every move is proven: there a
table makes the next search deeper and the next proof likelier. Other agents search with empty
tables, so that a seed gives the same move on every machine. Analyses that people may ask to go on
keep theirs as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from engine.core.game import Position

DEFAULT_BUDGET = 256 << 20
"""Bytes."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """An object with a table, and the position for which it was last used."""

    kind: str
    position: Position
    owner: Any
    size: int


class KeptTables:
    """Objects with tables, by kind and position; may be used by several threads."""

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        """Keep tables of at most `budget` bytes in all."""
        self._budget = budget
        self._kept: list[_Kept] = []
        """The least recently used first."""
        self._lock = Lock()

    @property
    def size(self) -> int:
        """The bytes of all tables that are kept; those in use are not counted."""
        return sum(one.size for one in self._kept)

    def resize(self, budget: int) -> None:
        """Change the budget, and drop tables until it suffices."""
        with self._lock:
            self._budget = budget
            self._drop()

    def take(
        self, kind: str, position: Position, related: Callable[[Any, Any], bool]
    ) -> Any | None:
        """Return an object that was last used earlier in the same game, or None.

        It is not kept meanwhile, so that no other thread uses it. `related` tells whether two
        positions can occur in one game.
        """
        with self._lock:
            fitting = [
                one
                for one in self._kept
                if one.kind == kind
                and one.position.game == position.game
                and one.position.ply <= position.ply
                and related(one.position, position)
            ]
            if not fitting:
                return None
            best = max(fitting, key=lambda one: one.position.ply)
            self._kept.remove(best)
            return best.owner

    def keep(self, kind: str, position: Position, owner: Any, size: int) -> None:
        """Keep an object that was just used for a position; `size` is that of its table."""
        with self._lock:
            self._kept.append(_Kept(kind, position, owner, size))
            self._drop()

    def _drop(self) -> None:
        while self._kept and self.size > self._budget:
            del self._kept[0]


TABLES = KeptTables()
"""The tables of this process."""
