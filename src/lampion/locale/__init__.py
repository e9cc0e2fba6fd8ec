"""The words people read, in French and English, by key: one catalogue for terminal, server and browser.

This package imports no other of ours, and any may import it. A game adds the words in its own folder when it is
registered.
"""

from __future__ import annotations

import errno
import json
import locale as system_locale
import os
from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "fr")
FALLBACK = "en"
MOST_SHOWN = 80
"""Most characters of a given value that a reason repeats."""

_chosen: ContextVar[str | None] = ContextVar("language", default=None)
_folders: list[Path] = [Path(__file__).resolve().parent, Path(__file__).resolve().parent / "web"]


def add_words(folder: Path) -> None:
    """Add a folder's fr.json and en.json to the catalogue, unless they cannot be read."""
    if folder not in _folders:
        for language in LANGUAGES:
            _words(folder, language)
        _folders.append(folder)
        catalogue.cache_clear()


@cache
def _words(folder: Path, language: str) -> dict[str, str]:
    file = folder / f"{language}.json"
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return all words of one language by key."""
    words: dict[str, str] = {}
    for folder in _folders:
        words |= _words(folder, language)
    return words


@cache
def system_language() -> str:
    """Return the language of this machine if the catalogue has it, else FALLBACK."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value[:2].lower() if value[:2].lower() in LANGUAGES else FALLBACK
    spoken = (system_locale.getlocale()[0] or "")[:2].lower()
    return spoken if spoken in LANGUAGES else FALLBACK


def language() -> str:
    """Return the language in use here."""
    return _chosen.get() or system_language()


class speaking:
    """Use that language inside the block; None keeps the one in use."""

    def __init__(self, language: str | None) -> None:
        self.language = language

    def __enter__(self) -> None:
        self._before = _chosen.set(self.language or _chosen.get())

    def __exit__(self, *error: object) -> None:
        _chosen.reset(self._before)


def _is_one(language: str, count: int) -> bool:
    return abs(count) == 1 or (count == 0 and language == "fr")


class You(str):
    """The reader's name: a sentence whose `who` is a You addresses the reader, where the catalogue has such a text."""

    __slots__ = ()


def addressing(reader: int | None, names: Sequence[str]) -> list[str]:
    """Return the names of seats for sentences that the person at one of them reads."""
    return [You(name) if seat == reader else name for seat, name in enumerate(names)]


def say(key: str, /, **values: Any) -> str:
    """Return the text of `key` with its values; with `count`, its singular `key.one` or plural `key.other`.

    Where `who` is You, `key.you` is said, if there is one.
    """
    words = catalogue(language())
    if isinstance(values.get("who"), You) and (f"{key}.you" in words or f"{key}.you.other" in words):
        key = f"{key}.you"
    if "count" in values and f"{key}.other" in words:
        key = f"{key}.{'one' if _is_one(language(), values['count']) else 'other'}"
    return words[key].format(**values)


def has(key: str) -> bool:
    """Return whether the catalogue has that key."""
    return key in catalogue(FALLBACK)


def why(error: Exception) -> str:
    """Return the reason of an error of the system: in our words where it is common, else in its own."""
    key = f"system.{errno.errorcode.get(getattr(error, 'errno', None) or 0)}"
    return say(key) if has(key) else str(getattr(error, "strerror", None) or error)


def short(text: str) -> str:
    """Return a given text in at most MOST_SHOWN characters, unprintable ones as JSON escapes them."""
    shown = text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"
    if shown.isprintable():
        return shown
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in shown)


def written(value: Any) -> str:
    """Return a given value of any type as JSON, shortened, for a reason to repeat."""
    try:
        return short(json.dumps(value, ensure_ascii=False, default=_as_json))
    except (TypeError, ValueError, RecursionError):  # a key that is no text, an endless number, nesting without end
        return "…"


def _as_json(value: Any) -> Any:
    """Return a number of NumPy's as one of Python's, anything else as text."""
    return value.item() if hasattr(value, "item") else str(value)


class Problem(ValueError):
    """Input that cannot be taken, with its reason as a key of the catalogue. Nothing was changed.

    The reason shows texts as they are and all other values as JSON: it is read by people who know no Python.
    """

    def __init__(self, key: str, /, **values: Any) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_problem, (type(self), self.key, self.values)

    @property
    def code(self) -> str:
        """The short name of the problem for programs: the last word of its key."""
        return self.key.rpartition(".")[2]

    def __str__(self) -> str:
        shown = {
            name: value if isinstance(value, str) or name == "count" else written(value)
            for name, value in self.values.items()
        }
        return say(self.key, **shown)


def _same_problem(kind: type[Problem], key: str, values: dict[str, Any]) -> Problem:
    """Return a problem that another process sent."""
    return kind(key, **values)
