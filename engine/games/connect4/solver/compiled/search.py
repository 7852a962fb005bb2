"""The exact search with null windows, which decides whether a position exceeds a given score.

The promise: `negamax` with `alpha` returns v such that, with s the position's score,

    v <= alpha  =>  s <= v
    v > alpha   =>  s >= v

and after a stop the value is meaningless, and nothing derived from it is stored.
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
    Int,
    U,
    landing,
    lowest,
    popcount,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.lanes import below, bits, full, load, smallest
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import (
    KEY,
    KILLER,
    LOWER,
    OPP,
    OPP_WINS,
    OWN,
    OWN_OPEN,
    PLY,
    SAME,
    UPPER,
    asks_soon,
    settle,
)
from engine.games.connect4.solver.compiled.memory import (
    ABORTED,
    BOARD,
    BOTTOM,
    BUCKETS,
    CENTRE,
    FIELDS,
    LAST,
    MIDDLE,
    MOST_BUCKETS,
    MOST_NODES,
    MOVES,
    NODES,
    REPLIES,
    RULES,
    SCRATCH,
    SHARED,
    SQUARES,
)
from engine.games.connect4.solver.compiled.paths import (
    announce,
    enter,
    is_done_above,
    leave,
    most_promising,
)
from engine.games.connect4.solver.compiled.ranking import remember, write_ranks
from engine.games.connect4.solver.compiled.rules import Rule
from engine.games.connect4.solver.compiled.siblings import SETTLING, settle_all
from engine.games.connect4.solver.compiled.soon import wins_soon
from engine.games.connect4.solver.compiled.table import (
    LOW7,
    OFFSET,
    S7,
    THREE,
    grow,
    probe,
    store,
)

LANES, PROBE, KILLERS, BY_MOVE = (
    U(int(rule)) for rule in (Rule.LANES, Rule.PROBE, Rule.KILLERS, Rule.REPLIES)
)

COLUMN = U(0xFF)

ZERO, TWO, S6 = U(0), U(2), U(6)

ROOT = U(SCRATCH + FIELDS * MOVES * 65)
"""The record of the root position, behind those of the last ply."""

ALONE = 20
"""With this many empty squares or fewer, a search ends before another thread could help."""

NEARBY = U(1 << 15)
"""So many buckets, two megabytes, fit into the cache of a core."""

ANY = 99
"""Above every score, and its negative below: bounds without information."""


@njit("int64(uint64)", **PLAIN)
def logarithm(nodes: np.uint64) -> Int:
    """The number of binary digits of a count."""
    for shift in (U(1), U(2), U(4), U(8), U(16), U(32)):
        nodes |= nodes >> shift
    return popcount(nodes)


@njit("UniTuple(int64, 2)(uint64)", **INLINED)
def bounds_of(known: np.uint64) -> tuple[Int, Int]:
    """The bounds in an entry of the table, or none that matter."""
    if known == ZERO:
        return -ANY, ANY
    return np.int64(known & LOW7) - OFFSET, np.int64((known >> S7) & LOW7) - OFFSET


@njit("UniTuple(int64, 2)(uint64, uint64[::1])", **INLINED)
def known_bounds(at: np.uint64, memory: Words) -> tuple[Int, Int]:
    """The table's bounds of the record at `at`, for the side that made the last move."""
    low, high = bounds_of(probe(at + KEY, memory))
    if memory[at + SAME]:
        low, high = -high, -low
    return low, high


@njit("UniTuple(int64, 2)(uint64, int64, uint64[::1])", **INLINED)
def bounds_at_once(at: np.uint64, alpha: Int, memory: Words) -> tuple[Int, Int]:
    """Bounds of the record at `at`, by the rules SOON and PROBE; as `known_bounds`.

    `alpha` is asked about by the side that made the last move.
    """
    same = memory[at + SAME] != ZERO
    if asks_soon(np.int64(memory[at + PLY]), -alpha - 1 if same else alpha, memory):
        return (-ANY, alpha) if wins_soon(at, memory) == same else (alpha + 1, ANY)
    return known_bounds(at, memory) if memory[RULES] & PROBE else (-ANY, ANY)


@njit("UniTuple(uint64, 2)(uint64, uint64[::1])", **INLINED)
def first_of(columns: np.uint64, memory: Words) -> tuple[Int, Int]:
    """The first of some columns, a bit each, in the order in which moves are tried, and the others.

    Those in the middle are first: they are decisive more often.
    """
    middle = columns & memory[CENTRE]
    one = U(lowest(middle if middle else columns))
    return one, columns ^ (ONE << one)


@njit(SETTLING, **INLINED)
def settle_each(
    own: np.uint64,
    opp: np.uint64,
    moves: np.uint64,
    opp_wins: np.uint64,
    own_open: np.uint64,
    ply: Int,
    alpha: Int,
    base: np.uint64,
    memory: Words,
) -> tuple[Int, Int]:
    """The same as `settle_all`, one move after the other, up to one that is decisive."""
    left, settled = ZERO, ZERO
    middle = moves & memory[MIDDLE]
    while moves:
        bit = middle & (~middle + ONE) if middle else moves & (~moves + ONE)
        middle &= ~bit
        moves ^= bit
        column = U(lowest(bit) >> 3)
        at = base + column
        if settle(opp, own | bit, opp_wins & ~bit, own_open, ply, alpha, at, memory):
            left |= ONE << column
        else:
            settled |= ONE << column
            if np.int64(memory[at + UPPER]) - OFFSET <= alpha:
                break
    return left, settled


