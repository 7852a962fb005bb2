"""What the solver remembers: bounds of positions, by keys that are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from engine.kernels.bits import INLINED, ONE, Int, U, popcount
from engine.kernels.solver_memory import BUCKETS, COLUMNS, RULES, TABLE, Words
from engine.kernels.solver_rules import Rule

MIRROR = U(int(Rule.MIRROR))
MIX1, MIX2, MIX3 = U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F), U(0xD6E8FEB86659FD93)
S32, TWO, THREE, FOUR = U(32), U(2), U(3), U(4)
ZERO = U(0)
OFFSET = 64
"""Added to bounds so that they are positive: no score is beyond 32."""
LOW7 = U(127)
S7, S14, S20 = U(7), U(14), U(20)
NO_MOVE = 8
MIRROR_STONES = 22
"""With more stones on the board, a mirror image is hardly ever met again."""


@intrinsic
def _swap(_context: Any, word: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        module = builder.module
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)])
        return builder.call(module.declare_intrinsic("llvm.bswap", [ir.IntType(64)], kind), args)

    return types.uint64(types.uint64), code


swap: Any = _swap
"""A word with its eight bytes, the columns, in the opposite order; for compiled code only."""


@intrinsic
def _prefetch(_context: Any, array: Any, index: Any) -> tuple[Signature, Any]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        number, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        address = builder.bitcast(builder.gep(data, [args[1]]), byte)
        # To be read, kept in all levels of cache, data.
        builder.call(fetch, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), code


prefetch: Any = _prefetch
"""Ask for the cache line of an array's element ahead of its use; for compiled code only."""


@njit("uint64(uint64, uint64, uint64)", **INLINED)
def mixed(own: np.uint64, opp: np.uint64, occupied: np.uint64) -> np.uint64:
    """A hash of three words."""
    found = (own * MIX1) ^ ((opp + ONE) * MIX2) ^ (occupied * MIX3)
    found ^= found >> S32
    found *= MIX1
    return found ^ (found >> S32)


A, B, C, BUCKET, TURNED = (U(n) for n in range(5))
"""A key as it stands in memory: three words that name the position, its bucket, and 1 if it is the
key of the mirror image."""


@njit("void(uint64, uint64, uint64, uint64, uint64[::1])", **INLINED)
def write_key(
    own: np.uint64, opp: np.uint64, occupied: np.uint64, at: np.uint64, memory: Words
) -> None:
    """Write the key of a position at `at` and fetch its bucket.

    `own` and `opp` hold the stones that matter. Positions with the same key are worth the same:
    see `in_fours` for what leaving out dead stones keeps; a mirror image plays as its original.
    """
    hashed = mixed(own, opp, occupied)
    turned = ZERO
    if memory[RULES] & MIRROR and popcount(occupied) <= MIRROR_STONES:
        shift = U(64) - (memory[COLUMNS] << THREE)
        own2, opp2, occupied2 = swap(own) >> shift, swap(opp) >> shift, swap(occupied) >> shift
        hashed2 = mixed(own2, opp2, occupied2)
        if hashed2 < hashed:
            own, opp, occupied, hashed, turned = own2, opp2, occupied2, hashed2, ONE
    bucket = memory[TABLE] + ((((hashed >> S32) * memory[BUCKETS]) >> S32) << THREE)
    prefetch(memory, bucket)
    memory[at + A], memory[at + B], memory[at + C] = own, opp, occupied
    memory[at + BUCKET], memory[at + TURNED] = bucket, turned


@njit("uint64(uint64, uint64[::1])", **INLINED)
def find(key: np.uint64, memory: Words) -> Int:
    """What is known about the position whose key stands at `key`; 0 for nothing.

    From below: the lower bound (7 bits), the upper bound (7), the best move's column (6) and the
    work that went into it (a logarithm).
    """
    own, opp, occupied = memory[key + A], memory[key + B], memory[key + C]
    at = memory[key + BUCKET]
    if memory[at + TWO] == occupied and memory[at] == own and memory[at + ONE] == opp:
        return memory[at + THREE]
    at += FOUR
    if memory[at + TWO] == occupied and memory[at] == own and memory[at + ONE] == opp:
        return memory[at + THREE]
    return ZERO


@njit("void(uint64, int64, int64, int64, int64, uint64[::1])", **INLINED)
def keep(key: np.uint64, lower: Int, upper: Int, column: Int, work: Int, memory: Words) -> None:
    """Remember bounds, in place of the entry of the bucket that less work went into.

    Bounds of the same position are joined.
    """
    own, opp, occupied = memory[key + A], memory[key + B], memory[key + C]
    at = memory[key + BUCKET]
    if column != NO_MOVE and memory[key + TURNED]:
        column = np.int64(memory[COLUMNS]) - 1 - column
    known = ZERO
    other = at + FOUR
    if memory[at + TWO] == occupied and memory[at] == own and memory[at + ONE] == opp:
        known = memory[at + THREE]
    elif memory[other + TWO] == occupied and memory[other] == own and memory[other + ONE] == opp:
        at = other
        known = memory[at + THREE]
    elif (memory[other + THREE] >> S20) <= (memory[at + THREE] >> S20):
        at = other
    if known != ZERO:
        lower = max(lower, np.int64(known & LOW7) - OFFSET)
        upper = min(upper, np.int64((known >> S7) & LOW7) - OFFSET)
        work = max(work, np.int64(known >> S20))
        if column == NO_MOVE:
            column = np.int64((known >> S14) & U(63))
    memory[at] = own
    memory[at + ONE] = opp
    memory[at + TWO] = occupied
    data = U(lower + OFFSET) | (U(upper + OFFSET) << S7) | (U(column) << S14)
    memory[at + THREE] = data | (U(work) << S20)
