"""The events of Lumens and their reasons."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.lumens.components import LETTERS, kind_name
from lampion.games.lumens.state import PASSAGE, WIDTH, cell_at, coordinates
from lampion.games.move_types import EventKind, Numbered
from lampion.locale import say


class Event(move_types.Event, frozen=True):
    """An event of Lumens, with the kind of the token that was drawn, or where one lies and the face it shows."""

    token: int | UnsetType = UNSET
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET
    face: int | UnsetType = UNSET


def _token(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"token": thing}


def _cell_and_face(box: Any, thing: int, number: int) -> dict[str, Any]:
    x, y = coordinates(thing)
    return {"x": x, "y": y, "face": number}


def _cell(box: Any, thing: int) -> str:
    return "{},{}".format(*coordinates(thing))


def _room(box: Any, thing: int) -> str:
    return LETTERS[thing]


def _faces(thing: str) -> str:
    one, other = thing.split("/")
    return say("lumens.faces", one=one, other=other)


def place(event: Event, box: Any, players: int) -> str:
    """Return the words for a cell: its room, or the passage beside the nearest one."""
    assert isinstance(event.x, int)
    assert isinstance(event.y, int)
    x, y = event.x, event.y
    board = box.rooms[players]
    room = int(board[cell_at(x, y)])
    if room != PASSAGE:
        return say(f"lumens.room.{LETTERS[room]}")
    cells = (cell for cell, its in enumerate(board.tolist()) if its != PASSAGE)
    nearest = min(cells, key=lambda cell: abs(cell % WIDTH - x) + abs(cell // WIDTH - y))
    return say("lumens.passage", room=say(f"lumens.room.{LETTERS[int(board[nearest])]}"))


EVENTS = Numbered[EventKind]()
FIRST = EVENTS.add(EventKind("first"))
DREW = EVENTS.add(EventKind("drew", kind_name, _faces, fields=_token))
PLACED = EVENTS.add(EventKind("placed", _cell, words=place, fields=_cell_and_face))
COVERED = EVENTS.add(EventKind("covered", _cell, words=place, fields=_cell_and_face))
SUM = EVENTS.add(EventKind("sum", _room, "room"))
LEADS = EVENTS.add(EventKind("leads", _room, "room"))
FINISHED = EVENTS.add(EventKind("finished"))
STUCK = EVENTS.add(EventKind("out"))
SCORED = EVENTS.add(EventKind("scored", _room, "room"))
END = EVENTS.add(EventKind("end"))

WHYS = Numbered[str]()
BY_CHANCE = WHYS.add("chance")
CHOSEN = WHYS.add("choice")
SET_UP = WHYS.add("setup")
BY_LINE = WHYS.add("line")
DIRECT = WHYS.add("direct")
FORCED = WHYS.add("forced")
BY_PLACING = WHYS.add("placing")
BY_COVERING = WHYS.add("covering")
ALONE = WHYS.add("alone")
TIED = WHYS.add("tied")
FIRST_PLACE = WHYS.add("first_place")
SECOND_PLACE = WHYS.add("second_place")
