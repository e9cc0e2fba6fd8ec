"""Editions: what is in a box, as data. Reading a components file, naming exactly what is wrong in it, hashing it."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lampion import bounds
from lampion.engine.arrays import lock, np
from lampion.games.core import BadComponents, Game
from lampion.games.registry import game
from lampion.locale import short, why, written


@dataclass(frozen=True)
class Edition:
    """One edition of a game: its components as data, their hash, and the box the rules read."""

    game: Game
    data: Mapping[str, Any]
    hash: str
    boxes: np.ndarray[Any, Any]
    """One record; compiled entry points take the array."""

    def __reduce__(self) -> Any:
        """Pickle it by name or as data."""
        return (standard, (self.game.name,)) if self.is_standard else (edition, (self.game, dict(self.data)))

    def __deepcopy__(self, memo: Any) -> Edition:
        """Return itself: nothing in it changes."""
        return self

    @cached_property
    def box(self) -> Any:
        """The record itself."""
        return self.boxes[0]

    @property
    def is_standard(self) -> bool:
        """Whether this is the edition we ship."""
        return self.hash == standard(self.game.name).hash


def edition(game: Game, data: Mapping[str, Any]) -> Edition:
    """Return the edition of components given as data; equal components have equal hashes whatever their layout."""
    try:
        bounds.check_data(data, bounds.EDITION)
    except bounds.OutOfBounds as found:
        raise BadComponents(found.key, **found.values) from None
    hash = hashlib.sha256(canonical(data)).hexdigest()
    usual = _standards.get(game.name)
    if usual is not None and usual.hash == hash:
        return usual
    boxes = np.zeros(1, dtype=game.box)
    boxes[0] = game.components.read(data)
    lock(boxes)
    return Edition(game, data, hash, boxes)


def canonical(data: Mapping[str, Any]) -> bytes:
    """Return components as JSON in the one layout that is hashed."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def components_file(game: Game) -> Path:
    """Return the file of the edition we ship."""
    return Path(str(game.components.__file__)).with_name("components.toml")


_standards: dict[str, Edition] = {}


def standard(name: str) -> Edition:
    """Return the edition that comes with the game."""
    found = _standards.get(name)
    if found is None:
        found = _standards[name] = load(game(name), components_file(game(name)))
    return found


def load(game: Game, path: Path) -> Edition:
    """Return the edition in a TOML file; raise BadComponents if it is not a valid one."""
    try:
        found = bounds.read_bytes(path, bounds.MOST_EDITION)
    except (OSError, ValueError) as error:  # ValueError: letters that no file's name has
        raise BadComponents("components.unreadable", file=str(path), detail=why(error)) from error
    if found is None:
        raise BadComponents("components.size", file=str(path), most=bounds.MOST_EDITION)
    try:
        return parsed(game, found.decode().replace("\r\n", "\n"), str(path))
    except UnicodeDecodeError:
        raise BadComponents("components.utf8", file=str(path)) from None


def parsed(game: Game, text: str, name: str) -> Edition:
    """Return the edition in a TOML text; raise BadComponents, which calls it `name`."""
    try:
        if len(text.encode()) > bounds.MOST_EDITION:
            raise BadComponents("components.size", file=name, most=bounds.MOST_EDITION)
        bounds.check_toml(text)
        data = tomllib.loads(text)
    except bounds.OutOfBounds as found:
        raise BadComponents(found.key, **found.values) from None
    except BadComponents:
        raise
    except UnicodeEncodeError:
        raise BadComponents("bounds.letters", place=name) from None
    except (ValueError, RecursionError) as error:
        if at := re.search(r"\(at line (\d+), column (\d+)\)", str(error)):
            raise BadComponents("components.toml", file=name, line=at[1], column=at[2]) from None
        raise BadComponents("components.toml_end", file=name) from None
    return edition(game, data)


class Reader:
    """Look up values by dotted names and report what is wrong with them under those names.

    Reasons come from the game's own words (`GAME.components.REASON`) or, for what all games share, from
    `components.REASON`.
    """

    SHARED = frozenset({"missing", "unknown", "list", "text", "whole", "range", "count", "table"})

    def __init__(self, game: str, data: Mapping[str, Any]) -> None:
        self.game = game
        self.data = data

    def wrong(self, reason: str, **values: Any) -> BadComponents:
        """Return the error to raise."""
        prefix = "" if reason in self.SHARED else f"{self.game}."
        shown = {
            key: short(value) if isinstance(value, str) and key != "known" else value for key, value in values.items()
        }
        return BadComponents(f"{prefix}components.{reason}", **shown)

    def get(self, name: str) -> Any:
        """Return the value under a dotted name; raise BadComponents if there is none."""
        found: Any = self.data
        for part in name.split("."):
            if not isinstance(found, Mapping) or part not in found:
                raise self.wrong("missing", name=name)
            found = found[part]
        return found

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the table under a name."""
        found = self.get(name)
        if not isinstance(found, Mapping):
            raise self.wrong("table", name=name)
        return found

    def only(self, name: str, table: Mapping[str, Any], *known: str) -> None:
        """Raise BadComponents for unknown names, so that a misspelt line is noticed."""
        for key in table:
            if key not in known:
                raise self.wrong("unknown", name=f"{name}.{key}" if name else key, known=", ".join(known))

    def items(self, name: str) -> list[Any]:
        """Return the list under a name."""
        found = self.get(name)
        if not isinstance(found, list):
            raise self.wrong("list", name=name)
        return found

    def text(self, value: Any, name: str) -> str:
        """Return a value that must be a text."""
        if not isinstance(value, str):
            raise self.wrong("text", name=name, value=value)
        return value

    def number(self, value: Any, name: str, least: int, most: int) -> int:
        """Return a value that must be a whole number between two bounds."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong("whole", name=name, value=written(value))
        if not least <= value <= most:
            raise self.wrong("range", name=name, value=value, least=least, most=most)
        return value

    def whole(self, name: str, least: int, most: int) -> int:
        """Return the whole number under a name, between two bounds."""
        return self.number(self.get(name), name, least, most)
