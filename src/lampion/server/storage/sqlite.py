"""The store in a SQLite file with a write-ahead log, for one server."""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from lampion.locale import Problem, why
from lampion.server.storage.schema import COLUMNS, DAY_APART, OLDEST_BOARDS, SCHEMA, TODAY, VERSION, missing_steps
from lampion.server.storage.store import BadStore, Condition, Conflict, Damaged, Heading, Idle, Unavailable, now, whole

MAKE = (
    "create table meta (name text primary key, value text not null) without rowid",
    "create table events (game text not null, seq integer not null, body blob not null, primary key (game, seq))"
    " without rowid",
    "create table tables (id text primary key, game text not null, players integer not null, status text not null,"
    " made integer not null, changed integer not null, seq integer not null) without rowid",
    "create index tables_by_change on tables (changed)",
    "insert into meta values ('schema', '1')",
)
IDLE = "changed < ? and day <= ?"
TROUBLES: dict[int, tuple[type[Problem], str]] = {
    sqlite3.SQLITE_FULL: (Unavailable, "server.disk_full"),
    sqlite3.SQLITE_IOERR: (Unavailable, "server.not_writable"),
    sqlite3.SQLITE_READONLY: (Unavailable, "server.not_writable"),
    sqlite3.SQLITE_PERM: (Unavailable, "server.not_writable"),
    sqlite3.SQLITE_CANTOPEN: (Unavailable, "server.not_writable"),
    sqlite3.SQLITE_BUSY: (Unavailable, "server.store_away"),
    sqlite3.SQLITE_LOCKED: (Unavailable, "server.store_away"),
    sqlite3.SQLITE_NOMEM: (Unavailable, "server.store_away"),
    sqlite3.SQLITE_CORRUPT: (Damaged, "server.table_damaged"),
    sqlite3.SQLITE_NOTADB: (Damaged, "server.table_damaged"),
    sqlite3.SQLITE_IOERR_READ: (Damaged, "server.table_damaged"),
    sqlite3.SQLITE_IOERR_SHORT_READ: (Damaged, "server.table_damaged"),
}
"""The problem that an error of SQLite means, by its extended code or else its last byte."""


class Job(NamedTuple):
    """Work for the thread that has the connection, and the future of its result."""

    work: Callable[[sqlite3.Connection], Any]
    answer: asyncio.Future[Any]
    writes: bool


