"""The same store in PostgreSQL: several servers share its tables, and tell each other by LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import asyncpg

from lampion.server.store import SCHEMA, BadStore, Conflict, Heading

log = logging.getLogger("lampion.server")

CHANNEL = "lampion"
LOCK = 7_240_001
"""Held while the schema is made, so that servers that start together do not make it twice."""
MAKE = """
create table if not exists meta (name text primary key, value text not null);
create table if not exists events (
    game text not null, seq integer not null, body bytea not null, primary key (game, seq)
);
create table if not exists tables (
    id text primary key, game text not null, players integer not null, status text not null,
    made bigint not null, changed bigint not null, seq integer not null
);
create index if not exists tables_by_change on tables (changed);
"""
RETRIES = 60
AWAY = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
)
"""What it looks like when the database is not there for the moment."""
T = TypeVar("T")


class PostgresStore:
    """A pool of connections, and one more that listens."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._pool: Any = None
        self._heard: Callable[[str, int], None] | None = None
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect, make the tables, refuse what is newer."""
        try:
            self._pool = await asyncpg.create_pool(self.url, min_size=1, max_size=8, command_timeout=20)
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
                await connection.execute(MAKE)
                found = await connection.fetchval("select value from meta where name = 'schema'")
                if found is None:
                    await connection.execute("insert into meta values ('schema', $1)", str(SCHEMA))
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
            raise BadStore("store.unusable", file=without_password(self.url), detail=str(error)) from error
        if found is not None and int(found) > SCHEMA:
            raise BadStore("store.too_new", file=without_password(self.url), version=found, known=SCHEMA)

    async def close(self) -> None:
        """Let the connections go."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
        if self._pool is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._pool.close(), 5)

    async def _try(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do it; while the database is away, wait for it to come back."""
        for attempt in range(RETRIES):
            try:
                return await work()
            except AWAY as error:
                if attempt == RETRIES - 1:
                    raise
                log.warning("the database is away", extra={"detail": str(error)})
                await asyncio.sleep(min(1.0, 0.05 * 2**attempt))
        raise AssertionError

    async def append(self, table: str, seq: int, bodies: Sequence[bytes], heading: Heading) -> None:
        """Store events and tell the other servers.

        A connection may break after the commit and before its answer: then the rows are there already, and are ours
        where their bytes are the same.
        """
        rows = [(table, seq + i, body) for i, body in enumerate(bodies, start=1)]

        async def work() -> None:
            async with self._pool.acquire() as connection:
                try:
                    async with connection.transaction():
                        await connection.executemany("insert into events values ($1, $2, $3)", rows)
                        await connection.execute(
                            "insert into tables values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do update set"
                            " status = excluded.status, changed = excluded.changed, seq = excluded.seq",
                            heading.id, heading.game, heading.players, heading.status,
                            heading.made, heading.changed, heading.seq,
                        )  # fmt: skip
                        await connection.execute("select pg_notify($1, $2)", CHANNEL, f"{heading.seq} {table}")
                except asyncpg.UniqueViolationError:
                    found = await connection.fetch(
                        "select body from events where game = $1 and seq > $2 and seq <= $3 order by seq",
                        table, seq, seq + len(bodies),
                    )  # fmt: skip
                    if [bytes(row[0]) for row in found] != list(bodies):
                        raise Conflict from None

        await self._try(work)

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """The events of a table."""
        query = "select body from events where game = $1 and seq > $2 order by seq"
        return [bytes(row[0]) for row in await self._try(lambda: self._pool.fetch(query, table, since))]

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """The tables."""
        query = (
            "select id, game, players, status, made, changed, seq from tables"
            " where $1::text is null or status = $1 order by changed desc, id limit $2"
        )
        return [Heading(*row) for row in await self._try(lambda: self._pool.fetch(query, status, limit))]

    async def delete(self, table: str) -> bool:
        """Remove a table."""

        async def work() -> bool:
            async with self._pool.acquire() as connection, connection.transaction():
                gone = await connection.execute("delete from events where game = $1", table)
                await connection.execute("delete from tables where id = $1", table)
                return not gone.endswith(" 0")

        return bool(await self._try(work))

    async def listen(self, heard: Callable[[str, int], None]) -> None:
        """Hear of what is stored, through a connection that is made again whenever it breaks."""
        self._heard = heard
        ready = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(ready))
        await ready.wait()

    async def _listen(self, ready: asyncio.Event) -> None:
        pause = 0.05
        while True:
            lost = asyncio.Event()
            try:
                connection = await asyncpg.connect(self.url)
                connection.add_termination_listener(lambda *_, gone=lost: gone.set())
                await connection.add_listener(CHANNEL, self._notified)
                if ready.is_set() and self._heard is not None:
                    self._heard("", -1)
                ready.set()
                pause = 0.05
                await lost.wait()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("the database is away", extra={"detail": str(error)})
            await asyncio.sleep(pause)
            pause = min(1.0, 2 * pause)

    def _notified(self, connection: Any, pid: int, channel: str, payload: str) -> None:
        seq, _, table = payload.partition(" ")
        if self._heard is not None and seq.isdecimal():
            self._heard(table, int(seq))


def without_password(url: str) -> str:
    """An address that may be shown."""
    head, at, tail = url.rpartition("@")
    return f"{head.partition('://')[0]}://…@{tail}" if at else url
