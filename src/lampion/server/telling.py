"""What everybody is told of a table, each as far as they may know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from lampion.games.core import SPECTATOR, BadMove
from lampion.games.plain import event, sentence
from lampion.locale import speaking
from lampion.play.position import Position
from lampion.play.undo import CannotUndo, free_move_of
from lampion.server import events as stored
from lampion.server import messages as wire
from lampion.server.table import Entry, Table

if TYPE_CHECKING:
    from lampion.server.room import Room


class Telling:
    """What is new since a number. What several may know is put into JSON once: it holds for one moment alone."""

    def __init__(self, room: Room, since: int) -> None:
        self.room, self.table, self.since = room, room.table, since
        self._standing = None if self.table.status == "open" else standing(self.table.position)
        self._updates: dict[tuple[int, str], bytes] = {}
        self._names: dict[str, list[str]] = {}
        self._infos: dict[str, Any] = {}
        self._views: dict[int, Any] = {}

    def update(self, viewer: int, language: str) -> bytes:
        """All that is new, in JSON, as a viewer may know it."""
        found = self._updates.get((viewer, language))
        if found is None:
            with speaking(language):
                if language not in self._names:
                    names = self._names[language] = self.table.names()
                    self._infos[language] = in_json(self.room.info(names))
                found = self._updates[viewer, language] = wire.encode(
                    wire.Update(
                        since=self.since,
                        seq=self.table.seq,
                        table=self._infos[language],
                        changes=self.changes(viewer, language),
                        view=self.seat_view(viewer),
                    )
                )
        return found

    def changes(self, viewer: int, language: str) -> list[Any]:
        """The events since then."""
        table, names, known = self.table, self._names[language], self.room.hub.changes
        called, told = hash(tuple(names)), []
        for entry in table.recent(self.since):
            key = table.id, entry.seq, SPECTATOR if entry.is_open else viewer, language, called
            found = known.get(key)
            if found is None:
                found = wire.encode(change(table, entry, viewer, names))
                known.keep(key, found)
            told.append(msgspec.Raw(found))
        return told

    def seat_view(self, viewer: int) -> wire.SeatView:
        """What a viewer sees now."""
        table, position = self.table, self.table.position
        seat = None if viewer < 0 else viewer
        if table.status == "open":
            return wire.SeatView(seat=seat, view=None)
        eyes = viewer if table.game.hidden else SPECTATOR
        if eyes not in self._views:
            self._views[eyes] = in_json(position.view(eyes))
        view = self._views[eyes]
        if seat is None or table.status != "playing" or table.broken is not None:
            return wire.SeatView(seat=seat, view=view, standing=self._standing)
        due = seat in position.pending and table.seats[seat].plays_itself
        return wire.SeatView(
            seat=seat,
            view=view,
            standing=self._standing,
            asked=position.asked(seat) if due else None,
            moves=list(position.legal_moves_of(seat)) if due else [],
            can_undo=can_undo(position, seat),
        )


def in_json(one: Any) -> msgspec.Raw:
    """Something as it will be sent, perhaps more than once."""
    return msgspec.Raw(wire.encode(one))


def can_undo(position: Position, seat: int) -> bool:
    """Whether a seat may take its last move back without asking anybody."""
    try:
        free_move_of(position, seat)
        return True
    except CannotUndo:
        return False


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
