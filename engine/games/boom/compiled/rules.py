"""The rules of Conecta-4 BOOM on words.

Seven rows by seven columns, eight bits a column as in `engine.games.connect4.rules`. The eighth bit
of every column stays empty, so a line cannot run over from one column into another and no shift
needs a mask:

    height
      7     .   .   .   .   .   .   .      always empty
      6     6  14  22  30  38  46  54
      5     5  13  21  29  37  45  53
      4     4  12  20  28  36  44  52
      3     3  11  19  27  35  43  51
      2     2  10  18  26  34  42  50
      1     1   9  17  25  33  41  49
      0     0   8  16  24  32  40  48
    column  0   1   2   3   4   5   6

A position is four words and a number: the stones of the side to move (`own`) and of the other
(`opp`), bombs included; the bombs alone (`mine`, `theirs`: one bit or none); and how many
movements have been made (`ply`).
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import ONE, S1, S2, S3, S7, S8, S9, S14, S16, S18, Int, U, lowest
from engine.core.compiled.compiling import njit

BOTTOM = U(0x01010101010101)

BOARD = U(0x7F7F7F7F7F7F7F)

BELOW_TOP = BOARD >> S1
"""Squares that are not in the top row."""

ZERO = U(0)

COLUMN, ABOVE_BOTTOM = U(0xFF), U(0xFE)
"""All bits of the left column, and those above its bottom square."""

MOST_MOVEMENTS = 200

BOOM = 7
"""The move that explodes the bomb; smaller numbers are columns."""


@njit("uint64(uint64)", cache=True, nogil=True)
def landing_squares(occupied: np.uint64) -> np.uint64:
    """The lowest empty square of every column that is not full."""
    return (occupied + BOTTOM) & BOARD


@njit("int64(int64)", cache=True, nogil=True)
def movements_left(ply: Int) -> Int:
    """How many movements the side to move makes before the turn passes: 1 or 2."""
    return 2 if ply & 1 and ply + 2 <= MOST_MOVEMENTS else 1


@njit("uint64(uint64, uint64, int64)", cache=True, nogil=True)
def bomb_after(bit: np.uint64, mine: np.uint64, ply: Int) -> np.uint64:
    """The mover's bomb after a stone was put on `bit`: that stone if it is one, else the old.

    Movements 12..15 of every 16 are the two players' fourth turns.
    """
    if mine == ZERO and (ply + 1) & 15 >= 12:
        return bit
    return mine


@njit("boolean(uint64)", cache=True, nogil=True)
def in_line(stones: np.uint64) -> bool:
    """Whether `stones` hold four in line."""
    pair = stones & (stones >> S1)
    found = pair & (pair >> S2)
    pair = stones & (stones >> S8)
    found |= pair & (pair >> S16)
    pair = stones & (stones >> S9)
    found |= pair & (pair >> S18)
    pair = stones & (stones >> S7)
    return bool(found | (pair & (pair >> S14)))


@njit(
    "UniTuple(uint64, 3)(uint64, uint64, uint64, uint64)",
    cache=True,
    nogil=True,
)
def explode(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The words `own`, `opp` and `theirs` after the mover's bomb has exploded; `mine` is then 0.

    At most one bit per column is hit; the squares above it move down by one bit. Multiplying a word
    with one bit per column by a column's pattern copies that pattern into each of those columns.
    """
    height = U(lowest(mine) & 7)
    hit = (opp & (BOTTOM << height)) | mine
    falling = (hit >> height) * ((ABOVE_BOTTOM << height) & COLUMN)
    stay = ~(falling | hit)
    return (
        (own & stay) | ((own & falling) >> S1),
        (opp & stay) | ((opp & falling) >> S1),
        (theirs & stay) | ((theirs & falling) >> S1),
    )


