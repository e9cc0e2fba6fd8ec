"""Bounds on input from outside: checked before it is processed, so that no input costs more than its size.

A text is measured first, then scanned or decoded once, then its values are counted. All raise `OutOfBounds`, whose
reason names the place and the bound; whoever reads a certain kind of file raises it again as a problem of its own.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lampion.locale import Problem

MOST_RECORD = 512 * 1024
"""Bytes of a record: ten times the longest game of ours."""
MOST_EDITION = 64 * 1024
"""Bytes of an edition, as TOML or as JSON: ten times our largest."""
MOST_MOVES = 20_000
"""Moves of a record, and with them its milliseconds and epochs."""
MOST_NOTE = 400
"""Characters of a note about a moment of a game."""
MOST_NOTES = 400
"""Notes in a record."""
MOST_NOTES_BYTES = 64 * 1024
"""Bytes of all notes that players write at one table, so that its record stays one."""
MOST_NAME = 80
"""Characters of a seat's name in a record; tables allow fewer."""
MOST_LEVEL = 1000
"""Characters of a bot's level in a record, which may be the command of a program."""
MOST_WORD = 40
"""Characters of the name of a game, of a version and of a date."""
MOST_HEX = 64
"""Hexadecimal digits of a hash, a promise, a secret and a nonce."""
MOST_FIELDS = 16
"""Fields of a move, and options of a game."""
MOST_NUMBER = 1 << 40
"""A count or a time in milliseconds."""
MOST_DIGITS = 100
"""Digits of a number, before it is asked whether it is one that fits."""
MOST_NESTING = 100
"""Brackets open at once in JSON, before it is decoded; then `Bounds.depth` says how deep its kind may be."""
TOML_LINE = 1000
"""Characters of a line of TOML."""
TOML_PARTS = 8
"""Parts of a dotted key of TOML: its reader takes time and memory by their square."""
TOML_WORD = 64
"""Characters of a key or a number of TOML that is not in quotes."""

VISIBLE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]*(?![\s\S])"
"""What a name may be made of: nothing that controls a terminal, turns the text around or is no letter in XML."""


_VISIBLE = re.compile(VISIBLE)
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.?)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)
"""A string of JSON, also one that never ends: looked at once, whatever is in it."""


class Bounds(NamedTuple):
    """How large data may be: nesting, entries of a list, names of an object, characters of a text, values in all;
    and whether its texts may be shown to people, and must be VISIBLE."""

    depth: int
    items: int
    keys: int
    text: int
    values: int
    shown: bool = True


EDITION = Bounds(depth=8, items=500, keys=100, text=200, values=5_000)
RECORD = Bounds(depth=12, items=MOST_MOVES, keys=100, text=1_000, values=200_000)
OPTIONS = Bounds(depth=4, items=50, keys=MOST_FIELDS, text=100, values=200)
REQUEST = Bounds(depth=16, items=MOST_MOVES, keys=100, text=100_000, values=200_000, shown=False)


class OutOfBounds(Problem):
    """Data beyond the bounds."""


class DuplicateName(OutOfBounds):
    """An object with a duplicate name, so that its value is ambiguous."""


def read_bytes(path: Path, most: int) -> bytes | None:
    """Return the bytes of a file, or None where there are more than `most`."""
    with path.open("rb") as file:
        found = file.read(most + 1)
    return found if len(found) <= most else None


def whole_number(text: str, most: int) -> int | None:
    """Return the whole number from 0 to `most` that a text spells; None for any other text."""
    if not (text.isascii() and text.isdigit()) or len(text) > MOST_DIGITS:
        return None
    number = int(text)
    return number if number <= most else None


def is_name(text: str, most: int) -> bool:
    """Return whether a text can be a name of at most `most` characters in a record."""
    return len(text) <= most and _VISIBLE.search(text) is not None


BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing, though Unicode does not count them among the blanks."""
UNSEEN = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Me"))
"""The categories of spaces, of signs that format, and of marks that need a letter to stand on."""


def is_blank(text: str) -> bool:
    """Return whether nothing of a text can be seen."""
    return all(letter in BLANK or unicodedata.category(letter) in UNSEEN for letter in text)


def read_json(text: str) -> Any:
    """Decode JSON; raise JSONDecodeError where it is malformed, OutOfBounds for duplicate names, for numbers that are
    too long or infinite, and for nesting that is too deep to decode."""
    _check_nesting(text)
    return json.loads(text, parse_int=_whole, parse_float=_decimal, parse_constant=_constant, object_pairs_hook=_object)


def _check_nesting(text: str) -> None:
    """Refuse nesting beyond MOST_NESTING before it is decoded: near the limit of Python's stack, anything
    else that happens to run (a finalizer, say) would fail too."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        bracket = found[0]
        if bracket in "[{":
            depth += 1
            if depth > MOST_NESTING:
                raise OutOfBounds("bounds.depth", place="JSON", most=RECORD.depth)
        elif bracket in "]}":
            depth -= 1


