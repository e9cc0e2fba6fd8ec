"""The games that are installed: ours and those of other packages."""

from __future__ import annotations

import copyreg
import logging
import traceback
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from lampion.engine import dispatch
from lampion.engine.module import name_box
from lampion.games.core import BadSetup, Game
from lampion.locale import add_words, short

log = logging.getLogger("lampion.games")


@cache
def installed() -> dict[str, EntryPoint]:
    """Return the entry points of all games by name; the first call reads the metadata of all packages."""
    return {entry.name: entry for entry in sorted(entry_points(group="lampion.games"))}


@cache
def games() -> dict[str, Game]:
    """Return all games that are installed, by name; one that cannot be loaded is left out, and the log says why."""
    found = {}
    for name in installed():
        try:
            found[name] = game(name)
        except BadSetup as problem:
            log.warning("%s", problem)
    return found


@cache
def game(name: str) -> Game:
    """Return the game of that name; raise BadSetup if it is not installed or cannot be loaded."""
    if name not in installed():
        raise BadSetup("error.game", game=short(name), known=", ".join(installed()))
    entry = installed()[name]
    try:
        loaded: Game = entry.load()
        register(loaded)
    except Exception as error:  # another package's code may fail in any way
        raise BadSetup("error.unloadable", game=name, reason=reason(error), place=place(entry, error)) from error
    return loaded


def reason(error: Exception) -> str:
    """Return what is wrong, as Python says it."""
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"


def place(entry: EntryPoint, error: Exception) -> str:
    """Return the file and the line of a game's package at which loading it failed, or else its entry point."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    package = entry.module.partition(".")[0]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if package in Path(frame.filename).with_suffix("").parts:
            return f"{frame.filename}:{frame.lineno}"
    return entry.value


def register(game: Game) -> None:
    """Let the engine find the rules of a game by its state, and the catalogue its words."""
    add_words(game.folder)
    dispatch.register(game.name, game.state, game.rules)
    name_box(game.box, game.name)


def _by_name(loaded: Game) -> Any:
    return game, (loaded.name,)


copyreg.pickle(Game, _by_name)  # a game travels to another process by its name
