"""The student agents' minimax for Connect 4: alpha-beta to a fixed depth, without a table.

The agent is the side to move at the root. Wins, losses and draws are scored on the scale of
`engine.core.compiled.scores`: a nearer win is better, a later loss is better. The search's promise
is that of `engine.games.connect4.compiled.search`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import ONE, Int, U, landing, winning_squares
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.core.compiled.scores import INFINITE, UNKNOWN, WIN
from engine.games.connect4.agents.compiled.evaluation import COLUMN, evaluate
from engine.games.connect4.compiled.memory import ABORTED, BOARD, BOTTOM, COLUMNS, NODES, SQUARES


@njit("int64(int64, int64)", cache=True, nogil=True)
def from_the_middle(number: Int, columns: Int) -> Int:
    """The column that is tried as number 0, 1, 2...: the centre, its left, its right and so on."""
    away = (number + 1) >> 1
    return columns // 2 + (-away if number & 1 else away)


@njit(
    "int64(uint64, uint64, int64, int64, int64, int64, int64, boolean, uint64[::1], uint8[::1])",
    cache=True,
    nogil=True,
)
def negamax(
    own: np.uint64,
    opp: np.uint64,
    ply: Int,
    depth: Int,
    alpha: Int,
    beta: Int,
    kind: Int,
    agents: bool,
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> Int:
    """The value of a position without four in line; `agents` is whether the agent is to move."""
    memory[NODES] += ONE
    if stop[0] != 0:
        memory[ABORTED] = ONE
        return 0
    if ply == np.int64(memory[SQUARES]):
        return 0
    if depth == 0:
        return evaluate(kind, own, opp, agents, memory)
    moves = landing(own | opp, memory[BOTTOM], memory[BOARD])
    if winning_squares(own) & moves:
        return WIN - (ply + 1)
    best: Int = -INFINITE
    columns = np.int64(memory[COLUMNS])
    for number in range(columns):
        bit = moves & (COLUMN << U(8 * from_the_middle(number, columns)))
        if not bit:
            continue
        floor = max(alpha, best)
        value = -negamax(
            opp, own | bit, ply + 1, depth - 1, -beta, -floor, kind, not agents, memory, stop
        )
        if memory[ABORTED]:
            return 0
        best = max(best, value)
        if best >= beta:
            break
    return best


@njit(
    "void(uint64, uint64, int64, int64, int64, int64, int64[::1], int64[::1], uint64[::1],"
    "uint8[::1])",
    cache=True,
    nogil=True,
)
def best_moves(
    own: np.uint64,
    opp: np.uint64,
    ply: Int,
    depth: Int,
    kind: Int,
    margin: Int,
    order: npt.NDArray[np.int64],
    scores: npt.NDArray[np.int64],
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> None:
    """Score the open columns in `order` into `scores`, indexed by column.

    The score of each move within `margin` of the best is exact, the others get UNKNOWN. A search
    that is cut short keeps the scores that it completed.
    """
    moves = landing(own | opp, memory[BOTTOM], memory[BOARD])
    best = -INFINITE
    for i in range(order.size):
        column = order[i]
        bit = moves & (COLUMN << U(8 * column))
        # One further, to distinguish moves just within the margin from those beyond it.
        floor = max(best - margin - 1, -INFINITE)
        if winning_squares(own) & bit:
            value = WIN - (ply + 1)
        else:
            value = -negamax(
                opp, own | bit, ply + 1, depth - 1, -INFINITE, -floor, kind, False, memory, stop
            )
        if memory[ABORTED]:
            break
        scores[column] = value
        best = max(best, value)
    for i in range(order.size):
        if scores[order[i]] < best - margin:
            scores[order[i]] = UNKNOWN
