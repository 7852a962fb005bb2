"""Alpha-beta for Connect 4: one compiled search for all sizes.

The search's promise: `negamax` returns a value v for the side to move such that, with s the exact
value of the depth-limited tree,

    alpha < v < beta   =>  v == s
    v <= alpha         =>  s <= v
    v >= beta          =>  s >= v

and after a stop the value is meaningless, and nothing derived from it is stored.

The search of the strongest level keeps it for wins and losses alone, and they may come sooner than
it says. It looks less deep at late moves: two plies from the third move of a position on, three
from the fifth, unless the move makes another square that completes a four. Only if such a move
promises more than the best so far is it searched to the full depth (late move reductions).

Scores are those of `engine.core.compiled.scores`. They do not depend on where the search began, so
the table stores them unchanged.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import (
    DOWN1,
    INLINED,
    ONE,
    PLAIN,
    S1,
    S2,
    S3,
    S8,
    S16,
    Int,
    U,
    highest,
    landing,
    lowest,
    popcount,
    prefetch,
    winning_squares,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import EXACT, LOWER, MIX1, MIX2, UPPER, Words
from engine.core.compiled.scores import INFINITE, UNKNOWN, WIN
from engine.games.connect4.compiled.attention import seen_squares
from engine.games.connect4.compiled.evaluation import gain, quiet_value, value_of_lines
from engine.games.connect4.compiled.memory import (
    ABORTED,
    BLIND,
    BOARD,
    BOTTOM,
    COLUMNS,
    MOST_NODES,
    NODES,
    SCRATCH,
    SELECTIVE,
    SQUARES,
    TABLE,
    WINS,
)

NIBBLE = U(0xF)

LOW32 = U(0xFFFFFFFF)

S32 = U(32)

ZERO = U(0)

COLUMN = U(0xFF)

EARLY_MOVES, FEW_MOVES, REDUCED = 2, 4, 2
"""A selective search looks at this many moves of a position to the full depth, from the third on
`REDUCED` plies less deep, and after this many a further ply."""

LEAST_REDUCED = 4
"""The least depth at which it reduces moves."""


@njit("uint64(uint64, uint64, uint64[::1])", **INLINED)
def slot(own: np.uint64, heights: np.uint64, memory: Words) -> np.uint64:
    """The index in memory of a position's two words."""
    mixed = (own * MIX1) ^ ((heights + ONE) * MIX2)
    mixed ^= mixed >> S32
    mixed *= MIX1
    size = U((memory.size - TABLE) >> 1)
    return U(TABLE) + (((mixed >> S32) * size) >> S32 << S1)


@njit("void(uint64, uint64, uint64, int64, uint64[::1])", **PLAIN)
def rank_moves(own: np.uint64, opp: np.uint64, moves: np.uint64, ply: Int, memory: Words) -> None:
    """Write the moves of a ply at `SCRATCH`, from the most to the least promising.

    Moves with more winning squares after them come first, then those nearer to the middle. The
    winning squares are kept, too, by column at `WINS`. Insertion keeps the words sorted: rank
    above, the number of the square's bit below.
    """
    empty = memory[BOARD] & ~(own | opp)
    middle = np.int64(memory[COLUMNS]) - 1
    base = end = U(SCRATCH + 8 * ply)
    while moves:
        number = highest(moves)
        bit = ONE << U(number)
        moves ^= bit
        column = number >> 3
        wins = winning_squares(own | bit)
        memory[WINS + 8 * ply + column] = wins
        rank = 8 - abs(2 * column - middle) + 16 * popcount(wins & empty)
        entry = (U(rank) << U(6)) | U(number)
        at = end
        while at > base and memory[at - ONE] < entry:
            memory[at] = memory[at - ONE]
            at -= ONE
        memory[at] = entry
        end += ONE


@njit("uint64(uint64, int64)", **INLINED)
def nearest_to_middle(moves: np.uint64, columns: Int) -> np.uint64:
    """The one of at least one move that is nearest to the middle; of two, the one on the right."""
    right = U(columns >> 1) << S3
    left = U((columns - 1) >> 1) << S3
    while True:
        bit = moves & (COLUMN << right)
        if bit:
            return bit
        bit = moves & (COLUMN << left)
        if bit:
            return bit
        left, right = left - S8, right + S8


