"""Bounds by a strategy of the side that is not to move: it answers on top.

Allis (1988, "A Knowledge-Based Approach of Connect-Four") calls the answers of this kind claimeven
and baseinverse. Here they are one strategy for the whole board, so no proof is needed that several
of them are compatible:

Let M be to move and F follow. F answers each move of M on top of it. Counted upwards from the
lowest empty square of a column, M then gets its squares 1, 3, 5 ... and F its squares 2, 4, 6 ... F
always can answer if each column has an even number of empty squares, or is *closed*: on one of F's
squares in it F completes a four with stones already on the board. The squares above are never
reached. So M gets no square but its own below F's fours. If they and M's stones hold no four, M
cannot win; and if a column is closed, M has to play below F's four in the end, and loses.

If no column is closed, F gets all of its squares. If they and its stones hold a four, F wins, at
the latest with the last stone. That matters only to questions about who wins.

Nothing here depends on the number of rows: only the parity of empty squares counts.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import INLINED, ONE, S1, S2, UP1, UP2, Int, U, has_four, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.memory import BOARD, ROWS, RULES, TOP
from engine.games.connect4.solver.compiled.rules import Rule

S4 = U(4)

UP4 = U(0x0F0F0F0F0F0F0F0F)
"""Rows whose stones can still move up by four."""

ZERO = U(0)

FOLLOW, THREAT, PAIR, TWO_PAIRS, CLAIM = (
    U(int(rule)) for rule in (Rule.FOLLOW, Rule.THREAT, Rule.PAIR, Rule.TWO_PAIRS, Rule.CLAIM)
)

NOTHING = 99
"""More than any score: a bound without information."""


@njit("uint64(uint64)", **INLINED)
def every_second(lowest_squares: np.uint64) -> np.uint64:
    """Given one square per column: these, and the second, fourth, sixth square above each."""
    found = lowest_squares | ((lowest_squares & UP2) << S2)
    return found | ((found & UP4) << S4)


@njit("uint64(uint64)", **INLINED)
def above(squares: np.uint64) -> np.uint64:
    """All squares above any of `squares`, up to height 7."""
    found = (squares & UP1) << S1
    found |= (found & UP1) << S1
    found |= (found & UP2) << S2
    return found | ((found & UP4) << S4)


@njit("boolean(uint64, uint64)", **INLINED)
def splits(stones: np.uint64, pairs: np.uint64) -> bool:
    """Whether M wins with neither of two squares, of which it gets one.

    This tests one exchange: `pairs` holds two squares that can be played at once. M plays one of
    them, F answers with the other, and after that F answers on top in both columns.
    """
    first = pairs & (~pairs + ONE)
    return not (has_four(stones | first) | has_four(stones | (pairs ^ first)))


@njit("boolean(uint64, uint64)", **INLINED)
def splits_twice(stones: np.uint64, four: np.uint64) -> bool:
    """Whether four squares can be paired so that M wins with no choice of one square per pair."""
    a = four & (~four + ONE)
    rest = four ^ a
    b = rest & (~rest + ONE)
    rest ^= b
    c = rest & (~rest + ONE)
    d = rest ^ c
    if splits(stones | a, c | d) and splits(stones | b, c | d):
        return True
    if splits(stones | a, b | d) and splits(stones | c, b | d):
        return True
    return splits(stones | a, b | c) and splits(stones | d, b | c)


@njit("boolean(int64, uint64[::1])", **INLINED)
def asks_claim(alpha: Int, memory: Words) -> bool:
    """Whether a question is about who wins, so that a follower may claim a four of its squares."""
    return bool((alpha == 0 or alpha == -1) and memory[RULES] & CLAIM != ZERO)


@njit("boolean(int64, int64, uint64[::1])", **INLINED)
def may_follow(alpha: Int, empty: Int, memory: Words) -> bool:
    """Whether the strategy can decide a question without a threat of the follower.

    It needs an even number of empty squares, and below 0 a claim.
    """
    return bool((alpha >= 0 or asks_claim(alpha, memory)) and empty & 1 == 0)


@njit("int64(uint64, uint64, uint64, uint64, boolean, uint64[::1])", **INLINED)
def follower_bound(
    own: np.uint64,
    opp: np.uint64,
    moves: np.uint64,
    opp_wins: np.uint64,
    claims: bool,
    memory: Words,
) -> Int:
    """The mover's best score against a follower; NOTHING if the strategy proves no bound.

    `moves` are all squares that can be played, `opp_wins` the empty squares that complete a four of
    the follower; `claims` is the result of `asks_claim`. The score is 0 or, with such a claim, -1
    unless a column is closed. Then the mover plays everywhere else first: in each closed column the
    square below F's four, that four and all squares above stay empty until two more stones end the
    game, which determines how many squares are empty at the end.
    """
    rules = memory[RULES]
    if not rules & FOLLOW:
        return NOTHING
    empty = memory[BOARD] & ~(own | opp)
    mine = every_second(moves) & empty
    wins = opp_wins & ~mine if rules & THREAT else ZERO
    unreached = above(wins) & empty
    odd = mine & memory[TOP] & ~unreached
    exchanged = ZERO
    if odd == ZERO:
        if has_four(own | (mine & ~unreached)):
            return NOTHING
    else:
        count = popcount(odd)
        if count != 2 and count != 4:
            return NOTHING
        if not rules & (PAIR if count == 2 else TWO_PAIRS):
            return NOTHING
        # The open squares of the odd columns are exchanged; above them F answers on top.
        columns = odd | (odd - (odd >> (memory[ROWS] - ONE)))
        exchanged = moves & columns
        shifted = (moves ^ exchanged) | ((exchanged & UP1) << S1)
        mine = every_second(shifted & empty) & empty & ~exchanged
        wins = opp_wins & ~mine & ~exchanged if rules & THREAT else ZERO
        unreached = above(wins) & empty
        stones = own | (mine & ~unreached)
        if has_four(stones):
            return NOTHING
        if count == 2:
            if not splits(stones, exchanged):
                return NOTHING
        elif not splits_twice(stones, exchanged):
            return NOTHING
    if wins == ZERO:
        return -1 if claims and has_four(opp | (empty & ~mine & ~exchanged)) else 0
    closed = popcount(wins & ~unreached)
    return -((popcount(unreached) + 2 * closed) >> 1)
