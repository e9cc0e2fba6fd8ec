"""Removes abandoned tables, without trusting the clock alone.

A table is removed when nobody was at it for `keep_days` days by the clock, and for as many days on which a server of
this database ran; these are counted in the database, one at a time. So a clock that is wrong by months, or a server
that was off for as long, makes one day pass, not all of them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from time import monotonic

from lampion.server.protocol import stored_events as stored
from lampion.server.storage.schema import DAY_APART
from lampion.server.storage.store import Damaged, Heading, Idle, Store, now

log = logging.getLogger("lampion.server")

DAY = 86_400_000
LEAST_DAYS = 7
"""The least number of running days without a visit, also where `keep_days` is lower."""

MOST_BOARDS = 256 << 20
"""Bytes of all trees of variations that are kept."""


class Sweeper:
    """Removes abandoned tables when `sweep` is called."""

    def __init__(self, store: Store, keep_days: int) -> None:
        self.store, self.keep_days = store, keep_days
        self._day: int | None = None
        self._counted = 0.0
        """When this process last saw a day counted, by the monotonic clock."""
        self._last: tuple[int, float] | None = None
        self._has_warned = False

    async def sweep(self, in_use: Sequence[str]) -> int:
        """Remove abandoned tables, but none of those in use here; return the number removed."""
        await self.store.touch(in_use)
        moment, running = now(), monotonic()
        day = await self._count(moment, running)
        jumped = self._last is not None and abs(moment - self._last[0] - 1000 * (running - self._last[1])) > DAY
        self._last = moment, running
        newest = await self.store.headings(limit=1)
        if jumped or (newest and newest[0].changed > moment + DAY):
            self._warn()
        if jumped:
            return 0
        idle = Idle(moment - self.keep_days * DAY, day - max(self.keep_days, LEAST_DAYS))
        gone = 0
        for heading in await self.store.abandoned(idle):
            if await self._is_old(heading, idle.before):
                gone += await self.store.delete(heading.id, idle)
        if gone:
            log.info("abandoned tables removed", extra={"count": gone})
        if forgotten := await self.store.delete_idle_boards(idle, MOST_BOARDS):
            log.info("trees of variations removed", extra={"count": forgotten})
        await self.store.delete_unused_editions()
        return gone

    async def _count(self, moment: int, running: float) -> int:
        """Count a day, but not before one has passed in this process; return the number of counted days."""
        if self._day is None or 1000 * (running - self._counted) >= DAY_APART:
            day = await self.store.count_day(moment)
            if day != self._day:
                self._day, self._counted = day, running
        assert self._day is not None
        return self._day

    async def _is_old(self, heading: Heading, before: int) -> bool:
        """Return whether the newest event of a table is old too; False where it cannot be read."""
        try:
            bodies = await self.store.read(heading.id, heading.seq - 1)
            return bool(bodies) and stored.decode(bodies[-1]).at < before
        except (Damaged, stored.BadEvent):
            return False

    def _warn(self) -> None:
        if not self._has_warned:
            self._has_warned = True
            log.warning("the clock jumped, or is behind the newest event: is it right?")
