"""The hints of a live table: one at a time for a seat, made in another process from what the seat knows.

A hint is looked for while the table goes on: when the seat's position changes meanwhile it is dropped. It is counted
when it is given, once for a position. Asking again in the same position gives the same hint.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import Protocol

import msgspec

from lampion.engine.rng import new_rng
from lampion.insight.hint_types import MoveHint
from lampion.locale import language
from lampion.play.position import Position
from lampion.play.record import Record
from lampion.play.sight import Sight
from lampion.server.protocol.refusals import Refused, Stale
from lampion.server.tables.table import Table
from lampion.server.tables.table_record import record_from


class Finder(Protocol):
    """What finds hints."""

    async def hints(self, record: bytes, seat: int) -> bytes:
        """Return in JSON the hints for a seat, from a record that begins at the position as the seat knows it."""

    def prepare(self, game: str, players: int) -> None:
        """Make ready to find hints in a game."""


def known_to(table: Table, seat: int) -> Position:
    """Return the position as a seat knows it: the same whatever is hidden from it."""
    return Sight(table.position_for({seat}), seat).imagined(new_rng())


def hash_of(known: Position) -> str:
    """Return a short hash of a position as a seat knows it."""
    return hashlib.sha256(known.bytes()).hexdigest()[:16]


class TableHints:
    """The hints that are being looked for at a table, and the last one of each seat."""

    def __init__(self, table: Table, finder: Finder) -> None:
        self._table, self._finder = table, finder
        self._asked: dict[int, tuple[str, asyncio.Task[bytes]]] = {}
        self._given: dict[int, tuple[str, str, bytes]] = {}

    def prepare(self) -> None:
        """Let the other process load the game, so that the first hint comes at once."""
        made = self._table.made
        if made.hints and self._table.is_playing:
            self._finder.prepare(made.game, made.players)

    async def find(self, seat: int) -> tuple[str, list[MoveHint]]:
        """Return the hash of the position as a seat knows it, and the best moves in it.

        Raises Stale where the seat's position has changed meanwhile, and Refused where it may not have a hint.
        """
        self._table.must_allow_hint(seat)
        known = known_to(self._table, seat)
        seen = hash_of(known)
        self._table.decide_hint(0, seat, seen)  # refuses where none is left
        if len(known.legal_ids(seat)) < 2:
            raise Refused("table.hint_one_move")
        given = self._given.get(seat)
        if given is None or given[:2] != (seen, language()):
            if seat in self._asked:
                raise Refused("table.hint_asked")
            found = await self._look(seat, seen, record_from(self._table, known))
            given = self._given[seat] = seen, language(), found
        return seen, msgspec.json.decode(given[2], type=list[MoveHint])

    async def _look(self, seat: int, seen: str, record: Record) -> bytes:
        """Have hints found by the other process, unless the table changes first."""
        task = asyncio.ensure_future(self._finder.hints(record.to_json().encode(), seat))
        self._asked[seat] = seen, task
        try:
            return await task
        except asyncio.CancelledError:
            asking = asyncio.current_task()
            if asking is not None and asking.cancelling():
                raise
            raise Stale("table.stale", seq=self._table.seq) from None
        finally:
            del self._asked[seat]

    def table_changed(self) -> None:
        """Drop the hints that are looked for in positions that are gone."""
        for seat, (seen, task) in list(self._asked.items()):
            table = self._table
            if seat not in table.pending or hash_of(known_to(table, seat)) != seen:
                task.cancel()

    def close(self) -> None:
        """Drop all hints that are looked for."""
        for _, task in self._asked.values():
            task.cancel()
