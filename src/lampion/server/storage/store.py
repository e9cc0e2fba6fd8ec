"""Where events are kept: what every store does, and what SQLite and PostgreSQL have in common.

`append` is durable when it returns, and only follows on what is there: two servers that store the same number of the
same table find out here who was first, and a table that was removed does not come back in part.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from lampion.locale import Problem

log = logging.getLogger("lampion.server")

STEPS: tuple[tuple[str, ...], ...] = (
    (
        "create table editions (hash text primary key, body bytea not null)",
        "alter table tables add column edition text references editions (hash)",
        "create index tables_by_edition on tables (edition)",
        "alter table tables add column day integer not null default 0",
        "insert into meta values ('days', '0'), ('counted', '0')",
    ),
)
"""What brings a database from one version of the schema to the next, in the SQL of both stores: the first of them from
1 to 2. A new database is made as version 1 and brought up like an old one."""
SCHEMA = 1 + len(STEPS)
VERSION = "select value from meta where name = 'schema'"
TODAY = "(select cast(value as integer) from meta where name = 'days')"
"""How many days were counted on which a server of this database ran."""
DAY_APART = 20 * 3_600_000
"""Milliseconds between two counted days, by the clock and in either direction: a clock that jumps counts one."""


class Conflict(Exception):
    """Somebody else stored that number first."""


class BadStore(Problem):
    """A database that cannot be used."""


class Unavailable(Problem):
    """The store cannot do this for the moment: it is full, read-only or away."""


class Damaged(Problem):
    """What was stored cannot be read."""


class Heading(NamedTuple):
    """What the list of tables shows without reading them: kept beside the events, made from them."""

    id: str
    game: str
    players: int
    status: str
    made: int
    changed: int
    seq: int


COLUMNS = ", ".join(Heading._fields)


class Idle(NamedTuple):
    """How long nobody must have been at a table: not since this moment, nor after this counted day."""

    before: int
    day: int


class Store(Protocol):
    """A place for events. Unavailable and Damaged may come from all but `open` and `claim`."""

    is_shared: bool
    """Whether there may be other servers of it, to tell things to."""

    async def open(self) -> None:
        """Make it ready; BadStore says what is wrong."""

    async def close(self) -> None:
        """Finish what was begun."""

    def claim(self) -> None:
        """Before a server opens it: where there is room for one server alone, be that one until the process ends."""

    async def append(
        self,
        table: str,
        seq: int,
        bodies: Sequence[bytes],
        heading: Heading,
        edition: tuple[str, bytes] | None = None,
    ) -> None:
        """Store events number seq + 1, seq + 2, ... of a table. Conflict where seq is not its last number.

        A new table's edition, its hash and its components as JSON, is stored with it unless it is there already.
        """

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """The events of a table after that number, in order; none where there is no such table."""

    async def edition(self, hash: str) -> bytes | None:
        """The components of an edition as JSON; None where it is not stored."""

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """The tables, the last changed first. Of a damaged list all that can be found, those whose heading is lost
        with the status `lost`."""

    async def delete(self, table: str, idle: Idle | None = None) -> bool:
        """Remove a table, if it is idle; whether it was removed."""

    async def touch(self, tables: Sequence[str]) -> None:
        """Somebody is at these tables: they count as changed now."""

    async def count_day(self, at: int) -> int:
        """Count a day on which the server runs, unless one was counted shortly before; return how many there are."""

    async def abandoned(self, idle: Idle) -> list[Heading]:
        """Tables whose game is not over and that are idle, at most 1000."""

    async def delete_unused_editions(self) -> None:
        """Remove editions that no table is played with."""

    async def probe(self) -> None:
        """Write something small, to find out whether writing works."""

    async def damage(self) -> list[str]:
        """What the database itself finds wrong with its files, one line each."""

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Hear the news of all servers of this store: NUMBER TABLE of what was stored, number 0 of a table that was
        removed, what was given to `tell` as it is, and nothing at all where news may have been missed."""

    async def tell(self, news: Sequence[str]) -> None:
        """Tell all servers of this store something that is not kept, nor told again if it gets lost."""


class Condition:
    """Whether a store works; the log hears when that changes."""

    def __init__(self) -> None:
        self._trouble: str | None = None

    def is_good(self) -> None:
        """It did what was asked."""
        if self._trouble is not None:
            self._trouble = None
            log.warning("the database works again")

    def is_bad(self, problem: Problem, error: BaseException) -> None:
        """It could not."""
        if self._trouble != problem.code:
            self._trouble = problem.code
            log.error("the database does not work", extra={"why": problem.code, "detail": str(error)})


def missing_steps(found: Sequence[str] | None, file: str) -> list[str]:
    """What a database lacks to be of this version, from the row that says its own; refused where it is newer."""
    if found is None or not found[0].isdecimal():
        raise BadStore("store.foreign", file=file)
    if int(found[0]) > SCHEMA:
        raise BadStore("store.too_new", file=file, version=found[0], known=SCHEMA)
    return [line for step in STEPS[int(found[0]) - 1 :] for line in step]


def whole(rows: Sequence[tuple[int, bytes]], since: int, last: int | None) -> list[bytes]:
    """Return the bodies of numbered events; Damaged where one after `since` is missing, up to `last` if known."""
    count = len(rows) if last is None else max(0, last - since)
    numbers, bodies = [seq for seq, _ in rows], [body for _, body in rows]
    if numbers != list(range(since + 1, since + count + 1)) or not all(isinstance(body, bytes) for body in bodies):
        raise Damaged("server.table_damaged")
    return bodies


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
