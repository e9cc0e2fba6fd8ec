"""The database from the command line, without a server: check, back up, list, export, import, delete."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lampion import extras
from lampion.locale import Problem, why
from lampion.play.record import Record
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.http_types import TableSummary
from lampion.server.storage.edition_cache import EditionCache
from lampion.server.storage.sqlite import SqliteStore, check_file, detail_of
from lampion.server.storage.store import BadStore, Damaged, Store, now
from lampion.server.tables.ids import new_token
from lampion.server.tables.record_import import events_of_record, store_finished
from lampion.server.tables.summaries import decode_until_bad, summarize
from lampion.server.tables.table import Table, rebuild


class BadServe(Problem):
    """A command about the server or its database that cannot be carried out."""


def user_data() -> Path:
    """Return the folder for this user's lasting data, as the system prescribes."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or str(Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "lampion"


def is_address(db: str) -> bool:
    """Return whether a database is named by an address, not by a file."""
    return db.startswith(("postgres://", "postgresql://"))


def store_for(db: str | None) -> Store:
    """Return the store that is named by a file or an address; without a name, that of the usual file."""
    if db is not None and is_address(db):
        try:
            from lampion.server.storage.postgres import PostgresStore
        except ImportError:
            raise BadStore("store.no_postgres", command=extras.command("postgres")) from None
        return PostgresStore(db)
    if db is not None and "://" in db:
        raise BadStore("store.address", db=db.partition("://")[0])
    store = SqliteStore(Path(db).expanduser() if db else user_data() / "lampion.db")
    if db:  # the usual folder is made, any other was perhaps misspelt
        must_have_folder(store.path)
    return store


def must_have_folder(file: Path) -> None:
    """Refuse a file in a folder that is not there."""
    if not os.path.isdir(file.parent):
        raise BadStore("store.no_folder", folder=str(file.parent))


@asynccontextmanager
async def opened(db: str | None, new: bool = False) -> AsyncIterator[Store]:
    """Open a store for a while; BadStore where there is none, unless it may be `new`."""
    store = store_for(db)
    if isinstance(store, SqliteStore) and not new and not store.path.exists():
        raise BadStore("store.none", file=str(store.path))
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def read_table(editions: EditionCache, id: str) -> Table:
    """Return a table rebuilt from its events; raises a Problem where it cannot be read."""
    bodies = await editions.store.read(id)
    if not bodies:
        raise BadServe("serve.no_table", table=id)
    events = [stored.decode(body) for body in bodies]
    if not isinstance(events[0], stored.Made):
        raise Damaged("server.table_damaged")
    return rebuild(id, events, await editions.of(events[0]))


@dataclass(frozen=True)
class Checked:
    """What `serve --check` found: the number of tables, why some are broken, what is wrong with the file."""

    tables: int
    broken: dict[str, str]
    damage: list[str]


async def check(db: str | None) -> Checked:
    """Replay every table under these rules; return which are read-only or cannot be read."""
    broken: dict[str, str] = {}
    async with opened(db) as store:
        editions = EditionCache(store)
        headings = await store.headings(limit=1_000_000)
        for heading in headings:
            try:
                table = await read_table(editions, heading.id)
                if table.broken is not None:
                    broken[heading.id] = str(table.broken)
            except Problem as problem:
                broken[heading.id] = str(problem)
        return Checked(len(headings), broken, await store.damage())


