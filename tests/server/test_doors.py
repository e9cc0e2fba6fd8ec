"""Databases that cannot be used: a reason in one line, and nothing is made or changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from commands import lampion


def in_a_process(*words: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in English: it could serve."""
    command = [sys.executable, "-m", "lampion", "--lang", "en", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


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
