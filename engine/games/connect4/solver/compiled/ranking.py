"""The ranks of a position's moves, which determine the order in which they are searched.

A rank consists of the promise of the position after the move (`order.promise`), which the record of
the move holds, and of what the position before it tells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from engine.core.compiled.bits import (
    DOWN3,
    INLINED,
    ONE,
    S1,
    S2,
    S7,
    S8,
    S9,
    S14,
    S16,
    S18,
    UP3,
    Int,
    U,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.lanes import (
    LANES,
    chosen,
    everywhere,
    lanes,
    load,
    popcounts,
    save,
    spread,
)
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import KILLER, PROMISE
from engine.games.connect4.solver.compiled.memory import BOTTOM, DISTANCES, PLACES, RULES, SQUARES
from engine.games.connect4.solver.compiled.order import (
    W_ANSWER,
    W_BOTTOM,
    W_KILLER,
    W_LINE,
    W_MIDDLE,
    W_MIDDLE_EARLY,
    W_SECOND_ANSWER,
    W_SECOND_KILLER,
    is_early,
)
from engine.games.connect4.solver.compiled.rules import Rule

Lanes = Any

ORDER, KILLERS, LINES, BY_MOVE = (
    U(int(rule)) for rule in (Rule.ORDER, Rule.KILLERS, Rule.LINES, Rule.REPLIES)
)

ZERO, S6, ALL_STARTS = U(0), U(6), ~U(0)

ENOUGH = U(64)
"""Added to ranks so that they are positive."""

FEW = 20
"""With at most this many empty squares, counting lines takes longer than it saves."""


@njit("uint64(uint64, uint64, uint64, uint64, uint64)", **INLINED)
def with_one(
    own: np.uint64, open_: np.uint64, step: np.uint64, twice: np.uint64, starts: np.uint64
) -> np.uint64:
    """The first squares of the lines in one direction that hold one of `own`, and are in `open_`.

    `step` leads from a square of a line to the next, `starts` are the squares where lines begin.
    """
    pair = open_ & (open_ >> step)
    one, two = own ^ (own >> step), own & (own >> step)
    return pair & (pair >> twice) & starts & (one ^ (one >> twice)) & ~(two | (two >> twice))


@njit(lanes(lanes, types.uint64, types.uint64, types.uint64), **LANES)
def count_through(squares: Lanes, starts: np.uint64, step: np.uint64, twice: np.uint64) -> Lanes:
    """How many of the lines that begin at `starts` contain the square of each lane.

    A shift beyond the edge of the board leads to squares where no line of that direction begins.
    """
    reached = squares | (squares >> step)
    return popcounts((reached | (reached >> twice)) & starts)


@njit(lanes(lanes, types.uint64, types.uint64), **LANES)
def lines_with_one(squares: Lanes, own: np.uint64, open_: np.uint64) -> Lanes:
    """How many lines within `open_` that hold one of `own` contain the square of each lane."""
    found = count_through(squares, with_one(own, open_, S1, S2, UP3), S1, S2)
    found += count_through(squares, with_one(own, open_, S8, S16, ALL_STARTS), S8, S16)
    found += count_through(squares, with_one(own, open_, S9, S18, UP3), S9, S18)
    return found + count_through(squares, with_one(own, open_, S7, S14, DOWN3), S7, S14)


@njit("void(uint64, uint64, uint64, int64, int64, uint64, uint64, uint64[::1])", **INLINED)
def write_ranks(
    own: np.uint64,
    own_open: np.uint64,
    moves: np.uint64,
    ply: Int,
    alpha: Int,
    base: np.uint64,
    replies: np.uint64,
    memory: Words,
) -> None:
    """Write the ranks of `moves` into their records at `base`, in place of the promises.

    `own_open` are the squares of the mover's open lines, `ply` is the number of stones, and the
    moves that were decisive after the same move are at `replies`. The last digits of a rank are the
    number of the column.
    """
    rules, squares = memory[RULES], spread(moves)
    w_middle = U(W_MIDDLE_EARLY if is_early(alpha) else W_MIDDLE)
    ranks = everywhere(ENOUGH) - load(memory, U(DISTANCES)) * w_middle
    if rules & ORDER:
        ranks += load(memory, base + PROMISE)
        ranks = ranks - chosen(squares & memory[BOTTOM], U(W_BOTTOM), ZERO)
    if rules & LINES and np.int64(memory[SQUARES]) - ply > FEW:
        ranks += lines_with_one(squares, own, own_open) * U(W_LINE)
    if rules & KILLERS:
        ranks += chosen(squares & memory[base + KILLER], U(W_KILLER), ZERO)
        ranks += chosen(squares & memory[base + KILLER + ONE], U(W_SECOND_KILLER), ZERO)
    if rules & BY_MOVE:
        ranks += chosen(squares & memory[replies], U(W_ANSWER), ZERO)
        ranks += chosen(squares & memory[replies + ONE], U(W_SECOND_ANSWER), ZERO)
    save(memory, base + PROMISE, (ranks << S6) | load(memory, U(PLACES)))


@njit("void(uint64, uint64, uint64[::1])", **INLINED)
def remember(bit: np.uint64, at: np.uint64, memory: Words) -> None:
    """Enter the square of a decisive move at `at`, before the one that was decisive before it."""
    last = memory[at]
    if bit != last:
        memory[at], memory[at + ONE] = bit, last
