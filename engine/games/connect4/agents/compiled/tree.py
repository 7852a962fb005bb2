"""A whole tree of Connect 4, built level by level and evaluated by wins and runs of stones.

A node's own value is 1,000,000,000 if the stone just played has won, else the contiguity of that
stone. Values are then passed up the tree: a fifth of each child's value is subtracted from its
parent's. To keep this exact, a node on level n of a tree of height h is valued in units of 5 ** (n
- h): its parent's unit is five of its own.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import (
    DOWN1,
    ONE,
    UP1,
    Int,
    U,
    has_four,
    landing,
    lowest,
    winning_squares,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.compiled.memory import ABORTED, BOARD, BOTTOM, NODES

FIFTH = 5

WON = 1_000_000_000
"""The value of a node whose last stone has won."""

STEPS = (U(1), U(8), U(9), U(7))
"""Up, right, right and up, right and down. Of the eight rays the one upwards is always empty: the
stone just played is the topmost of its column."""

EVERYWHERE = U(0xFFFFFFFFFFFFFFFF)

FORTH = (UP1, EVERYWHERE, UP1, DOWN1)
"""By direction, the stones that have a next square within their column's eight."""

BACK = (DOWN1, EVERYWHERE, DOWN1, UP1)
"""The same for the opposite direction."""

ZERO = U(0)

OWN, OPP, PARENT, VALUE = 0, 1, 2, 3
"""A node's words: the stones of the side to move, the other's, its parent's number, and its value
(which may be negative: words wrap around as signed numbers do)."""

Nodes = npt.NDArray[np.uint64]


@njit("int64(uint64, uint64)", cache=True, nogil=True)
def contiguity(stones: np.uint64, stone: np.uint64) -> Int:
    """The contiguity of `stone`: own stones on each ray without a gap count 1, 5, 9...

    The first stone on a ray adds 1, the second 5, the third 9; an isolated stone counts 0.
    """
    value: Int = 0
    for direction in range(4):
        step = STEPS[direction]
        adds: Int = 1
        one = ((stone & FORTH[direction]) << step) & stones
        while one != ZERO:
            value += adds
            adds += 4
            one = ((one & FORTH[direction]) << step) & stones
        adds = 1
        one = ((stone & BACK[direction]) >> step) & stones
        while one != ZERO:
            value += adds
            adds += 4
            one = ((one & BACK[direction]) >> step) & stones
    return value


@njit("int64(int64, int64, int64, uint64[:, ::1], uint64[::1])", cache=True, nogil=True)
def add_children(parent: Int, end: Int, unit: Int, nodes: Nodes, memory: Words) -> Int:
    """Write the children of a node from index `end` on; returns the new end.

    A node has no children if its last stone made four or the board is full.
    """
    own, opp = nodes[parent, OWN], nodes[parent, OPP]
    if has_four(opp):
        return end
    moves = landing(own | opp, memory[BOTTOM], memory[BOARD])
    wins = winning_squares(own)
    while moves:
        bit = moves & (~moves + ONE)
        moves ^= bit
        nodes[end, OWN], nodes[end, OPP] = opp, own | bit
        nodes[end, PARENT] = U(parent)
        value = WON if wins & bit else contiguity(own, bit)
        nodes[end, VALUE] = U(unit * value)
        memory[NODES] += ONE
        end += 1
    return end


@njit(
    "int64(uint64, uint64, int64, int64[::1], uint64[:, ::1], uint64[::1], uint8[::1])",
    cache=True,
    nogil=True,
)
def grow(
    own: np.uint64,
    opp: np.uint64,
    height: Int,
    scores: npt.NDArray[np.int64],
    nodes: Nodes,
    memory: Words,
    stop: npt.NDArray[np.uint8],
) -> Int:
    """Evaluate the moves of an undecided position by a tree of `height` plies in `nodes`.

    Writes a value for each open column into `scores`, in units of 5 ** (1 - height), and returns
    how many levels the tree has. A tree that is cut short writes nothing.
    """
    nodes[0, OWN], nodes[0, OPP] = own, opp
    nodes[0, VALUE] = ZERO
    first: Int = 0
    end: Int = 1
    levels: Int = 0
    for level in range(height):
        last = end
        for parent in range(first, last):
            if stop[0] != 0:
                memory[ABORTED] = ONE
                return 0
            end = add_children(parent, end, FIFTH ** (height - 1 - level), nodes, memory)
        if end == last:
            break
        first, levels = last, level + 1
    # Backwards, so that a node is complete before it is subtracted from its parent.
    for node in range(end - 1, 0, -1):
        above = np.int64(nodes[node, PARENT])
        if above == 0:
            played = nodes[node, OPP] ^ own
            scores[lowest(played) >> 3] = np.int64(nodes[node, VALUE])
        else:
            nodes[above, VALUE] -= nodes[node, VALUE]
    return levels


@njit("void(uint64, int64, uint64[:, ::1], float64[::1])", cache=True, nogil=True)
def in_floats(own: np.uint64, end: Int, nodes: Nodes, scores: npt.NDArray[np.float64]) -> None:
    """Evaluate a grown tree of `end` nodes once more, with floating-point numbers.

    From each node, 0.2 of every child's value is subtracted, from the left: with rounding, the
    order matters. Writes a value in points for each open column into `scores`.
    """
    values = np.empty(end, np.float64)
    for node in range(1, end):
        before = nodes[np.int64(nodes[node, PARENT]), OWN]
        after = nodes[node, OPP]
        values[node] = WON if has_four(after) else contiguity(before, after ^ before)
    last = end - 1
    while last > 0:
        parent, first = nodes[last, PARENT], last
        while first > 1 and nodes[first - 1, PARENT] == parent:
            first -= 1
        for node in range(first, last + 1):
            if parent == ZERO:
                scores[lowest(nodes[node, OPP] ^ own) >> 3] = values[node]
            else:
                values[np.int64(parent)] -= 0.2 * values[node]
        last = first - 1
