"""Lines on the four by four board, in words.

Bits as in `engine.games.gato.rules`: square 4 * row + column, rows from the top.

     0   1   2   3
     4   5   6   7
     8   9  10  11
    12  13  14  15
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import ONE, S1, S2, S3, Int, U, popcount
from engine.core.compiled.compiling import njit

BOARD = U(0xFFFF)

LEFT1, LEFT2, LEFT3 = U(0x1111), U(0x3333), U(0x7777)
"""The leftmost one, two, three columns."""

FALLING, RISING = U(0x8421), U(0x1248)
"""The diagonals through squares 0 and 15, and through 12 and 3."""

TOP = U(0x000F)

EVERY_LINE = U(0x3F1111)
"""The ten lines as `stations` numbers them: rows at bits 0, 4, 8, 12, columns at 16..19, the
falling diagonal at 20, the rising one at 21."""

SQUARES = 16

LINES = (
    *(0xF << 4 * row for row in range(4)),
    *(0x1111 << column for column in range(4)),
    0x8421,
    0x1248,
)
"""The ten lines as words: rows, columns, the falling and the rising diagonal. They repeat those of
the rules, because the cache of compiled code depends on compiled folders alone."""

NUMBERS = (0, 4, 8, 12, 16, 17, 18, 19, 20, 21)
"""The numbers of the lines in the order of LINES."""

S4, S5, S6, S8, S9, S10, S12, S15, S16, S20, S21 = (
    U(n) for n in (4, 5, 6, 8, 9, 10, 12, 15, 16, 20, 21)
)

W_ONE, W_TWO, W_THREE = 1, 3, 8
"""Weights of a line with one, two, three own stones and none of the opponent's."""


@njit("uint64(uint64)", cache=True, nogil=True)
def winning_squares(stones: np.uint64) -> np.uint64:
    """The squares that would give `stones` a line of four, occupied or not.

    In a row or column a square counts when the three others hold stones: the board is rotated over
    its edge by one, two and three squares. Of a diagonal at most one square may be missing.
    """
    found = (
        (((stones & LEFT3) << S1) | ((stones >> S3) & LEFT1))
        & (((stones & LEFT2) << S2) | ((stones >> S2) & LEFT2))
        & (((stones & LEFT1) << S3) | ((stones >> S1) & LEFT3))
    )
    found |= (
        ((stones << S4) | (stones >> S12))
        & ((stones << S8) | (stones >> S8))
        & ((stones << S12) | (stones >> S4))
    )
    missing = FALLING & ~stones
    if missing & (missing - ONE) == U(0):
        found |= missing
    missing = RISING & ~stones
    if missing & (missing - ONE) == U(0):
        found |= missing
    return found & BOARD


@njit("UniTuple(uint64, 4)(uint64)", cache=True, nogil=True)
def stations(stones: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """For the first, second, third and last square of all lines: which lines have a stone there.

    Lines are numbered as in `EVERY_LINE`.
    """
    return (
        (stones & LEFT1)
        | ((stones & TOP) << S16)
        | ((stones & ONE) << S20)
        | (((stones >> S3) & ONE) << S21),
        ((stones >> S1) & LEFT1)
        | (((stones >> S4) & TOP) << S16)
        | (((stones >> S5) & ONE) << S20)
        | (((stones >> S6) & ONE) << S21),
        ((stones >> S2) & LEFT1)
        | (((stones >> S8) & TOP) << S16)
        | (((stones >> S10) & ONE) << S20)
        | (((stones >> S9) & ONE) << S21),
        ((stones >> S3) & LEFT1)
        | ((stones >> S12) << S16)
        | (((stones >> S15) & ONE) << S20)
        | (((stones >> S12) & ONE) << S21),
    )


@njit("uint64(uint64)", cache=True, nogil=True)
def open_beside(stones: np.uint64) -> np.uint64:
    """The lines without any of these stones, which the other player can still complete."""
    first, second, third, last = stations(stones)
    return EVERY_LINE & ~(first | second | third | last)


@njit("int64(uint64, uint64)", cache=True, nogil=True)
def weigh(stones: np.uint64, live: np.uint64) -> Int:
    """The weight of the lines `live` by how many of the stones each holds.

    A bit-sliced adder counts the stones of all lines at once. None may hold four.
    """
    first, second, third, last = stations(stones)
    odd01, both01 = first ^ second, first & second
    odd23, both23 = third ^ last, third & last
    odd = odd01 ^ odd23
    two_or_more = both01 | both23 | (odd01 & odd23)
    one = popcount(odd & ~two_or_more & live)
    two = popcount(two_or_more & ~odd & live)
    three = popcount(two_or_more & odd & live)
    return W_ONE * one + W_TWO * two + W_THREE * three