@njit("int64(uint64, int64, uint64[::1], uint8[::1])", **PLAIN)
def negamax(at: np.uint64, alpha: Int, memory: Words, stop: npt.NDArray[np.uint8]) -> Int:
    """Whether the score of the quiet position in the record at `at` exceeds `alpha`.

    `bounds_at_once` has not decided it.
    """
    # 1. Count the node; obey the stop flag and the node limit.
    memory[NODES] += ONE
    began = memory[NODES]
    if stop[0] != 0 or began > memory[MOST_NODES]:
        memory[ABORTED] = ONE
        return 0

    if (began >> ONE) > memory[BUCKETS] and memory[BUCKETS] < memory[MOST_BUCKETS]:
        grow(memory)

    # 2. Probe the table, unless the caller has just done so.
    own, opp, ply, key = memory[at + OWN], memory[at + OPP], np.int64(memory[at + PLY]), at + KEY
    rules, replies = memory[RULES], U(REPLIES) + ((memory[LAST] | (U(ply & 1) << S6)) << ONE)
    known = ZERO if rules & PROBE else probe(key, memory)
    if known != ZERO:
        low, high = bounds_of(known)
        if low > alpha:
            return low
        if high <= alpha:
            return high
    squares = np.int64(memory[SQUARES])
    worst, most = -((squares - ply) >> 1), (squares - 1 - ply) >> 1

    # 3. Generate the moves that do not lose at once, those in the middle first: they are decisive
    # more often.
    occupied = own | opp
    opp_wins, own_open = memory[at + OPP_WINS], memory[at + OWN_OPEN]
    moves = landing(occupied, memory[BOTTOM], memory[BOARD])
    forced = opp_wins & moves
    moves &= ~((opp_wins & DOWN1) >> S1)
    if forced:
        moves &= forced
    best: Int = worst
    base = U(SCRATCH) + U(FIELDS * MOVES) * U(ply)
    left, settled = ZERO, ZERO
    if rules & LANES:
        left, settled = settle_all(
            own, opp, moves, opp_wins, own_open, ply + 1, -alpha - 1, base, memory
        )
    else:
        left, settled = settle_each(
            own, opp, moves, opp_wins, own_open, ply + 1, -alpha - 1, base, memory
        )
    if settled:
        decisive = settled & ~bits(below(U(OFFSET - alpha - 1), load(memory, base + UPPER)))
        if decisive:
            one, decisive = first_of(decisive, memory)
            low = OFFSET - np.int64(memory[base + one + UPPER])
            store(key, low, most, 1, memory)
            return low
        lowers = load(memory, base + LOWER) | ~full(settled)
        best = max(best, OFFSET - np.int64(smallest(lowers)))
    if left == ZERO:
        store(key, worst, best, 0, memory)
        return best

    # 4. Decide all that needs no search, by a rule or the table, and rank what is left. The buckets
    # of a large table take a while to arrive: then the moves are ranked meanwhile, some in vain.
    far = memory[BUCKETS] > NEARBY
    if far and left & (left - ONE):
        write_ranks(own, own_open, moves, ply, alpha, base, replies, memory)
    rest = left
    while rest:
        one, rest = first_of(rest, memory)
        low, high = bounds_at_once(base + one, alpha, memory)
        if low > alpha:
            store(key, low, most, 1, memory)
            return low
        if high <= alpha:
            best = max(best, high)
            left ^= ONE << one
    if left == ZERO:
        store(key, worst, best, 1, memory)
        return best
    if not far and left & (left - ONE):
        write_ranks(own, own_open, moves, ply, alpha, base, replies, memory)

    # 5. Search the rest, the most promising move first. In a tree worth sharing, each thread
    # prefers moves that no other is searching, and probes for the others' results.
    together = memory[SHARED] != ZERO and squares - ply > ALONE
    sharing = False
    while left:
        one = U(lowest(left))
        if left & (left - ONE):
            one = most_promising(base, left, sharing, memory)
        left ^= ONE << one
        chosen, bit = base + one, moves & (COLUMN << (one << THREE))
        if sharing:
            low, high = known_bounds(chosen, memory)
            if low > alpha:
                best = low
                break
            if high <= alpha:
                best = max(best, high)
                continue
        if together:
            if is_done_above(ply, memory):
                memory[ABORTED] = TWO
                return 0
            enter(chosen, memory)
            sharing = True
        memory[LAST] = U(lowest(bit))
        if memory[chosen + SAME]:
            value = -negamax(chosen, -alpha - 1, memory, stop)
        else:
            value = negamax(chosen, alpha, memory, stop)
        if together:
            leave(chosen, memory)
        if memory[ABORTED]:
            if memory[ABORTED] == ONE or is_done_above(ply, memory):
                return 0
            # Another thread is done with this position, unless the message came too late.
            memory[ABORTED] = ZERO
            low, high = bounds_of(probe(key, memory))
            if low > alpha:
                return low
            if high <= alpha:
                return high
            left |= ONE << one
            continue
        best = max(best, value)
        if value > alpha:
            if rules & KILLERS:
                remember(bit, base + KILLER, memory)
            if rules & BY_MOVE:
                remember(bit, replies, memory)
            break

    # 6. Store the result.
    work = logarithm(memory[NODES] - began)
    if best > alpha:
        store(key, best, most, work, memory)
    else:
        store(key, worst, best, work, memory)
    if together:
        announce(at, memory)
    return best
