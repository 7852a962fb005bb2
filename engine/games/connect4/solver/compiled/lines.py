"""Open lines of four: those that one side could still complete."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import (
    DOWN1,
    DOWN2,
    INLINED,
    S1,
    S2,
    S7,
    S8,
    S9,
    S14,
    S16,
    S18,
    UP1,
    UP2,
)
from engine.core.compiled.compiling import njit


@njit("uint64(uint64)", **INLINED)
def in_fours(squares: np.uint64) -> np.uint64:
    """The squares of `squares` that are part of four in line within `squares`.

    With a side's stones and the empty squares these are the squares of its open lines. A stone of
    that side outside them is dead: each line through it holds a stone of the opponent. No line
    through a dead stone is open for either side, so its colour no longer matters, only that its
    square is occupied; which lines are open for which side follows from the other stones alone.
    """
    pair = squares & ((squares & DOWN1) >> S1)
    four = pair & ((pair & DOWN2) >> S2)
    four |= (four & UP1) << S1
    found = four | ((four & UP2) << S2)

    pair = squares & (squares >> S8)
    four = pair & (pair >> S16)
    four |= four << S8
    found |= four | (four << S16)

    pair = squares & ((squares & DOWN1) >> S9)
    four = pair & ((pair & DOWN2) >> S18)
    four |= (four & UP1) << S9
    found |= four | ((four & UP2) << S18)

    pair = squares & ((squares & UP1) >> S7)
    four = pair & ((pair & UP2) >> S14)
    four |= (four & DOWN1) << S7
    return found | four | ((four & DOWN2) << S14)
