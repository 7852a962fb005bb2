"""The interface of a game's exact solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from engine.core.analysis import Analysis, Verdict
from engine.core.limits import Stop


class ExactSolver(Protocol):
    """Exact values in one game, for one thread at a time.

    A solver remembers its results. Solving a game's positions from the last one backwards is cheap,
    because most of an earlier position's searches reach results that are remembered.
    """

    @property
    def table_bytes(self) -> int:
        """The most bytes that its tables take; 0 if it remembers nothing."""

    def values(
        self,
        position: Any,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Analysis | None:
        """Prove the value of every move of a position that is not over.

        Returns None if that takes more than `nodes` positions or `seconds`, or is stopped; without
        a limit it runs to completion. Book positions need no nodes, so with 0 nodes the answer
        comes from books or is None.
        """

    def winners(self, position: Any) -> Verdict | None:
        """Find the winner after every move of a position that is not over, without distances.

        Returns None once the solver's node budget for this purpose is used up.
        """


def values_by(
    solver: ExactSolver | None,
    position: Any,
    *,
    nodes: int,
    seconds: float,
    stop: Stop | None = None,
) -> Analysis | None:
    """Return the result of `ExactSolver.values`; None without a solver."""
    if solver is None:
        return None
    return solver.values(position, nodes=nodes, seconds=seconds, stop=stop)


def winners_of_game(solver: ExactSolver | None, positions: Sequence[Any]) -> list[Verdict | None]:
    """Find the winner after every move, for each position of a game; none of them may be over.

    Starts with the last position, because its results make earlier ones cheaper. The result is None
    for a position that takes too many nodes, and for all positions without a solver. Nothing
    depends on the clock: the same game has the same verdicts on every machine.
    """
    if solver is None:
        return [None] * len(positions)
    return [solver.winners(position) for position in reversed(positions)][::-1]
