"""Alpha-beta for Gato.

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

from engine.core.compiled.bits import ONE, PLAIN, S16, Int, U, highest, lowest, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import EXACT, LOWER, MIX1, MIX2, UPPER, Words
from engine.core.compiled.scores import INFINITE, WIN
from engine.games.gato.compiled.attention import seen_squares
from engine.games.gato.compiled.lines import BOARD, open_beside, weigh, winning_squares
from engine.games.gato.compiled.memory import (
    ABORTED,
    BLIND,
    HIDDEN,
    MOST_NODES,
    NODES,
    SCRATCH,
    TABLE,
)
from engine.games.gato.compiled.symmetry import MOVE, STONES, canonical, from_canonical

CANONICAL = 7
"""The most stones with which positions are looked up by their canonical image. Later the table
meets few images of a position, and searching it takes less time than finding the canonical one.
Lines that are overlooked also prevent it: then images of a position differ."""

VALUE, BOUND, DEPTH, BEST = U(32), U(48), U(50), U(55)
"""The offsets of the parts of a table entry, above both players' stones."""

HALF = 32768
"""Added to a value to make it non-negative."""

ZERO = U(0)


@njit("uint64(uint64, uint64[::1])", **PLAIN)
def slot(stones: np.uint64, memory: Words) -> np.uint64:
    """The index in memory of the entry for both players' stones."""
    mixed = (stones + ONE) * MIX1
    mixed ^= mixed >> U(32)
    mixed *= MIX2
    return U(TABLE) + (((mixed >> U(32)) * U(memory.size - TABLE)) >> U(32))


@njit("void(uint64, uint64, uint64, int64, uint64[::1])", **PLAIN)
def rank_moves(own: np.uint64, opp: np.uint64, moves: np.uint64, ply: Int, memory: Words) -> None:
    """Write the moves of a ply at `SCRATCH`, from the most to the least promising.

    They are ranked by the winning squares after them and the weight of the lines still open, equal
    ones from the last square to the first. Insertion keeps the words sorted: rank above, the number
    of the square below.
    """
    empty = BOARD & ~(own | opp)
    live = open_beside(opp)
    base = end = U(SCRATCH + 16 * ply)
    while moves:
        number = highest(moves)
        bit = ONE << U(number)
        moves ^= bit
        after = own | bit
        rank = 200 + 16 * popcount(winning_squares(after) & empty)
        rank += weigh(after, live) - weigh(opp, open_beside(after))
        entry = (U(rank) << U(4)) | U(number)
        at = end
        while at > base and memory[at - ONE] < entry:
            memory[at] = memory[at - ONE]
            at -= ONE
        memory[at] = entry
        end += ONE


@njit(
    "int64(uint64, uint64, int64, int64, int64, int64, uint64[::1], uint8[::1])",
    **PLAIN,
)
def negamax(
    own: np.uint64,
    opp: np.uint64,
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

    # 2. Positions that the next two stones decide.
    moves = BOARD & ~(own | opp)
    own_wins, opp_wins = winning_squares(own), winning_squares(opp)
    own_lines, opp_lines = open_beside(opp), open_beside(own)
    if memory[BLIND]:
        player = ply & 1
        own_wins = seen_squares(own, player, memory)
        opp_wins = seen_squares(opp, 1 - player, memory)
        own_lines &= ~memory[HIDDEN + player]
        opp_lines &= ~memory[HIDDEN + 1 - player]
    if own_wins & moves:
        return WIN - (ply + 1)
    forced = opp_wins & moves
    if forced:
        if forced & (forced - ONE):
            return (ply + 2) - WIN
        moves = forced

    # 3. A side without an open line has at most a draw; others cannot win within two stones.
    most = WIN - (ply + 3) if own_lines else 0
    least = (ply + 4) - WIN if opp_lines else 0
    if beta > most:
        beta = most
        if alpha >= beta:
            return beta
    if alpha < least:
        alpha = least
        if alpha >= beta:
            return alpha
    if depth <= 0:
        return weigh(own, own_lines) - weigh(opp, opp_lines)

    # 4. Probe the table.
    stones = own | (opp << S16)
    turned = ply <= CANONICAL and not memory[BLIND]
    key = canonical(stones) if turned else stones
    at = slot(key, memory)
    preferred = ZERO
    entry = memory[at]
    if entry & STONES == key and entry >> BOUND:
        preferred = ONE << (entry >> BEST)
        if turned:
            preferred = from_canonical(stones, key | (preferred << MOVE))
        if np.int64((entry >> DEPTH) & U(31)) >= depth:
            value: Int = np.int64((entry >> VALUE) & U(0xFFFF)) - HALF
            bound = (entry >> BOUND) & U(3)
            if bound == EXACT:
                return value
            if bound == LOWER and value >= beta:
                return value
            if bound == UPPER and value <= alpha:
                return value

    # 5. Try the moves, the table's first. One ply above the leaves, ranking the others would cost
    # more than it saves.
    bit = moves & preferred
    rest = moves ^ bit
    is_ranked = False
    next_ranked = U(SCRATCH + 16 * ply)
    best: Int = -INFINITE
    best_bit = ZERO
    floor = alpha
    while bit or rest:
        if bit == ZERO and depth > 1:
            if not is_ranked:
                rank_moves(own, opp, rest, ply, memory)
                is_ranked = True
            bit = ONE << (memory[next_ranked] & U(15))
            next_ranked += ONE
        elif bit == ZERO:
            bit = ONE << U(highest(rest))
        rest &= ~bit
        after = own | bit
        value = -negamax(opp, after, ply + 1, depth - 1, -beta, -alpha, memory, stop)
        if memory[ABORTED]:
            return 0
        if value > best:
            best, best_bit = value, bit
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break
        bit = ZERO

    # 6. Store the result.
    bound = EXACT
    if best <= floor:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    if turned:
        best_bit = canonical(stones | (best_bit << MOVE)) >> MOVE
    entry = key | (U(best + HALF) << VALUE) | (bound << BOUND) | (U(depth) << DEPTH)
    memory[at] = entry | (U(lowest(best_bit)) << BEST)
    return best


@njit("int64(uint64, uint64, int64, uint64[::1])", **PLAIN)
def remembered_square(own: np.uint64, opp: np.uint64, ply: Int, memory: Words) -> Int:
    """The square that the table prefers in a position, or -1."""
    stones = own | (opp << S16)
    turned = ply <= CANONICAL and not memory[BLIND]
    key = canonical(stones) if turned else stones
    entry = memory[slot(key, memory)]
    if entry & STONES != key or entry >> BOUND == ZERO:
        return -1
    preferred = ONE << (entry >> BEST)
    if turned:
        preferred = from_canonical(stones, key | (preferred << MOVE))
    return lowest(preferred)
