"""Constants and types that the working memories of all searches share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import U

Words = npt.NDArray[np.uint64]
"""A working memory: a single array, so that compiled code receives one pointer."""

NO_LIMIT = 1 << 62
"""More nodes than any search visits."""

MIX1, MIX2 = U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F)
"""Odd multipliers that spread a word's bits upwards, for hashing."""

EXACT, LOWER, UPPER = U(1), U(2), U(3)
"""The kind of a table entry's value: exact, a lower bound or an upper bound."""
