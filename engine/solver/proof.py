"""The value of every move of a Connect 4 position, from the books or by the solver."""

from __future__ import annotations

from time import perf_counter

from engine.analysis import Analysis
from engine.connect4 import Connect4Position
from engine.search import Stop
from engine.solver import Solver
from engine.solver.opening import known_end
from engine.values import Value, plies_to_end

TABLE_BITS = 21
"""Of the table that a proof uses: 64 MiB."""


def prove(position: Connect4Position, seconds: float, stop: Stop | None = None) -> Analysis | None:
    """Prove the value of every move; None if that takes more than `seconds` or is stopped."""
    began = perf_counter()
    mover, squares = position.to_move, position.game.rows * position.game.columns
    known = {move: _known(position.play(move)) for move in position.legal_moves()}
    values = {move: value for move, value in known.items() if value is not None}
    nodes = 0
    if len(values) < len(known):
        solver = Solver(position.game, table_bits=TABLE_BITS)
        for move, solution in solver.solve_moves(position, stop, seconds).items():
            if solution.score is None:
                return None
            nodes += solution.nodes
            values[move] = Value.from_score(solution.score, mover, squares)
    scores = {move: values[move].search(mover) for move in known}
    depth = plies_to_end(max(scores.values()), position.ply, squares)
    lines = {move: (move,) for move in scores}
    return Analysis(scores, lines, depth, nodes, perf_counter() - began, proven=True)


def _known(position: Connect4Position) -> Value | None:
    """The value of a position without search, also of one that is over."""
    if position.outcome is not None:
        return Value.of_ended(position)
    end = known_end(position)
    return None if end is None else Value(end)
