"""The value of every move of a Gato position, by searching to the end of the game."""

from __future__ import annotations

from time import perf_counter

from engine.core.analysis import Analysis, Verdict
from engine.core.compiled.scores import WIN
from engine.core.limits import Stop, time_limit
from engine.core.values import plies_to_end
from engine.games.gato.kernel import load
from engine.games.gato.rules import SQUARES, Gato, GatoPosition

TABLE_BITS = 18
"""Bits of the table that a proof uses, which takes 2 MiB: several times what the empty board
needs."""


def prove(
    position: GatoPosition,
    seconds: float | None,
    stop: Stop | None = None,
    nodes: int | None = None,
) -> Analysis | None:
    """Prove the value of every move; None if that takes more than allowed or is stopped.

    Without `seconds` there is no time limit, without `nodes` no limit of positions visited.
    """
    began = perf_counter()
    kernel = load(position, TABLE_BITS)
    kernel.allow(nodes)
    flag = (stop or Stop()).flag
    with time_limit(lambda: kernel.allow(0), seconds):
        scores = kernel.score_moves(kernel.deepest, 2 * WIN, position.legal_moves(), flag)
    if scores is None:
        return None
    depth = plies_to_end(max(scores.values()), position.ply, SQUARES)
    lines = {move: (move,) for move in scores}
    return Analysis(scores, lines, depth, kernel.nodes, perf_counter() - began, proven=True)


class GatoSolver:
    """Exact values; proofs are so short that nothing is remembered between positions."""

    def __init__(self, _game: Gato, *, nodes: int | None = None, all_books: bool = True) -> None:
        """Visit at most `nodes` positions for winners; `all_books` has no effect here."""
        self._left = nodes

    @property
    def table_bytes(self) -> int:
        """Always 0: it has no table."""
        return 0

    def values(
        self,
        position: GatoPosition,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Analysis | None:
        """Prove the value of every move; None if that takes more than allowed or is stopped."""
        return prove(position, seconds, stop, nodes)

    def winners(self, position: GatoPosition) -> Verdict | None:
        """Find the winner after every move; None once the nodes are used up."""
        proof = prove(position, None, nodes=self._left)
        if proof is None:
            return None
        if self._left is not None:
            self._left -= proof.nodes
        return proof.verdict
