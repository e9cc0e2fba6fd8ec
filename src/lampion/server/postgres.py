"""The same store in PostgreSQL: several servers share its tables, and tell each other by LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import asyncpg

from lampion.server.store import SCHEMA, VERSION, BadStore, Conflict, Heading, missing_steps, now

log = logging.getLogger("lampion.server")

CHANNEL = "lampion"
LOCK = 7_240_001
"""Held while the schema is made, so that servers that start together do not make it twice."""
MAKE = """
create table meta (name text primary key, value text not null);
create table events (game text not null, seq integer not null, body bytea not null, primary key (game, seq));
create table tables (
    id text primary key, game text not null, players integer not null, status text not null,
    made bigint not null, changed bigint not null, seq integer not null
);
create index tables_by_change on tables (changed);
"""
FIRST = """
insert into tables values ($1, $4, $5, $6, $7, $8, $9) on conflict (id) do nothing returning id
"""
NEXT = """
update tables set status = $6, changed = $8, seq = $9
where id = $1 and seq = $2 and game = $4 and players = $5 and made = $7 returning id
"""
APPEND = """
with won as ({heading}),
stored as (
    insert into events select $1, $2 + number, body
    from won, unnest($3::bytea[]) with ordinality as given (body, number) returning seq
)
select pg_notify($10, $9 || ' ' || $1) from won where exists (select from stored)
"""
"""One statement, so one trip: the row of the table is the lock, and who finds another number in it was late."""
PULSE = 20.0
"""Seconds after which a silent connection is asked whether it is still there."""
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

    is_shared = True

    def __init__(self, url: str) -> None:
        self.url = url
        self._pool: Any = None
        self._heard: Callable[[str], None] | None = None
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect, make the tables, refuse what is newer."""
        try:
            self._pool = await asyncpg.create_pool(self.url, min_size=1, max_size=8, command_timeout=20)
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
                await self._bring_up(connection)
        except BadStore:
            self._pool.terminate()
            raise
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
            raise BadStore("store.unusable", file=without_password(self.url), detail=str(error)) from error

    async def _bring_up(self, connection: Any) -> None:
        """Make what a new database needs, or what this version adds to an older one; refuse what is not ours."""
        names = await connection.fetch("select tablename from pg_tables where schemaname = current_schema()")
        found = {row[0] for row in names} & {"meta", "events", "tables"}
        if not found:
            await connection.execute(MAKE)
            await connection.execute("insert into meta values ('schema', $1)", str(SCHEMA))
        elif len(found) < 3:
            raise BadStore("store.foreign", file=without_password(self.url))
        for line in missing_steps(await connection.fetchrow(VERSION), without_password(self.url)):
            await connection.execute(line)
        await connection.execute("update meta set value = $1 where name = 'schema'", str(SCHEMA))

    def claim(self) -> None:
        """There is room for many servers."""

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

        A connection may break after the commit and before its answer: then, on the next try, the rows are there
        already, and are ours where their bytes are the same.
        """
        query = APPEND.format(heading=NEXT if seq else FIRST)
        given = [table, seq, list(bodies), *heading[1:], CHANNEL]
        tries = 0

        async def work() -> None:
            nonlocal tries
            tries += 1
            if await self._pool.fetch(query, *given):
                return
            if tries == 1 or (await self._read(table, seq))[: len(bodies)] != list(bodies):
                raise Conflict

        await self._try(work)

    async def _read(self, table: str, since: int) -> list[bytes]:
        query = "select body from events where game = $1 and seq > $2 order by seq"
        return [bytes(row[0]) for row in await self._pool.fetch(query, table, since)]

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """The events of a table."""
        return await self._try(lambda: self._read(table, since))

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """The tables."""
        query = (
            "select id, game, players, status, made, changed, seq from tables"
            " where $1::text is null or status = $1 order by changed desc, id limit $2"
        )
        return [Heading(*row) for row in await self._try(lambda: self._pool.fetch(query, status, limit))]

    async def delete(self, table: str, before: int | None = None) -> bool:
        """Remove a table and tell the other servers."""
        query = """
        with gone as (delete from tables where id = $1 and ($2::bigint is null or changed < $2) returning id),
        emptied as (delete from events where game in (select id from gone))
        select pg_notify($3, '0 ' || id) from gone
        """
        return bool(await self._try(lambda: self._pool.fetch(query, table, before, CHANNEL)))

    async def touch(self, tables: Sequence[str]) -> None:
        """Somebody is there."""
        query = "update tables set changed = $1 where id = any($2)"
        await self._try(lambda: self._pool.execute(query, now(), list(tables)))

    async def tell(self, news: Sequence[str]) -> None:
        """Tell all servers, once: a database that is away is not waited for."""
        try:
            await self._pool.execute("select pg_notify($1, one) from unnest($2::text[]) as one", CHANNEL, list(news))
        except AWAY as error:
            log.warning("the database is away", extra={"detail": str(error)})

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Hear what is told, through a connection that is made again whenever it breaks."""
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
                    self._heard("")
                ready.set()
                pause = 0.05
                while not lost.is_set():
                    try:
                        await asyncio.wait_for(lost.wait(), PULSE)
                    except TimeoutError:
                        await connection.execute("select 1", timeout=PULSE)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("the database is away", extra={"detail": str(error)})
            await asyncio.sleep(pause)
            pause = min(1.0, 2 * pause)

    def _notified(self, connection: Any, pid: int, channel: str, payload: str) -> None:
        if self._heard is not None:
            self._heard(payload)


def without_password(url: str) -> str:
    """An address that may be shown."""
    head, at, tail = url.rpartition("@")
    return f"{head.partition('://')[0]}://…@{tail}" if at else url
