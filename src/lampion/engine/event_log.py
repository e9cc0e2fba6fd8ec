"""The log that `apply` writes its events into, a row each."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import inlined


@inlined
def note(log: Any, row: int, kind: int, seat: int, thing: int, number: int, why: int, viewers: int) -> int:
    """Write one event into `log` if it has room; return the number of rows including this one."""
    if row < len(log):
        log[row, 0] = kind
        log[row, 1] = seat
        log[row, 2] = thing
        log[row, 3] = number
        log[row, 4] = why
        log[row, 5] = viewers
    return row + 1