class SqliteStore:
    """A store in which one thread reads and writes; what waits together is stored in one transaction."""

    is_shared = False

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path.expanduser()))
        self.condition = Condition()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._claimed: IO[bytes] | None = None

    def claim(self) -> None:
        """Lock a file beside the database; the system unlocks it when the process ends, however that happens."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            check_file(self.path)
            self._claimed = self.path.with_name(self.path.name + ".lock").open("ab")
        except OSError as error:
            raise BadStore("store.unusable", file=str(self.path), detail=why(error)) from error
        try:
            lock(self._claimed)
        except OSError:
            raise BadStore("store.in_use", file=str(self.path)) from None

    async def open(self) -> None:
        """Open the file and bring its schema up to date; BadStore where it cannot be used."""
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._thread = threading.Thread(target=self._work, args=(opened, asyncio.get_running_loop()), daemon=True)
        self._thread.start()
        await opened

    def _connect(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            check_file(self.path)
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=10)
            try:
                connection.execute("pragma synchronous=full")
                connection.execute("pragma foreign_keys=on")
                connection.execute("begin immediate")
                self._bring_up(connection)
                connection.execute("commit")
                connection.execute("pragma journal_mode=wal")
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            raise BadStore("store.unusable", file=str(self.path), detail=detail_of(error)) from error
        except OSError as error:
            raise BadStore("store.unusable", file=str(self.path), detail=why(error)) from error
        return connection

    def _bring_up(self, connection: sqlite3.Connection) -> None:
        """Make the tables of a new database, or migrate an older one; BadStore where it is foreign or newer."""
        names = {row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")}
        if not names:
            for line in MAKE:
                connection.execute(line)
        elif not names >= {"meta", "events", "tables"}:
            raise BadStore("store.foreign", file=str(self.path))
        steps = missing_steps(connection.execute(VERSION).fetchone(), str(self.path))
        for line in steps:
            connection.execute(line)
        if steps:
            connection.execute("update meta set value = ? where name = 'schema'", (str(SCHEMA),))

    def _work(self, opened: asyncio.Future[None], loop: asyncio.AbstractEventLoop) -> None:
        """Run the thread: take all jobs that wait, write in one transaction, then read, then answer."""
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
            jobs = [job for job in batch if job is not None]
            answers = self._write(connection, [job for job in jobs if job.writes])
            answers += [self._read(connection, job) for job in jobs if not job.writes]
            loop.call_soon_threadsafe(set_results, answers)
            if len(jobs) < len(batch):
                connection.close()
                return

    def _write(self, connection: sqlite3.Connection, jobs: list[Job]) -> list[Answer]:
        """Do jobs in one transaction, or where one fails, each in its own; return their answers."""
        if not jobs:
            return []
        answers: list[Answer] = []
        try:
            connection.execute("begin immediate")
        except sqlite3.Error as error:
            return [(job.answer, None, self._failed(error)) for job in jobs]
        try:
            for job in jobs:
                try:
                    answers.append((job.answer, job.work(connection), None))
                except Conflict as conflict:  # raised before anything is changed
                    answers.append((job.answer, None, conflict))
            connection.execute("commit")
        except Exception as error:
            undo(connection)
            if len(jobs) > 1:
                return [answer for job in jobs for answer in self._write(connection, [job])]
            return [(jobs[0].answer, None, self._failed(error))]
        self.condition.is_good()
        return answers

    def _read(self, connection: sqlite3.Connection, job: Job) -> Answer:
        """Do a job that changes nothing, which needs no disk space and no lock; return its answer."""
        try:
            connection.execute("begin")
            return job.answer, job.work(connection), None
        except Exception as error:
            return job.answer, None, problem_of(error)
        finally:
            undo(connection)

    def _failed(self, error: Exception) -> Exception:
        """Return the exception for a write that failed."""
        problem = problem_of(error)
        if isinstance(problem, Unavailable):
            self.condition.is_bad(problem, error)
        return problem

    async def _do(self, work: Callable[[sqlite3.Connection], Any], writes: bool = True) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put(Job(work, future, writes))
        return await future

    async def _ask(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        return await self._do(work, writes=False)

    async def close(self) -> None:
        """Finish what waits to be stored, then close the file."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    async def append(
        self, table: str, seq: int, bodies: Sequence[bytes], heading: Heading, edition: tuple[str, bytes] | None = None
    ) -> None:
        """Store events of a table."""
        rows = [(table, seq + i, body) for i, body in enumerate(bodies, start=1)]
        heading = heading._replace(seq=seq + len(rows))
        hash = None if edition is None else edition[0]

        def work(connection: sqlite3.Connection) -> None:
            if seq == 0:
                if connection.execute("select 1 from tables where id = ?", (table,)).fetchone():
                    raise Conflict
                if edition is not None:
                    connection.execute("insert or ignore into editions values (?, ?)", edition)
                query = f"insert into tables ({COLUMNS}, edition, day) values (?, ?, ?, ?, ?, ?, ?, ?, {TODAY})"
                connection.execute(query, (*heading, hash))
            else:
                query = f"update tables set status = ?, changed = ?, seq = ?, day = {TODAY} where id = ? and seq = ?"
                done = connection.execute(query, (heading.status, heading.changed, heading.seq, table, seq))
                if done.rowcount != 1:
                    raise Conflict
            connection.executemany("insert into events values (?, ?, ?)", rows)

        await self._do(work)

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """Return the events of a table after a number."""

        def work(connection: sqlite3.Connection) -> list[bytes]:
            last = None
            with suppress(sqlite3.DatabaseError):  # damaged there, but the events may be whole
                found = connection.execute("select seq from tables where id = ?", (table,)).fetchone()
                if found is None:
                    return []
                last = found[0]
            query = "select seq, body from events where game = ? and seq > ? order by seq"
            return whole(connection.execute(query, (table, since)).fetchall(), since, last)

        return list(await self._ask(work))

    async def edition(self, hash: str) -> bytes | None:
        """Return the components of an edition as JSON, None where it is not stored."""
        query = "select body from editions where hash = ?"
        found = await self._ask(lambda connection: connection.execute(query, (hash,)).fetchone())
        return found[0] if found is not None and isinstance(found[0], bytes) else None

    async def analysis(self, table: str) -> bytes | None:
        """Return the analysis of a table's game, None where none was kept."""
        query = "select body from analyses where id = ?"
        found = await self._ask(lambda connection: connection.execute(query, (table,)).fetchone())
        return found[0] if found is not None and isinstance(found[0], bytes) else None

    async def keep_analysis(self, table: str, body: bytes) -> None:
        """Keep an analysis with its table."""
        query = "insert or replace into analyses select id, ? from tables where id = ?"
        await self._do(lambda connection: connection.execute(query, (body, table)).rowcount)

    async def board(self, board: str) -> bytes | None:
        """Return a tree of variations that was kept."""
        query = "select body from boards where id = ?"
        found = await self._ask(lambda connection: connection.execute(query, (board,)).fetchone())
        return found[0] if found is not None and isinstance(found[0], bytes) else None

    async def keep_board(self, board: str, body: bytes) -> None:
        """Keep a tree of variations under a new id."""
        query = f"insert into boards values (?, ?, {TODAY}, ?)"
        await self._do(lambda connection: connection.execute(query, (board, now(), body)).rowcount)

    async def touch_board(self, board: str) -> None:
        """Note that somebody looks at a tree."""
        query = f"update boards set changed = ?, day = {TODAY} where id = ?"
        await self._do(lambda connection: connection.execute(query, (now(), board)).rowcount)

    async def delete_idle_boards(self, idle: Idle, most: int) -> int:
        """Remove idle trees, and the oldest of too many."""
        query = f"delete from boards where {IDLE} or id in ({OLDEST_BOARDS.format('?')})"
        return int(await self._do(lambda connection: connection.execute(query, (*idle, most)).rowcount))

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """Return the headings of the tables, the last changed first."""
        query = f"select {COLUMNS} from tables where ?1 is null or status = ?1 order by changed desc, id limit ?2"

        def work(connection: sqlite3.Connection) -> list[Heading]:
            try:
                return [Heading(*row) for row in connection.execute(query, (status, limit))]
            except sqlite3.DatabaseError as error:
                if not isinstance(problem_of(error), Damaged):
                    raise
                found = sorted(salvage(connection), key=lambda one: (-one.changed, one.id))
                return [one for one in found if status in (None, one.status) or one.status == "lost"][:limit]

        return list(await self._ask(work))

    async def delete(self, table: str, idle: Idle | None = None) -> bool:
        """Remove a table."""

        def work(connection: sqlite3.Connection) -> bool:
            query = "delete from tables where id = ?" + ("" if idle is None else f" and {IDLE}")
            gone = connection.execute(query, (table, *(idle or ()))).rowcount > 0
            if gone:
                connection.execute("delete from events where game = ?", (table,))
            return gone

        return bool(await self._do(work))

    async def touch(self, tables: Sequence[str]) -> None:
        """Note that somebody is at these tables."""
        if tables:
            rows = [(now(), table) for table in tables]
            query = f"update tables set changed = ?, day = {TODAY} where id = ?"
            await self._do(lambda connection: connection.executemany(query, rows))

    async def count_day(self, at: int) -> int:
        """Count a day on which the server runs; return their number."""

        def work(connection: sqlite3.Connection) -> int:
            query = "update meta set value = ?1 where name = 'counted' and abs(cast(value as integer) - ?1) >= ?2"
            if connection.execute(query, (at, DAY_APART)).rowcount:
                connection.execute("update meta set value = cast(value as integer) + 1 where name = 'days'")
            return int(connection.execute(f"select {TODAY}").fetchone()[0])

        return int(await self._do(work))

    async def abandoned(self, idle: Idle) -> list[Heading]:
        """Return the headings of idle tables whose game is not over."""
        query = f"select {COLUMNS} from tables where status <> 'over' and {IDLE} limit 1000"
        return list(await self._ask(lambda connection: [Heading(*row) for row in connection.execute(query, idle)]))

    async def delete_unused_editions(self) -> None:
        """Remove editions that no table uses."""
        query = "delete from editions where not exists (select 1 from tables where tables.edition = editions.hash)"
        await self._do(lambda connection: connection.execute(query).rowcount)

    async def probe(self) -> None:
        """Write the time, to find out whether writing works."""
        query = "insert or replace into meta values ('probe', ?)"
        await self._do(lambda connection: connection.execute(query, (str(now()),)).rowcount)

    async def damage(self) -> list[str]:
        """Return what SQLite finds wrong with its file."""

        def work(connection: sqlite3.Connection) -> list[str]:
            try:
                return [str(row[0]) for row in connection.execute("pragma quick_check") if row[0] != "ok"]
            except sqlite3.DatabaseError as error:
                return [str(error)]

        return list(await self._ask(work))

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Do nothing: a file has one server."""

    async def tell(self, news: Sequence[str]) -> None:
        """Do nothing: there is no other server."""


Answer = tuple["asyncio.Future[Any]", Any, BaseException | None]


def problem_of(error: Exception) -> Exception:
    """Return the Problem that an error of SQLite means, or the error itself where it means none."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return error
    kind, key = TROUBLES.get(code) or TROUBLES.get(code & 0xFF) or (None, "")
    return error if kind is None else kind(key)


