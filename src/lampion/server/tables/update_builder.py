"""Builds the messages that say what is new at a table, for each viewer as far as they may know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import Any

import msgspec

from lampion.games.core import SPECTATOR, BadMove
from lampion.games.move_types import event, notation, read_move, sentence
from lampion.locale import addressing, say, speaking
from lampion.play.exercises import exercises
from lampion.play.position import Position
from lampion.server.protocol import messages as wire
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.table_info import SeatInfo, TableInfo, Wanted
from lampion.server.tables.presence import Presence
from lampion.server.tables.side_work import ByteCache
from lampion.server.tables.simultaneous_views import NO_SEATS
from lampion.server.tables.table import Table
from lampion.server.tables.table_state import Entry


def table_info(table: Table, names: list[str], presence: Presence, remaining: Callable[[int], int | None]) -> TableInfo:
    """Return a table as everybody sees it, with these names for its seats."""
    here, pending, made = presence.here, table.pending, table.made
    seats = [
        SeatInfo(
            kind=seat.kind,
            name=names[number],
            level=seat.level,
            here=number in here,
            remaining=remaining(number),
            thinks=number in pending,
            commit=seat.commit,
            nonce=seat.nonce,
            hints=seat.hints,
            undos=seat.undos,
        )
        for number, seat in enumerate(table.seats)
    ]
    return TableInfo(
        id=table.id,
        game=made.game,
        players=made.players,
        rules=made.rules,
        hidden=table.game.hidden,
        options=made.options,
        edition=table.edition.hash,
        standard=table.edition.is_standard,
        clock=made.clock,
        absence=made.absence,
        promise=table.promise,
        seal=table.seal,
        status=table.status,
        seats=seats,
        ply=table.position.ply,
        pending=pending,
        paused=table.paused,
        undo=pending_undo(table),
        watchers=presence.watchers,
        after=made.after,
        next=table.next_table,
        guide=table.guidance.shown(table.position, names) if table.guidance and table.is_playing else None,
        tutorial=made.tutorial is not None,
        exercises=made.tutorial is not None and len(exercises(made.game)) > 0,
        broken=None if table.broken is None else say("table.broken", reason=str(table.broken)),
        hints=made.hints,
        continued=made.chance is not None,
        secret=made.secret if table.is_revealed else None,
        result=table.position.outcome() if table.status == "over" else None,
    )


def pending_undo(table: Table) -> Wanted | None:
    """Return the undo request that waits for answers, if there is one."""
    if table.undo_request is None:
        return None
    waits = [seat for seat in table.asked_to_agree(table.undo_request.seat) if seat not in table.undo_request.agreed]
    return Wanted(seat=table.undo_request.seat, ply=table.undo_request.ply, waits_for=waits)


class UpdateBuilder:
    """Builds updates with the events after a number. What several viewers may know is encoded once.

    A builder is valid until the table changes. A viewer looks from one seat, or as a spectator, and may hold other
    seats besides: the moves of a simultaneous step that are shown follow from the seats that are held.
    """

    def __init__(
        self, table: Table, since: int, info: Callable[[list[str]], TableInfo], encoded_changes: ByteCache
    ) -> None:
        self.table, self.since = table, since
        self._info, self._encoded_changes = info, encoded_changes
        self._updates: dict[tuple[int, frozenset[int], str], bytes] = {}
        self._names: dict[str, list[str]] = {}
        self._infos: dict[str, Any] = {}
        self._standings: dict[int, Any] = {}
        self._views: dict[tuple[int, int], Any] = {}

    def update(self, viewer: int, language: str, seats: Set[int] = NO_SEATS) -> bytes:
        """Return the update in JSON, as a viewer who holds these seats may know it."""
        held = frozenset(seats)
        found = self._updates.get((viewer, held, language))
        if found is None:
            with speaking(language):
                if language not in self._names:
                    names = self._names[language] = self.table.names()
                    self._infos[language] = in_json(self._info(names))
                found = self._updates[viewer, held, language] = wire.encode(
                    wire.Update(
                        since=self.since,
                        seq=self.table.seq,
                        table=self._infos[language],
                        changes=self.changes(viewer, held, language),
                        view=self.seat_view(viewer, held),
                    )
                )
        return found

    def changes(self, viewer: int, held: Set[int], language: str) -> list[Any]:
        """Return the events in JSON, as the viewer may know them."""
        table, known = self.table, self._encoded_changes
        reader = reader_of(held)
        names = addressing(reader, self._names[language])
        names_hash = hash((reader, *names))
        changes: list[Any] = []
        for entry in table.recent(self.since):
            if table.is_held_back(entry, held):
                changes.append(held_back(entry))
                continue
            key = table.id, entry.seq, SPECTATOR if entry.is_open else viewer, language, names_hash
            found = known.get(key)
            if found is None:
                found = wire.encode(change(table, entry, viewer, names))
                known.keep(key, found)
            changes.append(msgspec.Raw(found))
        return changes

    def seat_view(self, viewer: int, held: Set[int]) -> wire.SeatView:
        """Return what a viewer sees now."""
        table, position = self.table, self.table.position_for(held)
        seat = None if viewer < 0 else viewer
        if table.status == "open":
            return wire.SeatView(seat=seat, view=None)
        seen_by = viewer if table.game.hidden else SPECTATOR
        if id(position) not in self._standings:
            self._standings[id(position)] = standing(position)
        if (id(position), seen_by) not in self._views:
            self._views[id(position), seen_by] = in_json(position.view(seen_by))
        view, score = self._views[id(position), seen_by], self._standings[id(position)]
        if seat is None or not table.is_playing:
            return wire.SeatView(seat=seat, view=view, standing=score)
        due = seat in position.pending and table.seats[seat].plays_itself and not table.is_reading
        return wire.SeatView(
            seat=seat,
            view=view,
            standing=score,
            asked=position.asked(seat) if due else None,
            moves=list(position.legal_moves_of(seat)) if due else [],
            can_undo=table.can_undo(seat),
        )


def reader_of(seats: Set[int]) -> int | None:
    """Return the seat of the person who reads; None where nobody plays or several people share a page."""
    return next(iter(seats)) if len(seats) == 1 else None


def in_json(value: Any) -> msgspec.Raw:
    """Return a value encoded, so that it can be part of several messages."""
    return msgspec.Raw(wire.encode(value))


def standing(position: Position) -> wire.Standing | None:
    """Return the score as it stands; None where not everybody may know it."""
    if not position.game.open_score:
        return None
    count = position.count()
    return wire.Standing(count.scores, count.categories)


def outlooks(position: Position, seat: int, moves: Sequence[Any], names: list[str], with_view: bool) -> list[Any]:
    """Return in JSON what each move would do, or why it is illegal."""
    made = []
    for move in moves:
        try:
            made.append(in_json(outlook(position, seat, move, names, with_view)))
        except BadMove as problem:
            made.append(in_json(wire.Outlook(move, reason=str(problem))))
    return made


def outlook(position: Position, seat: int, move: Any, names: list[str], with_view: bool) -> wire.Outlook:
    """Return what a move would do, up to the first draw; the position stays as it is."""
    game, box = position.game, position.edition.box
    id = position.id_of(move)
    written = position.notation(id)
    rows = position.push_rows(id, seat)
    try:
        events = [event(game, box, row, seat) for row in rows.tolist()]
        return wire.Outlook(
            move,
            written,
            events,
            [sentence(game, each, names, box=box, isolate=True) for each in events],
            standing(position),
            position.view(seat) if with_view else None,
        )
    finally:
        position.pop()


def held_back(entry: Entry) -> wire.MovedChange:
    """Return a move of a simultaneous step for viewers who may not know it before the step is over."""
    one = entry.event
    return wire.MovedChange(seq=entry.seq, at=one.at, seat=one.seat, by=one.by, held=True, events=[], told=[])


def change(table: Table, entry: Entry, viewer: int, names: list[str]) -> wire.MovedChange | wire.TableChange:
    """Return an event as a viewer may know it, built from what may be known rather than by leaving things out."""
    one = entry.event
    match one:
        case stored.Moved():
            events = [event(table.game, table.edition.box, row, viewer) for row in entry.rows]
            knows = entry.can_tell(viewer)
            return wire.MovedChange(
                seq=entry.seq,
                at=one.at,
                seat=one.seat,
                by=one.by,
                move=one.move if knows else None,
                notation=notation(read_move(table.game, one.move)) if knows else None,
                events=events,
                told=[sentence(table.game, each, names, box=table.edition.box, isolate=True) for each in events],
                gained=list(entry.gained) or None,
            )
        case stored.Greeted():
            return wire.TableChange(seq=entry.seq, at=one.at, what="greeted", seat=one.seat, emoji=one.emoji)
        case stored.UndoAnswered():
            return wire.TableChange(seq=entry.seq, at=one.at, what="undo_answered", seat=one.seat, agrees=one.agrees)
        case stored.Freed():
            return wire.TableChange(seq=entry.seq, at=one.at, what="freed", seat=one.seat, kicked=one.kicked)
        case stored.Reseated():
            return wire.TableChange(
                seq=entry.seq, at=one.at, what="reseated", seat=one.seat, kicked=True if one.token == "" else None
            )
        case stored.Sat():
            return wire.TableChange(seq=entry.seq, at=one.at, what="sat", seat=one.seat, name=one.name)
    return wire.TableChange(
        seq=entry.seq,
        at=one.at,
        what=one.__struct_config__.tag,
        seat=getattr(one, "seat", None),
        level=getattr(one, "level", None),
        ply=getattr(one, "ply", None),
        whole=getattr(one, "whole", None),
    )
