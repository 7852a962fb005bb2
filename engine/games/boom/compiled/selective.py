"""The search of the strongest level of Conecta-4 BOOM: late moves are searched less deep.

It differs from `search` in four ways:

* Stones after which the other player wins by two puts are found for all columns at once, and are
  not searched.
* Moves after the first sound ones are searched `REDUCED` plies less deep, and to the full depth
  only if that promises more than the best so far (late move reductions).
* Positions of which the table knows no move are searched one ply less deep.
* The evaluation knows how much of the turn is left, so that ends of different depths compare.

So values inside the window are exact for no fixed depth, but proofs hold: if the value is a win or
a loss by movement n, it is one by movement n at the latest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import (
    ONE,
    S1,
    S2,
    S7,
    S8,
    S9,
    S14,
    S16,
    S18,
    Int,
    U,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.lanes import bits, everywhere, spread
from engine.core.compiled.memory import Words
from engine.core.compiled.scores import INFINITE, UNKNOWN, WIN, WON_BOUND
from engine.games.boom.compiled.evaluation import evaluate
from engine.games.boom.compiled.memory import (
    ABORTED,
    MOST_NODES,
    NODES,
    SCRATCH,
    STUCK_IS_DRAW,
    decided,
    depth_in,
    entry_at,
    fetch,
    keep,
    move_in,
    name_of,
    note_cutoff,
    slot,
)
from engine.games.boom.compiled.rules import (
    BELOW_TOP,
    BOARD,
    BOOM,
    BOTTOM,
    COLUMN,
    MOST_MOVEMENTS,
    ZERO,
    explode,
    fours_at,
    in_line,
    landing_squares,
    moved,
    movements_left,
    two_puts,
    wins_this_turn,
    wins_with_bomb,
)
from engine.games.boom.compiled.search import EXPLODE, sort_moves

SOUND, REDUCED, LEAST_DEPTH = 2, 2, 4
"""Moves that do not lose and are searched to the full depth; the plies by which the others are
reduced; the least depth for that."""

LEAST_UNKNOWN = 5
"""The least depth for reducing positions without a move in the table, and moves at the root."""

BEFORE_TURN = 28
"""Added to the evaluation for a side that has its whole turn before it. Deeper searches of 1,341
positions of games differed from the evaluation by so much more there than within a turn."""

EVERYWHERE = U(0xFFFFFFFFFFFFFFFF)

TESTED, UNTESTED = np.int64(1), np.int64(0)


@njit("uint64(uint64, uint64)", cache=True, nogil=True)
def unsafe_columns(opp: np.uint64, occupied: np.uint64) -> np.uint64:
    """A bit for each column after a stone in which the other player could win by two puts.

    It is `rules.two_puts` for the landing squares after each of the stones, one lane for each.
    """
    single, upright = fours_at(opp, EVERYWHERE), (opp << S1) & (opp << S2) & BELOW_TOP
    pair, one = opp & (opp >> S8), opp | (opp >> S8)
    across = pair | (pair >> S16) | (one & (one >> S16))
    pair, one = opp & (opp >> S9), opp | (opp >> S9)
    rising = pair | (pair >> S18) | (one & (one >> S18))
    pair, one = opp & (opp >> S7), opp | (opp >> S7)
    falling = pair | (pair >> S14) | (one & (one >> S14))

    landing = ((spread(landing_squares(occupied)) | occupied) + everywhere(BOTTOM)) & BOARD
    found = ((landing | ((landing & BELOW_TOP) << S1)) & single) | (landing & upright)
    both = landing | opp
    full = both & (both >> S8)
    found |= full & (full >> S16) & across
    full = both & (both >> S9)
    found |= full & (full >> S18) & rising
    full = both & (both >> S7)
    found |= full & (full >> S14) & falling
    columns: np.uint64 = bits(found)
    return columns


@njit("int64(uint64, uint64, uint64, uint64, int64)", cache=True, nogil=True)
def wins_by_bomb(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64, ply: Int
) -> Int:
    """The value of `rules.wins_this_turn` where two puts do not win."""
    if mine and in_line(explode(own, opp, mine, theirs)[0]):
        return 1
    if movements_left(ply) == 2:
        may_explode = mine != ZERO or (ply + 1) & 15 >= 12
        if may_explode and wins_with_bomb(own, opp, mine, theirs, ply):
            return 2
    return 0


@njit(
    "int64(uint64, uint64, uint64, uint64, int64, int64, int64, int64, int64, uint64[::1], "
    "uint8[::1])",
    cache=True,
    nogil=True,
)
def selective(
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    ply: Int,
    depth: Int,
    alpha: Int,
    beta: Int,
    tested: Int,
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> Int:
    """The value of a position without four in line; see the module's promise.

    TESTED says that puts do not win before a turn, and that nothing wins within one.
    """
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
    left = movements_left(ply)
    soon: Int = 0
    if tested != TESTED:
        soon = wins_this_turn(own, opp, mine, theirs, ply)
    elif left == 2:
        soon = wins_by_bomb(own, opp, mine, theirs, ply)
    if soon:
        return WIN - (ply + soon)

    # 3. Bound: the nearest possible win, by a move after which the opponent has none.
    if beta > WIN - (ply + 1):
        beta = WIN - (ply + 1)
        if alpha >= beta:
            return beta
    if depth <= 0:
        if left == 2:
            return evaluate(own, opp, mine, theirs) + BEFORE_TURN
        if not two_puts(opp, landing_squares(own | opp)):
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

    if preferred < 0 and depth >= LEAST_UNKNOWN:
        depth -= 1

    # 5. Find the stones that lose by two puts of the next turn, if only a later loss counts.
    base = SCRATCH + 8 * ply
    count = sort_moves(own, opp, mine, ply, preferred, base, memory)
    passes = (ply + 1) & 1
    lost = ply + 3 - WIN
    unsafe, safe_is = ZERO, UNTESTED
    if not passes:
        safe_is = TESTED
    elif ply + 3 <= MOST_MOVEMENTS and alpha >= lost:
        unsafe, safe_is = unsafe_columns(opp, own | opp), TESTED

    # 6. Try the moves: the first with the full window, the others with a null window first.
    best: Int = -INFINITE
    best_number: Int = 0
    floor = alpha
    sound = 0
    for i in range(count):
        number = np.int64(memory[base + i] & U(63))
        if number != EXPLODE and (unsafe >> U(number >> 3)) & ONE:
            if best < lost:
                best, best_number = lost, number
            continue
        bit = ONE << U(number) if number != EXPLODE else mine
        own2, opp2, mine2, theirs2 = moved(own, opp, mine, theirs, ply, bit)
        is_safe = UNTESTED if number == EXPLODE and passes else safe_is
        if depth > 1:
            if passes:
                fetch(opp2, own2, theirs2, mine2, ply + 1, memory)
            else:
                fetch(own2, opp2, mine2, theirs2, ply + 1, memory)
        top = beta if sound == 0 else alpha + 1
        less: Int = 0
        if sound >= SOUND and depth >= LEAST_DEPTH and number != EXPLODE:
            less = REDUCED
        while True:
            deep = depth - 1 - less
            if number == EXPLODE and in_line(opp2):
                value = ply + 1 - WIN
            elif passes:
                value = -selective(
                    opp2, own2, theirs2, mine2, ply + 1, deep, -top, -alpha, is_safe, memory, stop
                )
            else:
                value = selective(
                    own2, opp2, mine2, theirs2, ply + 1, deep, alpha, top, is_safe, memory, stop
                )
            if memory[ABORTED]:
                return 0
            if value <= alpha or (not less and (top == beta or value >= beta)):
                break
            if less:
                less = 0
            else:
                top = beta
        if value > -WON_BOUND:
            sound += 1
        if value > best:
            best, best_number = value, number
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break

    # 7. Store the result.
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
def selective_root(
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
    """Score the moves in `order` as `search.root` does, but the later ones first less deep."""
    best = -INFINITE
    passes = (ply + 1) & 1
    landing = landing_squares(own | opp)
    for i in range(order.size):
        move = order[i]
        bit = landing & (COLUMN << U(8 * move)) if move < BOOM else mine
        own2, opp2, mine2, theirs2 = moved(own, opp, mine, theirs, ply, bit)
        floor = max(best - margin - 1, -INFINITE)
        top = INFINITE if i == 0 else floor + 1
        less: Int = REDUCED if i >= SOUND and depth >= LEAST_UNKNOWN and move < BOOM else 0
        while True:
            deep = depth - 1 - less
            if in_line(own2):
                value = WIN - (ply + 1)
            elif in_line(opp2):
                value = ply + 1 - WIN
            elif passes:
                value = -selective(
                    opp2, own2, theirs2, mine2, ply + 1, deep, -top, -floor, UNTESTED, memory, stop
                )
            else:
                value = selective(
                    own2, opp2, mine2, theirs2, ply + 1, deep, floor, top, UNTESTED, memory, stop
                )
            if memory[ABORTED]:
                return
            if value <= floor or (not less and top == INFINITE):
                break
            if less:
                less = 0
            else:
                top = INFINITE
        scores[move] = value if value > floor else UNKNOWN
        best = max(best, value)
    for i in range(order.size):
        if scores[order[i]] < best - margin:
            scores[order[i]] = UNKNOWN
