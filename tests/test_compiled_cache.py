"""What is compiled is kept on disk for all processes, and never taken for something else."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

from lampion.games.compiled import _sources
from lampion.games.whole import _OneFileEach


def test_two_that_save_at_once_do_not_get_each_others_code(tmp_path: Path, monkeypatch: Any) -> None:
    one, other = (_OneFileEach(str(tmp_path), "function", "stamp") for _ in range(2))
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
    _OneFileEach(str(tmp_path), "function", "stamp").save("iles", "old")
    assert _OneFileEach(str(tmp_path), "function", "another").load("iles") is None


def test_a_symbol_is_the_same_whatever_a_process_met_before() -> None:
    shown = [
        subprocess.run(
            [sys.executable, "-c",
             f"import numba, numpy\nfor i in range({before}): numba.from_dtype(numpy.dtype([(f'x{{i}}', 'i4')]))\n"
             "from lampion.games import core\nfrom numba.core.itanium_mangler import mangle\n"
             "print(mangle('apply', [numba.from_dtype(core.game('dice').state)]))"],
            capture_output=True, text=True, check=True,
        ).stdout
        for before in (0, 3)
    ]  # fmt: skip
    assert shown[0] == shown[1]


def test_no_two_games_share_a_symbol() -> None:
    import numba
    from numba.core.itanium_mangler import mangle

    from lampion.games import core

    records = [kind for game in core.games().values() for kind in (game.box, game.state)]
    assert len({mangle("apply", [numba.from_dtype(kind)]) for kind in records}) == len(records)


def test_a_change_of_the_server_or_of_words_throws_nothing_compiled_away() -> None:
    reached = set(_sources())
    assert {"lampion.games.dice.rules", "lampion.bots.search", "lampion.play.entry"} <= reached
    assert not {name for name in reached if name.startswith(("lampion.server", "lampion.cli")) or "words" in name}
