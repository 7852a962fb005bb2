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

from engine.core.compiled.bits import INLINED, ONE, Int, U
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import KEY, PLY, PROMISE
from engine.games.connect4.solver.compiled.memory import MINE, RECORD, THEIRS

STEP, TWO, DONE = U(RECORD), U(2), U(0)
"""From one record to the next; words of a key in a path; the promise of a move that needs no
further search."""


@njit("void(uint64, uint64[::1])", **INLINED)
def enter(at: np.uint64, memory: Words) -> None:
    """Publish that this thread is searching the position of the record at `at`."""
    path = memory[MINE] + TWO * memory[at + PLY]
    memory[path], memory[path + ONE] = memory[at + KEY], memory[at + KEY + ONE]


@njit("void(uint64, uint64[::1])", **INLINED)
def leave(at: np.uint64, memory: Words) -> None:
    """Publish that it is no longer searching it: no key is 0 in both words."""
    path = memory[MINE] + TWO * memory[at + PLY]
    memory[path], memory[path + ONE] = DONE, DONE


@njit("boolean(uint64, uint64[::1])", **INLINED)
def taken(at: np.uint64, memory: Words) -> bool:
    """Whether the other thread is searching the position of the record at `at`."""
    path = memory[THEIRS] + TWO * memory[at + PLY]
    return bool(memory[path] == memory[at + KEY] and memory[path + ONE] == memory[at + KEY + ONE])


@njit("uint64(uint64, uint64, boolean, uint64[::1])", **INLINED)
def most_promising(base: np.uint64, end: np.uint64, sharing: bool, memory: Words) -> Int:
    """The record of the move to search next, from `base` up to `end`; `end` if none is left.

    When `sharing`, moves that the other thread is searching come last.
    """
    chosen, top = end, DONE
    if sharing:
        one = base
        while one < end:
            if memory[one + PROMISE] > top and not taken(one, memory):
                chosen, top = one, memory[one + PROMISE]
            one += STEP
        if top != DONE:
            return chosen
    one = base
    while one < end:
        if memory[one + PROMISE] > top:
            chosen, top = one, memory[one + PROMISE]
        one += STEP
    return chosen
