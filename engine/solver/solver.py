"""Solving positions: null-window searches until the bounds meet."""

from __future__ import annotations

from time import perf_counter

from engine.clock import time_limit
from engine.connect4 import Connect4, Connect4Position
from engine.game import Move
from engine.kernels.solver.kernel import SolverKernel
from engine.kernels.solver.rules import ALL
from engine.search import Stop
from engine.solver.solution import Solution
from engine.values import Value, bounds_before_search

TABLE_BITS = 20
"""A million and a half positions, 32 MiB: enough for all but the first few moves of a game."""
NEVER = Stop()
"""A flag that is never set."""


def refuse_others(game: Connect4, position: Connect4Position) -> None:
    """Raise ValueError for a position that is over, or on another board than `game`."""
    if position.game is not game and position.game != game:
        raise ValueError(f"this solver is for {game.variant}, not {position.game.variant}")
    if position.outcome is not None:
        raise ValueError("the game is over: there is nothing to solve")


class Solver:
    """Exact scores on one board, with a table that is kept from one position to the next.

    A solver serves one thread at a time. Solvers share nothing, so several may run at once.
    """

    def __init__(self, game: Connect4, table_bits: int = TABLE_BITS, rules: int = ALL) -> None:
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
        refuse_others(self.game, position)
        self._kernel.begin()
        if seconds is None:
            return self._solve(position, stop or NEVER)
        with time_limit(lambda: self._kernel.allow(0), seconds):
            return self._solve(position, stop or NEVER)

    def solve_moves(
        self,
        position: Connect4Position,
        stop: Stop | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> dict[Move, Solution]:
        """The score of every legal move for the side that makes it, from the left; as `solve`.

        The limits are for all moves together. One of `nodes` cuts short at the same place on every
        machine.
        """
        refuse_others(self.game, position)
        self._kernel.begin()
        if nodes is not None:
            self._kernel.allow(nodes)
        with time_limit(lambda: self._kernel.allow(0), seconds):
            return {
                move: self._solve_move(position, move, stop or NEVER)
                for move in position.legal_moves()
            }

    def line(
        self, position: Connect4Position, stop: Stop | None = None, seconds: float | None = None
    ) -> tuple[Move, ...]:
        """A game of perfect play from here to the end; as far as it was proven if cut short.

        Among equal moves the one nearest to the middle is taken, then the one further left.
        """
        refuse_others(self.game, position)
        self._kernel.begin()
        moves: list[Move] = []
        with time_limit(lambda: self._kernel.allow(0), seconds):
            score = self._solve(position, stop or NEVER).score
            while score is not None and position.outcome is None:
                move = self._move_worth(position, score, stop or NEVER)
                if move is None:
                    break
                moves.append(move)
                position, score = position.play(move), -score
        return tuple(moves)

    def _solve(self, position: Connect4Position, stop: Stop) -> Solution:
        began, before = perf_counter(), self._kernel.nodes
        possible = bounds_before_search(self._squares, position.ply)
        lower, upper = self._kernel.close_in(position, *possible, stop.flag)
        score = lower if lower == upper else None
        nodes = self._kernel.nodes - before
        return Solution(score, lower, upper, nodes, perf_counter() - began)

    def _solve_move(self, position: Connect4Position, move: Move, stop: Stop) -> Solution:
        after = position.play(move)
        if after.outcome is None:
            return self._solve(after, stop).from_the_other_side()
        score = Value.of_ended(after).score(position.to_move, self._squares)
        return Solution(score, score, score, 0, 0.0)

    def _move_worth(self, position: Connect4Position, score: int, stop: Stop) -> Move | None:
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
