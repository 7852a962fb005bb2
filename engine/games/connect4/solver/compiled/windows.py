"""From a position to its score: null-window searches until the bounds meet."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import PLAIN, Int, popcount, winning_squares
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import LOWER, SAME, UPPER, settle
from engine.games.connect4.solver.compiled.lines import in_fours
from engine.games.connect4.solver.compiled.memory import ABORTED, BOARD, NODES, SQUARES
from engine.games.connect4.solver.compiled.search import ROOT, negamax
from engine.games.connect4.solver.compiled.table import OFFSET

EARLY, APART = 6, 20
"""With at most EARLY stones a quick win is rare: once the bounds are at most APART apart, the
searches start at 0."""


@njit("int64(int64, int64)", **PLAIN)
def outwards(lower: Int, upper: Int) -> Int:
    """The next alpha from 0 outwards, in steps that double, alike for both sides."""
    if lower >= 0:
        return min((lower + upper - 1) // 2, max(2 * lower - 1, 0))
    if upper <= 0:
        return -1 - min((-lower - upper - 1) // 2, max(-2 * upper - 1, 0))
    return 0


@njit("int64(int64, int64, int64, int64)", **PLAIN)
def next_question(lower: Int, upper: Int, asked: Int, ply: Int) -> Int:
    """The alpha of the next null-window search, which decides whether the score exceeds it.

    `lower` < `upper` are proven bounds, `asked` counts the searches so far, `ply` the stones on the
    board. The result is at least `lower` and less than `upper`, so every search makes progress.

    Alternates between the upper and the lower half, so that quick wins and quick losses are found
    by cheap, shallow searches, and the expensive ones near 0 come last. With few stones only the
    cheapest of these pay off, and the question of who wins comes early.
    """
    if ply <= EARLY and upper - lower <= APART:
        return outwards(lower, upper)
    middle = (lower + upper - 1) // 2
    if asked % 2 == 0:
        return min(max(middle, upper // 2), upper - 1) if upper > 0 else middle
    return max(min(middle, -(-lower // 2)), lower) if lower < 0 else middle


@njit(
    "boolean(uint64, uint64, int64, int64, uint64[::1], uint8[::1], int64[::1])",
    **PLAIN,
)
def ask(
    own: np.uint64,
    opp: np.uint64,
    ply: Int,
    alpha: Int,
    memory: Words,
    stop: npt.NDArray[np.uint8],
    bounds: npt.NDArray[np.int64],
) -> bool:
    """Run one null-window search for a score above `alpha`; False if it was cut short.

    The answer goes to `bounds`: a lower bound above `alpha`, or an upper bound not above it.
    """
    own_wins = winning_squares(own) & memory[BOARD] & ~(own | opp)
    opp_open = in_fours(own ^ memory[BOARD])
    searching = settle(own, opp, own_wins, opp_open, ply, alpha, ROOT, memory)
    lower, upper = (
        np.int64(memory[ROOT + LOWER]) - OFFSET,
        np.int64(memory[ROOT + UPPER]) - OFFSET,
    )
    if searching:
        value: Int = 0
        if memory[ROOT + SAME]:
            value = negamax(ROOT, alpha, memory, stop)
        else:
            value = -negamax(ROOT, -alpha - 1, memory, stop)
        if memory[ABORTED]:
            return False
        if value > alpha:
            lower = max(lower, value)
        else:
            upper = min(upper, value)
    bounds[0] = max(bounds[0], lower)
    bounds[1] = min(bounds[1], upper)
    return True


@njit("void(uint64[::1], uint64[::1], boolean, uint64[::1], uint8[::1], int64[:, ::1])", **PLAIN)
def solve_many(
    firsts: Words,
    seconds: Words,
    only_winners: bool,
    memory: Words,
    stop: npt.NDArray[np.uint8],
    found: npt.NDArray[np.int64],
) -> None:
    """Find the scores of positions: bounds that meet unless a search was cut short, and its nodes.

    `firsts` and `seconds` are the stones of the players, `found` has a row for each position. With
    `only_winners` the bounds tell wins, draws and losses apart. The bounds are valid at any time.

    This is the only function for batches, because the code of each compiled function contains the
    whole search.
    """
    squares = np.int64(memory[SQUARES])
    for i in range(firsts.size):
        ply, before, bounds = popcount(firsts[i] | seconds[i]), memory[NODES], found[i]
        own, opp = (seconds[i], firsts[i]) if ply & 1 else (firsts[i], seconds[i])
        # No score is beyond a loss or a win with the very next stones.
        bounds[0], bounds[1] = -((squares - ply) >> 1), (squares + 1 - ply) >> 1
        asked = 0
        while bounds[0] < bounds[1]:
            question = next_question(bounds[0], bounds[1], asked, ply)
            if only_winners:
                if bounds[0] > 0 or bounds[1] < 0:
                    break
                question = 0 if asked == 0 else -1
            if not ask(own, opp, ply, question, memory, stop, bounds):
                break
            asked += 1
        found[i, 2] = np.int64(memory[NODES] - before)
