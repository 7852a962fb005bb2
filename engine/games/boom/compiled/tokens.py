"""The search of the student agent `tokens`, to a fixed depth in movements.

It computes the minimax value by fail-soft alpha-beta. Move ordering only saves nodes, and so does
the table, whose entries are valid only for the depth at which they were stored. As in the original
program, every win counts END plus the value of the stones, so a score does not tell the distance of
a win.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import ONE, S1, S7, S8, S9, Int, U, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.core.compiled.scores import INFINITE, UNKNOWN
from engine.games.boom.compiled.evaluation import FIVE_COLUMNS, MIDDLE_COLUMN, THREE_COLUMNS
from engine.games.boom.compiled.memory import (
    ABORTED,
    HISTORY,
    NODES,
    SCRATCH,
    STUCK_IS_DRAW,
    decided,
    depth_in,
    entry_at,
    keep,
    name_of,
    slot,
)
from engine.games.boom.compiled.rules import (
    BOARD,
    BOOM,
    COLUMN,
    MOST_MOVEMENTS,
    ZERO,
    explode,
    in_line,
    landing_squares,
    moved,
)
from engine.games.boom.compiled.search import EXPLODE, sort_moves

END, BOMB_EFFECT, REACHED = 9_999, 100, 10

STEPS = (S1, S8, S9, S7)
"""Up, right, right and up, right and down: half of the directions, so that no pair counts twice."""


@njit("int64(uint64)", cache=True, nogil=True)
def stones_score(stones: np.uint64) -> Int:
    """The value of one side's stones: 1 2 3 4 3 2 1 by column, and 10 for each stone reached.

    From every stone, own stones without a gap are followed in four directions: three in line give
    10 + 10 for the first of them and 10 for the second.
    """
    value = (
        popcount(stones)
        + popcount(stones & FIVE_COLUMNS)
        + popcount(stones & THREE_COLUMNS)
        + popcount(stones & MIDDLE_COLUMN)
    )
    for direction in range(4):
        step = STEPS[direction]
        # The stones that have one, two, three... own stones behind them in this direction.
        seeing = stones & (stones >> step)
        while seeing != ZERO:
            value += REACHED * popcount(seeing)
            seeing = stones & (seeing >> step)
    return value


@njit("int64(uint64, uint64)", cache=True, nogil=True)
def stones_difference(own: np.uint64, opp: np.uint64) -> Int:
    """The value of one side's stones less the other's; also when the game is over."""
    return stones_score(own) - stones_score(opp)


@njit("int64(uint64, uint64, uint64, uint64)", cache=True, nogil=True)
def tokens_value(own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64) -> Int:
    """The value of a leaf: both sides' stones, and the effect of exploding the mover's bomb now.

    It is 100 higher if exploding wins the game, 100 lower if it gives the game to the opponent.
    """
    score = stones_difference(own, opp)
    if mine:
        after, others, _ = explode(own, opp, mine, theirs)
        if in_line(after):
            score += BOMB_EFFECT
        elif in_line(others):
            score -= BOMB_EFFECT
    return score


@njit(
    "int64(uint64, uint64, uint64, uint64, int64, int64, int64, int64, uint64[::1], uint8[::1])",
    cache=True,
    nogil=True,
)
def tokens_negamax(
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
    """The minimax value to `depth`: exact inside the window, otherwise a bound (fail-soft)."""
    # 1. Count the node; obey the stop flag; ends without a line, and leaves.
    memory[NODES] += ONE
    if stop[0] != 0:
        memory[ABORTED] = ONE
        return 0
    if own | opp == BOARD and mine == ZERO:
        return stones_difference(own, opp) - (0 if memory[STUCK_IS_DRAW] else END)
    if ply >= MOST_MOVEMENTS:
        return stones_difference(own, opp)
    if depth == 0:
        return tokens_value(own, opp, mine, theirs)

    # 2. Probe the table for a result of the same depth.
    stones, bombs = name_of(own, opp, mine, theirs, ply)
    at = slot(stones, bombs, memory)
    entry = entry_at(at, stones, bombs, memory)
    if depth_in(entry) == depth:
        value = decided(entry, alpha, beta)
        if value != UNKNOWN:
            return value

    # 3. Try the moves.
    base = SCRATCH + 8 * ply
    count = sort_moves(own, opp, mine, ply, -1, base, memory)
    passes = (ply + 1) & 1
    best: Int = -INFINITE
    best_number: Int = 0
    floor = alpha
    for i in range(count):
        number = np.int64(memory[base + i] & U(63))
        bit = ONE << U(number) if number != EXPLODE else mine
        own2, opp2, mine2, theirs2 = moved(own, opp, mine, theirs, ply, bit)
        if in_line(own2):
            value = stones_difference(own2, opp2) + END
        elif in_line(opp2):
            value = stones_difference(own2, opp2) - END
        elif passes:
            value = -tokens_negamax(
                opp2, own2, theirs2, mine2, ply + 1, depth - 1, -beta, -alpha, memory, stop
            )
        else:
            value = tokens_negamax(
                own2, opp2, mine2, theirs2, ply + 1, depth - 1, alpha, beta, memory, stop
            )
        if memory[ABORTED]:
            return 0
        if value > best:
            best, best_number = value, number
            alpha = max(alpha, value)
            if alpha >= beta:
                break

    # 4. Store the result.
    if best >= beta:
        memory[HISTORY + ((ply + 1) & 2) * 32 + best_number] += U(depth * depth)
    keep(at, stones, bombs, best, floor, beta, depth, best_number >> 3, memory)
    return best


@njit(
    "void(uint64, uint64, uint64, uint64, int64, int64, boolean, int64[::1], uint64[::1],"
    "uint8[::1])",
    cache=True,
    nogil=True,
)
def tokens_root(
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    ply: Int,
    depth: Int,
    every: bool,
    values: npt.NDArray[np.int64],
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> None:
    """Write the values of the moves into `values`: columns from the left, BOOM last.

    With `every`, all moves get their exact value; otherwise each one that is better than all before
    it, and the others UNKNOWN. Illegal moves, and those after a stop, keep their entries.
    """
    landing = landing_squares(own | opp)
    passes = (ply + 1) & 1
    best: Int = -INFINITE
    for move in range(BOOM + 1):
        bit = landing & (COLUMN << U(8 * move)) if move < BOOM else mine
        if bit == ZERO:
            continue
        floor = -INFINITE if every else best
        own2, opp2, mine2, theirs2 = moved(own, opp, mine, theirs, ply, bit)
        if in_line(own2):
            value: Int = stones_difference(own2, opp2) + END
        elif in_line(opp2):
            value = stones_difference(own2, opp2) - END
        elif passes:
            value = -tokens_negamax(
                opp2, own2, theirs2, mine2, ply + 1, depth - 1, -INFINITE, -floor, memory, stop
            )
        else:
            value = tokens_negamax(
                own2, opp2, mine2, theirs2, ply + 1, depth - 1, floor, INFINITE, memory, stop
            )
        if memory[ABORTED]:
            break
        values[move] = value if value > floor else UNKNOWN
        best = max(best, value)
