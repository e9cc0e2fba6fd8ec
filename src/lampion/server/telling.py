"""What everybody is told of a table, each as far as they may know it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any

import msgspec

from lampion.games.core import SPECTATOR, BadMove
from lampion.games.move_types import event, sentence
from lampion.locale import speaking
from lampion.play.position import Position
from lampion.server import events as stored
from lampion.server import messages as wire
from lampion.server.simultaneous import NO_SEATS
from lampion.server.table import Entry, Table

if TYPE_CHECKING:
    from lampion.server.room import Room


class Telling:
    """What is new since a number. What several may know is put into JSON once: it holds for one moment alone.

    A viewer looks through the eyes of one seat, or of a spectator, and may hold other seats besides: whose decisions of
    a simultaneous step are shown follows from the seats that are held.
    """

    def __init__(self, room: Room, since: int) -> None:
        self.room, self.table, self.since = room, room.table, since
        self._updates: dict[tuple[int, frozenset[int], str], bytes] = {}
        self._names: dict[str, list[str]] = {}
        self._infos: dict[str, Any] = {}
        self._standings: dict[int, Any] = {}
        self._views: dict[tuple[int, int], Any] = {}

    def update(self, viewer: int, language: str, seats: Set[int] = NO_SEATS) -> bytes:
        """Return all that is new, in JSON, as a viewer who holds these seats may know it."""
        held = frozenset(seats)
        found = self._updates.get((viewer, held, language))
        if found is None:
            with speaking(language):
                if language not in self._names:
                    names = self._names[language] = self.table.names()
                    self._infos[language] = in_json(self.room.info(names))
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
        """The events since then."""
        table, names, known = self.table, self._names[language], self.room.hub.changes
        called = hash(tuple(names))
        told: list[Any] = []
        for entry in table.recent(self.since):
            if table.is_held_back(entry, held):
                told.append(held_back(entry))
                continue
            key = table.id, entry.seq, SPECTATOR if entry.is_open else viewer, language, called
            found = known.get(key)
            if found is None:
                found = wire.encode(change(table, entry, viewer, names))
                known.keep(key, found)
            told.append(msgspec.Raw(found))
        return told

    def seat_view(self, viewer: int, held: Set[int]) -> wire.SeatView:
        """What a viewer sees now."""
        table, position = self.table, self.table.position_for(held)
        seat = None if viewer < 0 else viewer
        if table.status == "open":
            return wire.SeatView(seat=seat, view=None)
        eyes = viewer if table.game.hidden else SPECTATOR
        if id(position) not in self._standings:
            self._standings[id(position)] = standing(position)
        if (id(position), eyes) not in self._views:
            self._views[id(position), eyes] = in_json(position.view(eyes))
        view, score = self._views[id(position), eyes], self._standings[id(position)]
        if seat is None or table.status != "playing" or table.broken is not None:
            return wire.SeatView(seat=seat, view=view, standing=score)
        due = seat in position.pending and table.seats[seat].plays_itself
        return wire.SeatView(
            seat=seat,
            view=view,
            standing=score,
            asked=position.asked(seat) if due else None,
            moves=list(position.legal_moves_of(seat)) if due else [],
            can_undo=table.can_undo(seat),
        )


def in_json(one: Any) -> msgspec.Raw:
    """Something as it will be sent, perhaps more than once."""
    return msgspec.Raw(wire.encode(one))


def standing(position: Position) -> wire.Standing | None:
    """The score as it stands, where everybody may know it."""
    if not position.game.open_score:
        return None
    count = position.count()
    return wire.Standing(count.scores, count.categories)


def outlooks(position: Position, seat: int, moves: Sequence[Any], names: list[str], with_view: bool) -> list[Any]:
    """Return in JSON what each move would do, or why it cannot be made."""
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
            [sentence(game, each, names) for each in events],
            standing(position),
            position.view(seat) if with_view else None,
        )
    finally:
        position.pop()


def held_back(entry: Entry) -> wire.MovedChange:
    """That somebody moved in a simultaneous step, to those who may not know the move before the step is over."""
    one = entry.event
    return wire.MovedChange(seq=entry.seq, at=one.at, seat=one.seat, by=one.by, held=True, events=[], told=[])


def change(table: Table, entry: Entry, viewer: int, names: list[str]) -> wire.MovedChange | wire.TableChange:
    """One event as a viewer may know it, built by inclusion."""
    one = entry.event
    match one:
        case stored.Moved():
            events = [event(table.game, table.edition.box, row, viewer) for row in entry.rows]
            return wire.MovedChange(
                seq=entry.seq,
                at=one.at,
                seat=one.seat,
                by=one.by,
                move=one.move if entry.can_tell(viewer) else None,
                events=events,
                told=[sentence(table.game, each, names) for each in events],
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
