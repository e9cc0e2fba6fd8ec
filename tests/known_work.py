"""Work in units that mean the same on every machine, where a test asks whether something costs far too much."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


def unit_ms() -> float:
    """Return the milliseconds of processor time that this machine needs for a known work now."""
    began = time.process_time()
    sum(number * number % 7 for number in range(1_000_000))
    return 1000 * (time.process_time() - began)


@contextmanager
def at_most(units: float) -> Iterator[None]:
    """Check that a block costs less processor time than `units` times the known work."""
    began = time.process_time()
    yield
    ms, unit = 1000 * (time.process_time() - began), unit_ms()
    assert ms < units * unit, f"{ms / unit:.1f} units of work, of which {units:.0f} are far too many already"
