"""The decorators of compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lampion.engine.arrays import np
from lampion.engine.target import COMPILES

if COMPILES:
    from numba.core import config

    from lampion.engine import lowering as lowering  # what compiled code may call is known before any is compiled
    from lampion.engine.linking import EntryPoint
else:
    from lampion.engine.module import through_module

F = TypeVar("F", bound=Callable[..., Any])


def is_interpreted() -> bool:
    """Return whether rules run as plain Python: Numba is switched off (NUMBA_DISABLE_JIT), or there is none."""
    return not COMPILES or bool(getattr(config, "DISABLE_JIT", False))


def compiled(function: F, inline: bool = False) -> F:
    """Compile on first use and keep the result on disk; without a JIT it stays the plain function.

    It has no reference counts, which would cost more than the rules: compiled code is given its arrays and makes none.
    Called from Python it is an entry point, called from compiled code a fragment (see `linking`).
    """
    if is_interpreted():
        return function
    options = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}
    entry: Any = EntryPoint(function, targetoptions={**options, "_nrt": False, "forceinline": inline})
    return entry


def entry(function: F) -> F:
    """As `compiled`, for what Python calls while games are played: exported to a game's WebAssembly module.

    Its first argument is an array of boxes, or a workspace that has one. Annotations tell whole numbers from floats.
    """
    return compiled(function) if COMPILES else through_module(function)


def inlined(function: F) -> F:
    """As `compiled`, copied into its callers: for what every move goes through. It makes games a third faster."""
    return compiled(function, inline=True)


def wrapping(function: F) -> F:
    """As `compiled`, for arithmetic that wraps around at 64 bits: interpreted runs do so without a warning."""
    if not COMPILES or not is_interpreted():
        return compiled(function)

    def interpreted(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return interpreted  # type: ignore[return-value]
