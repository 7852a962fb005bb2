"""Two threads on one position: one closes in on its score from above, the other from below.

A score is proven by two answers: it is at least so much, and it is not more. Which of the two is
dear differs from position to position, but neither needs the other's, so each thread asks its own
questions, and one whose question the other has answered is set free. They share one table: what one
has proven of a position often answers the other's question about it as well.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter

from engine.clock import time_limit
from engine.connect4 import Connect4, Connect4Position
from engine.kernels.solver import SolverKernel
from engine.kernels.solver_rules import ALL
from engine.kernels.solver_windows import next_question
from engine.search import Stop
from engine.solver.solution import Solution, bounds_before_search
from engine.solver.solver import TABLE_BITS

FROM_ABOVE, FROM_BELOW = 0, 1


@dataclass(slots=True)
class _Bounds:
    """What both threads have proven together."""

    lower: int
    upper: int
    questions: list[int | None] = field(default_factory=lambda: [None, None])
    lock: Lock = field(default_factory=Lock)


class PairSolver:
    """Exact scores on one board, found by two threads; shares nothing with other solvers."""

    def __init__(self, game: Connect4, table_bits: int = TABLE_BITS, rules: int = ALL) -> None:
        """Take a board, the size of the table (2**table_bits times 32 bytes), and rules."""
        self.game = game
        self._squares = game.rows * game.columns
        self._kernels = SolverKernel.team(game, table_bits, rules, threads=2)

    def clear(self) -> None:
        """Forget all positions."""
        self._kernels[0].clear()

    def solve(
        self, position: Connect4Position, stop: Stop | None = None, seconds: float | None = None
    ) -> Solution:
        """The score of a position for the side to move; as `Solver.solve`."""
        if position.game != self.game or position.outcome is not None:
            raise ValueError("a pair solves positions of its own board that are not over")
        began = perf_counter()
        stop = stop or Stop()
        expired = Stop()
        bounds = _Bounds(*bounds_before_search(self._squares, position.ply))
        with time_limit(lambda: self._expire(expired), seconds), ThreadPoolExecutor(2) as pool:
            work = (position, bounds, stop, expired)
            nodes = sum(pool.map(lambda side: self._close_in(side, *work), range(2)))
        score = bounds.lower if bounds.lower == bounds.upper else None
        return Solution(score, bounds.lower, bounds.upper, nodes, perf_counter() - began)

    def _expire(self, expired: Stop) -> None:
        expired.set()
        for kernel in self._kernels:
            kernel.allow(0)

    def _close_in(
        self, side: int, position: Connect4Position, bounds: _Bounds, stop: Stop, expired: Stop
    ) -> int:
        """Ask one side's questions until the bounds meet; returns how many nodes that took."""
        kernel, nodes = self._kernels[side], 0
        while True:
            kernel.begin()
            with bounds.lock:
                if bounds.lower >= bounds.upper or stop.is_set or expired.is_set:
                    return nodes
                question = next_question(bounds.lower, bounds.upper, side)
                bounds.questions[side] = question
            answer = kernel.ask(position, question, stop.flag)
            nodes += kernel.nodes
            if answer is None:
                continue
            with bounds.lock:
                bounds.lower = max(bounds.lower, answer[0])
                bounds.upper = min(bounds.upper, answer[1])
                asked = bounds.questions[1 - side]
                if asked is not None and not bounds.lower <= asked < bounds.upper:
                    self._kernels[1 - side].allow(0)
