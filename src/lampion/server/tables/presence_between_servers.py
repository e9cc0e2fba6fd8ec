"""Servers of one store tell each other who is at their tables."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Iterable, Mapping

import msgspec

from lampion.server.storage.store import Store
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.presence import RemotePresence

log = logging.getLogger("lampion.server")

BEAT = 5.0
"""Seconds after which a server reports again who is at its tables."""
SILENCE = 3 * BEAT
"""Seconds after which a server that reports nothing is taken for dead."""
TABLES_PER_REPORT = 50
"""PostgreSQL carries messages of 8,000 bytes."""


class PresenceReport(msgspec.Struct, frozen=True):
    """Who is at the tables of a server: by table the seats whose holders are connected, and the number of watchers."""

    server: str
    tables: dict[str, tuple[list[int], int]]


class PresenceBroadcast:
    """Reports who is at the tables of this server, and takes in the reports of the others."""

    def __init__(self, store: Store, live_tables: Mapping[str, LiveTable]) -> None:
        self.store, self.live_tables = store, live_tables
        self.server = secrets.token_hex(8)
        """The name by which the other servers know this one."""
        self._changed: set[str] = set()
        """Tables at which somebody came or went since the last report."""
        self._has_news = asyncio.Event()

    def changed(self, table: str) -> None:
        """Report a table soon."""
        if self.store.is_shared:
            self._changed.add(table)
            self._has_news.set()

    def receive(self, news: str) -> None:
        """Take in a report; reply with our own about a table on a server that is newly heard of."""
        report = msgspec.json.decode(news, type=PresenceReport)
        for table, (here, watchers) in report.tables.items():
            live = self.live_tables.get(table)
            if live is None or report.server == self.server:
                continue
            known = live.presence.remote.pop(report.server, None)
            if here or watchers:
                live.presence.remote[report.server] = RemotePresence(here, watchers, time.monotonic())
                if known is None and live.participants:
                    self.changed(table)
            live.presence.announce()

    async def broadcast(self) -> None:
        """Report tables at once where somebody came or went, and all of them every BEAT seconds.

        So a server that missed a report learns of it, and nobody is thought to be at a server that died.
        """
        beat = time.monotonic() + BEAT
        while self.store.is_shared:
            try:
                await asyncio.wait_for(self._has_news.wait(), max(0.0, beat - time.monotonic()))
            except TimeoutError:
                beat = time.monotonic() + BEAT
                for live in self.live_tables.values():
                    live.presence.forget_silent(time.monotonic() - SILENCE)
                self._changed.update(id for id, live in self.live_tables.items() if live.participants)
            self._has_news.clear()
            changed, self._changed = self._changed, set()
            await self._report(changed)

    async def _report(self, tables: Iterable[str]) -> None:
        """Send the other servers who is at these tables here; a table that is not in memory has nobody."""
        present = [(id, self.live_tables[id].presence.local() if id in self.live_tables else ([], 0)) for id in tables]
        reports = [
            PresenceReport(self.server, dict(present[i : i + TABLES_PER_REPORT]))
            for i in range(0, len(present), TABLES_PER_REPORT)
        ]
        try:
            if reports:
                await self.store.tell([msgspec.json.encode(report).decode() for report in reports])
        except Exception as error:
            log.error("other servers not reached", exc_info=error)
