"""Games looked at again: the story of a game, the scene at a ply, its picture; of a table, or of a record file.

When a game is over nothing in it is secret: it is shown whole, or as it was seen from any one seat.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from lampion.bots.names import numbered
from lampion.games import core
from lampion.games.core import EVERYTHING, SPECTATOR
from lampion.games.plain import event, sentence
from lampion.locale import language
from lampion.play.position import Position
from lampion.play.record import BadRecord, Record
from lampion.server.answers import bearer, body_of, spoken
from lampion.server.hub import Hub
from lampion.server.limits import PerAddress
from lampion.server.replies import Player, Scene, Step, Story
from lampion.server.room import Room
from lampion.server.table import Refused, Table, bot_name

TYPES = {"json": "application/json", "svg": "image/svg+xml", "txt": "text/plain"}


class Shown(Protocol):
    """What makes an answer from the record of a game and its last position."""

    __name__: str

    def __call__(self, record: Callable[[], Record], position: Position, asked: Asked, /) -> bytes: ...


def story(record: Record, position: Position, viewer: int) -> Story:
    """The whole game as a viewer may know it."""
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
                events=events,
                told=[sentence(game, each, names) for each in events],
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
        result=record.result,
    )


def scene(position: Position, ply: int, viewer: int) -> Scene:
    """The game after so many moves."""
    then = position.at(ply)
    return Scene(
        ply=ply,
        last=position.ply,
        seat=None if viewer == EVERYTHING else viewer,
        view=then.view(viewer),
        pending=list(then.pending),
        count=then.count(),
    )


def names_of(record: Record) -> list[str]:
    """What the seats are called, bots in the language in use."""
    are_bots = [seat.kind == "bot" for seat in record.seats]
    names = [bot_name(seat.name) if seat.kind == "bot" else seat.name for seat in record.seats]
    return numbered(names, are_bots)


def viewer_of(request: Request, players: int) -> int:
    """Through whose eyes: `?seat=N`, else everybody's."""
    asked = request.query_params.get("seat")
    if asked is None:
        return EVERYTHING
    if not asked.isdecimal() or len(asked) > 2 or int(asked) >= players:
        raise Refused("table.no_seat", seat=asked[:20], last=players - 1)
    return int(asked)


class Looking:
    """The routes of replays and pictures."""

    def __init__(self, hub: Hub, find: Callable[[Request], Awaitable[Room]]) -> None:
        self.hub, self.find = hub, find
        self.replays = PerAddress(2, 40)
        self.routes: list[BaseRoute] = [
            Route("/api/tables/{table}/record", spoken(self.record)),
            Route("/api/tables/{table}/picture.{kind}", spoken(self.picture)),
        ]
        for path, shown in (("", story_of), ("/{ply:int}", scene_of), ("/{ply:int}/picture.{kind}", picture_of)):
            self.routes += [
                Route("/api/tables/{table}/replay" + path, spoken(partial(self.of_table, shown))),
                Route("/api/replay" + path, spoken(partial(self.of_file, shown)), methods=["POST"]),
            ]

    async def finished(self, request: Request) -> Table:
        """Return a table whose secrets may be told."""
        table = (await self.find(request)).table
        if not table.is_revealed:
            raise Refused("server.unfinished")
        return table

    async def of_table(self, shown: Shown, request: Request) -> Response:
        """Answer with something of a finished game of this server."""
        table = await self.finished(request)
        asked = Asked.read(request, table.made.players)
        key = table.id, table.seq, shown.__name__, asked, language()
        made = partial(shown, table.record, table.position.copy(), asked)
        return asked.response(await self.hub.side_work.made_once(key, table.id, made))

    async def of_file(self, shown: Shown, request: Request) -> Response:
        """Answer with something of the game of a record file that is sent; nothing is kept."""
        self.replays.take(request)
        try:
            record = Record.from_json((await body_of(request)).decode())
        except UnicodeDecodeError:
            raise BadRecord("record.foreign") from None
        asked = Asked.read(request, record.players)
        await self.hub.ready(core.game(record.game).name)
        position = await self.hub.side_work.run("", record.check)
        return asked.response(await self.hub.side_work.run("", partial(shown, lambda: record, position, asked)))

    async def record(self, request: Request) -> Response:
        """The record of a finished game, as a file."""
        table = await self.finished(request)
        key = table.id, table.seq, "record"
        made = partial(record_of, table.record)
        return as_file(await self.hub.side_work.made_once(key, table.id, made), f"{table.made.game}-{table.id}.json")

    async def picture(self, request: Request) -> Response:
        """A table now, as a seat's holder sees it with the seat's token in the Authorization header, else as a
        watcher does. For games that have no board of their own in the browser."""
        table = (await self.find(request)).table
        viewer = SPECTATOR
        token = bearer(request)
        if token is not None:
            seat = table.seat_of(token)
            if seat is None:
                raise Refused("server.no_seat_token")
            viewer = seat
        asked = Asked(table.position.ply, known_kind(request), viewer)
        key = table.id, table.seq, "now", asked, language()
        made = partial(draw, table.position.copy(), asked, table.names())
        return asked.response(await self.hub.side_work.made_once(key, table.id, made))


@dataclass(frozen=True)
class Asked:
    """What a request asks to see: a story, the scene after `ply` moves, or its picture, through a viewer's eyes."""

    ply: int | None
    kind: str
    viewer: int

    @classmethod
    def read(cls, request: Request, players: int) -> Asked:
        """Return what a request asks for."""
        kind = known_kind(request) if "kind" in request.path_params else "json"
        return cls(request.path_params.get("ply"), kind, viewer_of(request, players))

    def response(self, content: bytes) -> Response:
        """Return the answer with its type."""
        return Response(content, media_type=TYPES[self.kind])


def story_of(record: Callable[[], Record], position: Position, asked: Asked) -> bytes:
    """Return a whole game in JSON."""
    return msgspec.json.encode(story(record(), position, asked.viewer))


def scene_of(record: Callable[[], Record], position: Position, asked: Asked) -> bytes:
    """Return a moment of a game in JSON."""
    return msgspec.json.encode(scene(position, asked.ply or 0, asked.viewer))


def picture_of(record: Callable[[], Record], position: Position, asked: Asked) -> bytes:
    """Return a moment of a game as a picture."""
    return draw(position.at(asked.ply or 0), asked, names_of(record()))


def record_of(record: Callable[[], Record]) -> bytes:
    """Return the record of a game as a file."""
    return record().to_json().encode()


def draw(position: Position, asked: Asked, names: Sequence[str]) -> bytes:
    """Return a position as SVG or as text."""
    drawn = position.drawing if asked.kind == "svg" else position.picture
    return drawn(asked.viewer, names).encode()


def known_kind(request: Request) -> str:
    """svg or txt."""
    kind = str(request.path_params["kind"])
    if kind not in ("svg", "txt"):
        raise Refused("server.no_page")
    return kind


def as_file(content: bytes, name: str) -> Response:
    """Return a file to be saved under a name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/json", headers=headers)
