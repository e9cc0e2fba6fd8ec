"""The games that are installed: ours and those of other packages."""

from __future__ import annotations

import copyreg
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from lampion.engine import dispatch
from lampion.engine.module import name_box
from lampion.games.core import BadSetup, Game
from lampion.locale import add_words, short


@cache
def installed() -> dict[str, EntryPoint]:
    """Return the entry points of all games by name; the first call reads the metadata of all packages."""
    return {entry.name: entry for entry in sorted(entry_points(group="lampion.games"))}


@cache
def games() -> dict[str, Game]:
    """Return all games that are installed, by name."""
    return {name: game(name) for name in installed()}


@cache
def game(name: str) -> Game:
    """Return the game of that name; raise BadSetup if it is not installed."""
    if name not in installed():
        raise BadSetup("error.game", game=short(name), known=", ".join(installed()))
    loaded: Game = installed()[name].load()
    register(loaded)
    return loaded


def register(game: Game) -> None:
    """Let the engine find the rules of a game by its state, and the catalogue its words."""
    dispatch.register(game.name, game.state, game.rules)
    name_box(game.box, game.name)
    add_words(game.folder)


def _by_name(loaded: Game) -> Any:
    return game, (loaded.name,)


copyreg.pickle(Game, _by_name)  # a game travels to another process by its name
