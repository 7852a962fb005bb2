"""`settle` for all moves of a position at once: one lane for each column.

Each lane holds the position after the move in its column. All of them follow their forced moves
together, and a lane that has come to its end waits for the others. The results are those of
`settle`, which this module repeats step by step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from engine.core.compiled.bits import (
    DOWN1,
    EVEN_HEIGHTS,
    INLINED,
    ONE,
    S1,
    UP1,
    Int,
    U,
    fours,
    lowest,
    prefetch,
    winning_squares,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.lanes import (
    LANES,
    below,
    bits,
    chosen,
    everywhere,
    for_lanes,
    full,
    lanes,
    larger,
    popcounts,
    save,
    smaller,
    spread,
    swapped,
)
from engine.core.compiled.memory import MIX1, MIX2, Words
from engine.games.connect4.solver.compiled.chain import (
    CHAIN,
    KEY,
    LOWER,
    MERGE,
    NO_LINE,
    OPP,
    OPP_WINS,
    OWN,
    OWN_OPEN,
    PLY,
    PROMISE,
    SAME,
    UPPER,
    asks_soon,
)
from engine.games.connect4.solver.compiled.chain import MIDDLE as NEUTRAL
from engine.games.connect4.solver.compiled.lines import in_fours
from engine.games.connect4.solver.compiled.memory import (
    BOARD,
    BOTTOM,
    BUCKETS,
    COLUMNS,
    ROWS,
    RULES,
    SQUARES,
    TABLE,
    TOP,
)
from engine.games.connect4.solver.compiled.order import (
    W_ANY,
    W_BEHIND,
    W_FORCING,
    W_FORCING_EARLY,
    W_NEXT,
    W_NEXT_EARLY,
    W_PARITY,
    W_REPLY,
    W_THREAT,
    W_THREATENED,
    is_early,
)
from engine.games.connect4.solver.compiled.pairs import (
    FOLLOW,
    PAIR,
    THREAT,
    TWO_PAIRS,
    above,
    asks_claim,
    every_second,
    may_follow,
)
from engine.games.connect4.solver.compiled.table import (
    HOME,
    MIRROR,
    MIRROR_STONES,
    OFFSET,
    S32,
    THREE,
    A,
    B,
)

Lanes = Any

ZERO, TWO, FOUR, LOW32 = U(0), U(2), U(4), U(0xFFFFFFFF)

NONE = U(2 * OFFSET)
"""More than any bound with its offset."""

SETTLING = (
    "UniTuple(uint64, 2)(uint64, uint64, uint64, uint64, uint64, int64, int64, uint64, uint64[::1])"
)
"""The type of `settle_all`, and of the function that settles one child after the other."""

winning_squares_of, fours_of, in_fours_of = map(for_lanes, (winning_squares, fours, in_fours))

all_above, every_second_of = map(for_lanes, (above, every_second))


@njit(lanes(lanes, lanes, lanes, lanes, types.int64, types.boolean, types.uint64[::1]), **LANES)
def promises(
    own_wins: Lanes,
    opp_wins: Lanes,
    moves: Lanes,
    replies: Lanes,
    ply: Int,
    early: bool,
    memory: Words,
) -> Lanes:
    """`order.promise` of each lane, plus `NEUTRAL`."""
    a = opp_wins & ~((own_wins & UP1) << S1)
    b = own_wins & ~((opp_wins & UP1) << S1)
    next_up = (moves & UP1) << S1
    w_next = U(W_NEXT_EARLY) if early else U(W_NEXT)
    good = popcounts(a) * U(W_THREAT) + popcounts(a & next_up) * w_next
    good += popcounts(opp_wins) * U(W_ANY)
    bad = popcounts(b) * U(W_THREATENED) + popcounts(b & next_up) * (w_next - U(W_BEHIND))
    bad += popcounts(replies) * U(W_REPLY)
    if memory[ROWS] & ONE == ZERO:
        opp_rows = ~EVEN_HEIGHTS if ply & 1 == 0 else EVEN_HEIGHTS
        good += popcounts(a & opp_rows) * U(W_PARITY)
        bad += popcounts(b & ~opp_rows) * U(W_PARITY)
    return good + U(NEUTRAL) - bad


@njit(lanes(lanes, lanes, types.uint64), **LANES)
def exchanges_fail(stones: Lanes, exchanged: Lanes, needed: np.uint64) -> Lanes:
    """Not 0 in each lane in which the exchanges of `pairs.follower_bound` do not stop M.

    With no or two exchanged squares there is one way to pair them. Only if some lane that is
    `needed` has four squares, the three ways to pair these are tried.
    """
    a = exchanged & (~exchanged + ONE)
    rest = exchanged ^ a
    b = rest & (~rest + ONE)
    last = rest ^ b
    failed = fours_of(stones | a) | fours_of(stones | b)
    if bits(last) & needed == ZERO:
        return failed
    c = last & (~last + ONE)
    d = last ^ c
    ab, cd = fours_of(stones | a | b), fours_of(stones | c | d)
    ac, bd = fours_of(stones | a | c), fours_of(stones | b | d)
    ad, bc = fours_of(stones | a | d), fours_of(stones | b | c)
    one, two, three = ac | ad | bc | bd, ab | ad | bc | cd, ab | ac | bd | cd
    # Not 0 if no way to pair them works.
    twice = chosen(one, chosen(two, three, ZERO), ZERO)
    return chosen(last, twice, failed)


@njit(
    lanes(lanes, lanes, lanes, lanes, lanes, types.boolean, types.uint64, types.uint64[::1]),
    **LANES,
)
def follower_bounds(
    own: Lanes,
    opp: Lanes,
    empty: Lanes,
    moves: Lanes,
    opp_wins: Lanes,
    claims: bool,
    needed: np.uint64,
    memory: Words,
) -> Lanes:
    """`pairs.follower_bound` of each lane, subtracted from `OFFSET`; 0 if it proves nothing.

    Exchanged squares are handled like there; without any, all the formulas below are the plain
    ones. Only the lanes that are `needed` have to be right.
    """
    rules = memory[RULES]
    threats = opp_wins & full(U(0xFF) if rules & THREAT else ZERO)
    mine = every_second_of(moves) & empty
    unreached = all_above(threats & ~mine) & empty
    odd = mine & memory[TOP] & ~unreached
    columns = odd | (odd - (odd >> (memory[ROWS] - ONE)))
    exchanged = moves & columns
    shifted = (moves ^ exchanged) | ((exchanged & UP1) << S1)
    mine = every_second_of(shifted & empty) & empty & ~exchanged
    wins = threats & ~mine & ~exchanged
    unreached = all_above(wins) & empty
    failed = exchanges_fail(own | (mine & ~unreached), exchanged, needed)
    count = popcounts(odd)
    unpaired = count
    if rules & PAIR:
        unpaired = chosen(unpaired ^ TWO, unpaired, ZERO)
    if rules & TWO_PAIRS:
        unpaired = chosen(unpaired ^ FOUR, unpaired, ZERO)
    squares = popcounts(unreached) + (popcounts(wins & ~unreached) << ONE)
    bound = (squares >> ONE) + U(OFFSET)
    if claims:
        four = fours_of(opp | (empty & ~mine & ~exchanged))
        bound = chosen(wins, bound, chosen(four, U(OFFSET + 1), bound))
    return chosen(failed | unpaired, ZERO, bound)


@njit(lanes(lanes, lanes), **LANES)
def mixed_lanes(a: Lanes, b: Lanes) -> Lanes:
    """`table.mixed` of each lane."""
    return (a * MIX1) ^ (b * MIX2)


@njit(types.void(lanes, lanes, lanes, lanes, types.uint64, types.uint64[::1]), **LANES)
def write_keys(
    own: Lanes, opp: Lanes, occupied: Lanes, ply: Lanes, at: np.uint64, memory: Words
) -> None:
    """`table.write_key` for each lane, without fetching the buckets."""
    dead = occupied & ~(own | opp)
    a, b = own | dead, opp | dead
    hashed = mixed_lanes(a, b)
    few = below(ply, U(MIRROR_STONES + 1))
    if memory[RULES] & MIRROR and bits(few) != ZERO:
        shift = U(64) - (memory[COLUMNS] << THREE)
        a2, b2 = swapped(a) >> shift, swapped(b) >> shift
        hashed2 = mixed_lanes(a2, b2)
        smaller_one = few & below(hashed2, hashed)
        a, b = chosen(smaller_one, a2, a), chosen(smaller_one, b2, b)
        hashed = chosen(smaller_one, hashed2, hashed)
    buckets = memory[BUCKETS]
    home = everywhere(memory[TABLE]) + ((((hashed >> S32) * (buckets & LOW32)) >> S32) << THREE)
    save(memory, at + A, a)
    save(memory, at + B, b)
    save(memory, at + HOME, home)


@njit(
    types.UniTuple(lanes, 12)(
        lanes, lanes, lanes, types.int64, types.int64, types.uint64, types.uint64[::1]
    ),
    **LANES,
)
def follow(
    mine: Lanes,
    theirs: Lanes,
    my_wins: Lanes,
    ply: Int,
    alpha: Int,
    columns: np.uint64,
    memory: Words,
) -> tuple[Lanes, ...]:
    """Follow forced moves to the ends of all chains, as `settle` does up to its rules.

    Returns the stones of the side to move at the end and of the other; the empty squares, those
    that can be played, and those that complete a four of the other side; the lanes that ask about
    a win with the second stone, the lanes whose end needs a look by the other rules, and those of
    them in which a follower may help; the lanes in which the side that was to move is not to move;
    bounds, and the promise.

    The number of stones at the end is not returned: it is that of the stones.
    """
    rules, squares = memory[RULES], np.int64(memory[SQUARES])
    going, ended, odd = full(columns), everywhere(ZERO), everywhere(ZERO)
    lower, upper, helped = everywhere(ZERO), everywhere(NONE), everywhere(ZERO)
    soon, looks, first, same = everywhere(ZERO), everywhere(ZERO), ply, 1
    while True:
        occupied = mine | theirs
        empty = memory[BOARD] & ~occupied
        moves = ((occupied << S1) | memory[BOTTOM]) & empty
        wins = winning_squares_of(theirs) & empty
        forced = wins & moves
        replies = moves & ~((wins & DOWN1) >> S1)
        safe = replies
        safe = chosen(forced, chosen(forced & (forced - ONE), ZERO, safe & forced), safe)
        # The side to move completes a four, or cannot prevent one.
        won = chosen(my_wins & moves, going, ZERO)
        settled = won | chosen(safe, ZERO, going)
        best, worst = (squares + 1 - ply) >> 1, -((squares - ply) >> 1)
        if same == 0:
            best, worst = -best, -worst
        score = chosen(won, everywhere(U(best + OFFSET)), everywhere(U(worst + OFFSET)))
        lower, upper = chosen(settled, score, lower), chosen(settled, score, upper)
        going &= ~settled
        more = chosen(safe & (safe - ONE), ZERO, going)
        if ply == first and not asks_soon(ply, alpha, memory):
            early = is_early(alpha)
            looks = promises(my_wins, wins, moves, replies, ply, early, memory)
            looks += more & U(W_FORCING_EARLY if early else W_FORCING)
        high, low = max((squares - 1 - ply) >> 1, 0), -max((squares - 2 - ply) >> 1, 0)
        undecided = low <= alpha < high
        if not (undecided and rules & CHAIN):
            more = everywhere(ZERO)
        quiet = going & ~more
        if asks_soon(ply, alpha, memory):
            soon |= quiet
        elif undecided:
            ended |= quiet
            helped |= (
                quiet if may_follow(alpha, squares - ply, memory) else chosen(wins, quiet, ZERO)
            )
        if same == 0:
            low, high = -high, -low
            odd |= quiet
        lower = chosen(quiet, everywhere(U(low + OFFSET)), lower)
        upper = chosen(quiet, everywhere(U(high + OFFSET)), upper)
        if bits(more) == ZERO:
            break
        # Lanes at their end stay as they are.
        mine, theirs, my_wins = (
            chosen(more, theirs, mine),
            chosen(more, mine | safe, theirs),
            chosen(more, wins & ~safe, my_wins),
        )
        going = more
        ply, same, alpha = ply + 1, 1 - same, -alpha - 1
    return mine, theirs, empty, moves, wins, soon, ended, helped, odd, lower, upper, looks


@njit(SETTLING, **INLINED)
def settle_all(
    own: np.uint64,
    opp: np.uint64,
    moves: np.uint64,
    opp_wins: np.uint64,
    own_open: np.uint64,
    ply: Int,
    alpha: Int,
    base: np.uint64,
    memory: Words,
) -> tuple[Int, Int]:
    """Settle the positions after `moves`; returns the columns to search, a bit each, and the rest.

    The first five arguments describe the position before the move as its record does, the others
    are those of `settle`. In the records of all columns at `base`, the bounds are valid for all
    moves, the other fields for the columns to search.
    """
    rules, played = memory[RULES], spread(moves)
    columns = bits(played)
    mine, theirs, empty, open_, wins, soon, ended, helped, odd, lower, upper, looks = follow(
        everywhere(opp),
        everywhere(own) | played,
        everywhere(opp_wins) & ~played,
        ply,
        alpha,
        columns,
        memory,
    )
    asked = U(alpha + OFFSET)
    left, needed, tested = bits(ended), bits(helped), bits(soon)
    if left | tested:
        save(memory, base + OWN, mine)
        save(memory, base + OPP, theirs)
        save(memory, base + SAME, chosen(odd, everywhere(ZERO), everywhere(ONE)))
        save(memory, base + OPP_WINS, wins)
        save(memory, base + PLY, popcounts(mine | theirs))
    if left:
        # After a forced move, the other side's open lines may be fewer than they were.
        own_lines, opp_lines = in_fours_of(mine | empty), everywhere(own_open)
        occupied = mine | theirs
        plies = popcounts(occupied)
        if left & bits(plies ^ U(ply)):
            opp_lines = in_fours_of(theirs | empty)
        save(memory, base + PROMISE, looks)
        save(memory, base + OWN_OPEN, own_lines)
        if rules & MERGE:
            write_keys(mine & own_lines, theirs & opp_lines, occupied, plies, base + KEY, memory)
        else:
            write_keys(mine, theirs, occupied, plies, base + KEY, memory)
        # The buckets arrive while the rules are applied, for a few columns in vain.
        rest = left
        while rest:
            prefetch(memory, memory[base + U(lowest(rest)) + KEY + HOME])
            rest &= rest - ONE
        if rules & FOLLOW and needed:
            claims = asks_claim(alpha, memory)
            bound = follower_bounds(mine, theirs, empty, open_, wins, claims, needed, memory)
            bound = chosen(helped, bound, ZERO)
            lower = larger(lower, chosen(odd, bound, ZERO))
            upper = smaller(upper, NONE - chosen(odd, ZERO, bound))
            ended &= below(asked, upper) & ~below(asked, lower)
            left = bits(ended)
        if rules & NO_LINE and left & ~(bits(own_lines) & bits(opp_lines)):
            no_win = chosen(chosen(odd, opp_lines, own_lines), ZERO, ended)
            no_loss = chosen(chosen(odd, own_lines, opp_lines), ZERO, ended)
            upper = chosen(no_win, smaller(upper, U(OFFSET)), upper)
            lower = chosen(no_loss, larger(lower, U(OFFSET)), lower)
            left = bits(ended & below(asked, upper) & ~below(asked, lower))
    save(memory, base + LOWER, lower)
    save(memory, base + UPPER, upper)
    left |= tested
    return left, columns & ~left
