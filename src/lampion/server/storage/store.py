"""The contract of a store of events, and what SQLite and PostgreSQL have in common.

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


class Conflict(Exception):
    """Another server stored an event of that number first."""


class BadStore(Problem):
    """A database that cannot be opened."""


class Unavailable(Problem):
    """The store does not work for the moment: it is full, read-only or away."""


class Damaged(Problem):
    """Stored data that cannot be read."""


class Heading(NamedTuple):
    """What a list of tables shows without reading their events, from which it is made."""

    id: str
    game: str
    players: int
    status: str
    made: int
    changed: int
    seq: int


class Idle(NamedTuple):
    """When a table counts as idle: nobody was there since this moment, nor after this counted day."""

    before: int
    day: int


class Store(Protocol):
    """A store of events. All methods but `open` and `claim` may raise Unavailable and Damaged."""

    is_shared: bool
    """Whether several servers may share it."""

    async def open(self) -> None:
        """Open the store; BadStore where that is impossible."""

    async def close(self) -> None:
        """Finish pending work and close the store."""

    def claim(self) -> None:
        """Reserve a store that allows one server only, until the process ends; called before `open`."""

    async def append(
        self, table: str, seq: int, bodies: Sequence[bytes], heading: Heading, edition: tuple[str, bytes] | None = None
    ) -> None:
        """Store events number seq + 1, seq + 2, ... of a table. Conflict where seq is not its last number.

        A new table's edition, its hash and its components as JSON, is stored with it unless it is there already.
        """

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """Return the events of a table after a number, in order; none where there is no such table."""

    async def edition(self, hash: str) -> bytes | None:
        """Return the components of an edition as JSON; None where it is not stored."""

    async def analysis(self, table: str) -> bytes | None:
        """Return what was kept as the analysis of a table's game; None where nothing was."""

    async def keep_analysis(self, table: str, body: bytes) -> None:
        """Keep an analysis with its table, in place of an older one; nothing where the table was removed."""

    async def board(self, board: str) -> bytes | None:
        """Return a tree of variations that was kept; None where there is none."""

    async def keep_board(self, board: str, body: bytes) -> None:
        """Keep a tree of variations under a new id."""

    async def touch_board(self, board: str) -> None:
        """Note that somebody looks at a tree: it counts as changed now."""

    async def delete_idle_boards(self, idle: Idle, most: int) -> int:
        """Remove trees that are idle, and of the others those not looked at for longest until all have `most` bytes;
        return their number."""

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """Return the headings of the tables, the last changed first.

        From a damaged list all that can be found; a table whose heading is lost has the status `lost`.
        """

    async def delete(self, table: str, idle: Idle | None = None) -> bool:
        """Remove a table, with `idle` only if it is idle; return whether it was removed."""

    async def touch(self, tables: Sequence[str]) -> None:
        """Note that somebody is at these tables: they count as changed now."""

    async def count_day(self, at: int) -> int:
        """Count a day on which the server runs, unless one was counted shortly before; return their number."""

    async def abandoned(self, idle: Idle) -> list[Heading]:
        """Return the headings of idle tables whose game is not over, at most 1000."""

    async def delete_unused_editions(self) -> None:
        """Remove editions that no table is played with."""

    async def probe(self) -> None:
        """Write something small, to find out whether writing works."""

    async def damage(self) -> list[str]:
        """Return what the database finds wrong with its files, one line each."""

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with the news of all servers of this store.

        These are "NUMBER TABLE" of events that were stored, with number 0 for a table that was removed, whatever was
        given to `tell`, and an empty text where news may have been missed.
        """

    async def tell(self, news: Sequence[str]) -> None:
        """Send news to all servers of this store; they are neither kept nor repeated."""


class Condition:
    """Whether a store works; logs when that changes."""

    def __init__(self) -> None:
        self._trouble: str | None = None

    def is_good(self) -> None:
        """Note a success."""
        if self._trouble is not None:
            self._trouble = None
            log.warning("the database works again")

    def is_bad(self, problem: Problem, error: BaseException) -> None:
        """Note a failure."""
        if self._trouble != problem.code:
            self._trouble = problem.code
            log.error("the database does not work", extra={"why": problem.code, "detail": str(error)})


def whole(rows: Sequence[tuple[int, bytes]], since: int, last: int | None) -> list[bytes]:
    """Return the bodies of numbered events; Damaged where one after `since`, up to `last` if known, is missing."""
    count = len(rows) if last is None else max(0, last - since)
    numbers, bodies = [seq for seq, _ in rows], [body for _, body in rows]
    if numbers != list(range(since + 1, since + count + 1)) or not all(isinstance(body, bytes) for body in bodies):
        raise Damaged("server.table_damaged")
    return bodies


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
