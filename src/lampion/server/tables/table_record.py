"""The record of a table: its game as a file, while it goes on and when it is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from lampion import __version__
from lampion.play.position import Position
from lampion.play.record import HintsInfo, Note, Record, SeatInfo
from lampion.play.recorded_chance import ChanceInfo
from lampion.server.tables.table_status import was_aborted


def record_of(table: Any) -> Record:
    """Return the record of a table's game; the secret is in it when the game has ended."""
    made = table.made
    timed = made.chance is None or any(ply.spent for ply in table.plies)
    record = Record.of(
        table.position,
        seats_of(table),
        chance=made.chance or chance_of(table),
        date=made.date or moment(made.at),
        milliseconds=[ply.spent for ply in table.plies] if timed else None,
    )
    return msgspec.structs.replace(
        record,
        rules=made.rules,
        after=made.after,
        continues=made.continues,
        hints=HintsInfo(made.hints, table.hints_used) if made.hints else None,
        notes=notes_of(table),
    )


def notes_of(table: Any) -> tuple[Note, ...]:
    """Return the notes about moments of a table's game, in their order."""
    return tuple(Note(ply, seat, table.notes[ply, seat]) for ply, seat in sorted(table.notes))


def record_from(table: Any, known: Position) -> Record:
    """Return a record that begins at a position as a seat of the table knows it: it has nothing of the game so far."""
    return Record.of(known, seats_of(table), date=moment(table.made.at))


def seats_of(table: Any) -> list[SeatInfo]:
    """Return who sits where; an empty seat has its number for a name."""
    if table.made.seats is not None:
        return list(table.made.seats)
    return [
        SeatInfo(
            seat.name or str(number),
            "bot" if seat.kind == "bot" else "human",
            seat.level,
            __version__ if seat.level else None,
        )
        for number, seat in enumerate(table.seats, start=1)
    ]


def chance_of(table: Any) -> ChanceInfo:
    """Return where the chance of a table's game comes from, as far as it may be known."""
    return ChanceInfo(
        "promised",
        promise=table.promise,
        secret=table.made.secret if table.is_revealed else None,
        commits=tuple(table.commits) if table.is_sealed else (),
        nonces=tuple(table.nonces),
        undos=tuple(table.undos),
        aborted=was_aborted(table.status, table.is_sealed, table.has_begun),
    )


def moment(at: int) -> str:
    """Return milliseconds since 1970 as ISO 8601."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=at // 1000)).isoformat()
