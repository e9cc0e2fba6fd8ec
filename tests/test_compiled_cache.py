"""What is compiled is kept on disk for all processes, and never taken for something else."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import IndexDataCacheFile

from lampion.engine.cache import FilePerSignature, FolderLocator
from lampion.engine.cache_folder import compiled_sources, sources_behind
from lampion.engine.linking import symbol
from lampion.games import registry
from lampion.games.dice import choices


def test_two_that_save_at_once_do_not_get_each_others_code(tmp_path: Path, monkeypatch: Any) -> None:
    one, other = (FilePerSignature(str(tmp_path), "function", "stamp") for _ in range(2))
    look = IndexDataCacheFile._load_index
    waiting = [lambda: other.save("lumens", "code of lumens")]

    def interrupted(file: Any) -> Any:
        found = look(file)
        if waiting:
            waiting.pop()()  # the other saves after this one has looked, and before it has saved
        return found

    monkeypatch.setattr(IndexDataCacheFile, "_load_index", interrupted)
    one.save("iles", "code of iles")
    for save in waiting:
        save()
    for file in (one, other):
        assert file.load("iles") == "code of iles"
        assert file.load("lumens") == "code of lumens"
    assert one.load("dice") is None


def test_other_sources_or_another_numba_make_another_file(tmp_path: Path) -> None:
    FilePerSignature(str(tmp_path), "function", "stamp").save("iles", "old")
    assert FilePerSignature(str(tmp_path), "function", "another").load("iles") is None


def test_copies_of_the_same_sources_share_what_is_compiled_and_nobody_else_does(tmp_path: Path) -> None:
    """Their mark is one file: where it stands, a server takes the game to be compiled."""
    ours = choices.active_seat
    function = getattr(ours, "py_func", ours)
    places = {
        FolderLocator(function, path).get_cache_path() for path in (choices.__file__, str(tmp_path / "choices.py"))
    }
    assert len(places) == 1
    stamps = {FolderLocator(function, path).get_source_stamp() for path in (choices.__file__, __file__)}
    assert len(stamps) == 1, "a copy, whose files were written later, would compile all anew"
    assert FolderLocator(lines_apart, __file__).get_source_stamp() not in stamps
    others = {FolderLocator(lines_apart, str(tmp_path / one / "x.py")).get_cache_path() for one in "ab"}
    assert len(others | places) == 3


def lines_apart() -> None:
    """A function of a module that the hash of the folder does not stand for."""


def test_a_symbol_is_the_same_whatever_a_process_met_before() -> None:
    shown = [
        subprocess.run(
            [sys.executable, "-c",
             f"import numba, numpy\nfor i in range({before}): numba.from_dtype(numpy.dtype([(f'x{{i}}', 'i4')]))\n"
             "from lampion.games import registry\nfrom lampion.engine.linking import symbol\n"
             "print(symbol('apply', [numba.from_dtype(registry.game('dice').state)]))"],
            capture_output=True, text=True, check=True,
        ).stdout
        for before in (0, 3)
    ]  # fmt: skip
    assert shown[0] == shown[1] != ""


def test_no_two_games_share_a_symbol() -> None:
    records = [kind for game in registry.games().values() for kind in (game.box, game.state)]
    assert len({symbol("apply", [numba.from_dtype(kind)]) for kind in records}) == len(records)


def test_numba_is_as_other_programs_in_this_process_know_it() -> None:
    """Lampion subclasses what it needs: to import it alters no class, function or setting of Numba."""
    code = """
import numba, numba.core.caching, numba.core.codegen, numba.core.compiler, numba.core.dispatcher, sys

def classes():
    return {
        f"{kind.__module__}.{kind.__qualname__}": dict(vars(kind))
        for module in list(sys.modules.values()) if (module.__name__ or "").startswith(("numba", "llvmlite"))
        for kind in vars(module).values() if isinstance(kind, type)
        and kind.__module__.startswith(("numba", "llvmlite"))
    }

def settings():
    return {name: value for name, value in vars(numba.core.config).items() if name.isupper()}

before, set_before = classes(), settings()
from lampion.games import registry
from lampion.play import Position, Seeded
position = Position(registry.game("dice"), players=2)
position.push_chances(Seeded(1))
after = classes()
IGNORED = ("__abstractmethods__", "_abc_impl")
for name, members in before.items():
    for key in members.keys() | after[name].keys():
        if key not in IGNORED and not key.startswith("__") and members.get(key) is not after[name].get(key):
            if callable(members.get(key)) or isinstance(members.get(key), property) or key not in members:
                print(name, key)
print({key for key in set_before if set_before[key] != settings()[key]} or "")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_change_of_the_server_or_of_words_throws_nothing_compiled_away() -> None:
    reached = set(compiled_sources())
    assert {"lampion.games.dice.rules", "lampion.bots.search", "lampion.play.compiled_calls"} <= reached
    assert not {name for name in reached if name.startswith(("lampion.server", "lampion.cli")) or "words" in name}


def test_a_change_of_how_is_compiled_compiles_anew() -> None:
    assert {"lampion.engine.linking", "lampion.engine.lowering"} <= set(compiled_sources())
    assert {"lampion.engine.wasm", "lampion.engine.linking"} <= set(sources_behind(["lampion.page.wasm_exports"]))
