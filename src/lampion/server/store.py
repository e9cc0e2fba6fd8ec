"""Where events are kept. SQLite in a file, or PostgreSQL by its address: the same behaviour behind one door.

`append` is durable when it returns, and only follows on what is there: two servers that store the same number of the
same table find out here who was first, and a table that was removed does not come back in part.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from lampion.locale import Problem

STEPS: tuple[tuple[str, ...], ...] = ()
"""What brings a database from one version of the schema to the next: the first of them from 1 to 2."""
SCHEMA = 1 + len(STEPS)


class Conflict(Exception):
    """Somebody else stored that number first."""


class BadStore(Problem):
    """A database that cannot be used."""


class Heading(NamedTuple):
    """What the list of tables shows without reading them: kept beside the events, made from them."""

    id: str
    game: str
    players: int
    status: str
    made: int
    changed: int
    seq: int


class Store(Protocol):
    """A place for events."""

    is_shared: bool
    """Whether there may be other servers of it, to tell things to."""

    async def open(self) -> None:
        """Make it ready; BadStore says what is wrong."""

    async def close(self) -> None:
        """Finish what was begun."""

    def claim(self) -> None:
        """Before a server opens it: where there is room for one server alone, be that one until the process ends."""

    async def append(self, table: str, seq: int, bodies: Sequence[bytes], heading: Heading) -> None:
        """Store events number seq + 1, seq + 2, ... of a table. Conflict where seq is not its last number."""

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """The events of a table after that number, in order; none where there is no such table."""

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """The tables, the last changed first."""

    async def delete(self, table: str, before: int | None = None) -> bool:
        """Remove a table, if it was last changed before a moment; whether it was removed."""

    async def touch(self, tables: Sequence[str]) -> None:
        """Somebody is at these tables: they count as changed now."""

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Hear the news of all servers of this store: NUMBER TABLE of what was stored, number 0 of a table that was
        removed, what was given to `tell` as it is, and nothing at all where news may have been missed."""

    async def tell(self, news: Sequence[str]) -> None:
        """Tell all servers of this store something that is not kept, nor told again if it gets lost."""


MAKE = (
    "create table meta (name text primary key, value text not null) without rowid",
    "create table events (game text not null, seq integer not null, body blob not null, primary key (game, seq))"
    " without rowid",
    "create table tables (id text primary key, game text not null, players integer not null, status text not null,"
    " made integer not null, changed integer not null, seq integer not null) without rowid",
    "create index tables_by_change on tables (changed)",
)


