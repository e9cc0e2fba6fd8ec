"""The bits of an integer as a set of small numbers, and those of a float; compiled, one instruction each."""

from __future__ import annotations

import struct
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


def bits_of(number: float) -> int:
    """Return the 64 bits of a float as a signed integer."""
    return int(struct.unpack("<q", struct.pack("<d", number))[0])


def float_of(bits: int) -> float:
    """Return the float that has these 64 bits, as a signed integer."""
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])


@type_callable(bits_of)
def _type_of_bits(context: Any) -> Any:
    return lambda number: types.int64 if isinstance(number, types.Float) else None


@type_callable(float_of)
def _type_of_float(context: Any) -> Any:
    return lambda bits: types.float64 if isinstance(bits, types.Integer) else None


@lower_builtin(bits_of, types.float64)
def _lower_bits_of(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.bitcast(args[0], ir.IntType(64))


@lower_builtin(float_of, types.Integer)
def _lower_float_of(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.bitcast(context.cast(builder, args[0], signature.args[0], types.int64), ir.DoubleType())


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