def backup(db: str | None, target: Path) -> None:
    """Copy a database, even one in use; the target is replaced only when the copy has been checked."""
    if db is not None and is_address(db):
        raise BadStore("store.backup_postgres")
    source = SqliteStore(Path(db) if db else user_data() / "lampion.db").path
    if not source.exists():
        raise BadStore("store.none", file=str(source))
    check_file(source)
    if target.exists() and target.samefile(source):
        raise BadStore("store.same_file", file=str(target))
    must_have_folder(target)
    half = target.with_name(target.name + ".part")
    try:
        half.unlink(missing_ok=True)
        with closing(connect_to(source, "mode=ro")) as one, closing(sqlite3.connect(half)) as other:
            one.execute("begin")
            counts = count_rows(one)
            one.backup(other)
        with closing(connect_to(half, "immutable=1")) as copy:
            found = [row[0] for row in copy.execute("pragma quick_check")]
            if found != ["ok"] or count_rows(copy) != counts:
                raise BadStore("store.bad_copy", file=str(source), detail=str(found[0]))
        for end in ("-wal", "-shm"):  # left by an older file of that name, SQLite would apply them to the new one
            target.with_name(target.name + end).unlink(missing_ok=True)
        half.replace(target)
    except sqlite3.Error as error:
        raise BadStore("store.unusable", file=str(target), detail=detail_of(error)) from error
    except OSError as error:
        raise BadStore("store.unusable", file=str(target), detail=why(error)) from error
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


def connect_to(file: Path, how: str) -> sqlite3.Connection:
    """Connect to a file with one of SQLite's URI parameters, whatever characters are in its name."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, timeout=10)


def count_rows(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the number of tables and of events in a database."""
    counts = connection.execute("select (select count(*) from tables), (select count(*) from events)").fetchone()
    return int(counts[0]), int(counts[1])


async def list_records(db: str | None) -> list[TableSummary]:
    """Return the finished games of a database, the last changed first; one that cannot be read says why."""
    listed = []
    async with opened(db) as store:
        for one in await store.headings("over", 1_000_000):
            try:
                summary = summarize(one.id, decode_until_bad(await store.read(one.id)))
            except Damaged as problem:
                summary = TableSummary(id=one.id, status="closed", broken=str(problem), changed=one.changed)
            if one.status == "over" or summary.status == "over" or summary.broken:
                listed.append(summary)
    return listed


@dataclass(frozen=True)
class Exported:
    """The files that were written, and why others were not."""

    files: list[Path]
    broken: dict[str, str]


async def export_records(db: str | None, folder: Path, ids: Sequence[str] = ()) -> Exported:
    """Write the records of finished games to files, of all tables or of those named."""
    done = Exported([], {})
    async with opened(db) as store:
        editions = EditionCache(store)
        headings = await store.headings("over", 1_000_000)
        for id in ids:
            if id not in {one.id for one in headings}:
                raise BadServe("serve.no_finished", table=id)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for heading in headings:
                if ids and heading.id not in ids:
                    continue
                try:
                    table = await read_table(editions, heading.id)
                    if table.broken is not None:
                        raise table.broken
                except Problem as problem:
                    done.broken[heading.id] = str(problem)
                    continue
                if table.status != "over":  # its heading was lost
                    continue
                path = folder / f"{table.made.game}-{heading.id}.json"
                table.record().save(path)
                done.files.append(path)
        except OSError as error:
            raise BadServe("serve.folder", folder=str(folder), detail=why(error)) from error
    return done


async def import_records(db: str | None, files: Sequence[Path]) -> list[str]:
    """Store the finished games of record files, all of which are checked first; return the ids of their tables."""
    games = []
    for file in files:
        try:
            games.append(events_of_record(Record.load(file), now(), new_token()))
        except Problem as problem:
            raise BadServe("serve.not_imported", file=str(file), reason=problem) from problem
    async with opened(db, new=True) as store:
        return [await store_finished(store, events) for events in games]


async def delete_tables(db: str | None, ids: Sequence[str]) -> int:
    """Remove tables, all of which must exist; return the number removed."""
    async with opened(db) as store:
        for id in ids:
            with suppress(Damaged):
                if not await store.read(id):
                    raise BadServe("serve.no_table", table=id)
        return sum([await store.delete(id) for id in ids])


def run(work: Any) -> Any:
    """Run one of these coroutines to its end; return its result."""
    return asyncio.run(work)


async def try_store(db: str | None) -> None:
    """Open a database and close it again; BadStore where it cannot be used."""
    async with opened(db, new=True):
        pass