class SqliteStore:
    """SQLite with a write-ahead log and one writer thread; those who wait together are stored together."""

    is_shared = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._claimed: IO[bytes] | None = None

    def claim(self) -> None:
        """Lock a file beside the database; the system lets go of it when the process ends, however that happens."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._claimed = self.path.with_name(self.path.name + ".lock").open("ab")
        except OSError as error:
            raise BadStore("store.unusable", file=str(self.path), detail=str(error)) from error
        try:
            lock(self._claimed)
        except OSError:
            raise BadStore("store.in_use", file=str(self.path)) from None

    async def open(self) -> None:
        """Open the file, make the tables, refuse what is newer."""
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._thread = threading.Thread(target=self._work, args=(opened, asyncio.get_running_loop()), daemon=True)
        self._thread.start()
        await opened

    def _connect(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=10)
            try:
                connection.execute("pragma journal_mode=wal")
                connection.execute("pragma synchronous=full")
                connection.execute("begin immediate")
                self._bring_up(connection)
                connection.execute("commit")
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise BadStore("store.unusable", file=str(self.path), detail=str(error)) from error
        return connection

    def _bring_up(self, connection: sqlite3.Connection) -> None:
        """Make what a new database needs, or what this version adds to an older one; refuse what is not ours."""
        names = {row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")}
        if not names:
            for line in MAKE:
                connection.execute(line)
            connection.execute("insert into meta values ('schema', ?)", (str(SCHEMA),))
        elif not names >= {"meta", "events", "tables"}:
            raise BadStore("store.foreign", file=str(self.path))
        for line in missing_steps(connection.execute(VERSION).fetchone(), str(self.path)):
            connection.execute(line)
        connection.execute("update meta set value = ? where name = 'schema'", (str(SCHEMA),))

    def _work(self, opened: asyncio.Future[None], loop: asyncio.AbstractEventLoop) -> None:
        """The writer: takes all that waits, stores it in one transaction, answers."""
        try:
            connection = self._connect()
        except Exception as error:
            loop.call_soon_threadsafe(opened.set_exception, error)
            return
        loop.call_soon_threadsafe(opened.set_result, None)
        while True:
            batch = [self._jobs.get()]
            while len(batch) < 256:
                try:
                    batch.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            stop = None in batch
            self._run(connection, [job for job in batch if job is not None], loop)
            if stop:
                connection.close()
                return

    def _run(self, connection: sqlite3.Connection, jobs: list[Any], loop: asyncio.AbstractEventLoop) -> None:
        """Jobs in one transaction; where one fails, each in its own, so that it takes no other with it."""
        answers: list[tuple[asyncio.Future[Any], Any, BaseException | None]] = []
        try:
            connection.execute("begin immediate")
            for work, future in jobs:
                try:
                    answers.append((future, work(connection), None))
                except Conflict as conflict:  # it has changed nothing
                    answers.append((future, None, conflict))
            connection.execute("commit")
        except Exception as error:
            if connection.in_transaction:
                connection.execute("rollback")
            if len(jobs) > 1:
                for job in jobs:
                    self._run(connection, [job], loop)
                return
            answers = [(future, None, error) for _, future in jobs]
        loop.call_soon_threadsafe(tell, answers)

    async def _do(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put((work, future))
        return await future

    async def close(self) -> None:
        """Wait for what is being stored."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    async def append(self, table: str, seq: int, bodies: Sequence[bytes], heading: Heading) -> None:
        """Store events."""
        rows = [(table, seq + i, body) for i, body in enumerate(bodies, start=1)]

        def work(connection: sqlite3.Connection) -> None:
            if seq == 0:
                done = connection.execute("insert or ignore into tables values (?, ?, ?, ?, ?, ?, ?)", heading)
            else:
                done = connection.execute(
                    "update tables set status = ?, changed = ?, seq = ? where id = ? and seq = ?",
                    (heading.status, heading.changed, heading.seq, table, seq),
                )
            if done.rowcount != 1:
                raise Conflict
            connection.executemany("insert into events values (?, ?, ?)", rows)

        await self._do(work)

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """The events of a table."""
        query = "select body from events where game = ? and seq > ? order by seq"
        return await self._do(lambda connection: [row[0] for row in connection.execute(query, (table, since))])

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """The tables."""
        query = "select * from tables where ?1 is null or status = ?1 order by changed desc, id limit ?2"
        return await self._do(lambda connection: [Heading(*row) for row in connection.execute(query, (status, limit))])

    async def delete(self, table: str, before: int | None = None) -> bool:
        """Remove a table."""

        def work(connection: sqlite3.Connection) -> bool:
            query = "delete from tables where id = ?1 and (?2 is null or changed < ?2)"
            gone = connection.execute(query, (table, before)).rowcount > 0
            if gone:
                connection.execute("delete from events where game = ?", (table,))
            return gone

        return bool(await self._do(work))

    async def touch(self, tables: Sequence[str]) -> None:
        """Somebody is there."""
        rows = [(now(), table) for table in tables]
        await self._do(lambda connection: connection.executemany("update tables set changed = ? where id = ?", rows))

    async def listen(self, heard: Callable[[str], None]) -> None:
        """A file has one server."""

    async def tell(self, news: Sequence[str]) -> None:
        """There is nobody else."""


VERSION = "select value from meta where name = 'schema'"


def missing_steps(found: Sequence[str] | None, file: str) -> list[str]:
    """What a database lacks to be of this version, from the row that says its own; refused where it is newer."""
    if found is None or not found[0].isdecimal():
        raise BadStore("store.foreign", file=file)
    if int(found[0]) > SCHEMA:
        raise BadStore("store.too_new", file=file, version=found[0], known=SCHEMA)
    return [line for step in STEPS[int(found[0]) - 1 :] for line in step]


def lock(file: IO[bytes]) -> None:
    """Lock a file for this process alone; OSError where another one has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def tell(answers: list[tuple[asyncio.Future[Any], Any, BaseException | None]]) -> None:
    """Hand the answers to those who wait."""
    for future, result, error in answers:
        if future.done():
            continue
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
