"""The protocol of compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from engine.core.game import Move


class Kernel(Protocol):
    """One position loaded into compiled memory, with a transposition table of its own."""

    deepest: int
    """Plies after which nothing is left to search."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    def allow(self, nodes: int | None) -> None:
        """End the search once it has visited more than `nodes`; None lifts the limit."""

    def score_moves(
        self, depth: int, margin: int, order: Sequence[Move], flag: Any
    ) -> dict[Move, int] | None:
        """Score the moves in `order` to `depth` plies.

        Those within `margin` of the best get their exact score; the others are left out. None if
        the search was cut short: an aborted search proves nothing.
        """

    def hide(self, lines: Sequence[int]) -> None:
        """Overlook lines, given as `engine.attention.Hidden`; not every game has such players."""

    def remembered(self, position: Any) -> Move | None:
        """The move that the last search preferred in a position it visited."""
