"""Forced moves: following them to a quiet position, and bounds of that position's score."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import DOWN1, INLINED, ONE, S1, Int, U, landing, winning_squares
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.lines import in_fours
from engine.games.connect4.solver.compiled.memory import BOARD, BOTTOM, MOVES, RULES, SQUARES
from engine.games.connect4.solver.compiled.order import (
    W_FORCING,
    W_FORCING_EARLY,
    is_early,
    promise,
)
from engine.games.connect4.solver.compiled.pairs import asks_claim, follower_bound, may_follow
from engine.games.connect4.solver.compiled.rules import Rule
from engine.games.connect4.solver.compiled.table import OFFSET, write_key

CHAIN, NO_LINE, MERGE, SOON = (
    U(int(rule)) for rule in (Rule.CHAIN, Rule.NO_LINE, Rule.MERGE, Rule.SOON)
)

ZERO = U(0)

OWN, OPP, PLY, SAME, PROMISE, LOWER, UPPER, OPP_WINS, OWN_OPEN, KEY = (
    U(MOVES * field) for field in range(10)
)
"""The fields of a record: the position after the forced moves (stones, how many, 1 if the side that
was to move is to move again), its promise for the other side, bounds for the side that was to move,
the squares that complete a four of the side not to move at the end, the squares of the mover's open
lines there, the key of the end position (three words)."""

KILLER = U(12 * MOVES)
"""Behind the records of a ply: the squares of its two last different decisive moves."""

MIDDLE = 4096
"""Added to promises so that they are positive."""


@njit("boolean(int64, int64, int64, uint64, uint64[::1])", **INLINED)
def write_bounds(lower: Int, upper: Int, same: Int, at: np.uint64, memory: Words) -> bool:
    """Write the bounds of an end position into its record, for the side to move at the start."""
    if same == 0:
        lower, upper = -upper, -lower
    memory[at + LOWER] = U(lower + OFFSET)
    memory[at + UPPER] = U(upper + OFFSET)
    return False


@njit("void(uint64, uint64, uint64, int64, int64, uint64, uint64[::1])", **INLINED)
def write_end(
    own: np.uint64,
    opp: np.uint64,
    opp_wins: np.uint64,
    ply: Int,
    same: Int,
    at: np.uint64,
    memory: Words,
) -> None:
    """Write an end position into its record, except for what only a search needs."""
    memory[at + OWN], memory[at + OPP], memory[at + OPP_WINS] = own, opp, opp_wins
    memory[at + PLY], memory[at + SAME] = U(ply), U(same)


@njit("boolean(int64, int64, uint64[::1])", **INLINED)
def asks_soon(ply: Int, alpha: Int, memory: Words) -> bool:
    """Whether only a win with the second stone would exceed `alpha` in a quiet position."""
    best = (np.int64(memory[SQUARES]) - 1 - ply) >> 1
    return bool(alpha >= 0 and alpha == best - 1 and memory[RULES] & SOON != ZERO)


@njit("boolean(uint64, uint64, uint64, uint64, int64, int64, uint64, uint64[::1])", **INLINED)
def settle(
    own: np.uint64,
    opp: np.uint64,
    own_wins: np.uint64,
    opp_open: np.uint64,
    ply: Int,
    alpha: Int,
    at: np.uint64,
    memory: Words,
) -> bool:
    """Whether a search is needed to decide if a position's score exceeds `alpha`.

    `own_wins` are the mover's empty winning squares, `opp_open` the squares of the other side's
    open lines. The caller knows the latter from before the last stone, which cannot have changed
    them: the other side has just put that stone on a square that was empty.

    Follows forced moves: every other one loses to the very next stone. It stops where both sides'
    earliest possible wins decide the question. Otherwise the end position is quiet: the mover
    cannot win at once, nothing needs an answer, and some moves do not lose at once. Its score is
    then the score of the whole chain. Bounds and, if a search or `wins_soon` has to decide, the end
    position are written to the record at `at`.
    """
    squares = np.int64(memory[SQUARES])
    rules = memory[RULES]
    same, looks, first = 1, 0, ply
    while True:
        occupied = own | opp
        empty = memory[BOARD] & ~occupied
        moves = landing(occupied, memory[BOTTOM], memory[BOARD])
        if own_wins & moves:
            score = (squares + 1 - ply) >> 1
            return write_bounds(score, score, same, at, memory)
        opp_wins = winning_squares(opp) & empty
        forced = opp_wins & moves
        replies = moves & ~((opp_wins & DOWN1) >> S1)
        safe = replies
        if forced:
            safe &= forced if forced & (forced - ONE) == ZERO else ZERO
        if safe == ZERO:
            score = -((squares - ply) >> 1)
            return write_bounds(score, score, same, at, memory)
        if looks == 0:
            early = is_early(alpha)
            looks = MIDDLE + promise(
                own, opp, own_wins, opp_wins, moves, replies, ply, early, memory
            )
            if safe & (safe - ONE) == ZERO:
                looks += W_FORCING_EARLY if early else W_FORCING
        lower, upper = -max((squares - 2 - ply) >> 1, 0), max((squares - 1 - ply) >> 1, 0)
        if lower > alpha or upper <= alpha:
            return write_bounds(lower, upper, same, at, memory)
        if safe & (safe - ONE) or not rules & CHAIN:
            break
        own, opp, own_wins = opp, own | safe, opp_wins & ~safe
        ply, same, alpha = ply + 1, 1 - same, -alpha - 1

    write_bounds(lower, upper, same, at, memory)
    write_end(own, opp, opp_wins, ply, same, at, memory)
    if asks_soon(ply, alpha, memory):
        return True
    if opp_wins or may_follow(alpha, squares - ply, memory):
        claims = asks_claim(alpha, memory)
        upper = min(upper, follower_bound(own, opp, moves, opp_wins, claims, memory))
        if upper <= alpha:
            return write_bounds(lower, upper, same, at, memory)
    own_open = in_fours(own | empty)
    # After a forced move, the other side's open lines may be fewer than they were.
    if ply != first:
        opp_open = in_fours(opp | empty)
    if rules & NO_LINE:
        if own_open == ZERO:
            upper = min(upper, 0)
        if opp_open == ZERO:
            lower = max(lower, 0)
        if lower > alpha or upper <= alpha:
            return write_bounds(lower, upper, same, at, memory)
    write_bounds(lower, upper, same, at, memory)
    memory[at + PROMISE], memory[at + OWN_OPEN] = U(looks), own_open
    if rules & MERGE:
        own, opp = own & own_open, opp & opp_open
    write_key(own, opp, occupied, at + KEY, memory)
    return True