@njit(
    "UniTuple(uint64, 4)(uint64, uint64, uint64, uint64, int64, uint64)",
    cache=True,
    nogil=True,
)
def moved(
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    ply: Int,
    bit: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The four words after a movement, before the turn passes.

    `bit` is the square of the new stone, or that of the mover's bomb to explode it.
    """
    if bit == mine:
        own, opp, theirs = explode(own, opp, mine, theirs)
        return own, opp, ZERO, theirs
    return own | bit, opp, bomb_after(bit, mine, ply), theirs


@njit("uint64(uint64, uint64)", cache=True, nogil=True)
def fours_at(stones: np.uint64, landing: np.uint64) -> np.uint64:
    """The squares of `landing` that complete a four of `stones`; see `bits.winning_squares`."""
    found = (stones << S1) & (stones << S2) & (stones << S3)
    a1, a2, b1, b2 = stones << S8, stones << S16, stones >> S8, stones >> S16
    found |= (a1 & a2 & ((a2 << S8) | b1)) | (b1 & b2 & (a1 | (b2 >> S8)))
    a1, a2, b1, b2 = stones << S9, stones << S18, stones >> S9, stones >> S18
    found |= (a1 & a2 & ((a2 << S9) | b1)) | (b1 & b2 & (a1 | (b2 >> S9)))
    a1, a2, b1, b2 = stones << S7, stones << S14, stones >> S7, stones >> S14
    found |= (a1 & a2 & ((a2 << S7) | b1)) | (b1 & b2 & (a1 | (b2 >> S7)))
    return found & landing


@njit("uint64(uint64, uint64)", cache=True, nogil=True)
def two_puts(stones: np.uint64, landing: np.uint64) -> np.uint64:
    """Not 0 if two stones put one after the other give `stones` a line of four.

    Either one stone completes the line, on a landing square or on the one above it, or both fill
    its two gaps: these are landing squares, or in a column one is above the other.
    """
    found = fours_at(stones, landing | ((landing & BELOW_TOP) << S1))
    found |= (stones << S1) & (stones << S2) & landing & BELOW_TOP

    both = stones | landing
    pair, one = stones & (stones >> S8), stones | (stones >> S8)
    full = both & (both >> S8)
    found |= full & (full >> S16) & (pair | (pair >> S16) | (one & (one >> S16)))
    pair, one = stones & (stones >> S9), stones | (stones >> S9)
    full = both & (both >> S9)
    found |= full & (full >> S18) & (pair | (pair >> S18) | (one & (one >> S18)))
    pair, one = stones & (stones >> S7), stones | (stones >> S7)
    full = both & (both >> S7)
    found |= full & (full >> S14) & (pair | (pair >> S14) | (one & (one >> S14)))
    return found


@njit("boolean(uint64, uint64, uint64, uint64, int64)", cache=True, nogil=True)
def wins_with_bomb(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64, ply: Int
) -> bool:
    """Whether a stone and an explosion, in either order, win with the second of two movements."""
    landing = landing_squares(own | opp)
    if mine:
        after, others, _ = explode(own, opp, mine, theirs)
        if fours_at(after, landing_squares(after | others)) and not in_line(others):
            return True
    while landing:
        bit = landing & (~landing + ONE)
        landing ^= bit
        bomb = bomb_after(bit, mine, ply)
        if bomb and in_line(explode(own | bit, opp, bomb, theirs)[0]):
            return True
    return False


@njit("int64(uint64, uint64, uint64, uint64, int64)", cache=True, nogil=True)
def wins_this_turn(
    own: np.uint64, opp: np.uint64, mine: np.uint64, theirs: np.uint64, ply: Int
) -> Int:
    """In how many movements of this turn the side to move can win: 1, 2, or 0 if it cannot."""
    landing = landing_squares(own | opp)
    if fours_at(own, landing):
        return 1
    if mine and in_line(explode(own, opp, mine, theirs)[0]):
        return 1
    if movements_left(ply) == 2:
        if two_puts(own, landing):
            return 2
        may_explode = mine != ZERO or (ply + 1) & 15 >= 12
        if may_explode and wins_with_bomb(own, opp, mine, theirs, ply):
            return 2
    return 0
