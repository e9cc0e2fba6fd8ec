"""Put a game together from the files that every game of ours has."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from lampion.games.core import Game

PLAIN = ("notation", "view", "events", "text", "svg", "components")
COMPILED = ("rules", "scoring", "knowledge", "invariants", "features", "estimate", "inputs")


def assemble(package: str, *more: str, **traits: Any) -> Game:
    """Return the game of a package that has the files of the skeleton, with these traits.

    `more` names further files with compiled functions.
    """
    modules: dict[str, Any] = {name: import_module(f"{package}.{name}") for name in ("state", *PLAIN, *COMPILED, *more)}
    state = modules["state"]
    return Game(
        name=package.rpartition(".")[2],
        box=state.BOX,
        state=state.STATE,
        ids=state.IDS,
        most=state.MOST,
        rows=state.ROWS,
        sources=state.SOURCES,
        longest=state.LONGEST,
        rules=tuple(modules[name] for name in (*COMPILED, *more)),
        features=modules["features"].FEATURES,
        own_inputs=modules["inputs"].INPUTS,
        items=modules["inputs"].ITEMS,
        categories=modules["scoring"].CATEGORIES,
        invariants=modules["invariants"].INVARIANTS,
        reasons=optional(package, "reasons"),
        setup=optional(package, "setup"),
        **{name: modules[name] for name in PLAIN},
        **traits,
    )


def optional(package: str, name: str) -> ModuleType | None:
    """Return a module of a package, None where there is none."""
    return import_module(f"{package}.{name}") if find_spec(f"{package}.{name}") else None
