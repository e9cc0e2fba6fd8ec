"""What Numba has to know of functions that are more than their Python text: bits, copies, and the rules of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, type_callable

from lampion.engine.bits import bits_of, float_of, lowest_bit, popcount

type_of = numba.from_dtype
"""Returns Numba's type of a dtype: equal for equal fields."""


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


def lower_by_type(function: Any, find: Callable[[Any], Any]) -> None:
    """Let compiled code that calls a function call the one that `find` returns for the type of its second argument."""

    class ByType(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            rule = self.context.resolve_value_type(find(args[1]))
            return rule.get_call_type(self.context, args, kws)

    infer_global(function, types.Function(ByType))

    @lower_builtin(function, types.VarArg(types.Any))
    def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rule = context.typing_context.resolve_value_type(find(signature.args[1]))
        return context.get_function(rule, signature)(builder, args)


def lower_copy(copy: Any) -> None:
    """Let compiled code copy one record to another of the same type in one piece."""

    @type_callable(copy)
    def type_copy(context: Any) -> Any:
        def result(target: Any, state: Any) -> Any:
            return types.none if isinstance(target, types.Record) and target == state else None

        return result

    @lower_builtin(copy, types.Record, types.Record)
    def lowered(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
        return context.get_dummy_value()
