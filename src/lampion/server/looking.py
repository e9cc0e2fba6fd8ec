"""Games looked at again: the story of a game, the scene at a ply, its picture; of a table, or of a record file.

When a game is over nothing in it is secret: it is shown whole, or as it was seen from any one seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from lampion.bots.names import numbered
from lampion.games import core
from lampion.games.core import EVERYTHING, SPECTATOR
from lampion.games.plain import event, sentence
from lampion.play.position import Position
from lampion.play.record import BadRecord, Record
from lampion.server.answers import Encoded, bearer, body_of, spoken
from lampion.server.hub import Hub
from lampion.server.limits import PerAddress
from lampion.server.replies import Player, Scene, Step, Story
from lampion.server.room import Room
from lampion.server.table import Refused, bot_name

Game = tuple[Record, Position]
Find = Callable[[Request], Awaitable[Game]]


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


def picture(position: Position, kind: str, viewer: int, names: Sequence[str]) -> Response:
    """The position as SVG or as text."""
    if kind == "svg":
        return Response(position.drawing(viewer, names), media_type="image/svg+xml")
    return PlainTextResponse(position.picture(viewer, names))


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
        for place, find_game, method in (
            ("/api/tables/{table}/replay", self.finished, "GET"),
            ("/api/replay", self.posted, "POST"),
        ):
            self.routes += [
                Route(place, spoken(telling(find_game)), methods=[method]),
                Route(place + "/{ply:int}", spoken(showing(find_game)), methods=[method]),
                Route(place + "/{ply:int}/picture.{kind}", spoken(drawing(find_game)), methods=[method]),
            ]

    async def finished(self, request: Request) -> Game:
        """The game of a table, once its secrets may be told."""
        table = (await self.find(request)).table
        if not table.is_revealed:
            raise Refused("server.unfinished")
        return table.record(), table.position

    async def posted(self, request: Request) -> Game:
        """The game of a record file that is sent; nothing is kept."""
        self.replays.take(request)
        try:
            record = Record.from_json((await body_of(request)).decode())
        except UnicodeDecodeError:
            raise BadRecord("record.foreign") from None
        await self.hub.ready(core.game(record.game).name)
        return record, await asyncio.to_thread(record.check)

    async def record(self, request: Request) -> Response:
        """The record of a finished game, as a file."""
        record, _ = await self.finished(request)
        return as_file(record, request.path_params["table"])

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
        return picture(table.position, known_kind(request), viewer, table.names())


def telling(find: Find) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a story."""

    async def answer(request: Request) -> Response:
        record, position = await find(request)
        return Encoded(await asyncio.to_thread(story, record, position.copy(), viewer_of(request, record.players)))

    return answer


def showing(find: Find) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a scene."""

    async def answer(request: Request) -> Response:
        _, position = await find(request)
        return Encoded(scene(position, request.path_params["ply"], viewer_of(request, position.players)))

    return answer


def drawing(find: Find) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a scene's picture."""

    async def answer(request: Request) -> Response:
        record, position = await find(request)
        viewer = viewer_of(request, position.players)
        return picture(position.at(request.path_params["ply"]), known_kind(request), viewer, names_of(record))

    return answer


def known_kind(request: Request) -> str:
    """svg or txt."""
    kind = str(request.path_params["kind"])
    if kind not in ("svg", "txt"):
        raise Refused("server.no_page")
    return kind


def as_file(record: Record, table: str) -> Response:
    """A record to be saved."""
    name = f"{record.game}-{table}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(record.to_json(), media_type="application/json", headers=headers)
