"""Alpha-beta for Connect 4: one compiled search for all sizes.

The search's promise: `negamax` returns a value v for the side to move such that, with s the exact
value of the depth-limited tree,

    alpha < v < beta   =>  v == s
    v <= alpha         =>  s <= v
    v >= beta          =>  s >= v

and after a stop the value is meaningless, and nothing derived from it is stored.

Scores are those of `engine.core.compiled.scores`. They do not depend on where the search began, so
the table stores them unchanged.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import (
    DOWN1,
    ONE,
    S1,
    S2,
    S3,
    S16,
    Int,
    U,
    landing,
    lowest,
    popcount,
    winning_squares,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import EXACT, LOWER, MIX1, MIX2, UPPER, Words
from engine.core.compiled.scores import INFINITE, UNKNOWN, WIN
from engine.games.connect4.compiled.attention import seen_squares
from engine.games.connect4.compiled.evaluation import evaluate
from engine.games.connect4.compiled.memory import (
    ABORTED,
    BLIND,
    BOARD,
    BOTTOM,
    COLUMNS,
    MOST_NODES,
    NODES,
    SCRATCH,
    SQUARES,
    TABLE,
)

NIBBLE = U(0xF)

LOW32 = U(0xFFFFFFFF)

S32 = U(32)

ZERO = U(0)


@njit("uint64(uint64, uint64, uint64[::1])", cache=True, nogil=True)
def slot(own: np.uint64, heights: np.uint64, memory: Words) -> np.uint64:
    """The index in memory of a position's two words."""
    mixed = (own * MIX1) ^ ((heights + ONE) * MIX2)
    mixed ^= mixed >> S32
    mixed *= MIX1
    size = U((memory.size - TABLE) >> 1)
    return U(TABLE) + (((mixed >> S32) * size) >> S32 << S1)


@njit("int64(uint64, uint64, uint64, uint64, int64, int64, uint64[::1])", cache=True, nogil=True)
def sort_moves(
    own: np.uint64,
    opp: np.uint64,
    moves: np.uint64,
    preferred: np.uint64,
    base: Int,
    depth: Int,
    memory: Words,
) -> Int:
    """Write the moves from the most to the least promising at `base`; returns how many.

    The table's move comes first, then moves with more winning squares after them, then those nearer
    to the middle. One ply above the leaves, counting winning squares costs more than it saves.
    Insertion keeps the words sorted: rank above, the number of the square's bit below.
    """
    occupied = own | opp
    empty = memory[BOARD] & ~occupied
    middle = np.int64(memory[COLUMNS]) - 1
    count = 0
    while moves:
        bit = moves & (~moves + ONE)
        moves ^= bit
        column = lowest(bit) >> 3
        off_centre = 2 * column - middle
        rank = 8 - abs(off_centre)
        if depth > 1:
            rank += 16 * popcount(winning_squares(own | bit) & empty)
        if bit == preferred:
            rank = 4000
        entry = (U(rank) << U(6)) | U(lowest(bit))
        at = base + count
        while at > base and memory[at - 1] < entry:
            memory[at] = memory[at - 1]
            at -= 1
        memory[at] = entry
        count += 1
    return count


