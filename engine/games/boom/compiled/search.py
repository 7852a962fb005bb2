"""Alpha-beta for Conecta-4 BOOM, where a player may move twice in a row.

The search's promise: `negamax` returns a value v for the side to move such that, with s the exact
value of the depth-limited tree,

    alpha < v < beta   =>  v == s
    v <= alpha         =>  s <= v
    v >= beta          =>  s >= v

and after a stop the value is meaningless, and nothing derived from it is stored. A value is
negated, and its window swapped, only where the turn passes.

The tree is cut at depth 0 wherever the side to move cannot win in its turn (see
`boom.rules.wins_this_turn`). It is searched one movement further where one movement is left of the
turn and the opponent could then win by two puts.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import ONE, Int, U, highest
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.core.compiled.scores import INFINITE, UNKNOWN, WIN
from engine.games.boom.compiled.attention import (
    evaluate_seen,
    line_seen,
    mover,
    puts_seen,
    wins_seen,
)
from engine.games.boom.compiled.evaluation import evaluate
from engine.games.boom.compiled.memory import (
    ABORTED,
    BLIND,
    HISTORY,
    KILLER_PLIES,
    KILLERS,
    MOST_NODES,
    NODES,
    SCRATCH,
    STUCK_IS_DRAW,
    decided,
    depth_in,
    entry_at,
    keep,
    move_in,
    name_of,
    note_cutoff,
    slot,
)
from engine.games.boom.compiled.rules import (
    BOARD,
    BOOM,
    COLUMN,
    MOST_MOVEMENTS,
    ZERO,
    in_line,
    landing_squares,
    moved,
    movements_left,
    two_puts,
    wins_this_turn,
)

FIRST_RANK, KILLER_RANK = ONE << U(50), ONE << U(49)
"""The table's move is above all others, the last decisive move of the ply above the rest."""

EXPLODE = 63
"""Used in place of the number of a square's bit: the bomb explodes, wherever it is."""


@njit("int64(uint64, uint64, uint64, int64, int64, int64, uint64[::1])", cache=True, nogil=True)
def sort_moves(
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    ply: Int,
    preferred: Int,
    base: Int,
    memory: Words,
) -> Int:
    """Write the moves from the most to the least promising at `base`; returns how many.

    The table's move comes first, then the last one that caused a cutoff with as many movements.
    Others are ordered by how often, and how high in the tree, that player's stone on that square or
    explosion caused a cutoff (the history heuristic: Schaeffer 1989). Counting winning squares
    saved no nodes here. Insertion keeps the words sorted: rank above, the number of the square's
    bit below, EXPLODE for the bomb; equal ones come in order.
    """
    moves = landing_squares(own | opp)
    history = HISTORY + ((ply + 1) & 2) * 32
    count = 0
    if mine:
        moves |= ONE << U(EXPLODE)
    while moves:
        number = highest(moves)
        moves ^= ONE << U(number)
        rank = FIRST_RANK if number >> 3 == preferred else memory[history + number]
        if memory[KILLERS + (ply & KILLER_PLIES)] == U(number) + ONE:
            rank |= KILLER_RANK
        entry = (rank << U(6)) | U(number)
        at = base + count
        while at > base and memory[at - 1] < entry:
            memory[at] = memory[at - 1]
            at -= 1
        memory[at] = entry
        count += 1
    return count


