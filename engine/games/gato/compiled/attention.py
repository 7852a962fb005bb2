"""The winning squares of a player who overlooks some lines: see `engine.core.attention`."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import ONE, Int, U
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.gato.compiled.lines import LINES, NUMBERS
from engine.games.gato.compiled.memory import HIDDEN

WORDS = tuple(U(line) for line in LINES)

BITS = tuple(ONE << U(number) for number in NUMBERS)


@njit("uint64(uint64, int64, uint64[::1])", cache=True, nogil=True)
def seen_squares(stones: np.uint64, player: Int, memory: Words) -> np.uint64:
    """The squares that would complete a line of `stones` which is not overlooked.

    They may be occupied by the other player. `player` is 0 for the first, 1 for the second.
    """
    found = U(0)
    for i in range(len(WORDS)):
        missing = WORDS[i] & ~stones
        if missing & (missing - ONE) == U(0) and not memory[HIDDEN + player] & BITS[i]:
            found |= missing
    return found
