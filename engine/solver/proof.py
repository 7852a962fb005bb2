"""The value of every move of a Connect 4 position, from the books or by the solver."""

from __future__ import annotations

from time import perf_counter

from engine.analysis import Analysis
from engine.connect4 import Connect4, Connect4Position
from engine.search import Stop
from engine.solver import Solver
from engine.solver.opening import known_end
from engine.values import Value, plies_to_end

TABLE_BITS = 21
"""Of the table that a proof uses: 64 MiB, of which a short proof touches little."""


def prove(position: Connect4Position, seconds: float, stop: Stop | None = None) -> Analysis | None:
    """Prove the value of every move; None if that takes more than `seconds` or is stopped."""
    return SolverProver(position.game).prove(position, seconds=seconds, stop=stop)


class SolverProver:
    """Proofs on one board, with one table for all of them."""

    def __init__(self, game: Connect4) -> None:
        """Take the board; the table is made when a position is in no book."""
        self._game = game
        self._solver: Solver | None = None

    def prove(
        self,
        position: Connect4Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Analysis | None:
        """Prove the value of every move; None if that takes more than allowed or is stopped."""
        began = perf_counter()
        mover, squares = position.to_move, position.game.rows * position.game.columns
        known = {move: _known(position.play(move)) for move in position.legal_moves()}
        values = {move: value for move, value in known.items() if value is not None}
        visited = 0
        if len(values) < len(known):
            self._solver = self._solver or Solver(self._game, table_bits=TABLE_BITS)
            solved = self._solver.solve_moves(position, stop, seconds, nodes)
            for move, solution in solved.items():
                if solution.score is None:
                    return None
                visited += solution.nodes
                values[move] = Value.from_score(solution.score, mover, squares)
        scores = {move: values[move].search(mover) for move in known}
        depth = plies_to_end(max(scores.values()), position.ply, squares)
        lines = {move: (move,) for move in scores}
        return Analysis(scores, lines, depth, visited, perf_counter() - began, proven=True)


def _known(position: Connect4Position) -> Value | None:
    """The value of a position without search, also of one that is over."""
    if position.outcome is not None:
        return Value.of_ended(position)
    end = known_end(position)
    return None if end is None else Value(end)