@njit("uint64(uint64, int64, uint64[::1])", **INLINED)
def completing(stones: np.uint64, ply: Int, memory: Words) -> np.uint64:
    """The squares that give the player of a ply's move a four, even if occupied."""
    if memory[BLIND]:
        return seen_squares(stones, ply & 1, memory)
    return winning_squares(stones)


@njit("boolean(uint64[::1], uint8[::1])", **INLINED)
def is_stopped(memory: Words, stop: npt.NDArray[np.uint8]) -> bool:
    """Count a position, and say whether the search ends with it: by the flag or the node limit."""
    memory[NODES] += ONE
    if stop[0] != 0 or memory[NODES] > memory[MOST_NODES]:
        memory[ABORTED] = ONE
        return True
    return False


@njit(
    "Tuple((uint64, int64, int64))(uint64, uint64, uint64, int64, int64, int64, uint64[::1])",
    **INLINED,
)
def narrowed(
    occupied: np.uint64,
    own_wins: np.uint64,
    opp_wins: np.uint64,
    ply: Int,
    alpha: Int,
    beta: Int,
    memory: Words,
) -> tuple[np.uint64, Int, Int]:
    """The moves worth trying and the window, or no move and the value, twice.

    `own_wins` and `opp_wins` are empty squares that complete a four. The next two discs decide some
    positions; in the others the nearest win and loss still possible bound the value.
    """
    moves = landing(occupied, memory[BOTTOM], memory[BOARD])
    if own_wins & moves:
        return ZERO, WIN - (ply + 1), WIN - (ply + 1)
    forced = opp_wins & moves
    if forced:
        moves = ZERO if forced & (forced - ONE) else forced
    moves &= ~((opp_wins & DOWN1) >> S1)
    if moves == ZERO:
        # Every move is answered by a four.
        return ZERO, (ply + 2) - WIN, (ply + 2) - WIN
    most, least = WIN - (ply + 3), (ply + 4) - WIN
    if beta > most:
        beta = most
        if alpha >= beta:
            return ZERO, beta, beta
    if alpha < least:
        alpha = least
        if alpha >= beta:
            return ZERO, alpha, alpha
    return moves, alpha, beta


