"""Read the fields of a record from its bytes, as plain numbers and lists.

A view reads many fields of one position, and to look one up in a record of NumPy takes long. Here a field is decoded
once, when it is first asked for, and only then.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any

from lampion.engine.arrays import layout_of


class _Field:
    """A field of records of one type, replaced in each reader by its value when that is first asked for."""

    def __init__(self, name: str, letter: Any, size: int, offset: int, shape: tuple[int, ...]) -> None:
        self.name, self.letter, self.shape = name, letter, shape
        self.part = slice(offset, offset + size * prod(shape))

    def __get__(self, fields: Any, owner: Any) -> Any:
        value = fields.__dict__[self.name] = self._read(fields.data[self.part])
        return value

    def _read(self, data: bytes) -> Any:
        if self.letter == "B" and len(self.shape) == 1:
            return data  # as good as a list, and searched faster
        numbers = memoryview(data).cast(self.letter, self.shape) if self.shape else memoryview(data).cast(self.letter)
        return numbers.tolist() if self.shape else numbers[0]


class Fields:
    """The fields of one record by name; arrays are lists, of lists where they have several axes, or bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data


@cache
def _reader(dtype: Any) -> type[Fields]:
    """Return the class of readers for records of a type."""
    fields = {name: _Field(name, *place) for name, place in layout_of(dtype).items()}
    return type("Fields", (Fields,), fields)


_boxes: dict[int, tuple[Any, Fields]] = {}
MOST_BOXES = 64


def box_fields(box: Any) -> Any:
    """Return the fields of a box, which never changes: those of the last few are kept."""
    known = _boxes.get(id(box))
    if known is None:
        if len(_boxes) >= MOST_BOXES:
            _boxes.pop(next(iter(_boxes)), None)
        known = _boxes[id(box)] = box, fields_of(box)
    return known[1]


def fields_of(record: Any) -> Any:
    """Return the fields of a record as they are now."""
    return _reader(record.dtype)(record.tobytes())
