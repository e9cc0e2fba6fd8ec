"""How long the holders of seats have been away: a bot is not put in for somebody who is here.

The host can still send somebody away, for good and told to all.
"""

from __future__ import annotations

import time
from collections.abc import Set


class Absence:
    """The seats of one table, each with the moment at which its last socket left.

    What happened before this server had the table in memory is not known: it counts from then on.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._here: Set[int] = frozenset()
        self._left: dict[int, float] = {}

    def wait(self, seconds: float) -> None:
        """Begin to count so much later: other servers have yet to tell who is there."""
        self._begun += seconds

    def notice(self, here: Set[int]) -> None:
        """Take in who is here now."""
        moment = time.monotonic()
        for seat in self._here - here:
            self._left[seat] = moment
        self._here = frozenset(here)

    def seconds(self, seat: int) -> float:
        """Return for how long a seat's holder has been away; 0 for one who is here."""
        if seat in self._here:
            return 0.0
        return max(0.0, time.monotonic() - max(self._begun, self._left.get(seat, self._begun)))
