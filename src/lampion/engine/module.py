"""Call the WebAssembly module of a game from Python in a page.

A module is a shared library of that Python: it lives in the same memory, so an array is passed by its address and
nothing is copied. A function takes plain numbers, as `wasm` lays them out. Where no module of a game is found its
functions run as plain Python.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lampion.engine.plain_arrays import Array

NUMBERS = {"float": ctypes.c_double, "None": None}
"""The types of numbers by annotation; all others are whole numbers of 64 bits."""
ON_NET = "_on_net"
"""The suffix of functions that are compiled for a workspace with a net."""

_names: dict[Any, str] = {}
_libraries: dict[Any, Library | None] = {}
_folders: list[Path] = []


def use_modules(folder: Path) -> None:
    """Look for the modules of games in a folder, as GAME.wasm, from now on."""
    _folders.insert(0, folder)
    _libraries.clear()


def name_box(box: Any, game: str) -> None:
    """Let the module of a game be found by the type of its box."""
    _names[box] = game


def is_loaded(box: Any) -> bool:
    """Return whether the functions of a game, given by the type of its box, are those of a module."""
    return _library(box) is not None


def _library(box: Any) -> Library | None:
    """Return the module of a game, loaded when first asked for; None where there is none."""
    if box not in _libraries:
        files = (folder / f"{_names.get(box)}.wasm" for folder in _folders)
        found = next((file for file in files if file.is_file()), None)
        _libraries[box] = Library(found) if found else None
    return _libraries[box]


class Library:
    """A loaded module."""

    def __init__(self, file: Path) -> None:
        self._made = ctypes.CDLL(str(file))
        self._functions: dict[str, Any] = {}

    def function(self, name: str, like: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Return a function of the module that takes flattened arguments such as these."""
        found = self._functions.get(name)
        if found is None:
            found = self._functions[name] = getattr(self._made, name)
            annotated = inspect.signature(like)
            kinds = (parameter.annotation for parameter in annotated.parameters.values())
            found.argtypes = [one for kind, value in zip(kinds, args, strict=True) for one in _types(kind, value)]
            found.restype = NUMBERS.get(annotated.return_annotation, ctypes.c_int64)
        return found


def _types(kind: str, value: Any) -> Iterator[Any]:
    """Yield the types of the numbers that an argument becomes."""
    if isinstance(value, Array):
        yield from [ctypes.c_uint32] * (1 + value.ndim)
    elif isinstance(value, tuple):
        for part in value:
            yield from _types(type(part).__name__, part)
    elif value is not None:
        yield NUMBERS.get(kind, ctypes.c_int64)


def _numbers(value: Any) -> Iterator[Any]:
    """Yield the numbers that an argument becomes."""
    if isinstance(value, Array):
        yield value.address
        yield from value.shape
    elif isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif value is not None:
        yield value


def variant(name: str, first: Any) -> str:
    """Return the name of a function in a module: with ON_NET at its end where its workspace has a net."""
    return name if getattr(first, "net", None) is None else name + ON_NET


def through_module(function: Callable[..., Any]) -> Any:
    """Return a function that calls the one of the same name in the module of the game whose box its arguments have.

    Its first argument is an array of boxes, or a workspace that has one.
    """

    def call(*args: Any) -> Any:
        first = args[0]
        boxes = first if isinstance(first, Array) else first.boxes
        library = _library(boxes.dtype)
        if library is None:
            return function(*args)
        found = library.function(variant(function.__name__, first), function, args)
        return found(*(number for value in args for number in _numbers(value)))

    call.__name__ = function.__name__
    return call
