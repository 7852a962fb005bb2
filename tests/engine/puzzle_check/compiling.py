"""How the searches of the check are compiled, and the tables that they read.

The search that fills boards is plain Python if PUZZLE_CHECK_PLAIN is set: a few positions near the
end of a game take less time than compiling.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numba import njit

F = TypeVar("F", bound=Callable[..., Any])

PLAIN = "PUZZLE_CHECK_PLAIN" in os.environ
"""Whether the searches run in plain Python; set this variable before importing the modules."""


def compiled(function: F) -> F:
    """Compile a function when it is first called."""
    fast: F = njit(cache=True)(function)
    return fast


def compiled_unless_plain(function: F) -> F:
    """Compile a function when it is first called, unless the search is to be plain Python."""
    return function if PLAIN else compiled(function)


def words(numbers: Sequence[int]) -> Any:
    """A table for compiled functions; numbers from 2**63 on become negative."""
    signed = [number - (1 << 64) if number >> 63 else number for number in numbers]
    return np.array(signed, np.int64)


def words_unless_plain(numbers: Sequence[int]) -> Any:
    """The same for a search that may be plain Python, whose numbers have any size."""
    return list(numbers) if PLAIN else words(numbers)
