"""From a position to its score: null-window searches until the bounds meet."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import PLAIN, Int, U, popcount, winning_squares
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import LOWER, SAME, UPPER, settle
from engine.games.connect4.solver.compiled.lines import in_fours
from engine.games.connect4.solver.compiled.memory import (
    ABORTED,
    BOARD,
    LAST,
    NODES,
    RULES,
    SHARED,
    SQUARES,
)
from engine.games.connect4.solver.compiled.paths import drop_message
from engine.games.connect4.solver.compiled.rules import Rule
from engine.games.connect4.solver.compiled.search import ROOT, bounds_at_once, negamax
from engine.games.connect4.solver.compiled.table import OFFSET

EARLY, APART = 6, 20
"""With at most EARLY stones a quick win is rare: once the bounds are at most APART apart, the
searches start at 0."""


LATE = 18
"""With at most this many empty squares every question is cheap."""

QUICK = 3
"""A score beyond this many tenths of the empty squares is a quick end."""

STEPS = U(int(Rule.STEPS))


@njit("int64(int64, int64)", **PLAIN)
def outwards(lower: Int, upper: Int) -> Int:
    """The next alpha from 0 outwards, in steps that double, alike for both sides."""
    if lower >= 0:
        return min((lower + upper - 1) // 2, max(2 * lower - 1, 0))
    if upper <= 0:
        return -1 - min((-lower - upper - 1) // 2, max(-2 * upper - 1, 0))
    return 0


@njit("int64(int64, int64, int64)", **PLAIN)
def by_halves(lower: Int, upper: Int, asked: Int) -> Int:
    """The next alpha by halves, in turn from above and from below."""
    middle = (lower + upper - 1) // 2
    if asked % 2 == 0:
        return min(max(middle, upper // 2), upper - 1) if upper > 0 else middle
    return max(min(middle, -(-lower // 2)), lower) if lower < 0 else middle


@njit("int64(int64, int64, int64, int64)", **PLAIN)
def by_steps(lower: Int, upper: Int, asked: Int, left: Int) -> Int:
    """The next alpha while `left` squares are empty, in small steps.

    Quick ends come first, in turn from above and from below: the cost of a question grows fast
    towards 0, so steps of a quarter are cheaper than halves. Most other scores are near 0.
    """
    middle = (lower + upper - 1) // 2
    if left > LATE:
        wins, losses = 10 * upper > QUICK * left, -10 * lower > QUICK * left
        if wins and 10 * lower < QUICK * left and (asked % 2 == 0 or not losses):
            return max(upper - max((upper + 2) // 4, 1), lower)
        if losses and -10 * upper < QUICK * left:
            return min(lower - 1 + max((2 - lower) // 4, 1), upper - 1)
        if (wins and lower > 0) or (losses and upper < 0):
            return middle
    step = 2 if left > LATE else 1
    if lower >= 0:
        return min(lower + step - 1, middle)
    return max(upper - step, middle) if upper <= 0 else middle


@njit("int64(int64, int64, int64, int64, int64, uint64)", **PLAIN)
def next_question(
    lower: Int, upper: Int, asked: Int, ply: Int, squares: Int, rules: np.uint64
) -> Int:
    """The alpha of the next null-window search, which decides whether the score exceeds it.

    `lower` < `upper` are proven bounds, `asked` counts the searches so far, `ply` the stones on a
    board of `squares`. The result is at least `lower` and less than `upper`, so every search makes
    progress.

    Quick wins and quick losses are found by cheap, shallow searches, and the expensive ones near 0
    come last. With few stones only the cheapest of these pay off, and the question of who wins
    comes early.
    """
    if ply <= EARLY and upper - lower <= APART:
        return outwards(lower, upper)
    if rules & STEPS:
        return by_steps(lower, upper, asked, squares - ply)
    return by_halves(lower, upper, asked)


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
    if memory[SHARED]:
        drop_message(memory)
    own_wins = winning_squares(own) & memory[BOARD] & ~(own | opp)
    opp_open = in_fours(own ^ memory[BOARD])
    searching = settle(own, opp, own_wins, opp_open, ply, alpha, ROOT, memory)
    lower, upper = (
        np.int64(memory[ROOT + LOWER]) - OFFSET,
        np.int64(memory[ROOT + UPPER]) - OFFSET,
    )
    if searching:
        value: Int = 0
        memory[LAST] = U(0)
        low, high = bounds_at_once(ROOT, -alpha - 1, memory)
        if low > -alpha - 1:
            value = -low
        elif high <= -alpha - 1:
            value = -high
        elif memory[ROOT + SAME]:
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


@njit("void(uint64, uint64, boolean, uint64[::1], uint8[::1], int64[::1])", **PLAIN)
def solve(
    first: np.uint64,
    second: np.uint64,
    only_winner: bool,
    memory: Words,
    stop: npt.NDArray[np.uint8],
    found: npt.NDArray[np.int64],
) -> None:
    """Find a score: write its bounds, which meet unless the search is cut short, and the nodes.

    `first` and `second` are the stones of the players. With `only_winner` the bounds tell a win, a
    draw and a loss apart. The bounds in `found` are valid at any time.
    """
    before, squares, ply = memory[NODES], np.int64(memory[SQUARES]), popcount(first | second)
    own, opp = (second, first) if ply & 1 else (first, second)
    # No score is beyond a loss or a win with the very next stones.
    found[0], found[1] = -((squares - ply) >> 1), (squares + 1 - ply) >> 1
    asked = 0
    while found[0] < found[1]:
        question = next_question(found[0], found[1], asked, ply, squares, memory[RULES])
        if only_winner:
            if found[0] > 0 or found[1] < 0:
                break
            question = 0 if asked == 0 else -1
        if not ask(own, opp, ply, question, memory, stop, found):
            break
        asked += 1
    found[2] = np.int64(memory[NODES] - before)


@njit("void(uint64[::1], uint64[::1], boolean, uint64[::1], uint8[::1], int64[:, ::1])", **PLAIN)
def solve_many(
    firsts: Words,
    seconds: Words,
    only_winner: bool,
    memory: Words,
    stop: npt.NDArray[np.uint8],
    found: npt.NDArray[np.int64],
) -> None:
    """Solve positions in turn, with a row of `found` for each."""
    for i in range(firsts.size):
        solve(firsts[i], seconds[i], only_winner, memory, stop, found[i])
