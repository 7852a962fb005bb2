"""Eight words at once: a type for compiled code whose operators work on all of them.

LLVM translates the operations into the processor's vector instructions, as wide as it has, so code
written with these types runs everywhere. Where a function only combines words, the same Python
source can be compiled for words and for `lanes`.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.datamodel.models import PrimitiveModel
from numba.core.datamodel.registry import register_default
from numba.core.typing.templates import AbstractTemplate, Signature, infer_global, signature
from numba.extending import intrinsic, lower_builtin

from engine.core.compiled.compiling import njit

COUNT = 8

LANES: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "_nrt": False,
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""Options of functions that take or return lanes: they cannot be called from Python."""

WORD, SMALL = ir.IntType(64), ir.IntType(32)
VECTOR, MASK = ir.VectorType(WORD, COUNT), ir.VectorType(ir.IntType(1), COUNT)


class Lanes(types.Type):
    """Eight 64-bit words, one for each column of a board."""


lanes = Lanes("lanes")
"""Eight words, in signatures."""


@register_default(Lanes)
class _Model(PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)  # type: ignore[no-untyped-call]


def _whole(builder: Any, word: Any) -> Any:
    """A word in every lane."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), word, SMALL(0))
    order = ir.Constant(ir.VectorType(SMALL, COUNT), [SMALL(0)] * COUNT)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), order)


def _as_lanes(builder: Any, kind: Any, value: Any) -> Any:
    return value if kind == lanes else _whole(builder, value)


def _pair(builder: Any, kinds: Any, values: Any) -> Any:
    """Yield arguments, mostly two, as lanes: each may be a word."""
    return (_as_lanes(builder, kind, value) for kind, value in zip(kinds, values, strict=True))


class _Binary(AbstractTemplate):
    def generic(self, args: Any, _keywords: Any) -> Any:
        known = lanes in args and all(kind in (lanes, types.uint64) for kind in args)
        return signature(lanes, *args) if known else None


class _Invert(AbstractTemplate):
    key = operator.invert

    def generic(self, args: Any, _keywords: Any) -> Any:
        return signature(lanes, lanes) if args == (lanes,) else None


infer_global(operator.invert)(_Invert)


def _invert(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    return builder.not_(args[0])


lower_builtin(operator.invert, lanes)(_invert)


def _define(operation: Any, instruction: str) -> None:
    """Define a binary operator for lanes, also between lanes and a word."""

    def code(_context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*_pair(builder, signature.args, args))

    template = type(f"_Lanes_{operation.__name__}", (_Binary,), {"key": operation})
    infer_global(operation)(template)
    for kinds in ((lanes, lanes), (lanes, types.uint64), (types.uint64, lanes)):
        lower_builtin(operation, *kinds)(code)


for _operation, _instruction in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.lshift, "shl"),
    (operator.rshift, "lshr"),
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.mul, "mul"),
    (operator.iand, "and_"),
    (operator.ior, "or_"),
    (operator.ixor, "xor"),
    (operator.iadd, "add"),
):
    _define(_operation, _instruction)


def _llvm(name: str, arguments: int = 1, result: Any = lanes) -> Any:
    """A function that only calls one of LLVM's; of two arguments, either may be a word."""

    def code(_context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(VECTOR if result == lanes else WORD, [VECTOR] * arguments)
        function = get_or_insert_function(builder.module, kind, name)
        return builder.call(function, list(_pair(builder, signature.args, args)))

    @intrinsic
    def of_one(_context: Any, value: Any) -> tuple[Signature, Any]:
        return result(value), code

    @intrinsic
    def of_two(_context: Any, left: Any, right: Any) -> tuple[Signature, Any]:
        return result(left, right), code

    return of_one if arguments == 1 else of_two


def for_lanes(function: Any, arguments: int = 1) -> Any:
    """Compile a function of words again, for lanes: it may only combine words by operators."""
    return njit(lanes(*[lanes] * arguments), **LANES)(function.py_func)


def _are_set(builder: Any, value: Any) -> Any:
    return builder.icmp_unsigned("!=", value, ir.Constant(VECTOR, None))


@intrinsic
def _spread(_context: Any, word: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        columns = ir.Constant(VECTOR, [WORD(0xFF << 8 * lane) for lane in range(COUNT)])
        return builder.and_(_whole(builder, args[0]), columns)

    return lanes(types.uint64), code


spread: Any = _spread
"""Put each column (byte) of a word into its own lane, at the same place in the word."""


@intrinsic
def _everywhere(_context: Any, word: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return _whole(builder, args[0])

    return lanes(types.uint64), code


everywhere: Any = _everywhere
"""Put a word into every lane."""


@intrinsic
def _chosen(_context: Any, which: Any, yes: Any, no: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pair = _pair(builder, signature.args[1:], args[1:])
        return builder.select(_are_set(builder, args[0]), *pair)

    return lanes(lanes, yes, no), code


chosen: Any = _chosen
"""Take each lane from `yes` where `which` is not 0, otherwise from `no`."""


@intrinsic
def _bits(_context: Any, value: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        byte = builder.bitcast(_are_set(builder, args[0]), ir.IntType(8))
        return builder.zext(byte, WORD)

    return types.uint64(lanes), code


bits: Any = _bits
"""A word with one bit for each lane: 1 if the lane is not 0."""


@intrinsic
def _full(_context: Any, value: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        mask = builder.bitcast(builder.trunc(args[0], ir.IntType(8)), MASK)
        return builder.sext(mask, VECTOR)

    return lanes(types.uint64), code


full: Any = _full
"""Fill the lanes whose bit is set with ones, the others with zeros: the opposite of `bits`."""

popcounts: Any = _llvm("llvm.ctpop.v8i64")
"""The number of set bits of each lane."""

swapped: Any = _llvm("llvm.bswap.v8i64")
"""Each lane with its eight bytes in the opposite order."""

smaller: Any = _llvm("llvm.umin.v8i64", 2)
"""The smaller word of each lane, both without a sign."""

larger: Any = _llvm("llvm.umax.v8i64", 2)
"""The larger word of each lane, both without a sign."""

smallest: Any = _llvm("llvm.vector.reduce.umin.v8i64", result=types.uint64)
"""The smallest of the eight words, without signs."""

largest: Any = _llvm("llvm.vector.reduce.umax.v8i64", result=types.uint64)
"""The largest of the eight words, without signs."""


@intrinsic
def _below(_context: Any, left: Any, right: Any) -> tuple[Signature, Any]:
    def code(_context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pair = _pair(builder, signature.args, args)
        return builder.sext(builder.icmp_unsigned("<", *pair), VECTOR)

    return lanes(left, right), code


below: Any = _below
"""Ones in each lane in which `left` is less than `right`, both without a sign; zeros elsewhere."""


def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), VECTOR.as_pointer())


@intrinsic
def _load(_context: Any, array: Any, index: Any) -> tuple[Signature, Any]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *args), align=8)

    return lanes(array, types.uint64), code


load: Any = _load
"""Load eight consecutive words of an array."""


@intrinsic
def _save(_context: Any, array: Any, index: Any, value: Any) -> tuple[Signature, Any]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *args[:2])
        builder.store(args[2], place, align=8)
        return context.get_dummy_value()

    return types.void(array, types.uint64, lanes), code


save: Any = _save
"""Write eight consecutive words to an array."""
