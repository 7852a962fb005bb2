"""Who wins after every move of a game under perfect play."""

from __future__ import annotations

from collections.abc import Sequence

from engine.analysis import Verdict
from engine.connect4 import Connect4Position
from engine.kernels.solver.kernel import SolverKernel
from engine.kernels.solver.rules import ALL
from engine.solver.opening import book_end
from engine.solver.solver import NEVER
from engine.values import Value, share_of

MOST_NODES = 300_000
"""The node budget of one game: a tenth of a second of one core, enough for 24 in 25 positions of an
average game on 6x7."""
TABLE_BITS = 18
"""Of the table that they share: 8 MiB."""


def verdicts(positions: Sequence[Connect4Position]) -> list[Verdict | None]:
    """Who wins after every move, for each position of a game; none of them may be over.

    The last positions come first: what the table learns from them makes earlier ones easier. Once
    a game has used up MOST_NODES, positions that are in no book get None. Nothing depends on the
    clock: the same game has the same verdicts on every machine.
    """
    if not positions:
        return []
    kernel = SolverKernel.alone(positions[0].game, TABLE_BITS, ALL)
    kernel.begin()
    kernel.allow(MOST_NODES)
    found = [_verdict(kernel, position) for position in reversed(positions)]
    return found[::-1]


def _verdict(kernel: SolverKernel, position: Connect4Position) -> Verdict | None:
    worths = {}
    for move in position.legal_moves():
        worth = _worth_of(kernel, position.play(move))
        if worth is None:
            return None
        worths[move] = worth
    return worths


def _worth_of(kernel: SolverKernel, after: Connect4Position) -> float | None:
    """What the move that led to a position was worth; None if that would take too long."""
    if after.outcome is not None:
        return Value.of_ended(after).share(after.to_move.other)
    end = book_end(after)
    if end is not None:
        return Value(end).share(after.to_move.other)
    won = kernel.ask(after, 0, NEVER.flag)
    if won is None:
        return None
    if won[0] > 0:
        return share_of(-1)
    lost = kernel.ask(after, -1, NEVER.flag)
    return None if lost is None else share_of(0 if lost[0] >= 0 else 1)
