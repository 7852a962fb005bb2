"""One source for two speeds: compiled for the whole run, plain Python where few puzzles are tried.

Plain Python needs no compiling, and its words are whole numbers of any size.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numba import njit

F = TypeVar("F", bound=Callable[..., Any])

PLAIN = "PUZZLE_CHECK_PLAIN" in os.environ
"""Whether nothing is compiled; looked at when the modules are loaded."""


def compiled(function: F) -> F:
    """Compile a function when it is first called, unless all stays plain."""
    if PLAIN:
        return function
    fast: F = njit(cache=True)(function)
    return fast


def words(numbers: Sequence[int]) -> Any:
    """A table of numbers in a form that such functions read quickly."""
    if PLAIN:
        return list(numbers)
    signed = [number - (1 << 64) if number >> 63 else number for number in numbers]
    return np.array(signed, np.int64)
