"""Replays of a game as encoded answers: the whole story, the scene after a number of moves, a picture, its boards.

When a game is over nothing in it is secret: it is shown whole, or as it was seen from any one seat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from lampion import bounds
from lampion.bots.names import numbered
from lampion.games.core import EVERYTHING, MOST_SEATS, Game
from lampion.games.move_types import Event, event, notation, points_of, sentence
from lampion.play.position import Position
from lampion.play.record import Record
from lampion.server.protocol.http_types import Player, Scene, Step, Story
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.table_state import bot_name

MOST_ANSWER = 4 << 20
"""Bytes of an answer; the story of our longest game has a tenth of that."""

What = Literal["story", "scene", "picture", "boards"]
Kind = Literal["json", "svg", "txt"]


@dataclass(frozen=True)
class ReplayQuery:
    """What to show: the story, the scene after `ply` moves, its picture as a viewer may see it, or its boards."""

    what: What
    ply: int
    kind: Kind
    viewer: int


def show(record: Callable[[], Record], position: Position, asked: ReplayQuery) -> bytes:
    """Return the answer to a query about a game, from its record and its last position."""
    match asked.what:
        case "story":
            found = msgspec.json.encode(story(record(), position, asked.viewer))
        case "scene":
            found = msgspec.json.encode(scene(position, asked.ply, asked.viewer))
        case "picture":
            found = draw(position.at(asked.ply), asked, names_of(record()))
        case "boards":
            found = msgspec.json.encode(position.at(asked.ply).boards(asked.viewer, names_of(record())))
    return bounded(found)


def bounded(answer: bytes) -> bytes:
    """Return an answer, or refuse one that is too long to be sent."""
    if len(answer) > MOST_ANSWER:
        raise Refused("answer.too_long", most=MOST_ANSWER)
    return answer


def draw(position: Position, asked: ReplayQuery, names: Sequence[str]) -> bytes:
    """Return a position as SVG or as text."""
    drawn = position.svg if asked.kind == "svg" else position.text
    return bounded(drawn(asked.viewer, names).encode())


def viewer_of(seat: str | None, players: int) -> int:
    """Return the viewer that a seat's number means; EVERYTHING without one; refuse a seat that is not there."""
    if seat is None:
        return EVERYTHING
    number = bounds.whole_number(seat, MOST_SEATS)
    if number is None or number >= players:
        raise Refused("table.no_seat", seat=bounds.shown(seat[:20]), last=players - 1)
    return number


def names_of(record: Record) -> list[str]:
    """Return the names of the seats, those of bots in the language in use."""
    are_bots = [seat.kind == "bot" for seat in record.seats]
    names = [bot_name(seat.name) if seat.kind == "bot" else seat.name for seat in record.seats]
    return numbered(names, are_bots)


def story(record: Record, position: Position, viewer: int) -> Story:
    """Return the whole game as a viewer may know it."""
    game, box = position.game, position.edition.box
    again = position.at(0)
    names, steps = names_of(record), []
    for number, (mover, id) in enumerate(position.played):
        knows = viewer == EVERYTHING or again.can_tell(mover, id, viewer)
        move = again.move(id) if knows else None
        events = [event(game, box, row, viewer) for row in again.push_rows(id, mover)]
        steps.append(
            Step(
                seat=mover,
                move=move,
                notation=None if move is None else notation(move),
                events=events,
                told=[sentence(game, each, names, box=box, isolate=True) for each in events],
                gains=gains(game, events, mover),
                milliseconds=record.milliseconds[number] if record.milliseconds else None,
                scores=again.count().scores,
            )
        )
    return Story(
        game=record.game,
        rules=record.rules,
        players=record.players,
        options=record.options,
        edition=record.edition.hash,
        standard=position.edition.is_standard,
        seats=[
            Player(name, seat.kind, seat.level, seat.version) for name, seat in zip(names, record.seats, strict=True)
        ],
        date=record.date,
        chance=record.chance.kind,
        seat=None if viewer == EVERYTHING else viewer,
        last=position.ply,
        opening=position.opening(viewer),
        steps=steps,
        hints=[] if record.hints is None else record.hints.used,
        notes=list(record.notes),
        result=record.result,
    )


def gains(game: Game, events: Sequence[Event], mover: int) -> list[int]:
    """Return the points that each event added to the mover's score, or an empty list if none added any."""
    points = [points_of(game, each) if each.seat == mover else 0 for each in events]
    return points if any(points) else []


def scene(position: Position, ply: int, viewer: int) -> Scene:
    """Return the game after `ply` moves as a viewer may see it."""
    then = position.at(ply)
    return Scene(
        ply=ply,
        last=position.ply,
        seat=None if viewer == EVERYTHING else viewer,
        view=then.view(viewer),
        pending=list(then.pending),
        count=then.count(),
    )
