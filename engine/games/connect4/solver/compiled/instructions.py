"""Instructions for the solver's table that Numba does not offer; for compiled code only.

Two threads can share a table without waiting for each other. Each bucket has a version: a thread
that writes makes it odd by a compare-and-swap, so there is one writer at a time, and even again
when everything is written. A thread that reads takes the version before and after: if it was even
and is unchanged, no write came between, and the data are consistent.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import Signature
from numba.extending import intrinsic


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(data, [index])


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
def _version(_context: Any, array: Any, index: Any) -> tuple[Signature, Any]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _address(context, builder, signature.args[0], *args)
        return builder.load_atomic(place, "acquire", 8)

    return types.uint64(array, types.uint64), code


version: Any = _version
"""A bucket's version, before the rest of it is read."""


@intrinsic
def _version_after(_context: Any, array: Any, index: Any) -> tuple[Signature, Any]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _address(context, builder, signature.args[0], *args)
        builder.fence("acquire")
        return builder.load_atomic(place, "monotonic", 8)

    return types.uint64(array, types.uint64), code


version_after: Any = _version_after
"""A bucket's version, after the rest of it has been read."""


@intrinsic
def _claim(_context: Any, array: Any, index: Any, seen: Any) -> tuple[Signature, Any]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _address(context, builder, signature.args[0], *args[:2])
        odd = builder.add(args[2], ir.Constant(ir.IntType(64), 1))
        found = builder.cmpxchg(place, args[2], odd, "acq_rel", "monotonic")
        # Later writes must not become visible before the odd version.
        builder.fence("release")
        return builder.extract_value(found, 1)

    return types.boolean(array, types.uint64, types.uint64), code


claim: Any = _claim
"""Make an even version odd; False if another thread was faster."""


@intrinsic
def _release(_context: Any, array: Any, index: Any, value: Any) -> tuple[Signature, Any]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _address(context, builder, signature.args[0], *args[:2])
        builder.store_atomic(args[2], place, "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.uint64, types.uint64), code


release: Any = _release
"""Write the next even version after all other writes."""
