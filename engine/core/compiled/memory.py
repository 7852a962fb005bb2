"""What the working memories of all searches have in common."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import U

Words = npt.NDArray[np.uint64]
"""A working memory: one array, so that compiled code is handed one pointer."""

NO_LIMIT = 1 << 62
"""More nodes than any search visits."""

MIX1, MIX2 = U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F)
"""Odd multipliers that spread a word's bits upwards, for hashes."""

EXACT, LOWER, UPPER = U(1), U(2), U(3)
"""What the value of a table entry is: the position's own, or a bound of it."""
