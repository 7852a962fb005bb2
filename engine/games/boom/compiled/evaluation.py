"""The evaluation of a quiet Conecta-4 BOOM position for the side to move.

Only lines of four without stones of the other side count, and more if their gaps can soon be
filled. Because a turn has two movements, a line with two gaps that can both be filled now is a
threat to win in one turn. The weights come from logistic regressions of the results of about 4,800
self-play games of earlier versions on these counts.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import S1, S7, S8, S9, Int, U, popcount
from engine.core.compiled.compiling import njit
from engine.games.boom.compiled.rules import BELOW_TOP, landing_squares

W_ONE, W_TWO, W_THREE = 6, 2, 2
"""A line without stones of the other side: with one own stone and three gaps that can be filled
now, with two stones, with three."""

W_READY, W_NEAR_TWO, W_NEAR_THREE = 6, 8, 25
"""Added to that: for two stones or more and gaps that can all be filled now; for two, and for
three, if every gap can be filled now or has one empty square below it."""

W_CENTRE, W_BOMB = 8, 28
"""A stone, for each step of its column from the edge; a bomb on the board."""

UPWARD, ACROSS = U(0x0F0F0F0F0F0F0F), U(0x7F7F7F7F)

RISING, FALLING = U(0x0F0F0F0F), U(0x78787878)
"""The squares on which a line of each direction can start."""

FIVE_COLUMNS, THREE_COLUMNS, MIDDLE_COLUMN = (
    U(0x007F7F7F7F7F00),
    U(0x00007F7F7F0000),
    U(0x0000007F000000),
)
"""The board without one, two and three columns on each side."""


@njit("int64(uint64, uint64, uint64, uint64, uint64, uint64)", cache=True, nogil=True)
def lines_along(
    step: np.uint64,
    starts: np.uint64,
    own: np.uint64,
    opp: np.uint64,
    landing: np.uint64,
    near: np.uint64,
) -> Int:
    """The weight of one side's lines along one direction.

    Gaps on `landing` can be filled now, those on `near` nearly so. A bit-sliced adder counts the
    stones of all lines at once.
    """
    two, three = step + step, step + step + step
    x1, x2, x3 = own >> step, own >> two, own >> three
    odd01, both01 = own ^ x1, own & x1
    odd23, both23 = x2 ^ x3, x2 & x3
    odd = odd01 ^ odd23
    taken = opp | (opp >> step)
    live = starts & ~(taken | (taken >> two))
    more = (both01 | both23 | (odd01 & odd23)) & live
    ready = own | landing
    ready &= ready >> step
    ready &= ready >> two
    nearly = own | near
    nearly &= nearly >> step
    nearly &= nearly >> two
    return (
        W_ONE * popcount(odd & ~more & live & ready)
        + W_TWO * popcount(more & ~odd)
        + W_THREE * popcount(more & odd)
        + W_READY * popcount(more & ready)
        + W_NEAR_TWO * popcount(more & nearly & ~odd)
        + W_NEAR_THREE * popcount(more & nearly & odd)
    )


@njit("int64(uint64, uint64, uint64, uint64)", cache=True, nogil=True)
def side_score(own: np.uint64, opp: np.uint64, landing: np.uint64, near: np.uint64) -> Int:
    """The value of one side's stones."""
    return (
        lines_along(S1, UPWARD, own, opp, near, near)
        + lines_along(S8, ACROSS, own, opp, landing, near)
        + lines_along(S9, RISING, own, opp, landing, near)
        + lines_along(S7, FALLING, own, opp, landing, near)
        + W_CENTRE
        * (
            popcount(own & FIVE_COLUMNS)
            + popcount(own & THREE_COLUMNS)
            + popcount(own & MIDDLE_COLUMN)
        )
    )


@njit("int64(uint64, uint64, uint64, uint64)", cache=True, nogil=True)
def evaluate(own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64) -> Int:
    """An estimate of the value of a position that cannot be won in this turn."""
    landing = landing_squares(own | opp)
    near = landing | ((landing & BELOW_TOP) << S1)
    score = side_score(own, opp, landing, near) - side_score(opp, own, landing, near)
    return score + W_BOMB * (popcount(mine) - popcount(theirs))
