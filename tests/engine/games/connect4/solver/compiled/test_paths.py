"""Work sharing: each thread publishes what it searches and leaves that to the other."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import KEY, PLY, PROMISE
from engine.games.connect4.solver.compiled.memory import RECORD, SCRATCH, new_memories, new_memory
from engine.games.connect4.solver.compiled.paths import enter, leave, most_promising, taken
from engine.games.connect4.solver.compiled.rules import ALL

U = np.uint64
FIRST, SECOND = U(SCRATCH), U(SCRATCH + RECORD)
END = U(SCRATCH + 2 * RECORD)


def two_moves(memory: Words) -> None:
    """Write the records of two moves to a thread's memory, the better one first."""
    for at, promise in ((FIRST, 8), (SECOND, 7)):
        memory[at + PLY], memory[at + PROMISE] = 12, promise
        memory[at + KEY], memory[at + KEY + U(1)] = promise << 20, promise


def test_a_thread_sees_only_the_path_of_the_other() -> None:
    """A move counts as taken from when the other thread enters it until it leaves it."""
    one, other = new_memories(6, 7, 4, ALL, 2)
    two_moves(one)
    two_moves(other)
    for mine, theirs in ((one, other), (other, one)):
        enter(FIRST, mine)
        assert taken(FIRST, theirs)
        assert not taken(SECOND, theirs)
        assert not taken(FIRST, mine)
        leave(FIRST, mine)
        assert not taken(FIRST, theirs)


def test_a_move_that_the_other_thread_searches_comes_last() -> None:
    """The better move comes first unless the other thread is searching it."""
    one, other = new_memories(6, 7, 4, ALL, 2)
    two_moves(one)
    two_moves(other)
    enter(FIRST, other)
    assert most_promising(FIRST, END, False, one) == FIRST
    assert most_promising(FIRST, END, True, one) == SECOND
    one[SECOND + PROMISE] = 0
    assert most_promising(FIRST, END, True, one) == FIRST
    one[FIRST + PROMISE] = 0
    assert most_promising(FIRST, END, True, one) == END


def test_a_single_thread_finds_no_move_taken() -> None:
    """Working memory for one thread has a path too, to which no other thread writes."""
    memory = new_memory(6, 7, 4, ALL)
    two_moves(memory)
    enter(FIRST, memory)
    assert most_promising(FIRST, END, False, memory) == FIRST