@njit(
    "int64(uint64, uint64, uint64, uint64, int64, int64, int64, int64, uint64[::1], uint8[::1])",
    cache=True,
    nogil=True,
)
def negamax(
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    ply: Int,
    depth: Int,
    alpha: Int,
    beta: Int,
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> Int:
    """The value of a position without four in line; see the module's promise."""
    # 1. Count the node; obey the stop flag and the node limit.
    memory[NODES] += ONE
    if stop[0] != 0 or memory[NODES] > memory[MOST_NODES]:
        memory[ABORTED] = ONE
        return 0

    # 2. Ends without a line, then results of this turn that need no search.
    if own | opp == BOARD and mine == ZERO:
        return 0 if memory[STUCK_IS_DRAW] else ply - WIN
    if ply >= MOST_MOVEMENTS:
        return 0
    if memory[BLIND]:
        soon = wins_seen(own, opp, mine, theirs, ply, memory)
    else:
        soon = wins_this_turn(own, opp, mine, theirs, ply)
    if soon:
        return WIN - (ply + soon)

    # 3. Bound: the nearest possible win, by a move after which the opponent has none.
    if beta > WIN - (ply + 1):
        beta = WIN - (ply + 1)
        if alpha >= beta:
            return beta
    left = movements_left(ply)
    if depth <= 0 and memory[BLIND]:
        if left == 2 or not puts_seen(opp, landing_squares(own | opp), 1 - mover(ply), memory):
            return evaluate_seen(own, opp, mine, theirs, ply, memory)
    elif depth <= 0 and (left == 2 or not two_puts(opp, landing_squares(own | opp))):
        return evaluate(own, opp, mine, theirs)

    # 4. Probe the table.
    stones, bombs = name_of(own, opp, mine, theirs, ply)
    at = slot(stones, bombs, memory)
    entry = entry_at(at, stones, bombs, memory)
    preferred = move_in(entry)
    if depth > 0 and depth_in(entry) >= depth:
        value = decided(entry, alpha, beta)
        if value != UNKNOWN:
            return value

    # 5. Try the moves: the first with the full window, the others with a null window first.
    base = SCRATCH + 8 * ply
    count = sort_moves(own, opp, mine, ply, preferred, base, memory)
    passes = (ply + 1) & 1
    best: Int = -INFINITE
    best_number: Int = 0
    floor = alpha
    for i in range(count):
        number = np.int64(memory[base + i] & U(63))
        bit = ONE << U(number) if number != EXPLODE else mine
        own2, opp2, mine2, theirs2 = moved(own, opp, mine, theirs, ply, bit)
        top = beta if i == 0 else alpha + 1
        while True:
            if number == EXPLODE and in_line(opp2):
                value = ply + 1 - WIN
            elif passes:
                value = -negamax(
                    opp2, own2, theirs2, mine2, ply + 1, depth - 1, -top, -alpha, memory, stop
                )
            else:
                value = negamax(
                    own2, opp2, mine2, theirs2, ply + 1, depth - 1, alpha, top, memory, stop
                )
            if memory[ABORTED]:
                return 0
            if top == beta or value <= alpha or value >= beta:
                break
            top = beta
        if value > best:
            best, best_number = value, number
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break

    # 6. Store the result.
    if depth > 0:
        if best >= beta:
            note_cutoff(best_number, ply, depth, memory)
        keep(at, stones, bombs, best, floor, beta, depth, best_number >> 3, memory)
    return best


@njit(
    "void(uint64, uint64, uint64, uint64, int64, int64, int64, int64[::1], int64[::1], "
    "uint64[::1], uint8[::1])",
    cache=True,
    nogil=True,
)
def root(
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    ply: Int,
    depth: Int,
    margin: Int,
    order: npt.NDArray[np.int64],
    scores: npt.NDArray[np.int64],
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> None:
    """Score the moves in `order` into `scores`, indexed by move.

    The score of each move within `margin` of the best is exact; the others get UNKNOWN. Margin 0
    finds all equal best moves.
    """
    best = -INFINITE
    passes = (ply + 1) & 1
    landing = landing_squares(own | opp)
    for i in range(order.size):
        move = order[i]
        bit = landing & (COLUMN << U(8 * move)) if move < BOOM else mine
        own2, opp2, mine2, theirs2 = moved(own, opp, mine, theirs, ply, bit)
        floor = max(best - margin - 1, -INFINITE)
        top = INFINITE if i == 0 else floor + 1
        while True:
            won = line_seen(own2, mover(ply), memory) if memory[BLIND] else in_line(own2)
            if won:
                value = WIN - (ply + 1)
            elif in_line(opp2):
                value = ply + 1 - WIN
            elif passes:
                value = -negamax(
                    opp2, own2, theirs2, mine2, ply + 1, depth - 1, -top, -floor, memory, stop
                )
            else:
                value = negamax(
                    own2, opp2, mine2, theirs2, ply + 1, depth - 1, floor, top, memory, stop
                )
            if memory[ABORTED]:
                return
            if top == INFINITE or value <= floor:
                break
            top = INFINITE
        scores[move] = value if value > floor else UNKNOWN
        best = max(best, value)
    for i in range(order.size):
        if scores[order[i]] < best - margin:
            scores[order[i]] = UNKNOWN


@njit("int64(uint64, uint64, uint64, uint64, int64, uint64[::1])", cache=True, nogil=True)
def remembered_move(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64, ply: Int, memory: Words
) -> Int:
    """The move that the table prefers in a position, or -1."""
    stones, bombs = name_of(own, opp, mine, theirs, ply)
    at = slot(stones, bombs, memory)
    return move_in(entry_at(at, stones, bombs, memory))
