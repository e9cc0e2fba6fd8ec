"""Wait for what another process or thread does: not for a fixed time, but until it has happened."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 240.0
"""Seconds after which what has not happened never will; a machine under load may need many of them."""

Found = TypeVar("Found")


def until(look: Callable[[], Found], what: str = "", seconds: float = PATIENCE, every: float = 0.02) -> Found:
    """Call `look` until what it returns is true and return that; fail after `seconds` and say what did not happen."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        name = what or getattr(look, "__qualname__", repr(look))
        assert time.monotonic() < deadline, f"not in {seconds:.0f} seconds: {name} (it was {found!r})"
        time.sleep(every)
    return found
