"""The `lampion` command, run in this process: a new one would first import for a second or two."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

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
