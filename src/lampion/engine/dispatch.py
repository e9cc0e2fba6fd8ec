"""Functions that find the game by the type of the state they are given.

Algorithms that serve every game (playing at random, search, simulation) call a rule function, and Numba resolves it to
the function of the one game while it infers types, without a stub. Interpreted, it is looked up by the state's dtype.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from lampion.engine.target import COMPILES

if COMPILES:
    from lampion.engine import lowering

_rules: dict[Any, Sequence[ModuleType]] = {}
_types: dict[int, tuple[Any, Any]] = {}


def register(name: str, state: Any, modules: Sequence[ModuleType]) -> None:
    """Let rule functions call those of `modules` for states of this dtype.

    Raise TypeError if the dtype has padding or another game has the same: no two games could be told apart.
    """
    if sum(state[field].itemsize for field in state.names or ()) != state.itemsize:
        raise TypeError(
            f"{name}: the state has padding, which NumPy does not copy: equal positions would differ. "
            "Put the wider fields first, and make one wider where the sizes still do not add up"
        )
    if _rules.setdefault(_type_of(state), modules) is not modules:
        raise TypeError(f"{name}: another game has a state of exactly these fields")


def find_rule(kind: Any, name: str, default: Any = None) -> Any:
    """Return the function `name` of the game whose state has this type, or the default."""
    for module in _rules[kind]:
        if hasattr(module, name):
            return getattr(module, name)
    return default


def _type_of(dtype: Any) -> Any:
    """Return the type by which a dtype is known: Numba's where there is one, which it is slow to make."""
    if not COMPILES:
        return dtype
    known = _types.get(id(dtype))
    if known is None:
        known = _types[id(dtype)] = (dtype, lowering.type_of(dtype))
    return known[1]


def rule_function(name: str, default: Any = None) -> Any:
    """Return a function that calls the one of that name in the rules of the state's game, or else the default.

    The state is its second argument.
    """

    def by_dtype(*args: Any) -> Any:
        return find_rule(_type_of(args[1].dtype), name, default)(*args)

    by_dtype.__name__ = name
    if COMPILES:
        lowering.lower_by_type(by_dtype, lambda kind: find_rule(kind, name, default))
    return by_dtype


def copy(target: Any, state: Any) -> None:
    """Make one position equal to another of the same game, in one memory copy."""
    for name in state.dtype.names:
        target[name] = state[name]


if COMPILES:
    lowering.lower_copy(copy)
