"""Wins and evaluation for a player who overlooks some lines: see `engine.core.attention`.

Such a player does not see a combination of a stone and an explosion before making one of the two.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import ONE, S1, S7, S8, S9, Int, U, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.boom.compiled.evaluation import (
    ACROSS,
    FALLING,
    FIVE_COLUMNS,
    MIDDLE_COLUMN,
    RISING,
    THREE_COLUMNS,
    UPWARD,
    W_BOMB,
    W_CENTRE,
    lines_along,
)
from engine.games.boom.compiled.memory import HIDDEN
from engine.games.boom.compiled.rules import (
    BELOW_TOP,
    ZERO,
    explode,
    landing_squares,
    movements_left,
)

STEPS = (S1, S8, S9, S7)

STARTS = (UPWARD, ACROSS, RISING, FALLING)


@njit("int64(int64)", cache=True, nogil=True)
def mover(ply: Int) -> Int:
    """The player of the next movement: 0 for the first player, 1 for the second."""
    return ((ply + 1) >> 1) & 1


@njit("boolean(uint64, int64, uint64[::1])", cache=True, nogil=True)
def line_seen(stones: np.uint64, player: Int, memory: Words) -> bool:
    """Whether `stones` hold a line that is not overlooked."""
    found = ZERO
    for direction in range(4):
        step = STEPS[direction]
        pair = stones & (stones >> step)
        found |= pair & (pair >> (step + step)) & ~memory[HIDDEN + 4 * player + direction]
    return bool(found)


@njit("int64(uint64, uint64, int64, uint64[::1])", cache=True, nogil=True)
def puts_seen(stones: np.uint64, landing: np.uint64, player: Int, memory: Words) -> Int:
    """The number of stones, 1 or 2, that complete a line not overlooked; 0 if more are needed."""
    near = landing | ((landing & BELOW_TOP) << S1)
    one, two = ZERO, ZERO
    for direction in range(4):
        step = STEPS[direction]
        live = STARTS[direction] & ~memory[HIDDEN + 4 * player + direction]
        missing, gaps_now, gaps_near, both_now, both_near = ZERO, ZERO, ZERO, live, live
        more = ZERO
        for i in range(4):
            shift = U(i) * step
            own = stones >> shift
            more |= missing & ~own
            missing |= ~own
            gaps_now |= ~own & (landing >> shift)
            gaps_near |= ~own & (near >> shift)
            both_now &= own | (landing >> shift)
            both_near &= own | (near >> shift)
        # `missing` has a gap, `more` has two or more; lines with three gaps are excluded.
        single = live & missing & ~more
        one |= single & gaps_now
        two |= single & gaps_near
        pairs = both_near if direction == 0 else both_now
        while pairs:
            start = pairs & (~pairs + ONE)
            pairs ^= start
            line = start | (start << step)
            line |= line << (step + step)
            if popcount(line & stones) >= 2:
                two |= start
    if one:
        return 1
    return 2 if two else 0


@njit("int64(uint64, uint64, uint64, uint64, int64, uint64[::1])", cache=True, nogil=True)
def wins_seen(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64, ply: Int, memory: Words
) -> Int:
    """The movements of this turn in which the side to move sees a win: 1, 2, or 0 for none."""
    player = mover(ply)
    puts = puts_seen(own, landing_squares(own | opp), player, memory)
    if puts == 1:
        return 1
    if mine and line_seen(explode(own, opp, mine, theirs)[0], player, memory):
        return 1
    return 2 if puts == 2 and movements_left(ply) == 2 else 0


@njit("int64(uint64, uint64, uint64, uint64, int64, uint64[::1])", cache=True, nogil=True)
def side_seen(
    own: np.uint64, opp: np.uint64, landing: np.uint64, near: np.uint64, player: Int, memory: Words
) -> Int:
    """The value of one side's stones, by the lines that are not overlooked."""
    at = HIDDEN + 4 * player
    return (
        lines_along(S1, UPWARD & ~memory[at], own, opp, near, near)
        + lines_along(S8, ACROSS & ~memory[at + 1], own, opp, landing, near)
        + lines_along(S9, RISING & ~memory[at + 2], own, opp, landing, near)
        + lines_along(S7, FALLING & ~memory[at + 3], own, opp, landing, near)
        + W_CENTRE
        * (
            popcount(own & FIVE_COLUMNS)
            + popcount(own & THREE_COLUMNS)
            + popcount(own & MIDDLE_COLUMN)
        )
    )


@njit("int64(uint64, uint64, uint64, uint64, int64, uint64[::1])", cache=True, nogil=True)
def evaluate_seen(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64, ply: Int, memory: Words
) -> Int:
    """The value of `evaluation.evaluate` by the lines that are not overlooked."""
    landing = landing_squares(own | opp)
    near = landing | ((landing & BELOW_TOP) << S1)
    player = mover(ply)
    score = side_seen(own, opp, landing, near, player, memory)
    score -= side_seen(opp, own, landing, near, 1 - player, memory)
    return score + W_BOMB * (popcount(mine) - popcount(theirs))
