"""The solver's transposition table: bounds of positions, by exact keys."""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import INLINED, ONE, PLAIN, Int, U, popcount, prefetch
from engine.core.compiled.compiling import njit
from engine.core.compiled.memory import MIX1, MIX2, Words
from engine.games.connect4.solver.compiled.instructions import (
    claim,
    release,
    swap,
    version,
    version_after,
)
from engine.games.connect4.solver.compiled.memory import (
    BUCKET,
    BUCKETS,
    COLUMNS,
    MOST_BUCKETS,
    MOVES,
    RULES,
    SHARED,
    TABLE,
)
from engine.games.connect4.solver.compiled.rules import Rule

MIRROR = U(int(Rule.MIRROR))

TWO, THREE, FOUR, FIVE, KNOWN, VERSION = (U(n) for n in range(2, 8))
"""Words of a bucket: two of each entry's key, one with the bounds, 20 bits an entry, and the
version for threads that share the table: it is odd while one of them writes, and changes with each
write."""

ZERO = U(0)

OFFSET = 64
"""Added to bounds so that they are positive: no score is beyond 32."""

LOW6, LOW7, LOW20 = U(0x3F), U(0x7F), U(0xFFFFF)

S7, S14, S20, S32, S34, S40, S54 = (U(n) for n in (7, 14, 20, 32, 34, 40, 54))

GROWTH = U(3)
"""A table that is too small grows by this power of two."""

MIRROR_STONES = 22
"""With more stones on the board, mirror images hardly ever occur."""


@njit("uint64(uint64, uint64)", **INLINED)
def mixed(a: np.uint64, b: np.uint64) -> Int:
    """A hash of two words; its upper half is the better one."""
    return (a * MIX1) ^ (b * MIX2)


@njit("uint64(uint64, uint64[::1])", **INLINED)
def bucket_of(hashed: np.uint64, memory: Words) -> Int:
    """The index of the bucket of a hash."""
    return memory[TABLE] + ((((hashed >> S32) * memory[BUCKETS]) >> S32) << THREE)


A, B, HOME = (U(MOVES * field) for field in range(3))
"""The fields of a key in memory: two words that identify the position, and its bucket."""


@njit("void(uint64, uint64, uint64, uint64, uint64[::1])", **INLINED)
def write_key(
    own: np.uint64, opp: np.uint64, occupied: np.uint64, at: np.uint64, memory: Words
) -> None:
    """Write the key of a position at `at` and prefetch its bucket.

    `own` and `opp` hold the stones that matter. Each word of the key also holds the stones that do
    not, so a square is in neither word, in one or in both: empty, a stone of one side, or a dead
    stone. Positions with the same key have the same score: `in_fours` explains why the colour of
    dead stones does not matter. With few stones the key is the canonical one of a position and its
    mirror image: that of the smaller hash.
    """
    dead = occupied & ~(own | opp)
    a, b = own | dead, opp | dead
    hashed = mixed(a, b)
    if memory[RULES] & MIRROR and popcount(occupied) <= MIRROR_STONES:
        shift = U(64) - (memory[COLUMNS] << THREE)
        a2, b2 = swap(a) >> shift, swap(b) >> shift
        hashed2 = mixed(a2, b2)
        if hashed2 < hashed:
            a, b, hashed = a2, b2, hashed2
    bucket = bucket_of(hashed, memory)
    prefetch(memory, bucket)
    memory[at + A], memory[at + B], memory[at + HOME] = a, b, bucket


@njit("uint64(uint64, uint64, uint64, uint64[::1])", **INLINED)
def look_up(a: np.uint64, b: np.uint64, at: np.uint64, memory: Words) -> Int:
    """The entry of a key in the bucket at `at`; 0 if there is none."""
    if memory[at] == a and memory[at + ONE] == b:
        return memory[at + KNOWN] & LOW20
    if memory[at + TWO] == a and memory[at + THREE] == b:
        return (memory[at + KNOWN] >> S20) & LOW20
    if memory[at + FOUR] == a and memory[at + FIVE] == b:
        return memory[at + KNOWN] >> S40
    return ZERO


