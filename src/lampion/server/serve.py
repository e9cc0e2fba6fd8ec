"""`lampion serve`, and what is done to its database from the command line."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import re
import secrets
import socket
import sqlite3
import sys
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from lampion.locale import Problem, say, why
from lampion.play.record import Record
from lampion.server.http.admin_routes import LONG
from lampion.server.http.app import App
from lampion.server.http.guard import addresses
from lampion.server.http.transports import MOST_OF_ADDRESS, RESERVE, Config, Transports, raise_descriptor_limit
from lampion.server.protocol import events as stored
from lampion.server.protocol import messages as wire
from lampion.server.protocol.http_types import TableSummary
from lampion.server.storage.edition_cache import EditionCache
from lampion.server.storage.sqlite import SqliteStore, check_file, detail_of
from lampion.server.storage.store import BadStore, Damaged, Store, now
from lampion.server.tables.finished_games import events_of_record, store_finished
from lampion.server.tables.hub import Hub
from lampion.server.tables.ids import new_token
from lampion.server.tables.summaries import decode_until_bad, summarize
from lampion.server.tables.table import Table, rebuild

log = logging.getLogger("lampion.server")

LOCAL = ("localhost", "127.0.0.1", "::1")
SWITCH_SECONDS = 0.001
"""How long the event loop waits for Python's lock while another thread draws a picture or thinks."""


class BadServe(Problem):
    """A server that cannot be started like this."""


def user_data() -> Path:
    """The folder where this user's programs keep what must not be lost."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or str(Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "lampion"


def is_address(db: str) -> bool:
    """Whether a database is named by an address, not by a file."""
    return db.startswith(("postgres://", "postgresql://"))


def store_for(db: str | None) -> Store:
    """The store that is named: a file, an address, or the usual file."""
    if db is not None and is_address(db):
        try:
            from lampion.server.storage.postgres import PostgresStore
        except ImportError:
            raise BadStore("store.no_postgres") from None
        return PostgresStore(db)
    if db is not None and "://" in db:
        raise BadStore("store.address", db=db.partition("://")[0])
    return SqliteStore(Path(db).expanduser() if db else user_data() / "lampion.db")


@dataclass(frozen=True)
class Settings:
    """How a server is started."""

    host: str = "localhost"
    port: int = 8000
    db: str | None = None
    open: bool = False
    lan: bool = False
    keep: int = 180
    hosts: tuple[str, ...] = ()
    base_path: str = ""
    trust_proxy: bool = False
    admin: str | None = None
    log: str = "text"
    bot_threads: int | None = None


class JsonLines(logging.Formatter):
    """One JSON object a line, for machines that read logs."""

    KNOWN = frozenset(logging.LogRecord("", 0, "", 0, "", None, None).__dict__) | {
        "message",
        "taskName",
        "color_message",
    }

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        told |= {key: value for key, value in record.__dict__.items() if key not in self.KNOWN}
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """One line for people."""

    def format(self, record: logging.LogRecord) -> str:
        more = {key: value for key, value in record.__dict__.items() if key not in JsonLines.KNOWN}
        told = " ".join(f"{key}={value}" for key, value in more.items())
        text = f"{time.strftime('%H:%M:%S', time.localtime(record.created))} {record.getMessage()} {told}".rstrip()
        return text + ("\n" + self.formatException(record.exc_info) if record.exc_info else "")


def set_logs(kind: str) -> None:
    """Where the server's own words go: standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if kind == "json" else TextLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(RepeatedWarningFilter())