@njit(
    "int64(uint64, uint64, uint64, uint64, uint64, int64, int64, int64, int64, int64, "
    "uint64[::1], uint8[::1])",
    **PLAIN,
)
def try_moves(
    own: np.uint64,
    opp: np.uint64,
    heights: np.uint64,
    moves: np.uint64,
    opp_wins: np.uint64,
    lines: Int,
    ply: Int,
    depth: Int,
    alpha: Int,
    beta: Int,
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> Int:
    """The value of a position that is counted and narrowed to some moves, at a depth above 0.

    `opp_wins` is what `completing` returns for `opp`, and `lines` the value of the lines for the
    first player.
    """
    # 1. Probe the table.
    at = slot(own, heights, memory)
    bit = ZERO
    if memory[at] == own and (memory[at + ONE] & LOW32) == heights:
        data = memory[at + ONE] >> S32
        bit = moves & (ONE << ((data >> U(24)) & U(63)))
        if np.int64((data >> U(18)) & U(63)) >= depth:
            value: Int = np.int64(data & U(0xFFFF)) - 32768
            bound = (data >> S16) & S3
            if bound == EXACT:
                return value
            if bound == LOWER and value >= beta:
                return value
            if bound == UPPER and value <= alpha:
                return value

    # 2. Try the moves, the table's first: it has the full window, and the others a null window to
    # begin with. One ply above the leaves, ranking the others would cost more than it saves.
    best: Int = -INFINITE
    best_number: Int = 0
    floor = alpha
    first, second = (own, opp) if ply & 1 == 0 else (opp, own)
    rest = moves ^ bit
    tried: Int = 0
    is_selective = memory[SELECTIVE] and depth >= LEAST_REDUCED
    own_wins = completing(own, ply, memory) if is_selective else ZERO
    is_ranked = False
    next_ranked = U(SCRATCH + 8 * ply)
    is_last = ply + 1 == np.int64(memory[SQUARES])
    while bit or rest:
        if bit == ZERO and depth > 1:
            if not is_ranked:
                rank_moves(own, opp, rest, ply, memory)
                is_ranked = True
            bit = ONE << (memory[next_ranked] & U(63))
            next_ranked += ONE
        elif bit == ZERO:
            bit = nearest_to_middle(rest, np.int64(memory[COLUMNS]))
        rest &= ~bit
        number = lowest(bit)
        after = own | bit
        taller = heights + (ONE << (U(number >> 3) << S2))
        if depth > 1:
            prefetch(memory, slot(opp, taller, memory))
        if is_ranked and not memory[BLIND]:
            wins = memory[WINS + 8 * ply + (number >> 3)]
        else:
            wins = completing(after, ply, memory)
        empty = memory[BOARD] & ~(after | opp)

        less: Int = 0
        if is_selective and tried >= EARLY_MOVES and not (wins ^ own_wins) & empty:
            less = REDUCED if tried < FEW_MOVES else REDUCED + 1
        tried += 1
        has_full_window = best == -INFINITE
        low, high = (-beta if has_full_window else -alpha - 1), -alpha
        while True:
            if is_stopped(memory, stop):
                return 0
            value, replies = 0, ZERO
            if not is_last:
                replies, value, upper = narrowed(
                    after | opp, opp_wins & empty, wins & empty, ply + 1, low, high, memory
                )
            if replies:
                below = lines + gain(first, second, U(number), U(ply & 1), memory)
                if depth - less <= 1:
                    value = quiet_value(below, ply + 1, opp_wins & empty, wins & empty, memory)
                else:
                    value = try_moves(
                        opp,
                        after,
                        taller,
                        replies,
                        wins,
                        below,
                        ply + 1,
                        depth - 1 - less,
                        value,
                        upper,
                        memory,
                        stop,
                    )
                    if memory[ABORTED]:
                        return 0
            value = -value
            if less and value > alpha:
                less = 0
                continue
            if has_full_window or not alpha < value < beta:
                break
            low, high, has_full_window = -beta, -value, True
        if value > best:
            best, best_number = value, number
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break
        bit = ZERO

    # 3. Store the result.
    bound = EXACT
    if best <= floor:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    memory[at] = own
    data = U(best + 32768) | (bound << S16) | (U(depth) << U(18)) | (U(best_number) << U(24))
    memory[at + ONE] = heights | (data << S32)
    return best


@njit(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64, uint64[::1], uint8[::1])",
    **PLAIN,
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
    if is_stopped(memory, stop) or ply == np.int64(memory[SQUARES]):
        return 0
    empty = memory[BOARD] & ~(own | opp)
    own_wins, opp_wins = completing(own, ply, memory), completing(opp, ply + 1, memory)
    moves, lower, upper = narrowed(
        own | opp, own_wins & empty, opp_wins & empty, ply, alpha, beta, memory
    )
    if moves == ZERO:
        return lower
    first, second = (own, opp) if ply & 1 == 0 else (opp, own)
    lines = value_of_lines(first, second, memory)
    if depth <= 0:
        return quiet_value(lines, ply, own_wins & empty, opp_wins & empty, memory)
    return try_moves(
        own, opp, heights, moves, opp_wins, lines, ply, depth, lower, upper, memory, stop
    )


@njit(
    "void(uint64, uint64, uint64, int64, int64, int64, int64[::1], int64[::1], uint64[::1], "
    "uint8[::1])",
    **PLAIN,
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
    wins = completing(own, ply, memory)
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


@njit("int64(uint64, uint64, uint64[::1])", **PLAIN)
def remembered_column(own: np.uint64, heights: np.uint64, memory: Words) -> Int:
    """The column that the table prefers in a position, or -1."""
    at = slot(own, heights, memory)
    if memory[at] == own and (memory[at + ONE] & LOW32) == heights and memory[at + ONE] >> S32:
        return np.int64((memory[at + ONE] >> U(59)) & U(7))
    return -1
