"""The store of a room in a page: events on a shelf, which a browser keeps.

A shelf holds bytes under names, in the order of the names. Several tabs of a browser share it, as servers share a
database: the shelf decides which tab stored a number first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from lampion.server.storage.store import Conflict, Heading, Idle, whole

AFTER_ALL = "~"
"""Comes after every sign in a name."""


class Shelf(Protocol):
    """A key-value store of bytes, whose keys are ordered names."""

    async def read(self, first: str, last: str) -> list[tuple[str, bytes]]:
        """Return what has a name from `first` to `last`, in order."""

    async def write(
        self, new: Mapping[str, bytes], put: Mapping[str, bytes], needed: Sequence[str], gone: Sequence[str]
    ) -> bool:
        """Add what is new, write `put` over what was there, and remove `gone`: all of it or nothing.

        Return False where a new name is taken already, or a needed one is missing.
        """

    def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with the news of every tab, this one included."""

    def tell(self, news: str) -> None:
        """Send news to every tab."""


def event_name(table: str, seq: int) -> str:
    """Return the name of an event."""
    return f"event/{table}/{seq:09}"


class ShelfStore:
    """A store of events on a shelf. Nothing in it is removed unless its owner removes it."""

    is_shared = True

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def open(self) -> None:
        """Open the store."""

    async def close(self) -> None:
        """Close the store."""

    def claim(self) -> None:
        """Reserve nothing: tabs share it."""

    async def append(
        self, table: str, seq: int, bodies: Sequence[bytes], heading: Heading, edition: tuple[str, bytes] | None = None
    ) -> None:
        """Store events after number `seq` of a table; Conflict where that is not its last."""
        new = {event_name(table, seq + 1 + i): body for i, body in enumerate(bodies)}
        put = {f"table/{table}": msgspec.json.encode(tuple(heading))}
        if edition is not None:
            put[f"edition/{edition[0]}"] = edition[1]
        if not await self._shelf.write(new, put, [event_name(table, seq)] if seq else [], []):
            raise Conflict
        self._shelf.tell(f"{heading.seq} {table}")

    async def read(self, table: str, since: int = 0) -> list[bytes]:
        """Return the events of a table after a number, in order."""
        found = await self._shelf.read(event_name(table, since + 1), f"event/{table}/{AFTER_ALL}")
        return whole([(int(name.rpartition("/")[2]), body) for name, body in found], since, None)

    async def edition(self, hash: str) -> bytes | None:
        """Return the components of an edition as JSON; None where it is not stored."""
        return await self._one(f"edition/{hash}")

    async def analysis(self, table: str) -> bytes | None:
        """Return what was kept as the analysis of a table's game; None where nothing was."""
        return await self._one(f"analysis/{table}")

    async def keep_analysis(self, table: str, body: bytes) -> None:
        """Keep an analysis with its table, in place of an older one; nothing where the table was removed."""
        await self._shelf.write({}, {f"analysis/{table}": body}, [event_name(table, 1)], [])

    async def board(self, board: str) -> bytes | None:
        """Return a tree of variations that was kept; None where there is none."""
        return await self._one(f"board/{board}")

    async def keep_board(self, board: str, body: bytes) -> None:
        """Keep a tree of variations under a new id."""
        await self._shelf.write({f"board/{board}": body}, {}, [], [])

    async def touch_board(self, board: str) -> None:
        """Note nothing: trees stay."""

    async def delete_idle_boards(self, idle: Idle, most: int) -> int:
        """Remove nothing."""
        return 0

    async def headings(self, status: str | None = None, limit: int = 1000) -> list[Heading]:
        """Return the headings of the tables, the last changed first."""
        found = [
            Heading(*msgspec.json.decode(body)) for _, body in await self._shelf.read("table/", "table/" + AFTER_ALL)
        ]
        wanted = [heading for heading in found if status is None or heading.status == status]
        return sorted(wanted, key=lambda heading: -heading.changed)[:limit]

    async def delete(self, table: str, idle: Idle | None = None) -> bool:
        """Remove a table; return whether it was there."""
        events = await self._shelf.read(event_name(table, 1), f"event/{table}/{AFTER_ALL}")
        gone = [*(name for name, _ in events), f"table/{table}", f"analysis/{table}"]
        await self._shelf.write({}, {}, [], gone)
        self._shelf.tell(f"0 {table}")
        return bool(events)

    async def touch(self, tables: Sequence[str]) -> None:
        """Note nothing: tables stay."""

    async def count_day(self, at: int) -> int:
        """Count no days."""
        return 0

    async def abandoned(self, idle: Idle) -> list[Heading]:
        """Return nothing: no table is removed for being old."""
        return []

    async def delete_unused_editions(self) -> None:
        """Remove nothing: an edition may be played again."""

    async def probe(self) -> None:
        """Write something small."""
        await self._shelf.write({}, {"probe": b""}, [], [])

    async def damage(self) -> list[str]:
        """Return nothing: a browser checks its own files."""
        return []

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with the news of all tabs."""
        self._shelf.listen(heard)

    async def tell(self, news: Sequence[str]) -> None:
        """Send news to all tabs."""
        for one in news:
            self._shelf.tell(one)

    async def _one(self, name: str) -> bytes | None:
        found = await self._shelf.read(name, name)
        return found[0][1] if found else None