class RepeatedWarningFilter(logging.Filter):
    """Keeps strangers from filling the log: what one of them sent is told once a minute, a broken off request never."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, (UnicodeDecodeError, asyncio.CancelledError)):
            return False
        if isinstance(error, RuntimeError) and "the handler is closed" in str(error):
            return False  # uvloop's word for a connection that was cut a moment ago
        if error is not None or record.levelno > logging.WARNING:
            return True
        recently = self._told.get(str(record.msg), 0.0) > record.created - 60
        if not recently:
            self._told = {**self._told, str(record.msg): record.created} if len(self._told) < 100 else {}
        return not recently


def pages_folder() -> Path:
    """The built pages."""
    return Path(__file__).resolve().parent / "pages"


def checked_path(path: str) -> str:
    """A path to serve below, as routes want it: with a slash before it and none after."""
    bare = path.strip("/")
    if bare and not re.fullmatch(r"[\w~-][\w.~-]*(/[\w~-][\w.~-]*)*", bare, re.ASCII):
        raise BadServe("serve.base_path", path=path)
    return "/" + bare if bare else ""


def check_name(name: str) -> None:
    """Refuse an address where the name of a machine is meant: it would never match."""
    if name != "*" and not re.fullmatch(r"[\w.-]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*", name):
        raise BadServe("serve.name", name=name)


def bind(settings: Settings) -> socket.socket:
    """The socket to listen on; refuses to be open to others by accident."""
    host = "0.0.0.0" if settings.lan and settings.host in LOCAL else settings.host
    if host not in LOCAL and not settings.lan and not settings.hosts:
        raise BadServe("serve.explicit", host=host)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, settings.port))
    except (socket.gaierror, UnicodeError):
        raise BadServe("serve.host", host=host) from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise BadServe("serve.host", host=host) from None
        raise BadServe("serve.port", port=settings.port, detail=why(error)) from error
    return listener


def serve(settings: Settings) -> None:
    """Serve until told to stop."""
    base = checked_path(settings.base_path)
    for name in settings.hosts:
        check_name(name)
    set_logs(settings.log)
    listener = bind(settings)
    store = store_for(settings.db)
    store.claim()
    run(try_store(settings.db))
    port = listener.getsockname()[1]
    admin = settings.admin or os.environ.get("LAMPION_ADMIN") or secrets.token_urlsafe(18)
    if len(admin) < LONG:
        log.warning("the admin's token is short and can be guessed", extra={"characters": len(admin), "least": LONG})
    hub = Hub(store, keep_days=settings.keep, bot_threads=settings.bot_threads)
    app = App(
        hub,
        admin=admin,
        hosts=settings.hosts,
        trust_proxy=settings.trust_proxy,
        base_path=base,
        lan=settings.lan,
        pages=pages_folder(),
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    most = raise_descriptor_limit() - RESERVE
    config = Config(
        app.asgi,
        Transports(most, None if settings.trust_proxy else MOST_OF_ADDRESS),
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=4 * wire.LONGEST,
        ws_per_message_deflate=False,  # costs more time and memory than a table's messages are worth
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=3,
        proxy_headers=False,
    )
    local = f"http://localhost:{port}{base}/"
    announce(settings, local, port, base, admin)
    if settings.open:
        threading.Thread(target=open_browser, args=(port, local), daemon=True).start()
    server = GracefulServer(config, app)
    server.run(sockets=[listener])
    if not server.started:
        sys.exit(1)


class GracefulServer(uvicorn.Server):
    """One that says goodbye to the sockets before it closes them."""

    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self.app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in any more, say goodbye, then close."""
        for server in self.servers:
            server.close()
        await self.app.goodbye()
        await super().shutdown(sockets)


def announce(settings: Settings, local: str, port: int, base: str, admin: str) -> None:
    """Say where it is."""
    print(say("serve.here", address=local), flush=True)
    if settings.lan:
        found = [address for address in addresses() if ":" not in address]
        for address in found:
            link = f"http://{address}:{port}{base}/"
            print(say("serve.lan", address=link), flush=True)
            print_qr(link)
        if not found:
            print(say("serve.no_lan"), flush=True)
    if settings.admin is None and "LAMPION_ADMIN" not in os.environ and sys.stdout.isatty():
        print(say("serve.admin", address=f"{local}#admin={admin}"), flush=True)


def print_qr(link: str) -> None:
    """A link for a telephone's camera."""
    import segno

    segno.make(link, error="m").terminal(compact=True)


