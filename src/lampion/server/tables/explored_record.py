"""Answers to questions about positions that strangers explore and set up, in the processes that read their files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

import msgspec

from lampion import bounds
from lampion.games.core import EVERYTHING, MOST_SEATS
from lampion.insight.explorer import draw, explore, outlooks
from lampion.insight.setting_up import Change, changed, controls, given
from lampion.locale.decode_errors import wrong_form
from lampion.play.chance import Entropy
from lampion.play.position import Position
from lampion.play.record import Record
from lampion.server.protocol.explore_types import (
    ExploreOutlooks,
    ExplorePreview,
    ExploreRequest,
    SavedBoard,
    SetUpBoard,
    SetUpRequest,
    WorthRequest,
)
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.replay import bounded, names_of

Question = Literal["line", "preview", "setup", "saved"]
Asked = ExploreRequest | ExplorePreview | SetUpRequest | SavedBoard
QUESTIONS: dict[Question, type[Asked]] = {
    "line": ExploreRequest,
    "preview": ExplorePreview,
    "setup": SetUpRequest,
    "saved": SavedBoard,
}
BODY = bounds.RECORD._replace(depth=bounds.RECORD.depth + 2)
"""A request has a record inside."""

T = TypeVar("T", bound=msgspec.Struct)
Reader = Callable[[Any], Record]
"""Returns the record in decoded JSON."""


def read(body: bytes, kind: type[T]) -> T:
    """Return the decoded body of a request; refuse a malformed one."""
    try:
        data = bounds.read_json(body.decode())
        bounds.check_data(data, BODY)
        return msgspec.convert(data, kind)
    except bounds.OutOfBounds:
        raise
    except msgspec.ValidationError as error:
        raise Refused("server.bad_message", detail=wrong_form(error)) from None
    except ValueError:
        raise Refused("server.not_json") from None


def viewer(seat: int | None, players: int) -> int:
    """Return the viewer that a seat's number means; EVERYTHING without one; refuse a seat that is not there."""
    if seat is not None and not 0 <= seat < min(players, MOST_SEATS):
        raise Refused("table.no_seat", seat=seat, last=players - 1)
    return EVERYTHING if seat is None else seat


class ExploredRecords:
    """Answers questions; the last record is kept because a page asks again and again about the same."""

    def __init__(self, read_record: Reader) -> None:
        self._read = read_record
        self._last: tuple[dict[str, Any], Record, Position] | None = None

    def answer(self, what: Question, body: bytes) -> bytes:
        """Return the encoded answer to a question."""
        asked = read(body, QUESTIONS[what])
        record, position = self._position(asked.record)
        match asked:
            case ExploreRequest():
                return bounded(msgspec.json.encode(explored(record, position.copy(), asked)))
            case ExplorePreview():
                seen_by = viewer(asked.seat, record.players)
                found = outlooks(position, names_of(record), seen_by, asked.moves, asked.views)
                return bounded(msgspec.json.encode(ExploreOutlooks(found)))
            case SetUpRequest():
                return bounded(msgspec.json.encode(set_up(record, position, asked)))
            case SavedBoard():
                check_tree(asked, position)
                return bounded(msgspec.json.encode(asked))

    def _position(self, data: dict[str, Any]) -> tuple[Record, Position]:
        if self._last is None or self._last[0] != data:
            self._last = None
            record = self._read(data)
            self._last = data, record, record.replay()
        return self._last[1:]


def explored(record: Record, position: Position, asked: ExploreRequest) -> Any:
    """Return a position as somebody looks at it, perhaps after chance has moved."""
    seen_by = viewer(asked.seat, record.players)
    if asked.draw is not None:
        draw(position, Entropy(), asked.draw == "all")
    return explore(position, names_of(record), seen_by, asked.since)


def set_up(record: Record, position: Position, asked: SetUpRequest) -> SetUpBoard:
    """Return a position after a change by hand, as the beginning of a game."""
    if asked.view is not None:
        position = given(position, asked.view)
    elif asked.name is not None and asked.value is not None:
        position = changed(position, Change(asked.name, asked.value))
    begun = position.alone()
    return SetUpBoard(
        record=msgspec.to_builtins(Record.of(begun, record.seats, date=record.date)),
        view=begun.start,
        controls=controls(begun, names_of(record)),
    )


def check_tree(board: SavedBoard, beginning: Position) -> None:
    """Refuse a tree whose record has moves of its own, whose nodes come before their parents, or with a wrong move."""
    is_tree = all(node.parent < number for number, node in enumerate(board.nodes))
    if board.record.get("moves") or not is_tree or board.at >= len(board.nodes):
        raise Refused("explore.no_tree")
    children: dict[int, list[int]] = {}
    for number, node in enumerate(board.nodes):
        children.setdefault(node.parent, []).append(number)
    left = [(beginning.alone(), number) for number in children.get(-1, [])]
    while left:
        position, number = left.pop()
        node = board.nodes[number]
        position.push(node.move, node.seat)
        after = children.get(number, [])
        left += [(position.alone() if i else position, other) for i, other in enumerate(after)]


def worth_wish(body: bytes) -> tuple[Record, Position, int]:
    """Return the record, the position and the viewer of a question about what a position is worth."""
    asked = read(body, WorthRequest)
    record = Record.from_data(asked.record)
    return record, record.replay(), viewer(asked.seat, record.players)
