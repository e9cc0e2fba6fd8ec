"""Compiled rules, plain Python, and Python in a page on the compiled modules tell and judge games alike."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import conftest
import pytest

from lampion.engine.module import _numbers, _types
from lampion.games.core import Game
from lampion.games.editions import standard
from lampion.insight import evaluator
from lampion.page import site

from . import telling

TESTS = Path(conftest.__file__).parent
MOVES = 14
BARE = """
import sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "numpy", "llvmlite"):
            raise ImportError(f"{name} is not there")

sys.meta_path.insert(0, Nothing())
"""
IMPORTS = """
import importlib, pkgutil
for name in ("games", "play", "bots", "insight", "server.protocol", "server.tables"):
    package = importlib.import_module(f"lampion.{name}")
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(found.name)
        print(found.name)
"""
IN_PYODIDE = """
from pathlib import Path
from lampion.engine import module
from lampion.games import registry

module.use_modules(Path("/modules"))
import telling, write_golden
from lampion.locale import speaking
import json

with speaking("en"):
    golden = write_golden.transcript(registry.game(GAME), registry.game(GAME).players[0])
    found = json.dumps([module.is_loaded(registry.game(GAME).box), golden, telling.everything(GAME, MOVES)])
found
"""


def without_numpy(code: str) -> str:
    """Return what a program writes that can import neither NumPy nor Numba."""
    environment = os.environ | {"LAMPION_ENGINE": "plain", "PYTHONPATH": str(TESTS.parent / "src")}
    command = [sys.executable, "-c", BARE + code]
    done = subprocess.run(command, env=environment, cwd=TESTS / "page", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_words_need_neither_numpy_nor_numba() -> None:
    imported = without_numpy(IMPORTS).split()
    assert {"lampion.play.position", "lampion.bots.searcher", "lampion.insight.analysis"} < {*imported}
    assert {"lampion.games.iles.view", "lampion.server.tables.table"} < {*imported}


@pytest.mark.parametrize("name", ["lanternes", "dice", "lumens", "iles"])
def test_plain_python_tells_games_as_compiled_rules_do(name: str) -> None:
    there = json.loads(without_numpy(f"import json, telling; print(json.dumps(telling.tell({name!r}, {MOVES})))"))
    same(there, telling.tell(name, MOVES))


def test_decimal_numbers_of_a_workspace_are_handed_to_a_module_as_such() -> None:
    work = evaluator.new_workspace(standard("iles"), 2, 1)
    whole = [one for one in (work.players, work.hesitation, work.sharpness) if not isinstance(one, float)]
    assert whole == [2]
    kinds = zip(_numbers(work), _types("Workspace", work), strict=True)
    assert all((kind is ctypes.c_double) == isinstance(number, float) for number, kind in kinds)


@pytest.mark.deep
def test_a_page_tells_and_judges_games_as_this_machine_does(module: tuple[Game, Path], tmp_path: Path) -> None:
    game, file = module
    archive = tmp_path / "lampion.pack"
    archive.write_bytes(site.archive())
    (tmp_path / "conftest.py").write_text("")
    asked = {
        "archive": str(archive),
        "modules": {file.name: str(file)},
        "files": {
            "telling.py": telling.__file__,
            "write_golden.py": str(TESTS / "write_golden.py"),
            "conftest.py": str(tmp_path / "conftest.py"),
        },
        "code": f"GAME, MOVES = {game.name!r}, {MOVES}\n{IN_PYODIDE}",
    }
    done = subprocess.run(
        ["node", str(TESTS / "page" / "run_python.mjs"), str(site.PYODIDE)],
        input=json.dumps(asked), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    is_loaded, golden, there = json.loads(done.stdout)
    assert is_loaded
    assert golden == (TESTS / "golden" / f"{game.name}-{game.players[0]}.txt").read_text(encoding="utf-8")
    same(json.loads(there), json.loads(telling.everything(game.name, MOVES)))


def same(one: Any, other: Any, path: str = "") -> None:
    """Fail at the first thing in which two tellings differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            same(one[key], other[key], f"{path}/{key}")
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), path
        for i, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            same(mine, theirs, f"{path}/{i}")
    else:
        assert one == other, path
