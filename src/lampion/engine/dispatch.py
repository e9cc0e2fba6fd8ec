"""Functions that find the game by the type of the state they are given.

Algorithms that serve every game (playing at random, search, simulation) call a rule function, and Numba resolves it to
the function of the one game while it infers types, without a stub. Interpreted, it is looked up by the state's dtype.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numba
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, type_callable

_rules: dict[Any, Sequence[ModuleType]] = {}
_types: dict[int, tuple[Any, Any]] = {}


def register(name: str, state: Any, modules: Sequence[ModuleType]) -> None:
    """Let rule functions call those of `modules` for states of this dtype.

    Raise TypeError if the dtype has padding or another game has the same: no two games could be told apart.
    """
    if sum(state[field].itemsize for field in state.names or ()) != state.itemsize:
        raise TypeError(f"{name}: the state has padding, which NumPy does not copy: equal positions would differ")
    if _rules.setdefault(numba.from_dtype(state), modules) is not modules:
        raise TypeError(f"{name}: another game has a state of exactly these fields")


def find_rule(kind: Any, name: str, default: Any = None) -> Any:
    """Return the function `name` of the game whose state has this Numba type, or the default."""
    for module in _rules[kind]:
        if hasattr(module, name):
            return getattr(module, name)
    return default


def _type_of(dtype: Any) -> Any:
    """Return Numba's type of a dtype: cached, since interpreted runs ask at every call and Numba is slow to make it."""
    known = _types.get(id(dtype))
    if known is None:
        known = _types[id(dtype)] = (dtype, numba.from_dtype(dtype))
    return known[1]


def rule_function(name: str, default: Any = None) -> Any:
    """Return a function that calls the one of that name in the rules of the state's game, or else the default.

    The state is its second argument.
    """

    def by_dtype(*args: Any) -> Any:
        return find_rule(_type_of(args[1].dtype), name, default)(*args)

    by_dtype.__name__ = name

    class ByType(AbstractTemplate):
        key = by_dtype

        def generic(self, args: Any, kws: Any) -> Any:
            rule = self.context.resolve_value_type(find_rule(args[1], name, default))
            return rule.get_call_type(self.context, args, kws)

    infer_global(by_dtype, types.Function(ByType))

    @lower_builtin(by_dtype, types.VarArg(types.Any))
    def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rule = context.typing_context.resolve_value_type(find_rule(signature.args[1], name, default))
        return context.get_function(rule, signature)(builder, args)

    return by_dtype


def copy(target: Any, state: Any) -> None:
    """Make one position equal to another of the same game, in one memory copy."""
    for name in state.dtype.names:
        target[name] = state[name]


@type_callable(copy)
def _type_copy(context: Any) -> Any:
    def result(target: Any, state: Any) -> Any:
        return types.none if isinstance(target, types.Record) and target == state else None

    return result


@lower_builtin(copy, types.Record, types.Record)
def _lower_copy(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    size = context.get_constant(types.intp, signature.args[0].size)
    cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
    return context.get_dummy_value()
