"""Solving positions by null-window searches until the bounds meet.

Several threads can share the work on one position. All run the same null-window search with one
table, and each publishes its path, so that they search different moves (see
`engine.games.connect4.solver.compiled.paths`). The first to find the answer stops the others, and
all go on to the next search.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.core.game import Move
from engine.core.limits import Stop, time_limit
from engine.core.values import Value, bounds_before_search
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.compiled.rules import FASTEST
from engine.games.connect4.solver.compiled.windows import next_question
from engine.games.connect4.solver.kernel import SolverKernel

TABLE_BITS = 20
"""Bits of the table: 1.5 million positions, 32 MiB, enough for all but the first few moves of a
game."""

NEVER_STOPPED = Stop()
"""A flag that is never set."""


def require_solvable(game: Connect4, position: Connect4Position) -> None:
    """Raise ValueError for a position that is over, or on another board than `game`."""
    if position.game is not game and position.game != game:
        raise ValueError(f"this solver is for {game.variant}, not {position.game.variant}")
    if position.outcome is not None:
        raise ValueError("the game is over: there is nothing to solve")


class Solver:
    """Exact scores on one board, with a table that is kept from one position to the next.

    A solver serves one thread at a time. Solvers share nothing, so several may run at once.
    """

    def __init__(self, game: Connect4, table_bits: int = TABLE_BITS, rules: int = FASTEST) -> None:
        """Take a board, the size of the table (2**table_bits times 32 bytes), and rules."""
        self.game = game
        self._squares = game.rows * game.columns
        self._kernel = SolverKernel.alone(game, table_bits, rules)

    def clear(self) -> None:
        """Forget all positions."""
        self._kernel.clear()

    def solve(
        self, position: Connect4Position, stop: Stop | None = None, seconds: float | None = None
    ) -> Solution:
        """The score of a position for the side to move.

        Ends early within 20 ms of `stop` being set or after `seconds` of wall-clock time, with
        the bounds proven until then. Raises ValueError for a position that is over or on
        another board.
        """
        require_solvable(self.game, position)
        self._kernel.begin()
        if seconds is None:
            return self._solve(position, stop or NEVER_STOPPED)
        with time_limit(lambda: self._kernel.allow(0), seconds):
            return self._solve(position, stop or NEVER_STOPPED)

    def solve_moves(
        self,
        position: Connect4Position,
        stop: Stop | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> dict[Move, Solution]:
        """The score of every legal move for the side that makes it, from the left; as `solve`.

        The limits are for all moves together. A limit of `nodes` stops at the same place on every
        machine.
        """
        require_solvable(self.game, position)
        after = {move: position.play(move) for move in position.legal_moves()}
        unfinished = [each for each in after.values() if each.outcome is None]
        solved = iter(self.solve_many(unfinished, stop, seconds, nodes))
        return {
            move: (
                next(solved).for_opponent()
                if each.outcome is None
                else _ended(Value.of_ended(each).score(position.to_move, self._squares))
            )
            for move, each in after.items()
        }

    def solve_many(
        self,
        positions: Sequence[Connect4Position],
        stop: Stop | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> list[Solution]:
        """The scores of many positions by a single compiled call; as `solve`.

        The limits are for all positions together. A limit of `nodes` stops at the same place on
        every machine.
        """
        game = self.game
        if any(each.outcome is not None or each.game is not game for each in positions):
            for position in positions:
                require_solvable(game, position)
        self._kernel.begin()
        if nodes is not None:
            self._kernel.allow(nodes)
        began = perf_counter()
        with time_limit(lambda: self._kernel.allow(0), seconds):
            found = self._kernel.solve_many(positions, (stop or NEVER_STOPPED).flag)
        return _solutions(found, perf_counter() - began)

    def line(
        self, position: Connect4Position, stop: Stop | None = None, seconds: float | None = None
    ) -> tuple[Move, ...]:
        """A game of perfect play from here to the end; as far as it was proven if cut short.

        Among equal moves the one nearest to the middle is chosen, then the one further left.
        """
        require_solvable(self.game, position)
        self._kernel.begin()
        moves: list[Move] = []
        with time_limit(lambda: self._kernel.allow(0), seconds):
            score = self._solve(position, stop or NEVER_STOPPED).score
            while score is not None and position.outcome is None:
                move = self._move_scoring(position, score, stop or NEVER_STOPPED)
                if move is None:
                    break
                moves.append(move)
                position, score = position.play(move), -score
        return tuple(moves)

    def _solve(self, position: Connect4Position, stop: Stop) -> Solution:
        began = perf_counter()
        lower, upper, nodes = self._kernel.solve(position, stop.flag)
        score = lower if lower == upper else None
        return Solution(score, lower, upper, nodes, perf_counter() - began)

    def _move_scoring(self, position: Connect4Position, score: int, stop: Stop) -> Move | None:
        """A move that keeps the position's score; None if the search was cut short."""
        middle = self.game.columns - 1
        for move in sorted(position.legal_moves(), key=lambda move: abs(2 * move - middle)):
            after = position.play(move)
            if after.outcome is not None:
                ended = Value.of_ended(after).score(position.to_move, self._squares)
                if ended == score:
                    return move
                continue
            bounds = self._kernel.ask(after, -score, stop.flag)
            if bounds is None:
                return None
            if bounds[1] <= -score:
                return move
        raise AssertionError("some move keeps the score")