def _whole(written: str) -> int:
    if len(written.removeprefix("-")) > MOST_DIGITS:
        raise OutOfBounds("bounds.number", place="JSON", most=MOST_DIGITS)
    return int(written)


def _decimal(written: str) -> float:
    if len(written) > MOST_DIGITS or not math.isfinite(number := float(written)):
        raise OutOfBounds("bounds.number", place="JSON", most=MOST_DIGITS)
    return number


def _constant(written: str) -> float:
    raise OutOfBounds("bounds.number", place="JSON", most=MOST_DIGITS)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise DuplicateName("bounds.twice", name=shown(key))
        found[key] = value
    return found


def check_data(data: Any, bounds: Bounds) -> None:
    """Raise OutOfBounds for data beyond the bounds, not representable in JSON, or with texts that cannot be encoded."""
    values = 0
    waiting: list[tuple[Any, Any, int]] = [(data, None, 0)]
    while waiting:
        value, way, depth = waiting.pop()
        values += 1
        if values > bounds.values:
            raise OutOfBounds("bounds.values", most=bounds.values)
        if isinstance(value, str):
            _check_text(value, way, bounds)
        elif isinstance(value, bool) or value is None:
            continue
        elif isinstance(value, int):
            if not -(10**MOST_DIGITS) < value < 10**MOST_DIGITS:
                raise OutOfBounds("bounds.number", place=place(way), most=MOST_DIGITS)
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise OutOfBounds("bounds.number", place=place(way), most=MOST_DIGITS)
        elif isinstance(value, (Mapping, list, tuple)):
            if depth >= bounds.depth:
                raise OutOfBounds("bounds.depth", place=place(way), most=bounds.depth)
            waiting += _inner(value, way, depth + 1, bounds)
        else:
            raise OutOfBounds("bounds.kind", place=place(way))


def _inner(value: Any, way: Any, depth: int, bounds: Bounds) -> list[tuple[Any, Any, int]]:
    """Return the values in a list or an object, each with its path."""
    if not isinstance(value, Mapping):
        if len(value) > bounds.items:
            raise OutOfBounds("bounds.items", place=place(way), most=bounds.items)
        return [(item, (way, number), depth) for number, item in enumerate(value)]
    if len(value) > bounds.keys:
        raise OutOfBounds("bounds.keys", place=place(way), most=bounds.keys)
    for key in value:
        if not isinstance(key, str):
            raise OutOfBounds("bounds.kind", place=place(way))
        _check_text(key, way, bounds)
    return [(item, (way, key), depth) for key, item in value.items()]


def _check_text(text: str, way: Any, bounds: Bounds) -> None:
    if len(text) > bounds.text:
        raise OutOfBounds("bounds.text", place=place(way), most=bounds.text)
    if text.isprintable():
        return
    if not _VISIBLE.search(text) if bounds.shown else _SURROGATES.search(text):
        raise OutOfBounds("bounds.letters", place=place(way))


def place(way: Any) -> str:
    """Return where a value is, as `name.name[0]`."""
    written = ""
    while way is not None:
        way, key = way
        step = f"[{key}]" if isinstance(key, int) else f".{shown(str(key))}"
        written = step + written
    return shown(written.removeprefix(".")) or "JSON"


def shown(text: str) -> str:
    """Return a foreign text as a reason shows it: short, and without what cannot be printed."""
    short = text if len(text) <= 80 else text[:79] + "…"
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in short)


TOML = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<text>\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|"(?:[^"\\\n]|\\.)*(?:"|$)|'[^'\n]*(?:'|$))
    |(?P<word>[\w+-]+)|(?P<dot>\.)|(?P<open>[\[{])|(?P<close>[\]}])|(?P<end>[=,\n])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def check_toml(text: str) -> None:
    """Raise OutOfBounds for TOML that would cost its parser more than linear time; read every character once."""
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > TOML_LINE:
            raise OutOfBounds("bounds.line", line=number, most=TOML_LINE)
    depth = dots = 0
    for token in TOML.finditer(text):
        match token.lastgroup:
            case "dot":
                dots += 1
                if dots >= TOML_PARTS:
                    raise OutOfBounds("bounds.parts", line=_line(text, token), most=TOML_PARTS)
            case "word":
                if len(token[0]) > TOML_WORD:
                    raise OutOfBounds("bounds.word", line=_line(text, token), most=TOML_WORD)
            case "open":
                depth, dots = depth + 1, 0
                if depth > EDITION.depth:
                    raise OutOfBounds("bounds.brackets", line=_line(text, token), most=EDITION.depth)
            case "close":
                depth, dots = max(0, depth - 1), 0
            case "end":
                dots = 0


def _line(text: str, token: re.Match[str]) -> int:
    return text.count("\n", 0, token.start()) + 1
