"""The part of NumPy that played games need, in plain Python, for where there is none.

Arrays and records are views of bytes. Their layout is that of NumPy, so a WebAssembly module reads them by address.
Arrays are contiguous; in an index with several axes only the last one may be a slice.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import floor as floor
from math import prod
from math import sqrt as sqrt
from typing import Any

MASK = (1 << 64) - 1
integer = int
record = None
"""Marks a type of records, all of which can be read by attribute."""


class Kind:
    """A kind of number: its size in bytes, and the letter that memory views have for it."""

    names = None

    def __init__(self, name: str, char: Any, make: Any) -> None:
        self.name, self.char, self.make = name, char, make
        self.itemsize = int(name[1:])

    def __call__(self, value: Any) -> Any:
        """Return a number of this kind; it is not truncated to a narrow kind."""
        return self.make(value)

    def __repr__(self) -> str:
        return self.name


class Wrapping(int):
    """A whole number of 64 bits without a sign, whose arithmetic wraps around."""

    def __add__(self, other: int) -> Wrapping:
        return Wrapping(int(self) + int(other) & MASK)

    def __sub__(self, other: int) -> Wrapping:
        return Wrapping(int(self) - int(other) & MASK)

    def __mul__(self, other: int) -> Wrapping:
        return Wrapping(int(self) * int(other) & MASK)

    def __mod__(self, other: int) -> Wrapping:
        return Wrapping(int(self) % int(other))

    def __and__(self, other: int) -> Wrapping:
        return Wrapping(int(self) & int(other) & MASK)

    def __or__(self, other: int) -> Wrapping:
        return Wrapping((int(self) | int(other)) & MASK)

    def __xor__(self, other: int) -> Wrapping:
        return Wrapping((int(self) ^ int(other)) & MASK)

    def __lshift__(self, other: int) -> Wrapping:
        return Wrapping(int(self) << int(other) & MASK)

    def __rshift__(self, other: int) -> Wrapping:
        return Wrapping(int(self) >> int(other))

    __radd__, __rmul__, __rand__, __ror__, __rxor__ = __add__, __mul__, __and__, __or__, __xor__


int8, int16, int32, int64 = (Kind(f"i{size}", char, int) for size, char in ((1, "b"), (2, "h"), (4, "i"), (8, "q")))
uint8, uint16, uint32 = (Kind(f"u{size}", char, int) for size, char in ((1, "B"), (2, "H"), (4, "I")))
uint64 = Kind("u8", "Q", lambda value: Wrapping(int(value) & MASK))
float32, float64 = Kind("f4", "f", float), Kind("f8", "d", float)
KINDS = {
    kind.name: kind
    for kind in (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64)
}  # fmt: skip


class Run:
    """What a field holds: numbers of one kind, along some axes or none."""

    def __init__(self, base: Kind, shape: tuple[int, ...]) -> None:
        self.base, self.shape = base, shape
        self.itemsize = base.itemsize * prod(shape)


class Field:
    """A field of records, by which an array of it or its number is read and written."""

    def __init__(self, name: str, run: Run, offset: int) -> None:
        self.name, self.run, self.offset = name, run, offset

    def view_in(self, record: Record) -> Any:
        """Return the part of a record's memory that the field takes; made once a record."""
        found = record._views.get(self.name)
        if found is None:
            at, run = record._at + self.offset, self.run
            if run.shape:
                found = Array(record._memory, at, run.base, run.shape)
            else:
                found = record._memory.view[at : at + run.itemsize].cast(run.base.char)
            record._views[self.name] = found
        return found

    def __get__(self, record: Any, owner: Any = None) -> Any:
        found = self.view_in(record)
        return found if self.run.shape else found[0]

    def __set__(self, record: Any, value: Any) -> None:
        self.view_in(record)[slice(None) if self.run.shape else 0] = value


