"""The clock of a live table: how long each seat has thought, and an alarm for the first whose time runs out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Set

from lampion.server.tables.table_state import TableState

MARGIN = 0.005
"""Seconds after which the alarm rings, beyond the remaining time, so that none is left then."""


class TableClock:
    """Measures the thinking time of the seats of one table."""

    def __init__(self, table: TableState, time_is_up: Callable[[int], None]) -> None:
        self.table, self._time_is_up = table, time_is_up
        self._thinking_since: dict[int, float] = {}
        self._thought: dict[int, float] = {}
        """Seconds that a seat thought about its present move before a pause."""
        self._alarm: asyncio.TimerHandle | None = None

    def spent(self, seat: int) -> int:
        """Return the milliseconds that a seat has thought about its present move."""
        since = self._thinking_since.get(seat)
        running = 0.0 if since is None else time.monotonic() - since
        return int(1000 * (self._thought.get(seat, 0.0) + running))

    def remaining(self, seat: int) -> int | None:
        """Return the milliseconds left on a seat's clock; None where it has none."""
        clock = self.table.made.clock
        if clock.kind == "none" or self.table.seats[seat].kind == "bot":
            return None
        left = 1000 * clock.seconds if clock.kind == "move" else self.table.seats[seat].remaining
        return max(0, left - self.spent(seat))

    def reset(self, seat: int) -> None:
        """Forget the thinking time of a seat, which has moved or has nothing to decide."""
        self._thinking_since.pop(seat, None)
        self._thought.pop(seat, None)

    def run(self, pending: Set[int], runs: bool) -> None:
        """Run the clocks of the pending seats; stop all where the game does not run."""
        moment = time.monotonic()
        for seat in set(self._thinking_since) | set(self._thought):
            if seat not in pending:
                self.reset(seat)
            elif not runs and seat in self._thinking_since:
                self._thought[seat] = self._thought.get(seat, 0.0) + moment - self._thinking_since.pop(seat)
        if runs:
            for seat in pending:
                self._thinking_since.setdefault(seat, moment)

    def set_alarm(self) -> None:
        """Set the alarm for the person whose time runs out first."""
        self.stop_alarm()
        left = [
            remaining
            for seat in self._thinking_since
            if self.table.seats[seat].plays_itself and (remaining := self.remaining(seat)) is not None
        ]
        if left:
            self._alarm = asyncio.get_running_loop().call_later(min(left) / 1000 + MARGIN, self._ring)

    def stop_alarm(self) -> None:
        """Cancel the alarm."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _ring(self) -> None:
        self._alarm = None
        for seat in list(self._thinking_since):
            if self.table.seats[seat].plays_itself and self.remaining(seat) == 0:
                self._time_is_up(seat)
