"""What the tests of the page share: the module of a game, built once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiers import IS_DEEP

from lampion.games import registry
from lampion.games.core import Game
from lampion.page import site, wasm_exports

GAMES = ["lanternes", "dice", "lumens", "iles"] if IS_DEEP else ["iles"]
"""A module takes half a minute to build; the others are built with `--deep`."""


@pytest.fixture(scope="session", params=GAMES)
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Path]:
    """A game, and the file of its module."""
    game = registry.game(request.param)
    if len(GAMES) > 1:
        file: Path = tmp_path_factory.mktemp("modules") / f"{game.name}.wasm"
        file.write_bytes(next(site.built_modules([game.name], lambda name: None))[1])
        return game, file
    return game, wasm_exports.write(game, tmp_path_factory.mktemp("modules"))
