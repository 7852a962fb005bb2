"""Exact values: what a game's solver promises, if it has one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from engine.core.analysis import Analysis, Verdict
from engine.core.limits import Stop


class ExactSolver(Protocol):
    """Exact values in one game, for one thread at a time.

    A solver remembers what it has found. Going through a game from its end makes the earlier
    positions cheap: what is remembered of the later ones answers most of what they ask.
    """

    def values(
        self,
        position: Any,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Analysis | None:
        """Prove the value of every move of a position that is not over.

        None if that takes more than `nodes` positions or `seconds`, or is stopped; without a limit
        it takes as long as it takes. What a book knows takes no nodes, so with 0 nodes the answer
        comes from books or not at all.
        """

    def winners(self, position: Any) -> Verdict | None:
        """Find who wins after every move of a position that is not over, without distances.

        None once the nodes are used up that the solver was given for this.
        """


def values_by(
    solver: ExactSolver | None,
    position: Any,
    *,
    nodes: int,
    seconds: float,
    stop: Stop | None = None,
) -> Analysis | None:
    """Return what `ExactSolver.values` does; None without a solver."""
    if solver is None:
        return None
    return solver.values(position, nodes=nodes, seconds=seconds, stop=stop)


def winners_of_game(solver: ExactSolver | None, positions: Sequence[Any]) -> list[Verdict | None]:
    """Find who wins after every move, for each position of a game; none of them may be over.

    The last positions come first, as what the solver learns from them makes earlier ones easier.
    None for a position that takes too many nodes, or for all without a solver. Nothing depends on
    the clock: the same game has the same verdicts on every machine.
    """
    if solver is None:
        return [None] * len(positions)
    return [solver.winners(position) for position in reversed(positions)][::-1]