def detail_of(error: sqlite3.Error) -> str:
    """Return what is wrong with a file, in the language in use where we have words for it, else SQLite's text."""
    problem = problem_of(error)
    return str(problem if isinstance(problem, Unavailable) else error)


def undo(connection: sqlite3.Connection) -> None:
    """Roll back the transaction, if there is one."""
    if connection.in_transaction:
        with suppress(sqlite3.Error):
            connection.execute("rollback")


def salvage(connection: sqlite3.Connection) -> list[Heading]:
    """Return the headings that can still be read in a damaged list of tables.

    Ids are looked for one by one from both ends, in the headings and in the events, as far as the damage allows.
    """
    ids: set[str] = set()
    for column, table in (("id", "tables"), ("game", "events")):
        for query, last in (
            (f"select min({column}) from {table} where {column} > ?", ""),
            (f"select max({column}) from {table} where {column} < ?", "\U0010ffff"),
        ):
            with suppress(sqlite3.DatabaseError):
                while (last := connection.execute(query, (last,)).fetchone()[0]) is not None:
                    ids.add(str(last))
    headings = []
    for id in ids:
        row: tuple[Any, ...] | None = None
        with suppress(sqlite3.DatabaseError):
            row = connection.execute(f"select {COLUMNS} from tables where id = ?", (id,)).fetchone()
        is_whole = row is not None and list(map(type, row)) == [str, str, int, str, int, int, int]
        headings.append(Heading(*row) if row and is_whole else Heading(id, "", 0, "lost", 0, 0, 0))
    return headings


def check_file(path: Path) -> None:
    """Refuse what is not a file, and a file with two names: SQLite would keep a log under each."""
    if path.exists() and not path.is_file():
        raise BadStore("store.no_file", file=str(path))
    if path.exists() and path.stat().st_nlink > 1:
        raise BadStore("store.linked", file=str(path))


def lock(file: IO[bytes]) -> None:
    """Lock a file for this process alone; OSError where another one has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def set_results(answers: list[Answer]) -> None:
    """Set the results of the futures that wait."""
    for future, result, error in answers:
        if future.done():
            continue
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)
