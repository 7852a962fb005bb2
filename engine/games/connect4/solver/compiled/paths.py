"""Work sharing: the current paths of threads, so that they search different parts of a tree.

All threads run the same null-window search of the same position and share their table, so each
finds what the others have finished. While it searches a child, a thread publishes the child's key
in its *path*, at the child's number of stones. A thread is at one position per ply, so one
comparison a thread shows whether another is searching a position. After the first move, a thread
prefers moves that no other is searching. So if all moves must be refuted, the threads divide them;
if one move suffices, the others join in below it and divide the work there.

A thread that has finished a position tells the others that are searching it, by writing the
position's number of stones into their paths. They go back to it and find its result in the table.

The words are read and written without synchronisation. Stale data costs time only: a path affects
which move is searched next and what is searched twice, never the value of a position.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import INLINED, ONE, PLAIN, Int, U, lowest
from engine.core.compiled.compiling import njit
from engine.core.compiled.lanes import full, largest, load
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import KEY, PLY, PROMISE
from engine.games.connect4.solver.compiled.memory import DONE, MINE, PATH, PATHS, SHARED
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


@njit("boolean(uint64, uint64, uint64[::1])", **INLINED)
def leads_to(path: np.uint64, at: np.uint64, memory: Words) -> bool:
    """Whether a path of another thread has the position of the record at `at`."""
    word = path + TWO * memory[at + PLY]
    is_there = memory[word] == memory[at + KEY + A] and memory[word + ONE] == memory[at + KEY + B]
    return bool(is_there and path != memory[MINE])


@njit("boolean(uint64, uint64[::1])", **INLINED)
def taken(at: np.uint64, memory: Words) -> bool:
    """Whether another thread is searching the position of the record at `at`."""
    path = memory[PATHS]
    for _ in range(memory[SHARED]):
        if leads_to(path, at, memory):
            return True
        path += U(PATH)
    return False


@njit("void(uint64, uint64[::1])", **PLAIN)
def announce(at: np.uint64, memory: Words) -> None:
    """Tell the other threads that are searching the position of the record at `at` that it is done.

    Of several positions, the one with the fewest stones counts.
    """
    path = memory[PATHS]
    for _ in range(memory[SHARED]):
        if leads_to(path, at, memory):
            told = memory[path + U(DONE)]
            if told == NOTHING or told > memory[at + PLY]:
                memory[path + U(DONE)] = memory[at + PLY]
        path += U(PATH)


@njit("boolean(int64, uint64[::1])", **PLAIN)
def is_done_above(ply: Int, memory: Words) -> bool:
    """Whether another thread has finished a position of this thread's path with fewer stones.

    A message about this position, or from a time when the path led elsewhere, is deleted.
    """
    told = memory[memory[MINE] + U(DONE)]
    if told == NOTHING:
        return False
    if told < U(ply):
        return True
    memory[memory[MINE] + U(DONE)] = NOTHING
    return False


@njit("void(uint64[::1])", **INLINED)
def drop_message(memory: Words) -> None:
    """Drop a message about another position or question than the one that is about to be searched.

    If it were about fewer stones than that position has, it would end every search of it.
    """
    memory[memory[MINE] + U(DONE)] = NOTHING


@njit("uint64(uint64, uint64, boolean, uint64[::1])", **INLINED)
def most_promising(base: np.uint64, left: np.uint64, sharing: bool, memory: Words) -> Int:
    """The column to search next among those `left`, a bit each; there is at least one.

    When `sharing`, moves that another thread is searching come last.
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
