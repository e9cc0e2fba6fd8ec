"""Sets of small numbers in the bits of one integer; compiled, each function is one instruction of the processor."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import lower_builtin, type_callable


def popcount(bits: int) -> int:
    """Return how many of the lower 64 bits are set."""
    return (int(bits) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def lowest_bit(bits: int) -> int:
    """Return the number of the lowest set bit; `bits` is not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


@type_callable(popcount)
@type_callable(lowest_bit)
def _type_of_integer(context: Any) -> Any:
    def result(bits: Any) -> Any:
        return types.int64 if isinstance(bits, types.Integer) else None

    return result


@lower_builtin(popcount, types.Integer)
def _lower_popcount(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.ctpop(context.cast(builder, args[0], signature.args[0], types.int64))


@lower_builtin(lowest_bit, types.Integer)
def _lower_lowest_bit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    wide = context.cast(builder, args[0], signature.args[0], types.int64)
    return builder.cttz(wide, ir.Constant(ir.IntType(1), 1))