@njit("uint64(uint64, uint64[::1])", **INLINED)
def probe(key: np.uint64, memory: Words) -> Int:
    """The entry of the position whose key is at `key`; 0 if there is none.

    From below: the lower bound (7 bits), the upper bound (7), and the work that it took (6, a
    logarithm).
    """
    a, b, at = memory[key + A], memory[key + B], memory[key + HOME]
    known = look_up(a, b, at, memory)
    if known != ZERO and memory[SHARED]:
        # Another thread may have been writing, leaving one entry's key beside another's bounds:
        # only what was read between two equal, even versions is consistent.
        before = version(memory, at + VERSION)
        known = look_up(a, b, at, memory)
        if before & ONE or version_after(memory, at + VERSION) != before:
            return ZERO
    return known


@njit("void(uint64, int64, int64, int64, uint64[::1])", **INLINED)
def store(key: np.uint64, lower: Int, upper: Int, work: Int, memory: Words) -> None:
    """Store bounds, replacing the entry of the bucket that took the least work.

    Bounds of the same position are combined. If another thread is writing to the bucket, nothing is
    stored.
    """
    a, b, at = memory[key + A], memory[key + B], memory[key + HOME]
    before = ZERO
    if memory[SHARED]:
        before = version(memory, at + VERSION)
        if before & ONE or not claim(memory, at + VERSION, before):
            return
    all_known = memory[at + KNOWN]
    slot, same = ZERO, False
    if memory[at] == a and memory[at + ONE] == b:
        same = True
    elif memory[at + TWO] == a and memory[at + THREE] == b:
        slot, same = ONE, True
    elif memory[at + FOUR] == a and memory[at + FIVE] == b:
        slot, same = TWO, True
    else:
        least = (all_known >> S14) & LOW6
        other = (all_known >> S34) & LOW6
        if other < least:
            slot, least = ONE, other
        if (all_known >> S54) < least:
            slot = TWO
    shift = S20 * slot
    if same:
        known = (all_known >> shift) & LOW20
        if known != ZERO:
            lower = max(lower, np.int64(known & LOW7) - OFFSET)
            upper = min(upper, np.int64((known >> S7) & LOW7) - OFFSET)
            work = max(work, np.int64(known >> S14))
    memory[at + TWO * slot] = a
    memory[at + TWO * slot + ONE] = b
    known = U(lower + OFFSET) | (U(upper + OFFSET) << S7) | (U(work) << S14)
    memory[at + KNOWN] = (all_known & ~(LOW20 << shift)) | (known << shift)
    if memory[SHARED]:
        release(memory, at + VERSION, before + TWO)


@njit("void(uint64, uint64, uint64, uint64[::1])", **INLINED)
def move_entry(a: np.uint64, b: np.uint64, known: np.uint64, memory: Words) -> None:
    """Copy the entry of a position if its bucket has room."""
    if known == ZERO:
        return
    at = bucket_of(mixed(a, b), memory)
    slot = ZERO
    while slot < TWO and (memory[at + KNOWN] >> (S20 * slot)) & LOW20:
        slot += ONE
    memory[at + TWO * slot] = a
    memory[at + TWO * slot + ONE] = b
    shift = S20 * slot
    memory[at + KNOWN] = (memory[at + KNOWN] & ~(LOW20 << shift)) | (known << shift)


@njit("void(uint64[::1])", **PLAIN)
def grow(memory: Words) -> None:
    """Enlarge the table and move its entries.

    A bucket's number is made of the upper digits of the hash, and more of them in a larger table.
    So no entry moves to an earlier bucket, and entries of two buckets never meet in one: from the
    last bucket to the first, each can be emptied and its entries moved to their new places.
    """
    used = memory[BUCKETS]
    memory[BUCKETS] = min(used << GROWTH, memory[MOST_BUCKETS])
    at = memory[TABLE] + (used << THREE)
    while at > memory[TABLE]:
        at -= U(BUCKET)
        known = memory[at + KNOWN]
        memory[at + KNOWN] = ZERO
        a, b = memory[at + TWO], memory[at + THREE]
        c, d = memory[at + FOUR], memory[at + FIVE]
        move_entry(memory[at], memory[at + ONE], known & LOW20, memory)
        move_entry(a, b, (known >> S20) & LOW20, memory)
        move_entry(c, d, known >> S40, memory)
