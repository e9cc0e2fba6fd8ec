"""Routes for replays: a game's story, the scene at a ply, its picture and boards, from a table or a record file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal

from lampion import bounds
from lampion.games.core import SPECTATOR
from lampion.locale import language
from lampion.server.protocol.http_types import NoteRequest
from lampion.server.protocol.refusals import Refused
from lampion.server.routes.exchange import Request, Response, Route, bearer, body_of, encoded, json_of, localized
from lampion.server.storage.store import now
from lampion.server.tables.hub import Hub
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.rate_limits import AddressLimiter, asker
from lampion.server.tables.replay import Kind, ReplayQuery, What, bounded, draw, show, viewer_of
from lampion.server.tables.sandbox_worker import ShowRecord
from lampion.server.tables.simultaneous_views import NO_SEATS
from lampion.server.tables.table import Table
from lampion.server.tables.table_record import notes_of
from lampion.server.tables.wish_handlers import MOST_CHANGES

TYPES: dict[Kind, str] = {"json": "application/json", "svg": "image/svg+xml", "txt": "text/plain"}
FILMS = {"svg": "image/svg+xml", "html": "text/html"}
PATHS: dict[What, str] = {
    "story": "",
    "scene": "/{ply}",
    "picture": "/{ply}/picture.{kind}",
    "boards": "/{ply}/boards",
}


class ReplayRoutes:
    """The routes of replays and pictures."""

    def __init__(self, hub: Hub, find: Callable[[Request], Awaitable[LiveTable]]) -> None:
        self.hub, self.find = hub, find
        self.replays, self.notes = AddressLimiter(2, 40), AddressLimiter(1, 20)
        self.routes: list[Route] = [
            Route("/api/tables/{table}/record", localized(self.record)),
            Route("/api/tables/{table}/picture.{kind}", localized(self.picture)),
            Route("/api/tables/{table}/film.{kind}", localized(self.film)),
            Route("/api/tables/{table}/replay/{ply}/note", localized(self.note), "POST"),
        ]
        for what, path in PATHS.items():
            self.routes += [
                Route("/api/tables/{table}/replay" + path, localized(partial(self.of_table, what))),
                Route("/api/replay" + path, localized(partial(self.of_file, what)), "POST"),
            ]

    async def finished(self, request: Request) -> Table:
        """Return the table that a request names; refuse it before its game has ended."""
        table = (await self.find(request)).table
        if not table.is_revealed:
            raise Refused("server.unfinished")
        return table

    async def of_table(self, what: What, request: Request) -> Response:
        """Answer with a part of a finished game of this server."""
        table = await self.finished(request)
        viewer = viewer_of(request.query_params.get("seat"), table.made.players)
        asked = ReplayQuery(what, ply_of(request), known_kind(request), viewer)
        key = table.id, table.seq, asked, language()
        made = partial(show, table.record, table.position.copy(), asked)
        return answer(await self.hub.side_work.made_once(key, table.id, made), asked.kind)

    async def of_file(self, what: What, request: Request) -> Response:
        """Answer with a part of the game in the record file that is sent; nothing is kept."""
        self.replays.take(asker.get())
        ply, kind = ply_of(request), known_kind(request)
        record = await body_of(request, bounds.MOST_RECORD)
        job = ShowRecord(record=record, what=what, ply=ply, kind=kind, seat=request.query_params.get("seat"))
        (found,) = await self.hub.sandbox.run(job)
        return answer(found, kind)

    async def record(self, request: Request) -> Response:
        """Answer with the record of a finished game as a file."""
        table = await self.finished(request)
        key = table.id, table.seq, "record"
        made = partial(record_of, table)
        return as_file(await self.hub.side_work.made_once(key, table.id, made), f"{table.made.game}-{table.id}.json")

    async def film(self, request: Request) -> Response:
        """Answer with a finished game as a file: a picture that plays by itself, or a page with a slider."""
        table = await self.finished(request)
        viewer = viewer_of(request.query_params.get("seat"), table.made.players)
        kind = film_kind(request)
        kept, key = self.hub.side_work.answers, (table.id, table.seq, "film", kind, viewer, language())
        found = kept.get(key)
        if found is None:
            written = await self.hub.side_work.run(table.id, partial(record_of, table))
            found = await self.hub.analyses.film(written, viewer, kind)
            kept.keep(key, found)
        return as_file(found, f"{table.made.game}-{table.id}.{kind}", FILMS[kind])

    async def note(self, request: Request) -> Response:
        """Keep what a player writes about a moment of a finished game; the token in the header says who it is."""
        self.notes.take(asker.get())
        live = await self.find(request)
        wanted = await json_of(request, NoteRequest)
        seat = live.table.seat_of(bearer(request) or "")
        if seat is None:
            raise Refused("server.no_seat_token")
        if live.table.changes.get(seat, 0) >= MOST_CHANGES:
            raise Refused("table.too_much")
        text = "" if bounds.is_blank(wanted.text) else " ".join(wanted.text.split())
        async with live.lock:
            events = live.table.decide_note(now(), seat, ply_of(request), text)
            if events:
                await live.append(events)
        return encoded(list(notes_of(live.table)))

    async def picture(self, request: Request) -> Response:
        """Answer with a picture of a table now, as seen from the seat whose token is in the Authorization header.

        Without a token, as a spectator sees it. For games that have no board of their own in the browser.
        """
        table = (await self.find(request)).table
        viewer = SPECTATOR
        token = bearer(request)
        if token is not None:
            seat = table.seat_of(token)
            if seat is None:
                raise Refused("server.no_seat_token")
            viewer = seat
        position = table.position_for(NO_SEATS if viewer < 0 else {viewer})
        asked = ReplayQuery("picture", table.position.ply, known_kind(request), viewer)
        key = table.id, table.seq, "now", asked, language()
        made = partial(draw, position.copy(), asked, table.names())
        return answer(await self.hub.side_work.made_once(key, table.id, made), asked.kind)


def record_of(table: Table) -> bytes:
    """Return the record of a table's game as a file."""
    return bounded(table.record().to_json().encode())


def ply_of(request: Request) -> int:
    """Return the number of moves in the path; 0 where the path has none."""
    ply = bounds.whole_number(request.path_params.get("ply", "0"), bounds.MOST_NUMBER)
    if ply is None:
        raise Refused("server.no_page")
    return ply


def known_kind(request: Request) -> Kind:
    """Return the kind of picture in the path, or json where the path has none."""
    match request.path_params.get("kind"):
        case None:
            return "json"
        case "svg":
            return "svg"
        case "txt":
            return "txt"
    raise Refused("server.no_page")


def film_kind(request: Request) -> Literal["svg", "html"]:
    """Return the kind of film in the path."""
    match request.path_params["kind"]:
        case "svg":
            return "svg"
        case "html":
            return "html"
    raise Refused("server.no_page")


def answer(content: bytes, kind: Kind) -> Response:
    """Return a response with the media type of a kind."""
    return Response(content, media_type=TYPES[kind])


def as_file(content: bytes, name: str, media_type: str = "application/json") -> Response:
    """Return a response that a browser saves as a file under a name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
