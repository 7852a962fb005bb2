"""The end of a Connect 4 search by the plain rules, and the compiled search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from engine.core.compiled.bits import board_word, winning_squares
from engine.core.compiled.memory import NO_LIMIT
from engine.core.limits import Stop
from engine.games.connect4.compiled.evaluation import evaluate
from engine.games.connect4.compiled.memory import MOST_NODES, new_memory, use_weights
from engine.games.connect4.compiled.search import negamax
from engine.games.connect4.kernel import words_of
from engine.games.connect4.rules import Connect4Position
from engine.games.connect4.weights import weights_of
from tests.engine.games.conformance.plain import Windowed, two_moves_ahead


def settled(position: Connect4Position, depth: int) -> int | None:
    """The value at the end of a search, which still considers the next two stones."""
    return two_moves_ahead(position, evaluated) if depth <= 0 else None


def settled_by_weights(position: Connect4Position, depth: int) -> int | None:
    """The same with the evaluation fitted to the board."""
    evaluate_fitted = partial(evaluated, weights=weights_of(position.game))
    return two_moves_ahead(position, evaluate_fitted) if depth <= 0 else None


def evaluated(position: Connect4Position, weights: Sequence[int] = ()) -> int:
    """The compiled evaluation of a quiet position, which has tests of its own."""
    game = position.game
    own, opp, _ = words_of(position)
    empty = np.uint64(board_word(game.rows, game.columns)) & ~(own | opp)
    memory = new_memory(game.rows, game.columns, 0)
    if weights:
        use_weights(weights, memory)
    wins = winning_squares(own) & empty, winning_squares(opp) & empty
    return int(evaluate(own, opp, position.ply, *wins, memory))


def windowed(position: Connect4Position, depth: int) -> Windowed:
    """The compiled search of a position, with a small table for all calls."""
    memory, stop = new_memory(position.game.rows, position.game.columns, 6), Stop()
    memory[MOST_NODES] = NO_LIMIT
    given = *words_of(position), position.ply, depth
    return lambda alpha, beta: int(negamax(*given, alpha, beta, memory, stop.flag))
