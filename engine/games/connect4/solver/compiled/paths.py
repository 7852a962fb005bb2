"""Work sharing: the current paths of two threads, so that they search different parts of a tree.

Both threads run the same null-window search of the same position and share their table, so each
finds what the other has finished. While it searches a child, a thread publishes the child's key in
its *path*, at the child's number of stones. A thread is at one position per ply, so one comparison
shows whether the other is searching a position. After the first move, a thread prefers moves that
the other is not searching. So if all moves must be refuted, the threads divide them; if one move
suffices, the second thread joins in below it and divides the work there.

The words are read and written without synchronisation. Stale data costs time only: a path affects
which move is searched next, never the value of a position.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import INLINED, ONE, Int, U, lowest
from engine.core.compiled.compiling import njit
from engine.core.compiled.lanes import full, largest, load
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import KEY, PLY, PROMISE
from engine.games.connect4.solver.compiled.memory import MINE, THEIRS
from engine.games.connect4.solver.compiled.table import A, B

TWO, NOTHING, LAST_COLUMN = U(2), U(0), U(7)
"""Words of a key in a path; the word of no key; the number of the last column."""


@njit("void(uint64, uint64[::1])", **INLINED)
def enter(at: np.uint64, memory: Words) -> None:
    """Publish that this thread is searching the position of the record at `at`."""
    path = memory[MINE] + TWO * memory[at + PLY]
    memory[path], memory[path + ONE] = memory[at + KEY + A], memory[at + KEY + B]


@njit("void(uint64, uint64[::1])", **INLINED)
def leave(at: np.uint64, memory: Words) -> None:
    """Publish that it is no longer searching it: no key is 0 in both words."""
    path = memory[MINE] + TWO * memory[at + PLY]
    memory[path], memory[path + ONE] = NOTHING, NOTHING


@njit("boolean(uint64, uint64[::1])", **INLINED)
def taken(at: np.uint64, memory: Words) -> bool:
    """Whether the other thread is searching the position of the record at `at`."""
    path = memory[THEIRS] + TWO * memory[at + PLY]
    return bool(memory[path] == memory[at + KEY + A] and memory[path + ONE] == memory[at + KEY + B])


@njit("uint64(uint64, uint64, boolean, uint64[::1])", **INLINED)
def most_promising(base: np.uint64, left: np.uint64, sharing: bool, memory: Words) -> Int:
    """The column to search next among those `left`, a bit each; there is at least one.

    When `sharing`, moves that the other thread is searching come last.
    """
    if sharing:
        rest, free = left, left
        while rest:
            if taken(base + U(lowest(rest)), memory):
                free ^= rest & (~rest + ONE)
            rest &= rest - ONE
        if free:
            left = free
    # The last digits of a rank are the number of the column.
    return largest(load(memory, base + PROMISE) & full(left)) & LAST_COLUMN
