"""The value of a position of Connect 4 or Gato: alpha-beta to the end of the game.

A value is for the side to move: 0 for a draw; for a win `squares + 1` less the number of the stone
that completes it, so that a sooner win is worth more; the negative for a loss.

A position is two words, the stones of the side to move and of the other, and how full each stack
is. `tables` are those of a board. `known` is what earlier searches found: three tables of the same
length, with both words of a position and bounds of its value; and room for lists of moves.
"""

from __future__ import annotations

from typing import Any

from tests.engine.puzzle_check.compiling import compiled_unless_plain

MOST_LINES = 16
WIDEST = 32
"""More stacks than any board has."""
SCALE, HALF = 256, 128
"""A stack and two bounds in one number: HALF is added to make the bounds non-negative, and each is
less than SCALE."""
UNSETTLED = 1000
"""No value."""
FIRST = 10_000
"""The promise of the previous best move: above all others."""


@compiled_unless_plain
def completes(stones: Any, square: Any, tables: Any) -> bool:
    """Whether a stone on a square would complete a line of a side's stones."""
    bits, masks, counts = tables[0], tables[1], tables[2]
    with_it = stones | bits[square]
    for number in range(counts[square]):
        line = masks[square * MOST_LINES + number]
        if with_it & line == line:
            return True
    return False


@compiled_unless_plain
def promise(own: Any, other: Any, square: Any, tables: Any) -> Any:
    """The promise of a square: the stones in lines through it that are still open."""
    masks, counts = tables[1], tables[2]
    found = 0
    for number in range(counts[square]):
        line = masks[square * MOST_LINES + number]
        if other & line == 0:
            mine = own & line
            found += 1
            while mine != 0:
                mine &= mine - 1
                found += 4
        elif own & line == 0:
            theirs = other & line
            while theirs != 0:
                theirs &= theirs - 1
                found += 2
    return found


@compiled_unless_plain
def settled(own: Any, other: Any, heights: Any, stones: Any, tables: Any) -> Any:
    """The value and -1, or UNSETTLED and the stack that must be played on, -1 if there is none."""
    of_stacks, sizes = tables[3], tables[4]
    stacks, squares = len(sizes), len(tables[0])
    height = len(of_stacks) // stacks
    if stones == squares:
        return 0, -1
    forced, threats = -1, 0
    for stack in range(stacks):
        if heights[stack] < sizes[stack]:
            square = of_stacks[stack * height + heights[stack]]
            if completes(own, square, tables):
                return squares - stones, -1
            if completes(other, square, tables):
                forced = stack
                threats += 1
    if threats > 1:
        return stones + 1 - squares, -1
    return UNSETTLED, forced


@compiled_unless_plain
def list_moves(
    own: Any,
    other: Any,
    heights: Any,
    first: Any,
    forced: Any,
    preferred: Any,
    tables: Any,
    room: Any,
) -> Any:
    """Write stacks to `room` from `first` on, the most promising first; returns the end.

    An entry is the promise times `WIDEST` plus the stack.
    """
    of_stacks, sizes, order = tables[3], tables[4], tables[5]
    height = len(of_stacks) // len(sizes)
    end = first
    for place in range(len(sizes)):
        stack = order[place]
        if heights[stack] == sizes[stack] or (forced >= 0 and stack != forced):
            continue
        at = stack * height + heights[stack]
        rank = promise(own, other, of_stacks[at], tables) + 1
        if heights[stack] + 1 < sizes[stack] and completes(other, of_stacks[at + 1], tables):
            rank = 0
        if stack == preferred:
            rank = FIRST
        put = end
        while put > first and room[put - 1] // WIDEST < rank:
            room[put] = room[put - 1]
            put -= 1
        room[put] = rank * WIDEST + stack
        end += 1
    return end


@compiled_unless_plain
def place_of(own: Any, other: Any, length: Any) -> Any:
    """The index of a position in tables of a length."""
    mixed = own * 1000003 + other * 998244353 + (own >> 17) * 31 + (other >> 23) * 17
    return mixed % length


@compiled_unless_plain
def value(
    own: Any, other: Any, heights: Any, stones: Any, alpha: Any, beta: Any, tables: Any, known: Any
) -> Any:
    """The value of a position in which no line is complete, if it lies between alpha and beta.

    Otherwise a bound on the same side of them.
    """
    squares = len(tables[0])
    found, forced = settled(own, other, heights, stones, tables)
    if found != UNSETTLED:
        return found
    # Neither side completes a line with its next stone unless the other permits it, so the value
    # lies between these.
    alpha = max(alpha, stones + 1 - squares)
    beta = min(beta, max(squares - stones - 2, 0))
    if alpha >= beta:
        return min(alpha, max(squares - stones - 2, 0))

    owns, others, bounds, room = known
    at = place_of(own, other, len(owns))
    best_stack = -1
    if bounds[at] != 0 and owns[at] == own and others[at] == other:
        best_stack = bounds[at] // (SCALE * SCALE) - 1
        lower = bounds[at] // SCALE % SCALE - HALF
        upper = bounds[at] % SCALE - HALF
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)

    first = stones * WIDEST
    end = list_moves(own, other, heights, first, forced, best_stack, tables, room)
    asked, best = alpha, -squares - 1
    for entry in range(first, end):
        stack = room[entry] % WIDEST
        height = len(tables[3]) // len(heights)
        moved = own | tables[0][tables[3][stack * height + heights[stack]]]
        heights[stack] += 1
        found = -value(other, moved, heights, stones + 1, -beta, -alpha, tables, known)
        heights[stack] -= 1
        if found > best:
            best, best_stack = found, stack
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    lower = best if best > asked else -squares - 1
    upper = best if best < beta else squares + 1
    owns[at], others[at] = own, other
    bounds[at] = ((best_stack + 1) * SCALE + lower + HALF) * SCALE + upper + HALF
    return best
