"""The value of every move of a Connect 4 position, from the books or by the solver."""

from __future__ import annotations

from engine.connect4 import Connect4Position
from engine.game import Player
from engine.kernels.scores import WIN
from engine.search import Proof, Stop
from engine.solver import Solver
from engine.solver.opening import known_end
from engine.solver.solution import signed_end

TABLE_BITS = 21
"""Of the table that a proof uses: 64 MiB."""


def prove(position: Connect4Position, seconds: float, stop: Stop | None = None) -> Proof | None:
    """Prove the value of every move; None if that takes more than `seconds` or is stopped."""
    known = {move: _known(position.play(move)) for move in position.legal_moves()}
    scores = {move: _score(position, end) for move, end in known.items() if end is not None}
    nodes = 0
    if len(scores) < len(known):
        solver = Solver(position.game, table_bits=TABLE_BITS)
        for move, solution in solver.solve_moves(position, stop, seconds).items():
            if solution.score is None:
                return None
            nodes += solution.nodes
            scores[move] = _score(position, end_of(position, solution.score))
    top = max(scores.values())
    game = position.game
    ply = position.ply
    depth = WIN - abs(top) - ply if top else game.rows * game.columns - ply
    return Proof({move: scores[move] for move in known}, depth, nodes)


def end_of(position: Connect4Position, score: int) -> int:
    """A solver's score for the side to move as the signed number of stones at the end.

    A win with the k-th last own stone is one with stone N + 2 - 2k or N + 1 - 2k of N, whichever
    of the two the winner puts.
    """
    if score == 0:
        return 0
    winner = position.to_move if score > 0 else position.to_move.other
    squares = position.game.rows * position.game.columns
    stones = squares + 2 - 2 * abs(score)
    if stones % 2 != winner % 2:
        stones -= 1
    return signed_end(winner, stones)


def _known(position: Connect4Position) -> int | None:
    """The end of a position without search, also of one that is over."""
    if position.outcome is None:
        return known_end(position)
    winner = position.outcome.winner
    return 0 if winner is None else signed_end(winner, position.ply)


def _score(position: Connect4Position, end: int) -> int:
    """An end on the scale of all searches, for the side to move."""
    if end == 0:
        return 0
    won = (end > 0) == (position.to_move is Player.FIRST)
    return WIN - abs(end) if won else abs(end) - WIN
