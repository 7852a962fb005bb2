"""The minimax that two seed agents of Connect 4 share: only their evaluations differ."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from engine.connect4 import Connect4Position
from engine.game import Move
from engine.kernels.scores import UNKNOWN
from engine.search import SearchResult, Stop
from engine.seeds.choice import chosen

if TYPE_CHECKING:
    from engine.kernels.seeds.evaluation import Evaluation


def minimax(
    position: Connect4Position,
    moves: Sequence[Move],
    evaluation: Evaluation,
    depth: int,
    *,
    began: float,
    rng: Random,
    stop: Stop | None,
) -> SearchResult:
    """Choose uniformly among the best of `moves`, `depth` plies deep.

    The position must go on and the moves must be legal; `began` is when the agent did, by
    `perf_counter`. Wins and losses are scored on the scale of
    `engine.kernels.scores`, so the nearest win and the latest loss are best.
    """
    from engine.kernels.connect4.kernel import words_of
    from engine.kernels.connect4.memory import ABORTED, NODES, new_memory
    from engine.kernels.seeds.search import best_moves

    game = position.game
    memory = new_memory(game.rows, game.columns, 0)
    own, opp, _ = words_of(position)
    scores = np.full(game.columns, UNKNOWN, np.int64)
    order = np.array(sorted(moves, key=lambda move: abs(2 * move - game.columns + 1)), np.int64)
    flag = (stop or Stop()).flag
    best_moves(own, opp, position.ply, depth, evaluation, order, scores, memory, flag)
    reached = min(depth, game.rows * game.columns - position.ply)
    return chosen(
        {move: int(scores[move]) for move in moves if scores[move] != UNKNOWN},
        position,
        depth=0 if memory[ABORTED] else reached,
        nodes=int(memory[NODES]),
        began=began,
        rng=rng,
    )
