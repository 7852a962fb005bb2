"""Eight words at once: each lane has what the same operation gives for a word."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from engine.core.compiled.bits import winning_squares
from engine.core.compiled.lanes import (
    below,
    bits,
    chosen,
    everywhere,
    for_lanes,
    full,
    larger,
    largest,
    load,
    popcounts,
    save,
    smaller,
    smallest,
    spread,
    swapped,
)

U = np.uint64
RESULTS = 16
winning_squares_of = for_lanes(winning_squares)


# Without a signature, so that only the process that calls it compiles it.
@njit(cache=True)
def all_operations(memory: Any) -> Any:
    """Apply every operation to the first two groups of eight words; results follow them."""
    a, b = load(memory, U(0)), load(memory, U(8))
    word = memory[U(8)]
    total = a & b
    total |= a
    total ^= b
    total += a
    save(memory, U(16), total)
    save(memory, U(24), (a << U(3)) ^ (b >> U(5)))
    save(memory, U(32), (a * b) + (~a - word))
    save(memory, U(40), winning_squares_of(a))
    save(memory, U(48), popcounts(a))
    save(memory, U(56), swapped(a))
    save(memory, U(64), smaller(a, b))
    save(memory, U(72), larger(a, word))
    save(memory, U(80), chosen(below(a, b), a, U(7)))
    save(memory, U(88), spread(word))
    save(memory, U(96), everywhere(word))
    save(memory, U(104), full(bits(below(b, a))))
    memory[U(112)], memory[U(113)] = smallest(a), largest(a)


def test_each_lane_is_like_a_word() -> None:
    """All operations on random words agree with those of plain integers, lane by lane."""
    words = [int(word) for word in np.random.default_rng(4).integers(0, 2**64, 16, np.uint64)]
    memory = np.array(words + [0] * 100, np.uint64)
    all_operations(memory)
    found = [int(word) for word in memory]
    mask, word = 2**64 - 1, words[8]
    for lane in range(8):
        a, b = words[lane], words[lane + 8]
        expected = [
            (((a & b) | a) ^ b) + a,
            (a << 3 & mask) ^ (b >> 5),
            a * b + (~a - word),
            int(winning_squares(U(a))),
            a.bit_count(),
            int.from_bytes(a.to_bytes(8, "little"), "big"),
            min(a, b),
            max(a, word),
            a if a < b else 7,
            word & (0xFF << (8 * lane)),
            word,
            mask if b < a else 0,
        ]
        assert found[16 + lane : 112 : 8] == [each & mask for each in expected]
    assert found[112:114] == [min(words[:8]), max(words[:8])]