class Solution(NamedTuple):
    """The score of a position under perfect play, or proven bounds of it."""

    score: int | None
    """None if the search was cut short before the score was proven."""
    lower: int
    upper: int
    nodes: int
    """Positions searched; those that a rule or the table settled before are not counted."""
    seconds: float
    """Of several positions solved together: each one's part of the time, by its nodes."""

    def for_opponent(self) -> Solution:
        """The same score for the side that is not to move."""
        score = None if self.score is None else -self.score
        return Solution(score, -self.upper, -self.lower, self.nodes, self.seconds)


def _ended(score: int) -> Solution:
    """The solution of a position that is over."""
    return Solution(score, score, score, 0, 0.0)


def _solutions(found: npt.NDArray[np.int64], seconds: float) -> list[Solution]:
    """The rows of bounds and nodes that the kernel found in this time, as solutions."""
    lower, upper, nodes = found.T
    # A position that needs no node takes about as long as one node.
    parts = (nodes + 1) * (seconds / max(nodes.sum() + len(found), 1))
    scores: list[int | None] = lower.tolist()
    for i in np.flatnonzero(lower != upper).tolist():
        scores[i] = None
    rows = zip(scores, *found.T.tolist(), parts.tolist(), strict=True)
    # In batches of easy positions the time per result matters: this is half that of `Solution`.
    return list(map(partial(tuple.__new__, Solution), rows))


@dataclass(slots=True)
class _Bounds:
    """The bounds that all threads have proven together."""

    lower: int
    upper: int
    ply: int
    """Stones on the board."""
    squares: int
    rules: int
    asked: int = 0
    """Null-window searches completed so far."""
    lock: Lock = field(default_factory=Lock)
    """Held while anything here is read or changed, and while the other threads are stopped."""

    @property
    def question(self) -> int | None:
        """The alpha of the next search; None when the bounds have met."""
        if self.lower >= self.upper:
            return None
        bounds = (self.lower, self.upper, self.asked)
        return int(next_question(*bounds, self.ply, self.squares, np.uint64(self.rules)))

    def narrow(self, lower: int, upper: int) -> bool:
        """Narrow the bounds by an answer; returns whether they changed."""
        if lower <= self.lower and upper >= self.upper:
            return False
        self.lower, self.upper = max(self.lower, lower), min(self.upper, upper)
        self.asked += 1
        return True


class SharedSolver:
    """Exact scores on one board, found by several threads; shares nothing with other solvers."""

    def __init__(
        self,
        game: Connect4,
        table_bits: int = TABLE_BITS,
        rules: int = FASTEST,
        *,
        threads: int = 2,
    ) -> None:
        """Take a board, the size of the table (2**table_bits times 32 bytes), rules and threads.

        Raises ValueError for fewer than one thread.
        """
        if threads < 1:
            raise ValueError(f"a position needs at least one thread, not {threads}")
        self.game = game
        self._squares = game.rows * game.columns
        self._rules = rules
        self._kernels = SolverKernel.together(game, table_bits, rules, threads)

    def clear(self) -> None:
        """Forget all positions."""
        self._kernels[0].clear()

    def solve(
        self, position: Connect4Position, stop: Stop | None = None, seconds: float | None = None
    ) -> Solution:
        """The score of a position for the side to move; as `Solver.solve`."""
        require_solvable(self.game, position)
        began = perf_counter()
        stop = stop or Stop()
        expired = Stop()
        possible = bounds_before_search(self._squares, position.ply)
        bounds = _Bounds(*possible, position.ply, self._squares, self._rules)
        threads = ThreadPoolExecutor(len(self._kernels))
        with time_limit(lambda: self._expire(expired), seconds), threads as pool:
            work = (position, bounds, stop, expired)
            nodes = sum(pool.map(lambda kernel: self._close_in(kernel, *work), self._kernels))
        score = bounds.lower if bounds.lower == bounds.upper else None
        return Solution(score, bounds.lower, bounds.upper, nodes, perf_counter() - began)

    def _expire(self, expired: Stop) -> None:
        expired.set()
        for kernel in self._kernels:
            kernel.allow(0)

    def _close_in(
        self,
        kernel: SolverKernel,
        position: Connect4Position,
        bounds: _Bounds,
        stop: Stop,
        expired: Stop,
    ) -> int:
        """Search until the bounds meet; returns the nodes of this thread's kernel."""
        nodes = 0
        while True:
            # Lift the limit before the check below, so that a limit set after it takes effect.
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
                        for other in self._kernels:
                            other.allow(0)


def solver_of(game: Connect4, threads: int, table_bits: int = TABLE_BITS) -> Solver | SharedSolver:
    """Return the solver for a board by the number of threads that share a position.

    Raises ValueError for fewer than one thread.
    """
    if threads == 1:
        return Solver(game, table_bits)
    return SharedSolver(game, table_bits, threads=threads)
