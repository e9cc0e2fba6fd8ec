"""The `lampion` command, run in this process, or in one that is forked: a new one would first import for a second."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

import fork_server

from lampion.cli import main


class Done(NamedTuple):
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


def lampion(*words: str) -> Done:
    """Run the command here, in English."""
    status: Any = 0
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as errors:
        try:
            main([*words, "--lang", "en"])
        except SystemExit as end:
            status = end.code or 0
    return Done(status, out.getvalue(), errors.getvalue())


def in_a_process(*words: str) -> Done:
    """Run the command in a process of its own, in English."""
    done = fork_server.run(["lampion", "--lang", "en", *words])
    return Done(done.returncode, done.stdout, done.stderr)
