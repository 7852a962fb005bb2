"""The minimax that two student agents of Connect 4 share: only their evaluations differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.agent import Searched
from engine.core.compiled.scores import UNKNOWN
from engine.core.limits import Stop
from engine.games.connect4.rules import Connect4Position

if TYPE_CHECKING:
    from engine.games.connect4.agents.compiled.evaluation import Evaluation


def minimax(
    position: Connect4Position,
    evaluation: Evaluation,
    depth: int,
    *,
    margin: int = 0,
    stop: Stop | None = None,
) -> Searched:
    """Score the moves of a position that is not over, `depth` plies deep.

    Those within `margin` of the best get their exact score, on the scale of
    `engine.core.compiled.scores`, on which the nearest win and the latest loss are best; the others
    are left out.
    """
    import numpy as np

    from engine.games.connect4.agents.compiled.search import best_moves
    from engine.games.connect4.compiled.memory import ABORTED, NODES, new_memory
    from engine.games.connect4.kernel import words_of

    game, moves = position.game, position.legal_moves()
    memory = new_memory(game.rows, game.columns, 0)
    own, opp, _ = words_of(position)
    scores = np.full(game.columns, UNKNOWN, np.int64)
    order = np.array(sorted(moves, key=lambda move: abs(2 * move - game.columns + 1)), np.int64)
    flag = (stop or Stop()).flag
    best_moves(own, opp, position.ply, depth, evaluation, margin, order, scores, memory, flag)
    return Searched(
        {move: int(scores[move]) for move in moves if scores[move] != UNKNOWN},
        depth=0 if memory[ABORTED] else min(depth, game.rows * game.columns - position.ply),
        nodes=int(memory[NODES]),
    )
