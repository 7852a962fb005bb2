"""Queries to the solver for positions with a known score."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from benchmarks.exhaustive_truth import Keys, Scores, Words, occupied_by
from engine.core.compiled.bits import ONE, Int, U
from engine.games.connect4.solver.compiled.memory import COLUMNS, ROWS
from engine.games.connect4.solver.compiled.windows import ask
from engine.games.connect4.solver.kernel import FAR

EIGHT = U(8)


@njit(cache=True, nogil=True)
def widened(stones: np.uint64, memory: Words) -> Int:
    """Stones in the solver's form: eight bits per column."""
    stride = memory[ROWS] + ONE
    column, found = (ONE << memory[ROWS]) - ONE, U(0)
    for i in range(memory[COLUMNS]):
        found |= ((stones >> (stride * U(i))) & column) << (EIGHT * U(i))
    return found


@njit(cache=True, nogil=True)
def is_wrong(
    own: np.uint64,
    opp: np.uint64,
    ply: Int,
    alpha: Int,
    score: Int,
    memory: Words,
    stop: npt.NDArray[np.uint8],
    bounds: npt.NDArray[np.int64],
) -> bool:
    """Whether the solver's result for a window at `alpha` is wrong.

    Its bounds, static and by search, must contain the score and decide the query. `bounds` is
    scratch space.
    """
    bounds[0], bounds[1] = -FAR, FAR
    if not ask(own, opp, ply, alpha, memory, stop, bounds):
        return True
    lower, upper = bounds[0], bounds[1]
    return bool(not lower <= score <= upper or lower <= alpha < upper)


@njit(cache=True, nogil=True)
def question(
    keys: Keys, ply: Int, board: Words, scores: Scores, memory: Words, stop: npt.NDArray[np.uint8]
) -> Any:
    """Query each position with windows at its score, one less, -1 and 0.

    Returns the numbers of queries and of wrong results, and the position and window of the first
    wrong one.
    """
    asked, wrong = 0, 0
    key: Int = 0
    about: Int = 0
    rows = np.int64(memory[ROWS])
    bounds = np.empty(2, np.int64)
    for i in range(keys.size):
        occupied = occupied_by(U(keys[i]), rows, board)
        first = U(keys[i]) & occupied
        own, opp = widened(first, memory), widened(occupied ^ first, memory)
        if ply & 1:
            own, opp = opp, own
        score = np.int64(scores[keys[i]])
        for n, alpha in enumerate((score - 1, score, -1, 0)):
            # Skip repeated windows of scores near 0.
            if n > 1 and (alpha == score or alpha == score - 1):
                continue
            asked += 1
            if is_wrong(own, opp, ply, alpha, score, memory, stop, bounds):
                if wrong == 0:
                    key, about = np.int64(keys[i]), alpha
                wrong += 1
    return asked, wrong, key, about
