"""Import records of finished games: turn each into the events of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from lampion.games.core import CHANCE
from lampion.games.editions import canonical
from lampion.play.record import Record
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Refused
from lampion.server.storage.store import Heading, Store
from lampion.server.tables.ids import new_table_id
from lampion.server.tables.seat import hashed


def events_of_record(record: Record, at: int, host: str) -> list[Any]:
    """Return the events of a table that holds a finished game, with its components in the first of them.

    Refused where the record cannot be replayed or its game is not over.
    """
    position = record.check()
    if not position.is_over or record.start is not None:
        raise Refused("server.unfinished")
    spent = record.milliseconds or [0] * len(record.moves)
    events: list[Any] = [
        stored.Made(
            at,
            version=stored.VERSION,
            game=record.game,
            rules=record.rules,
            players=record.players,
            options=record.options,
            edition=record.edition.hash,
            components=record.edition.components,
            secret=record.chance.secret or "00" * 32,
            host=hashed(host),
            chance=record.chance,
            seats=record.seats,
            date=record.date,
            after=record.after,
            continues=record.continues,
            hints=0 if record.hints is None else record.hints.allowed,
            hints_used=None if record.hints is None else record.hints.used,
        )
    ]
    for seat, info in enumerate(record.seats):
        if info.kind == "bot":
            events.append(stored.BotSat(at, seat=seat, level=info.level or info.name))
        else:
            events.append(stored.Sat(at, seat=seat, name=info.name, token=""))
    events.append(stored.Started(at))
    for (mover, move), milliseconds in zip(record.moves, spent, strict=True):
        seat = CHANCE if mover == "chance" else mover
        events.append(stored.Moved(at, seat=seat, move=move, spent=milliseconds))
    events.append(stored.Ended(at, result=position.count()))
    events += [stored.Noted(at, seat=note.seat, ply=note.ply, text=note.text) for note in record.notes]
    return events


async def store_finished(store: Store, events: Sequence[Any]) -> str:
    """Store the events of a finished game as a table of its own; return its id."""
    id, first, last = new_table_id(), events[0], events[-1]
    heading = Heading(id, first.game, first.players, "over", first.at, last.at, len(events))
    edition = first.edition, canonical(first.components)
    made = msgspec.structs.replace(first, components=None)
    await store.append(id, 0, [stored.encode(event) for event in (made, *events[1:])], heading, edition)
    return id
