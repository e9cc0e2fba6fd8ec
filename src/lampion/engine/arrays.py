"""Arrays and records: NumPy's, or where there is no NumPy the small part of it that the words need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lampion.engine.target import COMPILES

if TYPE_CHECKING or COMPILES:
    import numpy as np
else:
    from lampion.engine import plain_arrays as np

__all__ = ["layout_of", "lock", "np", "record_type"]


def record_type(fields: Sequence[tuple[Any, ...]]) -> Any:
    """Return the type of a record with these fields: a name, a kind of number such as "i8", the lengths of an array.

    Fields lie one after another, each where a C compiler would put it.
    """
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def lock(array: Any) -> None:
    """Let nobody write into an array; where there is no NumPy, nobody has a reason to."""
    if COMPILES:
        array.flags.writeable = False


def layout_of(dtype: Any) -> dict[str, tuple[str, int, int, tuple[int, ...]]]:
    """Return by field of a record type the letter of its numbers, the size of one, where it lies, and its lengths."""
    found = {}
    for name in dtype.names:
        kind, offset = dtype.fields[name][:2]
        found[name] = (kind.base.char, kind.base.itemsize, offset, kind.shape)
    return found