@njit(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64, uint64[::1], uint8[::1])",
    cache=True,
    nogil=True,
)
def negamax(
    own: np.uint64,
    opp: np.uint64,
    heights: np.uint64,
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
    if ply == np.int64(memory[SQUARES]):
        return 0

    # 2. Positions that the next two stones decide.
    occupied = own | opp
    empty = memory[BOARD] & ~occupied
    moves = landing(occupied, memory[BOTTOM], memory[BOARD])
    own_wins, opp_wins = winning_squares(own), winning_squares(opp)
    if memory[BLIND]:
        own_wins = seen_squares(own, ply & 1, memory)
        opp_wins = seen_squares(opp, 1 - (ply & 1), memory)
    own_wins &= empty
    if own_wins & moves:
        return WIN - (ply + 1)
    opp_wins &= empty
    forced = opp_wins & moves
    if forced:
        if forced & (forced - ONE):
            return (ply + 2) - WIN
        moves = forced
    moves &= ~((opp_wins & DOWN1) >> S1)
    if moves == ZERO:
        # Every move is answered by a four.
        return (ply + 2) - WIN

    # 3. The nearest win and loss that are still possible bound the value.
    if beta > WIN - (ply + 3):
        beta = WIN - (ply + 3)
        if alpha >= beta:
            return beta
    if alpha < (ply + 4) - WIN:
        alpha = (ply + 4) - WIN
        if alpha >= beta:
            return alpha
    if depth <= 0:
        return evaluate(own, opp, ply, own_wins, opp_wins, memory)

    # 4. Probe the table.
    at = slot(own, heights, memory)
    preferred = ZERO
    if memory[at] == own and (memory[at + ONE] & LOW32) == heights:
        data = memory[at + ONE] >> S32
        preferred = ONE << ((data >> U(24)) & U(63))
        if np.int64((data >> U(18)) & U(63)) >= depth:
            value: Int = np.int64(data & U(0xFFFF)) - 32768
            bound = (data >> S16) & S3
            if bound == EXACT:
                return value
            if bound == LOWER and value >= beta:
                return value
            if bound == UPPER and value <= alpha:
                return value

    # 5. Try the moves: the first with the full window, the others with a null window first.
    base = SCRATCH + 8 * ply
    count = sort_moves(own, opp, moves, preferred, base, depth, memory)
    best: Int = -INFINITE
    best_bit: Int = 0
    floor = alpha
    for i in range(count):
        number = np.int64(memory[base + i] & U(63))
        after = own | (ONE << U(number))
        taller = heights + (ONE << (U(number >> 3) << S2))
        if i == 0:
            value = -negamax(opp, after, taller, ply + 1, depth - 1, -beta, -alpha, memory, stop)
        else:
            value = -negamax(
                opp, after, taller, ply + 1, depth - 1, -alpha - 1, -alpha, memory, stop
            )
            if alpha < value < beta and not memory[ABORTED]:
                value = -negamax(
                    opp, after, taller, ply + 1, depth - 1, -beta, -value, memory, stop
                )
        if memory[ABORTED]:
            return 0
        if value > best:
            best, best_bit = value, number
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break

    # 6. Store the result.
    bound = EXACT
    if best <= floor:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    memory[at] = own
    data = U(best + 32768) | (bound << S16) | (U(depth) << U(18)) | (U(best_bit) << U(24))
    memory[at + ONE] = heights | (data << S32)
    return best


@njit(
    "void(uint64, uint64, uint64, int64, int64, int64, int64[::1], int64[::1], uint64[::1], "
    "uint8[::1])",
    cache=True,
    nogil=True,
)
def root(
    own: np.uint64,
    opp: np.uint64,
    heights: np.uint64,
    ply: Int,
    depth: Int,
    margin: Int,
    order: npt.NDArray[np.int64],
    scores: npt.NDArray[np.int64],
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> None:
    """Score the columns in `order` into `scores`, indexed by column.

    The score of each move within `margin` of the best is exact; the others get UNKNOWN. Margin 0
    finds all equal best moves.
    """
    best = -INFINITE
    wins = seen_squares(own, ply & 1, memory) if memory[BLIND] else winning_squares(own)
    for i in range(order.size):
        column = order[i]
        height = np.int64((heights >> U(4 * column)) & NIBBLE)
        after = own | (ONE << U(8 * column + height))
        taller = heights + (ONE << U(4 * column))
        floor = max(best - margin - 1, -INFINITE)
        if wins & (ONE << U(8 * column + height)):
            value = WIN - (ply + 1)
        elif i == 0:
            value = -negamax(
                opp, after, taller, ply + 1, depth - 1, -INFINITE, INFINITE, memory, stop
            )
        else:
            value = -negamax(
                opp, after, taller, ply + 1, depth - 1, -floor - 1, -floor, memory, stop
            )
            if value > floor and not memory[ABORTED]:
                value = -negamax(
                    opp, after, taller, ply + 1, depth - 1, -INFINITE, -floor, memory, stop
                )
        if memory[ABORTED]:
            return
        scores[column] = value if value > floor else UNKNOWN
        best = max(best, value)
    for i in range(order.size):
        if scores[order[i]] < best - margin:
            scores[order[i]] = UNKNOWN


@njit("int64(uint64, uint64, uint64[::1])", cache=True, nogil=True)
def remembered_column(own: np.uint64, heights: np.uint64, memory: Words) -> Int:
    """The column that the table prefers in a position, or -1."""
    at = slot(own, heights, memory)
    if memory[at] == own and (memory[at + ONE] & LOW32) == heights and memory[at + ONE] >> S32:
        return np.int64((memory[at + ONE] >> U(59)) & U(7))
    return -1
