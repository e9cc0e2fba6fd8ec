"""Arrays and records: NumPy's, or where there is no NumPy the small part of it that playing a game needs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lampion.engine.target import COMPILES

if TYPE_CHECKING or COMPILES:
    import numpy as np
else:
    from lampion.engine import plain_arrays as np

__all__ = ["from_halves", "layout_of", "lock", "np", "record_type", "whole_steps"]


def record_type(fields: Sequence[tuple[Any, ...]]) -> Any:
    """Return the type of a record with these fields: a name, a kind of number such as "i8", the lengths of an array.

    Fields lie one after another, each where a C compiler would put it.
    """
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def lock(array: Any) -> None:
    """Make an array read-only; do nothing where there is no NumPy."""
    if COMPILES:
        array.flags.writeable = False


def layout_of(dtype: Any) -> dict[str, tuple[str, int, int, tuple[int, ...]]]:
    """Return by field of a record type the letter of its numbers, the size of one, where it lies, and its lengths."""
    found = {}
    for name in dtype.names:
        kind, offset = dtype.fields[name][:2]
        found[name] = (kind.base.char, kind.base.itemsize, offset, kind.shape)
    return found


def from_halves(data: bytes) -> Any:
    """Return the half-precision numbers in some bytes, little-endian, as float32; raise ValueError for an odd size."""
    if COMPILES:
        return np.frombuffer(data, dtype="<f2").astype(np.float32)
    if len(data) % 2:
        raise ValueError("half a number")
    return np.array(struct.unpack(f"<{len(data) // 2}e", data), dtype=np.float32)


def whole_steps(numbers: Any, steps: int) -> Any:
    """Return numbers rounded to multiples of 1 / `steps`, a power of two, as 32-bit whole multiples."""
    if COMPILES:
        return np.rint(numbers * np.float32(steps)).astype(np.int32)
    made = np.zeros(numbers.shape, dtype=np.int32)
    for i, number in enumerate(numbers.flat):
        made.flat[i] = round(number * steps)
    return made
