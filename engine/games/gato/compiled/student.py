"""Minimax for noughts and crosses on four by four, four in line, by a student agent's evaluation.

Boards are words as in `engine.games.gato.rules`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import ONE, Int, U, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.scores import INFINITE, UNKNOWN, WIN
from engine.games.gato.compiled import lines
from engine.games.gato.compiled.lines import BOARD, SQUARES

LINES = tuple(U(line) for line in lines.LINES)

W_THREE = 100
"""The weight of a line with three stones of one side and an empty square."""

NODES, ABORTED = 0, 1
"""The words of a search's tally: nodes so far; 1 once it was cut short."""

ZERO = U(0)

Tally = npt.NDArray[np.uint64]


@njit("UniTuple(uint64, 2)(uint64, uint64)", cache=True, nogil=True)
def threes(stones: np.uint64, others: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The number of lines with three of `stones` and an empty square, and these squares."""
    count, gaps = ZERO, ZERO
    for line in LINES:
        gap = line & ~stones
        if gap & others == ZERO and popcount(gap) == 1:
            count += ONE
            gaps |= gap
    return count, gaps


@njit("int64(uint64, uint64)", cache=True, nogil=True)
def lines_value(own: np.uint64, opp: np.uint64) -> Int:
    """The value of an undecided position for the side to move: its threes less the other's."""
    ours, _ = threes(own, opp)
    theirs, _ = threes(opp, own)
    return W_THREE * (np.int64(ours) - np.int64(theirs))


@njit("int64(uint64, uint64, int64, int64, int64, uint64[::1], uint8[::1])", cache=True, nogil=True)
def negamax(
    own: np.uint64,
    opp: np.uint64,
    depth: Int,
    alpha: Int,
    beta: Int,
    tally: Tally,
    stop: npt.NDArray[np.uint8],
) -> Int:
    """The value of a position without four in line, by fail-soft alpha-beta."""
    tally[NODES] += ONE
    if stop[0] != 0:
        tally[ABORTED] = ONE
        return 0
    moves = BOARD & ~(own | opp)
    if moves == ZERO:
        return 0
    if depth == 0:
        return lines_value(own, opp)
    _, wins = threes(own, opp)
    if wins:
        return WIN - (SQUARES - popcount(moves) + 1)
    best: Int = -INFINITE
    while moves and best < beta:
        bit = moves & (~moves + ONE)
        moves ^= bit
        value = -negamax(opp, own | bit, depth - 1, -beta, -max(alpha, best), tally, stop)
        if tally[ABORTED]:
            return 0
        best = max(best, value)
    return best


@njit(
    "void(uint64, uint64, int64, int64, int64[::1], uint64[::1], uint8[::1])",
    cache=True,
    nogil=True,
)
def best_squares(
    own: np.uint64,
    opp: np.uint64,
    depth: Int,
    margin: Int,
    scores: npt.NDArray[np.int64],
    tally: Tally,
    stop: npt.NDArray[np.uint8],
) -> None:
    """Score the empty squares into `scores`, indexed by square.

    The score of each move within `margin` of the best is exact, the others keep or get UNKNOWN. A
    search that is cut short keeps the scores that it completed.
    """
    occupied = own | opp
    _, wins = threes(own, opp)
    best = -INFINITE
    for square in range(SQUARES):
        bit = ONE << U(square)
        if occupied & bit:
            continue
        # One further, to distinguish moves just within the margin from those beyond it.
        floor = max(best - margin - 1, -INFINITE)
        if wins & bit:
            value = WIN - (popcount(occupied) + 1)
        else:
            value = -negamax(opp, own | bit, depth - 1, -INFINITE, -floor, tally, stop)
        if tally[ABORTED]:
            break
        scores[square] = value
        best = max(best, value)
    for square in range(SQUARES):
        if scores[square] < best - margin:
            scores[square] = UNKNOWN
