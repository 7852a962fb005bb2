"""Work sharing: two threads on one position, each keeping out of the other's way.

Both run the same null-window search. They share one table and show each other where they are, so
that each searches other moves (see `engine.kernels.solver.paths`). The first to find the answer
releases the other, and both go on to the next search.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter

from engine.clock import time_limit
from engine.connect4 import Connect4, Connect4Position
from engine.kernels.solver.kernel import SolverKernel
from engine.kernels.solver.rules import ALL
from engine.kernels.solver.windows import next_question
from engine.search import Stop
from engine.solver.solution import Solution
from engine.solver.solver import TABLE_BITS, refuse_others
from engine.values import bounds_before_search


@dataclass(slots=True)
class _Bounds:
    """What both threads have proven together."""

    lower: int
    upper: int
    ply: int
    """Stones on the board."""
    asked: int = 0
    """Null-window searches completed so far."""
    lock: Lock = field(default_factory=Lock)
    """Held while anything here is read or changed, and while the other thread is released."""

    @property
    def question(self) -> int | None:
        """The next alpha to ask about; None when the bounds have met."""
        if self.lower >= self.upper:
            return None
        return int(next_question(self.lower, self.upper, self.asked, self.ply))

    def narrow(self, lower: int, upper: int) -> bool:
        """Take an answer in; whether it said anything new, and so changed the question."""
        if lower <= self.lower and upper >= self.upper:
            return False
        self.lower, self.upper = max(self.lower, lower), min(self.upper, upper)
        self.asked += 1
        return True


class PairSolver:
    """Exact scores on one board, found by two threads; shares nothing with other solvers."""

    def __init__(self, game: Connect4, table_bits: int = TABLE_BITS, rules: int = ALL) -> None:
        """Take a board, the size of the table (2**table_bits times 32 bytes), and rules."""
        self.game = game
        self._squares = game.rows * game.columns
        self._kernels = SolverKernel.pair(game, table_bits, rules)

    def clear(self) -> None:
        """Forget all positions."""
        self._kernels[0].clear()

    def solve(
        self, position: Connect4Position, stop: Stop | None = None, seconds: float | None = None
    ) -> Solution:
        """The score of a position for the side to move; as `Solver.solve`."""
        refuse_others(self.game, position)
        began = perf_counter()
        stop = stop or Stop()
        expired = Stop()
        bounds = _Bounds(*bounds_before_search(self._squares, position.ply), position.ply)
        with time_limit(lambda: self._expire(expired), seconds), ThreadPoolExecutor(2) as pool:
            work = (position, bounds, stop, expired)
            nodes = sum(pool.map(lambda thread: self._close_in(thread, *work), range(2)))
        score = bounds.lower if bounds.lower == bounds.upper else None
        return Solution(score, bounds.lower, bounds.upper, nodes, perf_counter() - began)

    def _expire(self, expired: Stop) -> None:
        expired.set()
        for kernel in self._kernels:
            kernel.allow(0)

    def _close_in(
        self, thread: int, position: Connect4Position, bounds: _Bounds, stop: Stop, expired: Stop
    ) -> int:
        """Search until the bounds meet; returns how many nodes this thread took."""
        kernel, nodes = self._kernels[thread], 0
        while True:
            # Lift the limit first: one that is set after the check below must hold.
            kernel.begin()
            with bounds.lock:
                question = bounds.question
            if question is None or stop.is_set or expired.is_set:
                return nodes
            answer = kernel.ask(position, question, stop.flag)
            nodes += kernel.nodes
            if answer is not None:
                with bounds.lock:
                    if bounds.narrow(*answer):
                        self._kernels[1 - thread].allow(0)
