"""Machine words, and instructions that Numba does not offer.

A board of any size is one 64-bit word with eight bits per column (see
`engine.games.connect4.rules` for the drawing). One layout serves every size, so one compiled kernel
does. A column of eight rows leaves no spare bit between columns: a shift that moves stones up or
down first masks the rows that would run over into the next column.

Every constant is a `uint64`: Numba turns a word mixed with a Python int into a signed or a
floating-point number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from engine.core.compiled.compiling import njit

PLAIN: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}
"""Options of most kernels: no reference counting for array arguments. The Python caller
holds those anyway, and counting costs two atomic instructions per call."""

INLINED: dict[str, Any] = {**PLAIN, "forceinline": True}
"""The same for functions that are inlined, which keeps words in registers between the steps."""

U = np.uint64

Int = Any
"""A signed machine word in compiled code, where Python and NumPy integers are the same."""

ONE = U(1)

EVERY_COLUMN = 0x0101010101010101
"""The bottom square of all eight columns."""

UP1, UP2, UP3 = (U(EVERY_COLUMN * rows) for rows in (0x7F, 0x3F, 0x1F))
"""Rows whose stones can still move up by one, two, three."""

DOWN1, DOWN2, DOWN3 = (U(EVERY_COLUMN * rows) for rows in (0xFE, 0xFC, 0xF8))
"""Rows whose stones can still move down by one, two, three."""

EVEN_HEIGHTS = U(EVERY_COLUMN * 0x55)
"""Heights 0, 2, 4, 6: the rows that people count as 1, 3, 5, 7."""

S1, S2, S3, S7, S8, S9, S14, S16, S18, S21, S24, S27 = (
    U(n) for n in (1, 2, 3, 7, 8, 9, 14, 16, 18, 21, 24, 27)
)


@intrinsic
def _popcount(_context: Any, word: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


@intrinsic
def _lowest(_context: Any, word: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


@intrinsic
def _highest(_context: Any, word: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        above = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.xor(above, ir.Constant(ir.IntType(64), 63))

    return types.int64(types.uint64), code


@intrinsic
def _prefetch(_context: Any, array: Any, index: Any) -> tuple[Signature, Any]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        number, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        address = builder.bitcast(builder.gep(data, [args[1]]), byte)
        # A read, kept in all levels of cache, data.
        builder.call(fetch, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), code


popcount: Callable[[Any], Any] = cast("Any", _popcount)
"""The number of set bits of a word, as an int64 (LLVM's `ctpop`); for compiled code only."""

lowest: Callable[[Any], Any] = cast("Any", _lowest)
"""The number of the lowest set bit of a word that is not 0, as an int64 (LLVM's `cttz`)."""

highest: Callable[[Any], Any] = cast("Any", _highest)
"""The number of the highest set bit of a word that is not 0, as an int64 (LLVM's `ctlz`)."""

prefetch: Any = _prefetch
"""Prefetch the cache line of an array's element; for compiled code only."""


@njit("uint64(uint64)", **INLINED, inline="never")
def winning_squares(stones: np.uint64) -> np.uint64:
    """The squares that would give `stones` a line of four, even if occupied or off the board.

    Across and along both diagonals a square counts when the three other squares of a four through
    it hold stones: three on one side, or two on one side and one on the other. In a column only
    the square on top of three counts: stones fall, so there are no gaps below.
    """
    found = (stones << S1) & (stones << S2) & (stones << S3) & DOWN3

    # `third`: stones two squares from another. With one beside it, that is three of a four.
    third = stones & ((stones << S16) | (stones >> S16))
    found |= (third & (stones << S8)) << S8
    found |= (third & (stones >> S8)) >> S8

    third = stones & (((stones & UP2) << S18) | ((stones & DOWN2) >> S18))
    found |= (third & ((stones & UP1) << S9) & UP1) << S9
    found |= (third & ((stones & DOWN1) >> S9) & DOWN1) >> S9

    third = stones & (((stones & DOWN2) << S14) | ((stones & UP2) >> S14))
    found |= (third & ((stones & DOWN1) << S7) & DOWN1) << S7
    return found | ((third & ((stones & UP1) >> S7) & UP1) >> S7)


@njit("uint64(uint64)", **INLINED)
def fours(stones: np.uint64) -> np.uint64:
    """A square of each four in line that `stones` hold."""
    pair = stones & ((stones & DOWN1) >> S1)
    found = pair & ((pair & DOWN2) >> S2)
    pair = stones & (stones >> S8)
    found |= pair & (pair >> S16)
    pair = stones & ((stones & DOWN1) >> S9)
    found |= pair & ((pair & DOWN2) >> S18)
    pair = stones & ((stones & UP1) >> S7)
    return found | (pair & ((pair & UP2) >> S14))


@njit("boolean(uint64)", **INLINED)
def has_four(stones: np.uint64) -> bool:
    """Whether `stones` hold four in line."""
    return bool(fours(stones))


@njit("uint64(uint64, uint64, uint64)", **INLINED)
def landing(occupied: np.uint64, bottom: np.uint64, board: np.uint64) -> np.uint64:
    """The squares a stone can be dropped on: the lowest empty one of each open column."""
    return ((occupied << S1) | bottom) & ~occupied & board


def board_word(rows: int, columns: int) -> int:
    """All squares of a board of this size, as a word."""
    return sum(((1 << rows) - 1) << (8 * column) for column in range(columns))


def bottom_word(columns: int) -> int:
    """The bottom row of a board with this many columns, as a word."""
    return sum(1 << (8 * column) for column in range(columns))
