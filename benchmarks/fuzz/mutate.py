"""Ways to spoil valid messages: as data, keeping their structure, and as text."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import msgspec

RAW = [
    "NaN", "-Infinity", "1e400", "-0", "-0.0", "1E+2", "0.1", "9" * 400, "-" + "9" * 4301, "9" * 6000, "0x10", "01",
    "tru",
    '"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\u202e"', '{"a":1,"a":2}', "[" * 600 + "]" * 600,
    '{"a":' * 600 + "1" + "}" * 600,
    "[" * 70, '"' + "x" * 3000 + '"', '"\\u00e9' * 2 + '"', "\ufeff", "1 2", "[,]", "{}", "[]", '""',
]  # fmt: skip
"""Written as they stand: among them what JSON allows and Python's data cannot say, and what is no JSON."""
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 7, 8, 9, 12, 35, 36, 64, 127, 128, 255, 256, 32767, 2**31 - 1, 2**31,
    -(2**31) - 1,
    2**40, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30, 0.5, 1.0, -1.5, 1e300, "", "0", "1", "chance", "spark",
    "en", "fr", "é", "\u0301", "\ufe0f", "\u2800", "👏", "{who}", "{0}", "%s", "\0", "\n", "x" * 300, "a" * 32, "A",
    "W*",
    "1@0,0/0", "pass", "first:0", [], {}, [[]], [None], [0, 0], {"": 0}, {"kind": "pass"}, {"kind": ""}, [1] * 50,
]  # fmt: skip
TOKENS = [
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r\n", b"\n",
    b"=",
    b".", b"#", b"'''", b'"""', b"[[", b"]]", b"1979-05-27T07:32:00Z", b"inf", b"nan", b"0x", b"1e9", b"-", b"9" * 50,
    b"%00",
    b"%ff", b"..", b"//", b"?", b"&", b"%", b"a." * 30, b"\xf0\x9f\x91\x8f", b"true", b"null", b" " * 40, b"{a=",
]  # fmt: skip
MARK = "@raw@"


def copied(data: Any) -> Any:
    """Return data of which nothing is shared."""
    return copy.deepcopy(data) if isinstance(data, dict | list) else data


class Mutator:
    """Spoils things by one stream of random numbers."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def chance(self, share: float) -> bool:
        """Return true in that share of cases."""
        return self.random.random() < share

    def pick(self, things: Any) -> Any:
        """Return one of a list."""
        return things[int(self.random.random() * len(things))]

    # Data

    def value(self, other: Any = None) -> Any:
        """Return something that is probably out of place."""
        if self.chance(0.12):
            return f"{MARK}{int(self.random.random() * len(RAW))}{MARK}"
        return copied(self.inside(other) if other is not None and self.chance(0.2) else self.pick(VALUES))

    def inside(self, data: Any) -> Any:
        """Return some part of data, however deep."""
        while isinstance(data, dict | list) and data and not self.chance(0.2):
            data = self.pick(list(data.values()) if isinstance(data, dict) else data)
        return data

    def data(self, encoded: bytes, other: Any = None, most: int = 4) -> Any:
        """Return data, given as JSON, with one to `most` entries spoilt."""
        data = msgspec.json.decode(encoded)
        for _ in range(1 + int(self.random.random() ** 3 * most)):
            if not isinstance(data, dict | list) or not data:
                break
            self._spoil(data, other)
        return data

    def _spoil(self, data: Any, other: Any) -> None:
        inside = data
        while True:
            keys = list(inside) if isinstance(inside, dict) else range(len(inside))
            name = self.pick(keys)
            below = inside[name]
            if not isinstance(below, dict | list) or not below or self.chance(0.25):
                break
            inside = below
        how = int(self.random.random() * 9)
        if how == 0:
            del inside[name]
        elif how == 1 and isinstance(inside, list):
            inside.insert(int(self.random.random() * (len(inside) + 1)), copied(below))
        elif how == 2:
            inside[name] = copied(self.inside(data))
        elif how == 3 and isinstance(inside, dict):
            inside[self.name(inside, other)] = inside.pop(name)
        elif how == 4 and isinstance(inside, dict):
            inside[self.name(inside, other)] = self.value(other)
        elif how in (5, 6):
            inside[name] = self.near(below)
        else:
            inside[name] = self.value(other)

    def name(self, inside: dict[str, Any], other: Any) -> str:
        """Return a key that may or may not be known."""
        if isinstance(other, dict) and other and self.chance(0.5):
            return str(self.pick(list(other)))
        return str(self.pick(["x", "", "do", "id", "seat", "seq", "kind", "name", "\0", "é", "\ud800", "__class__"]))

    def near(self, value: Any) -> Any:
        """Return something that could almost be the value."""
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + self.pick((-2, -1, 1, 2, 7, -value - 1))
        if isinstance(value, float):
            return -value
        if isinstance(value, str):
            at = int(self.random.random() * (len(value) + 1))
            return value[:at] + self.pick(("", "x", "0", "é", "\0", "W", value[-1:])) + value[at + self.pick((0, 1)) :]
        if isinstance(value, list):
            return value[::-1] if self.chance(0.5) else value + copied(value) if len(value) < 100 else value[1:]
        return self.value()

    @staticmethod
    def written(data: Any) -> bytes:
        """Return data as JSON, with the raw pieces in their places."""
        text = json.dumps(data)
        if MARK in text:
            for number, raw in enumerate(RAW):
                text = text.replace(f'"{MARK}{number}{MARK}"', raw)
        return text.encode("utf-8", "surrogatepass")

    # Text

    def text(self, data: bytes, other: bytes = b"", most: int = 4) -> bytes:
        """Return text with one to `most` places spoilt."""
        for _ in range(1 + int(self.random.random() ** 2 * most)):
            at = int(self.random.random() * (len(data) + 1))
            how = int(self.random.random() * 7)
            if how == 0:
                data = data[:at]
            elif how == 1:
                data = data[:at] + data[at + self.pick((1, 1, 2, 5, 30)) :]
            elif how == 2:
                data = data[:at] + bytes((int(self.random.random() * 256),)) + data[at + 1 :]
            elif how == 3:
                data = data[:at] + data[at : at + 40] + data[at:]
            elif how == 4 and other:
                data = data[:at] + other[int(self.random.random() * len(other)) :][:4000]
            else:
                data = data[:at] + self.pick(TOKENS) + data[at:]
        return data[:100_000]

    def message(self, encoded: bytes, other: bytes = b"{}") -> bytes:
        """Return a JSON message that was spoilt as data, as text, or not at all."""
        roll = self.random.random()
        if roll < 0.70:
            return self.written(self.data(encoded, msgspec.json.decode(other)))
        if roll < 0.93:
            return self.text(encoded, other)
        if roll < 0.97:
            return encoded
        return self.pick(RAW).encode("utf-8", "surrogatepass")
