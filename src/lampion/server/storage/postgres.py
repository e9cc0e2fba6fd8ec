"""The store in PostgreSQL, which several servers can share; they notify each other by LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import asyncpg

from lampion.locale import Problem
from lampion.server.storage.schema import COLUMNS, DAY_APART, OLDEST_BOARDS, SCHEMA, TODAY, VERSION, missing_steps
from lampion.server.storage.store import BadStore, Condition, Conflict, Damaged, Heading, Idle, Unavailable, now, whole

CHANNEL = "lampion"
LOCK = 7_240_001
"""The advisory lock held while the schema is made, so that servers that start together do not make it twice."""
MAKE = """
create table meta (name text primary key, value text not null);
create table events (game text not null, seq integer not null, body bytea not null, primary key (game, seq));
create table tables (
    id text primary key, game text not null, players integer not null, status text not null,
    made bigint not null, changed bigint not null, seq integer not null
);
create index tables_by_change on tables (changed);
insert into meta values ('schema', '1');
"""
FIRST = f"""
with won as (
    insert into tables ({COLUMNS}, edition, day) values ($1, $6, $7, $8, $9, $10, $4, $11, {TODAY})
    on conflict (id) do nothing returning id
),
kept as (
    insert into editions select $11::text, $12::bytea from won where $11 is not null on conflict do nothing
),
"""
NEXT = f"""
with won as (
    update tables set status = $6, changed = $7, seq = $4, day = {TODAY} where id = $1 and seq = $2 returning id
),
"""
STORED = """
stored as (
    insert into events select $1, $2::integer + number, body
    from won, unnest($3::bytea[]) with ordinality as given (body, number) returning seq
)
select pg_notify($5, $4::integer || ' ' || $1) from won where exists (select from stored)
"""
"""One statement, so one round trip: the row of the table is the lock, and another number in it means a conflict."""
READ = """
select tables.seq, events.seq, body from tables left join events on events.game = tables.id and events.seq > $2
where id = $1 order by events.seq
"""
PULSE = 20.0
"""Seconds after which a silent connection is tested."""
PATIENCE = 3.0
"""Seconds for which a database that is away is tried again before Unavailable is raised."""
LONG = 60.0
"""Seconds for a statement that reads all tables; others have ten."""
AWAY = (
    OSError,
    EOFError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.ForeignKeyViolationError,
    asyncpg.PostgresSystemError,
)
"""Errors that may go away by trying again."""
TROUBLES: tuple[tuple[Any, type[Problem], str], ...] = (
    (asyncpg.DiskFullError, Unavailable, "server.disk_full"),
    (asyncpg.ReadOnlySQLTransactionError, Unavailable, "server.not_writable"),
    (asyncpg.InsufficientPrivilegeError, Unavailable, "server.not_writable"),
    (asyncpg.DataCorruptedError, Damaged, "server.table_damaged"),
    (asyncpg.IndexCorruptedError, Damaged, "server.table_damaged"),
)
"""Errors that do not go away by trying again."""
T = TypeVar("T")


class PostgresStore:
    """A store with a pool of connections, and one more that listens."""

    is_shared = True

    def __init__(self, url: str) -> None:
        self.url = url
        self.condition = Condition()
        self._pool: Any = None
        self._heard: Callable[[str], None] | None = None
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect and bring the schema up to date; BadStore where the database cannot be used."""
        try:
            self._pool = await asyncpg.create_pool(self.url, min_size=0, max_size=8, command_timeout=10, timeout=5)
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
                await self._bring_up(connection)
        except BadStore:
            self._pool.terminate()
            raise
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
            raise BadStore("store.unusable", file=without_password(self.url), detail=str(error)) from error

    async def _bring_up(self, connection: Any) -> None:
        """Make the tables of a new database, or migrate an older one; BadStore where it is foreign or newer."""
        names = await connection.fetch("select tablename from pg_tables where schemaname = current_schema()")
        found = {row[0] for row in names} & {"meta", "events", "tables"}
        if not found:
            await connection.execute(MAKE)
        elif len(found) < 3:
            raise BadStore("store.foreign", file=without_password(self.url))
        steps = missing_steps(await connection.fetchrow(VERSION), without_password(self.url))
        for line in steps:
            await connection.execute(line)
        if steps:
            await connection.execute("update meta set value = $1 where name = 'schema'", str(SCHEMA))

    def claim(self) -> None:
        """Do nothing: several servers may share the database."""

    async def close(self) -> None:
        """Close the connections."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
        if self._pool is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._pool.close(), 5)

    async def _try(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run a piece of work, trying again while the database is away; raise Unavailable after a while."""
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + PATIENCE, 0.05
        while True:
            try:
                done = await work()
            except tuple(kind for kind, _, _ in TROUBLES) as error:
                problem = next(problem(key) for kind, problem, key in TROUBLES if isinstance(error, kind))
                if isinstance(problem, Unavailable):
                    self.condition.is_bad(problem, error)
                raise problem from error
            except AWAY as error:
                away = Unavailable("server.store_away")
                self.condition.is_bad(away, error)
                if loop.time() + pause > deadline:
                    raise away from error
                await asyncio.sleep(pause)
                pause = min(0.5, 2 * pause)
            else:
                self.condition.is_good()
                return done

    async def append(
        self, table: str, seq: int, bodies: Sequence[bytes], heading: Heading, edition: tuple[str, bytes] | None = None
    ) -> None:
        """Store events and notify the other servers.

        A connection may break after the commit and before its answer: then, on the next try, the rows are there
        already, and are ours if their bytes are the same. If the database stays away, it is unknown whether they were
        stored; they are read when it is back, and the next append raises Conflict if they were.
        """
        given: list[Any] = [table, seq, list(bodies), seq + len(bodies), CHANNEL]
        if seq == 0:
            query = FIRST + STORED
            given += [*heading[1:6], *(edition or (None, None))]
        else:
            query = NEXT + STORED
            given += [heading.status, heading.changed]
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
        if "\0" in table:  # PostgreSQL stores no text with a NUL
            return []
        rows = await self._pool.fetch(READ, table, since)
        last = rows[0][0] if rows else 0
        return whole([(row[1], row[2]) for row in rows if row[1] is not None], since, last)

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """Return the events of a table after a number."""
        return await self._try(lambda: self._read(table, since))

    async def edition(self, hash: str) -> bytes | None:
        """Return the components of an edition as JSON, None where it is not stored."""
        query = "select body from editions where hash = $1"
        found = await self._try(lambda: self._pool.fetchval(query, hash))
        return None if found is None else bytes(found)

    async def analysis(self, table: str) -> bytes | None:
        """Return the analysis of a table's game, None where none was kept."""
        found = await self._try(lambda: self._pool.fetchval("select body from analyses where id = $1", table))
        return None if found is None else bytes(found)

    async def keep_analysis(self, table: str, body: bytes) -> None:
        """Keep an analysis with its table."""
        query = """
        insert into analyses select id, $2::bytea from tables where id = $1
        on conflict (id) do update set body = excluded.body
        """
        await self._try(lambda: self._pool.execute(query, table, body))

    async def board(self, board: str) -> bytes | None:
        """Return a tree of variations that was kept."""
        found = await self._try(lambda: self._pool.fetchval("select body from boards where id = $1", board))
        return None if found is None else bytes(found)

    async def keep_board(self, board: str, body: bytes) -> None:
        """Keep a tree of variations under a new id."""
        query = f"insert into boards values ($1, $2, {TODAY}, $3)"
        await self._try(lambda: self._pool.execute(query, board, now(), body))

    async def touch_board(self, board: str) -> None:
        """Note that somebody looks at a tree."""
        query = f"update boards set changed = $1, day = {TODAY} where id = $2"
        await self._try(lambda: self._pool.execute(query, now(), board))

    async def delete_idle_boards(self, idle: Idle, most: int) -> int:
        """Remove idle trees, and the oldest of too many."""
        query = f"delete from boards where changed < $1 and day <= $2 or id in ({OLDEST_BOARDS.format('$3')})"
        done = str(await self._try(lambda: self._pool.execute(query, *idle, most, timeout=LONG)))
        return int(done.rpartition(" ")[2])

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """Return the headings of the tables, the last changed first."""
        query = f"select {COLUMNS} from tables where $1::text is null or status = $1 order by changed desc, id limit $2"
        rows = await self._try(lambda: self._pool.fetch(query, status, limit, timeout=LONG))
        return [Heading(*row) for row in rows]

    async def delete(self, table: str, idle: Idle | None = None) -> bool:
        """Remove a table and notify the other servers."""
        query = """
        with gone as (
            delete from tables where id = $1 and ($2::bigint is null or changed < $2)
            and ($3::integer is null or day <= $3) returning id
        ),
        emptied as (delete from events where game in (select id from gone))
        select pg_notify($4, '0 ' || id) from gone
        """
        given = idle or (None, None)
        return bool(await self._try(lambda: self._pool.fetch(query, table, *given, CHANNEL)))

    async def touch(self, tables: Sequence[str]) -> None:
        """Note that somebody is at these tables."""
        query = f"update tables set changed = $1, day = {TODAY} where id = any($2)"
        await self._try(lambda: self._pool.execute(query, now(), list(tables)))

    async def count_day(self, at: int) -> int:
        """Count a day, which one of several servers does; return their number."""
        query = f"""
        with counted as (
            update meta set value = $1::bigint::text
            where name = 'counted' and abs(cast(value as bigint) - $1) >= $2 returning 1
        ),
        risen as (
            update meta set value = (cast(value as integer) + 1)::text
            where name = 'days' and exists (select from counted) returning cast(value as integer) as day
        )
        select coalesce((select day from risen), {TODAY})
        """
        return int(await self._try(lambda: self._pool.fetchval(query, at, DAY_APART)))

    async def abandoned(self, idle: Idle) -> list[Heading]:
        """Return the headings of idle tables whose game is not over."""
        query = f"select {COLUMNS} from tables where status <> 'over' and changed < $1 and day <= $2 limit 1000"
        return [Heading(*row) for row in await self._try(lambda: self._pool.fetch(query, *idle, timeout=LONG))]

    async def delete_unused_editions(self) -> None:
        """Remove editions that no table uses; a foreign key keeps those taken into use at the same moment."""
        query = "delete from editions where not exists (select from tables where tables.edition = editions.hash)"
        await self._try(lambda: self._pool.execute(query, timeout=LONG))

    async def probe(self) -> None:
        """Write the time, to find out whether writing works."""
        query = "insert into meta values ('probe', $1) on conflict (name) do update set value = excluded.value"
        await self._try(lambda: self._pool.execute(query, str(now())))

    async def damage(self) -> list[str]:
        """Return nothing: PostgreSQL checks its files itself."""
        return []

    async def tell(self, news: Sequence[str]) -> None:
        """Notify all servers, without waiting for a database that is away."""
        try:
            await self._pool.execute("select pg_notify($1, one) from unnest($2::text[]) as one", CHANNEL, list(news))
        except AWAY as error:
            self.condition.is_bad(Unavailable("server.store_away"), error)

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Listen through a connection that is made again whenever it breaks."""
        self._heard = heard
        ready = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(ready))
        await ready.wait()

    async def _listen(self, ready: asyncio.Event) -> None:
        pause = 0.05
        while True:
            lost = asyncio.Event()
            connection = None
            try:
                connection = await asyncpg.connect(self.url, timeout=PULSE)
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
            except (*AWAY, asyncpg.PostgresError) as error:
                self.condition.is_bad(Unavailable("server.store_away"), error)
            finally:  # a half-open connection would deliver every notification a second time
                if connection is not None:
                    connection.terminate()
            await asyncio.sleep(pause)
            pause = min(1.0, 2 * pause)

    def _notified(self, connection: Any, pid: int, channel: str, payload: str) -> None:
        if self._heard is not None:
            self._heard(payload)


def without_password(url: str) -> str:
    """Return an address without its password."""
    head, at, tail = url.rpartition("@")
    return f"{head.partition('://')[0]}://…@{tail}" if at else url
