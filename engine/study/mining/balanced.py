"""Finds balanced openings at random."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.core.exact import ExactSolver
from engine.core.game import Game, Move, replay
from engine.core.registry import package_of
from engine.study.balanced import DRAW, is_balanced
from engine.study.mining.miner import canonical

PLIES = (4, 6, 8)
"""The numbers of moves in an opening: even, so that the first player moves first after it too."""


def find_openings(game: Game, rng: Random) -> Iterator[tuple[Move, ...]]:
    """Yield balanced openings for ever, each position once up to the board's symmetry.

    Raises ValueError for a variant without a solver.
    """
    solver = package_of(game).solver(game)
    if solver is None:
        raise ValueError(f"{game.key} has no solver")
    seen = set[str]()
    while True:
        moves = _drawing_moves(game, rng.choice(PLIES), rng, solver)
        if moves is not None:
            position = replay(game, moves)
            if (same := canonical(position)) not in seen:
                seen.add(same)
                if is_balanced(position, solver):
                    yield moves


def _drawing_moves(
    game: Game, plies: int, rng: Random, solver: ExactSolver
) -> tuple[Move, ...] | None:
    """Random moves from the start, of which the last leads to a draw; None if none does."""
    position, moves = game.start(), list[Move]()
    while len(moves) < plies:
        if position.outcome is not None:
            return None
        legal = list(position.legal_moves())
        if len(moves) == plies - 1:
            shares = solver.winners(position) or {}
            legal = [move for move in legal if shares.get(move) == DRAW]
            if not legal:
                return None
        move = rng.choice(legal)
        moves.append(move)
        position = position.play(move)
    return tuple(moves)
