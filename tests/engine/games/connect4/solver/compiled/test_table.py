"""The solver's table: stored entries are found again, and threads do not mix them up."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core.compiled.bits import board_word
from engine.games.connect4.solver.compiled.memory import (
    BUCKETS,
    MOVES,
    SCRATCH,
    new_memories,
    new_memory,
)
from engine.games.connect4.solver.compiled.rules import ALL
from engine.games.connect4.solver.compiled.table import (
    KNOWN,
    LOW7,
    OFFSET,
    S7,
    VERSION,
    grow,
    probe,
    store,
    write_key,
)

U = np.uint64
KEY = U(SCRATCH)
HOME = SCRATCH + 2 * MOVES


def some_positions(count: int) -> list[tuple[np.uint64, np.uint64]]:
    """Pairs of disjoint sets of 6x7's squares, with too many stones for mirror images to matter."""
    rng = np.random.default_rng(3)
    board = board_word(6, 7)
    found = []
    while len(found) < count:
        one, other = (int(word) & board for word in rng.integers(0, 2**64, 2, dtype=np.uint64))
        if ((one | other) & board).bit_count() > 24:
            found.append((U(one), U(other & ~one)))
    return found


def bounds(known: Any) -> tuple[int, int]:
    """The bounds in a table entry."""
    known = U(known)
    return int(known & LOW7) - OFFSET, int((known >> S7) & LOW7) - OFFSET


def test_entries_are_found_after_growth() -> None:
    """Bounds are found again, combined with later ones, and moved into larger tables."""
    memory = new_memory(6, 7, 16, ALL)
    positions = some_positions(60)
    for number, (own, opp) in enumerate(positions):
        write_key(own, opp, own | opp, KEY, memory)
        assert probe(KEY, memory) == 0
        store(KEY, -number % 20, 20, 1, memory)
        store(KEY, -20, 19, 2, memory)
    for _ in range(3):
        for number, (own, opp) in enumerate(positions):
            write_key(own, opp, own | opp, KEY, memory)
            assert bounds(probe(KEY, memory)) == (-number % 20, 19)
        grow(memory)
    assert memory[BUCKETS] == 1 << 15


def test_a_bucket_keeps_the_entries_with_the_most_work() -> None:
    """If a bucket is full, the entry with the least work is dropped."""
    memory = new_memory(6, 7, 1, ALL)
    positions = some_positions(9)
    for work, (own, opp) in enumerate(positions, start=1):
        write_key(own, opp, own | opp, KEY, memory)
        store(KEY, work, 20, work, memory)
    found = []
    for own, opp in positions:
        write_key(own, opp, own | opp, KEY, memory)
        known = probe(KEY, memory)
        found.append(bounds(known)[0] if known else 0)
    assert found == [0, 0, 0, 0, 0, 0, 7, 8, 9]


def test_a_dead_stone_is_neither_sides_nor_an_empty_square() -> None:
    """Positions that differ in a dead stone's colour share an entry; an empty square differs."""
    memory = new_memory(6, 7, 10, ALL)
    own, opp = some_positions(1)[0]
    dead = own & (~own + U(1))
    write_key(own ^ dead, opp, own | opp, KEY, memory)
    store(KEY, 3, 4, 1, memory)
    assert bounds(probe(KEY, memory)) == (3, 4)
    for others in ((own, opp, own | opp), (own ^ dead, opp, (own | opp) ^ dead)):
        write_key(*others, KEY, memory)
        assert probe(KEY, memory) == 0


def test_a_bucket_being_written_is_not_read() -> None:
    """Threads find each other's entries, but not in a bucket that is being written."""
    one, other = new_memories(6, 7, 10, ALL, 2)
    own, opp = some_positions(1)[0]
    for memory in (one, other):
        write_key(own, opp, own | opp, KEY, memory)
    store(KEY, 3, 8, 1, one)
    assert bounds(probe(KEY, other)) == (3, 8)
    version = int(other[HOME]) + int(VERSION)
    assert other[version] == 2
    other[version] += U(1)
    assert probe(KEY, one) == probe(KEY, other) == 0
    known = int(other[int(other[HOME]) + int(KNOWN)])
    store(KEY, 4, 8, 1, one)
    assert int(other[int(other[HOME]) + int(KNOWN)]) == known
    other[version] += U(1)
    store(KEY, 4, 8, 1, one)
    assert bounds(probe(KEY, other)) == (4, 8)
