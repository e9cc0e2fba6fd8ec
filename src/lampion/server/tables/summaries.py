"""Summaries of tables: what a list shows of them, without loading them.

Most of it is in the events themselves. Only whose turn it is must be replayed, and only of a game that goes on; what
was found is kept until something new is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from lampion.bots.names import numbered
from lampion.games.editions import Edition
from lampion.locale import Problem, language
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.http_types import SeatSummary, TableSummary
from lampion.server.storage.store import Damaged, Heading
from lampion.server.tables.hub import Hub
from lampion.server.tables.ids import is_table_id
from lampion.server.tables.table import STRANGE, rebuild
from lampion.server.tables.table_state import bot_name
from lampion.server.tables.table_status import status_after, was_aborted

MOST_KEPT = 2000


def decode_until_bad(bodies: Sequence[bytes]) -> list[Any]:
    """Return stored events decoded; the first that cannot be read ends the list, as a Problem."""
    events = []
    for body in bodies:
        try:
            events.append(stored.decode(body))
        except stored.BadEvent as problem:
            return [*events, problem]
    return events


def summarize(id: str, events: Sequence[Any]) -> TableSummary:
    """Return the summary of a table, without whose turn it is, which takes a replay."""
    try:
        return _summarize(id, events)
    except STRANGE:
        return TableSummary(id=id, status="closed", broken=str(Damaged("server.table_damaged")))


def _summarize(id: str, events: Sequence[Any]) -> TableSummary:
    if isinstance(events[0], Problem):
        return TableSummary(id=id, status="closed", broken=str(events[0]))
    broken = str(events[-1]) if isinstance(events[-1], Problem) else None
    made, events = events[0], events[:-1] if broken else events
    seats = [SeatSummary("free")] * made.players
    status = status_after(events)
    result, following, is_sealed, has_begun = None, None, False, False
    for one in events:
        match one:
            case stored.Sat():
                seats[one.seat] = SeatSummary("human", one.name)
            case stored.BotSat():
                seats[one.seat] = SeatSummary("bot", bot_name(one.level), one.level)
            case stored.Freed():
                seats[one.seat] = SeatSummary("free")
            case stored.Replaced():
                seats[one.seat] = SeatSummary("human", seats[one.seat].name, one.level)
            case stored.Returned():
                seats[one.seat] = SeatSummary("human", seats[one.seat].name)
            case stored.Sealed():
                is_sealed = True
            case stored.Started():
                has_begun = True
            case stored.Ended():
                result = one.result
            case stored.Followed():
                following = one.table
    named = numbered([seat.name or "" for seat in seats], [seat.kind == "bot" for seat in seats])
    seats = [msgspec.structs.replace(seat, name=name) for seat, name in zip(seats, named, strict=True)]
    return TableSummary(
        id=id,
        game=made.game,
        players=made.players,
        status=status,
        made=made.at,
        changed=events[-1].at,
        seq=len(events),
        seats=seats,
        result=result,
        next=following,
        aborted=was_aborted(status, is_sealed, has_begun),
        broken=broken,
    )


class TableSummaries:
    """Makes summaries of a server's tables and keeps them until something new is stored."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._kept: dict[tuple[str, str], tuple[TableSummary, bool]] = {}
        """By id and language, the summary and whether the game was replayed for it."""

    async def look(self, id: str, replay: bool = True) -> TableSummary:
        """Return the summary of a table; with `replay`, whose turn it is too."""
        live = self.hub.live_tables.get(id)
        if live is not None:
            table = live.table
            summary, _ = self._kept.get((id, language()), (None, False))
            if summary is None or summary.seq != table.seq:
                events = [entry.event for entry in table.entries]
                summary = await self.hub.side_work.run(id, partial(summarize, id, events))
                self._keep(summary, False)
            return msgspec.structs.replace(
                summary, pending=table.pending, broken=reason_of(table.broken), sockets=len(live.participants)
            )
        try:
            return await self._read(id, replay)
        except Damaged as problem:
            return TableSummary(id=id, status="closed", broken=str(problem))

    async def _read(self, id: str, replay: bool) -> TableSummary:
        kept, replayed = self._kept.get((id, language()), (None, False))
        if kept is not None and (replayed or not replay) and len(await self.hub.store.read(id, kept.seq - 1)) == 1:
            return kept
        bodies = await self.hub.store.read(id) if is_table_id(id) else []
        if not bodies:
            self._kept.pop((id, language()), None)
            return TableSummary(id=id, status="gone")
        events = decode_until_bad(bodies)
        summary = summarize(id, events)
        replay = replay and summary.status == "playing" and summary.broken is None
        if replay:
            await self.hub.ready(summary.game)
            edition = await self.hub.editions.of(events[0])
            summary = await self.hub.side_work.run(id, partial(with_turn, summary, events, edition))
        self._keep(summary, replay or summary.status != "playing")
        return summary

    async def listed(self, headings: Sequence[Heading]) -> list[TableSummary]:
        """Return the summaries of a list of tables, without replays."""
        return [await self.look(one.id, replay=False) for one in headings]

    def _keep(self, summary: TableSummary, replayed: bool) -> None:
        key = summary.id, language()
        self._kept.pop(key, None)
        if len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = summary, replayed


def reason_of(problem: Problem | None) -> str | None:
    """Return a problem in the language in use."""
    return None if problem is None else str(problem)


def with_turn(summary: TableSummary, events: Sequence[Any], edition: Edition) -> TableSummary:
    """Return a summary with whose turn it is, or why the table is read-only."""
    try:
        table = rebuild(summary.id, events, edition)
    except Problem as problem:
        return msgspec.structs.replace(summary, broken=str(problem))
    return msgspec.structs.replace(summary, pending=table.pending, broken=reason_of(table.broken))
