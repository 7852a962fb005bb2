"""Canonical positions: one for all rotations and reflections of the board.

The board has eight symmetries. Mirroring it left to right and along its falling diagonal, in turn,
visits all of them and is back at the start after eight steps.

A word holds up to four boards of 16 bits (see `engine.games.gato.rules`), which are transformed
together:

    bits 0..15  the mover's stones    16..31  the other's    32..47  the square of a move
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import S1, S3, Int, U
from engine.core.compiled.compiling import njit

EVERY_BOARD = 0x0001_0001_0001_0001
"""The first square of all four boards."""

STONES = U(0xFFFF_FFFF)
"""Both players' stones."""

MOVE = U(32)
"""The offset of the board with the square of a move."""

STEPS = 8

S6 = U(6)

COLUMN_A, COLUMN_B = U(0x1111 * EVERY_BOARD), U(0x2222 * EVERY_BOARD)

OVER_DIAGONALS, UPPER_RIGHT = U(0x0A0A * EVERY_BOARD), U(0x00CC * EVERY_BOARD)
"""The upper right square of each quarter of the board; the upper right quarter."""


@njit("uint64(uint64, uint64, uint64)", cache=True, nogil=True)
def exchange(word: np.uint64, squares: np.uint64, distance: np.uint64) -> np.uint64:
    """Exchange each of the squares with the one `distance` bits above it."""
    differing = (word ^ (word >> distance)) & squares
    return word ^ differing ^ (differing << distance)


@njit("uint64(uint64, int64)", cache=True, nogil=True)
def step(word: np.uint64, number: Int) -> np.uint64:
    """The next image of the sequence, by the number 0..7 of the step."""
    if number & 1 == 0:
        return exchange(exchange(word, COLUMN_A, S3), COLUMN_B, S1)
    return exchange(exchange(word, OVER_DIAGONALS, S3), UPPER_RIGHT, S6)


@njit("uint64(uint64)", cache=True, nogil=True)
def canonical(word: np.uint64) -> np.uint64:
    """The image whose stones are the smallest number, which is the same for all images."""
    least = word
    for number in range(STEPS):
        word = step(word, number)
        if word & STONES < least & STONES:
            least = word
    return least


@njit("uint64(uint64, uint64)", cache=True, nogil=True)
def from_canonical(word: np.uint64, image: np.uint64) -> np.uint64:
    """The move for the stones of `word`, given the one of its canonical image."""
    move = (image >> MOVE) << MOVE
    for number in range(STEPS):
        word = step(word, number)
        if word & STONES == image & STONES:
            word |= move
            move = U(0)
    return word >> MOVE