class Record:
    """One record, whose fields are its attributes and its items."""

    dtype: Layout

    def __init__(self, memory: Memory, at: int) -> None:
        self._memory, self._at = memory, at
        self._views: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def tobytes(self) -> bytes:
        """Return its bytes."""
        return bytes(self._memory.view[self._at : self._at + self.dtype.itemsize])

    def copy(self) -> Any:
        """Return an independent copy."""
        return type(self)(Memory(bytearray(self.tobytes())), 0)


class Layout:
    """A type of records: fields one after another, where `align` asks for it as a C compiler would put them."""

    def __init__(self, fields: Sequence[tuple[Any, ...]], align: bool = False) -> None:
        self.fields: dict[str, tuple[Run, int]] = {}
        """By name, what a field holds and where it lies."""
        at, widest = 0, 1
        for name, kind, *shape in fields:
            run = Run(dtype(kind), tuple(shape[0]) if shape else ())
            step = run.base.itemsize if align else 1
            at = -(-at // step) * step
            self.fields[name] = run, at
            at += run.itemsize
            widest = max(widest, step)
        self.itemsize = -(-at // widest) * widest
        read = {name: Field(name, *place) for name, place in self.fields.items()}
        self.record = type("Record", (Record,), {**read, "dtype": self})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its fields, in order."""
        return tuple(self.fields)

    def __getitem__(self, name: str) -> Run:
        return self.fields[name][0]


def dtype(kind: Any, align: bool = False) -> Any:
    """Return the Kind or the Layout for a NumPy description of a type."""
    if isinstance(kind, tuple):  # a type of records, and that they can be read by attribute
        return kind[1]
    if isinstance(kind, list):
        return Layout(kind, align)
    return KINDS[kind.lstrip("<")] if isinstance(kind, str) else kind


class Memory:
    """Bytes that arrays share."""

    def __init__(self, data: bytearray) -> None:
        self.data, self.view = data, memoryview(data)

    @cached_property
    def address(self) -> int:
        """Where the bytes are, for a module that lives in the same memory; they stay there."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self.data)) if self.data else 0

    def __reduce__(self) -> Any:
        return Memory, (self.data,)


class Array:
    """Numbers or records of one kind, along one axis or several."""

    __slots__ = ("at", "dtype", "flat", "memory", "shape", "step")

    def __init__(self, memory: Memory, at: int, kind: Any, shape: tuple[int, ...]) -> None:
        self.memory, self.at, self.dtype, self.shape = memory, at, kind, shape
        self.step = prod(shape[1:])
        raw = memory.view[at : at + self.nbytes]
        self.flat = raw if kind.names else raw.cast(kind.char)

    def __reduce__(self) -> Any:
        return _array_of, (self.memory, self.at, self.dtype, self.shape)

    @property
    def size(self) -> int:
        """The number of numbers or records in it."""
        return self.step * self.shape[0]

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return self.size * self.dtype.itemsize

    @property
    def ndim(self) -> int:
        """The number of its axes."""
        return len(self.shape)

    @property
    def address(self) -> int:
        """Where it is in memory."""
        return self.memory.address + self.at

    def __len__(self) -> int:
        return self.shape[0]

    def _part(self, start: int, shape: tuple[int, ...]) -> Array:
        return Array(self.memory, self.at + start * self.dtype.itemsize, self.dtype, shape)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            found = self
            for one in key[:-1]:
                found = found[_number(one)]
            return found[key[-1]]
        if isinstance(key, slice):
            start, stop = _bounds(key, self.shape[0])
            return self._part(start * self.step, (stop - start, *self.shape[1:]))
        if len(self.shape) > 1:
            i = self._place(key)
            return self._part(i * self.step, self.shape[1:])
        if self.dtype.names:
            return self.dtype.record(self.memory, self.at + self._place(key) * self.dtype.itemsize)
        return self.flat[key]

    def _place(self, key: int) -> int:
        length = self.shape[0]
        if not -length <= key < length:
            raise IndexError(key)
        return key % length

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, tuple):
            found = self
            for one in key[:-1]:
                found = found[_number(one)]
            found[key[-1]] = value
        elif isinstance(key, slice) or len(self.shape) > 1:
            self[key]._fill(value)
        elif self.dtype.names:
            at, size = self._place(key) * self.dtype.itemsize, self.dtype.itemsize
            self.flat[at : at + size] = value.tobytes()
        else:
            self.flat[key] = value

    def _fill(self, value: Any) -> None:
        """Write a number everywhere, or what another array or list of the same lengths holds."""
        if isinstance(value, Array):
            if value.shape != self.shape:
                raise ValueError(f"{value.shape} does not fit {self.shape}")
            self.memory.view[self.at : self.at + self.nbytes] = value.tobytes()
        elif isinstance(value, (list, tuple)):
            if len(value) != len(self):
                raise ValueError(f"{len(value)} does not fit {self.shape}")
            for i, one in enumerate(value):
                self[i] = one
        else:
            for i in range(self.size):
                self.flat[i] = value

    def __iter__(self) -> Iterator[Any]:
        if self.dtype.names or len(self.shape) > 1:
            return (self[i] for i in range(len(self)))
        return iter(self.flat.tolist())

    def __contains__(self, value: Any) -> bool:
        return value in self.tolist()

    def tolist(self) -> list[Any]:
        """Return its numbers as a list, of lists where it has several axes."""
        if len(self.shape) == 1:
            return list(self.flat.tolist())
        if not self.size:
            return [[] for _ in range(self.shape[0])]
        return list(self.flat.cast("B").cast(self.dtype.char, self.shape).tolist())

    def tobytes(self) -> bytes:
        """Return its bytes."""
        return bytes(self.memory.view[self.at : self.at + self.nbytes])

    def copy(self) -> Array:
        """Return an independent copy."""
        return Array(Memory(bytearray(self.tobytes())), 0, self.dtype, self.shape)

    def view(self, kind: Any) -> Array:
        """Return the same memory as another kind of the same size."""
        return Array(self.memory, self.at, kind, self.shape)

    def reshape(self, *shape: int) -> Array:
        """Return the same memory along other axes; -1 stands for what is left."""
        known = prod(length for length in shape if length >= 0)
        lengths = tuple(self.size // known if length < 0 else length for length in shape)
        if prod(lengths) != self.size:
            raise ValueError(f"{self.shape} cannot be {lengths}")
        return Array(self.memory, self.at, self.dtype, lengths)

    def sum(self) -> Any:
        """Return the sum of its numbers."""
        return sum(self.flat)

    def any(self) -> bool:
        """Return whether one of its numbers is not zero."""
        return any(self.flat)


def _array_of(memory: Memory, at: int, kind: Any, shape: tuple[int, ...]) -> Array:
    return Array(memory, at, kind, shape)


def _number(key: Any) -> int:
    if isinstance(key, slice):
        raise IndexError("a part that does not lie in one piece")
    return int(key)


def _bounds(key: slice, length: int) -> tuple[int, int]:
    start, stop, step = key.indices(length)
    if step != 1:
        raise IndexError("a part that does not lie in one piece")
    return start, max(start, stop)


def zeros(shape: int | tuple[int, ...], dtype: Any = float64) -> Array:
    """Return an array of zeros."""
    kind = _dtype(dtype)
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    return Array(Memory(bytearray(prod(lengths) * kind.itemsize)), 0, kind, lengths)


empty = zeros
_dtype = dtype


def array(values: Sequence[Any], dtype: Any) -> Array:
    """Return an array of the numbers or records in a sequence, along one axis."""
    made = zeros(len(values), dtype)
    if not made.dtype.names:
        made[:] = list(values)
        return made
    for one, fields in zip(made, values, strict=True):
        for name, value in zip(made.dtype.names, fields, strict=True):
            one[name] = value
    return made


def frombuffer(data: Any, dtype: Any) -> Array:
    """Return an array of the numbers in some bytes, a copy."""
    kind = _dtype(dtype)
    return Array(Memory(bytearray(data)), 0, kind, (len(data) // kind.itemsize,))
