"""Databases that cannot be used: a reason in one line, and nothing is made or changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from commands import in_a_process, lampion


@pytest.mark.parametrize("words", [("serve", "--port", "0"), ("serve", "--check"), ("records", "list")])
def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path, words: tuple[str, ...]) -> None:
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"not a database, but somebody's letter " * 100)
    done = (in_a_process if "--port" in words else lampion)(*words, "--db", str(junk))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert str(junk) in done.stderr
    assert junk.read_bytes().startswith(b"not a database")


@pytest.mark.parametrize("words", [("serve", "--check"), ("records", "list"), ("records", "delete", "x")])
def test_a_database_that_is_not_there_is_not_made_by_looking(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = lampion(*words, "--db", str(tmp_path / "none.db"))
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])


def test_a_server_is_open_to_others_only_when_told_so() -> None:
    done = in_a_process("serve", "--host", "0.0.0.0", "--port", "0")
    assert (done.returncode, "--lan" in done.stderr) == (2, True)


def test_a_folder_that_is_not_there_is_not_made_for_a_database(tmp_path: Path) -> None:
    db, none = tmp_path / "room.db", tmp_path / "none"
    sqlite3.connect(db).close()
    for words in (
        ("serve", "--port", "0", "--db", str(none / "x.db")),
        ("backup", str(none / "x.db"), "--db", str(db)),
    ):
        done = in_a_process(*words)
        assert (done.returncode, done.stderr.strip()) == (2, f"There is no folder {none}.")
    assert not none.exists()


def test_what_stands_in_the_wrong_place_is_told_where_it_belongs() -> None:
    assert "option of serve" in lampion("--port", "8311").stderr
    assert "There is no option --prot." in lampion("--prot", "8311").stderr
    assert "--section" in lampion("rules", "iles", "lamps").stderr
    for command in ("play", "rules"):
        done = lampion(command)
        assert (done.returncode, "iles" in done.stderr) == (2, True)
