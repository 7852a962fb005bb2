"""Work sharing: each thread publishes what it searches, and the others prefer other moves."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import KEY, PLY, PROMISE
from engine.games.connect4.solver.compiled.memory import SCRATCH, new_memories, new_memory
from engine.games.connect4.solver.compiled.paths import (
    announce,
    enter,
    is_done_above,
    leave,
    most_promising,
    taken,
)
from engine.games.connect4.solver.compiled.rules import ALL
from engine.games.connect4.solver.compiled.table import A, B

U = np.uint64
FIRST, SECOND = U(SCRATCH), U(SCRATCH + 1)
BOTH, ONLY_FIRST, ONLY_SECOND = U(3), U(1), U(2)


def two_moves(memory: Words) -> None:
    """Write the records of two moves to a thread's memory, the better one first."""
    for column, (at, promise) in enumerate(((FIRST, 9), (SECOND, 8))):
        memory[at + PLY], memory[at + PROMISE] = 12, 8 * promise + column
        memory[at + KEY + A], memory[at + KEY + B] = promise << 20, promise


def best(left: Any, sharing: bool, memory: Words) -> int:
    """The column that is searched next."""
    return int(most_promising(FIRST, left, sharing, memory))


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_a_thread_sees_only_the_paths_of_others(threads: int) -> None:
    """A move counts as taken from when another thread enters it until it leaves it."""
    memories = new_memories(6, 7, 4, ALL, threads)
    for memory in memories:
        two_moves(memory)
    for mine, theirs in permutations(memories, 2):
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
    assert best(BOTH, False, one) == 0
    assert best(BOTH, True, one) == 1
    assert best(ONLY_FIRST, True, one) == 0
    assert best(ONLY_SECOND, False, one) == 1


def test_a_single_thread_finds_no_move_taken() -> None:
    """Working memory for one thread has a path too, to which no other thread writes."""
    memory = new_memory(6, 7, 4, ALL)
    two_moves(memory)
    enter(FIRST, memory)
    assert best(BOTH, False, memory) == 0


def test_a_finished_position_is_announced_to_those_that_search_it() -> None:
    """A thread below that position learns of it, and of the topmost one of several."""
    one, two, three = new_memories(6, 7, 4, ALL, 3)
    for memory in (one, two, three):
        two_moves(memory)
    enter(FIRST, two)
    announce(FIRST, one)
    assert is_done_above(15, two)
    assert not is_done_above(15, one)
    assert not is_done_above(15, three)
    one[FIRST + PLY] = two[FIRST + PLY] = 10
    enter(FIRST, two)
    announce(FIRST, one)
    assert is_done_above(11, two)


def test_a_message_about_a_former_path_is_deleted() -> None:
    """A message about its own position or one below stops a thread neither now nor deeper later."""
    one, other = new_memories(6, 7, 4, ALL, 2)
    two_moves(one)
    two_moves(other)
    enter(FIRST, other)
    announce(FIRST, one)
    assert not is_done_above(12, other)
    assert not is_done_above(15, other)
    leave(FIRST, other)
    announce(FIRST, one)
    assert not is_done_above(15, other)