def open_browser(port: int, link: str) -> None:
    """Open the browser as soon as the server answers."""
    for _ in range(200):
        try:
            socket.create_connection(("localhost", port), 0.5).close()
            break
        except OSError:
            time.sleep(0.05)
    webbrowser.open(link)


async def try_store(db: str | None) -> None:
    """Refuse a database that cannot be used before anything is announced."""
    async with opened(db, new=True):
        pass


# The database, without a server


@asynccontextmanager
async def opened(db: str | None, new: bool = False) -> AsyncIterator[Store]:
    """A store for a moment; it must be there already unless a new one is welcome."""
    store = store_for(db)
    if isinstance(store, SqliteStore) and not new and not store.path.exists():
        raise BadStore("store.none", file=str(store.path))
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def read_table(editions: EditionCache, id: str) -> Table:
    """Rebuild a table from its events; a Problem says why it cannot be read."""
    bodies = await editions.store.read(id)
    if not bodies:
        raise BadServe("serve.no_table", table=id)
    events = [stored.decode(body) for body in bodies]
    if not isinstance(events[0], stored.Made):
        raise Damaged("server.table_damaged")
    return rebuild(id, events, await editions.of(events[0]))


@dataclass(frozen=True)
class Checked:
    """What `serve --check` found: how many tables, why some of them are broken, what is wrong with the file."""

    tables: int
    broken: dict[str, str]
    damage: list[str]


async def check(db: str | None) -> Checked:
    """Replay every table under these rules and say which could only be looked at, or not even that."""
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
    """Copy a database in use, whole and consistent; what was there under that name is replaced by a good copy alone."""
    if db is not None and is_address(db):
        raise BadStore("store.backup_postgres")
    source = SqliteStore(Path(db) if db else user_data() / "lampion.db").path
    if not source.exists():
        raise BadStore("store.none", file=str(source))
    check_file(source)
    if target.exists() and target.samefile(source):
        raise BadStore("store.same_file", file=str(target))
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
        for end in ("-wal", "-shm"):  # of an older file by that name, they would be taken for the new one's
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
    """Connect to a file, whatever characters are in its name, with one of SQLite's URI parameters."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, timeout=10)


def count_rows(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return how many tables and how many events a database has."""
    counts = connection.execute("select (select count(*) from tables), (select count(*) from events)").fetchone()
    return int(counts[0]), int(counts[1])


async def list_records(db: str | None) -> list[TableSummary]:
    """The finished games of a database, the last changed first; one that cannot be read says why."""
    listed = []
    async with opened(db) as store:
        for one in await store.headings("over", 1_000_000):
            try:
                told = summarize(one.id, decode_until_bad(await store.read(one.id)))
            except Damaged as problem:
                told = TableSummary(id=one.id, status="closed", broken=str(problem), changed=one.changed)
            if one.status == "over" or told.status == "over" or told.broken:
                listed.append(told)
    return listed


@dataclass(frozen=True)
class Exported:
    """The files that were written, and why others were not."""

    files: list[Path]
    broken: dict[str, str]


async def export_records(db: str | None, folder: Path, ids: Sequence[str] = ()) -> Exported:
    """Write the records of finished games as files: of all, or of those that are named."""
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
    """Take finished games from files into the database; all are checked before one is stored."""
    games = []
    for file in files:
        try:
            games.append(events_of_record(Record.load(file), now(), new_token()))
        except Problem as problem:
            raise BadServe("serve.not_imported", file=str(file), reason=problem) from problem
    async with opened(db, new=True) as store:
        return [await store_finished(store, events) for events in games]


async def delete_tables(db: str | None, ids: Sequence[str]) -> int:
    """Remove tables for good; all of them must be there."""
    async with opened(db) as store:
        for id in ids:
            with suppress(Damaged):
                if not await store.read(id):
                    raise BadServe("serve.no_table", table=id)
        return sum([await store.delete(id) for id in ids])


def run(work: Any) -> Any:
    """Run one of these to its end."""
    return asyncio.run(work)
