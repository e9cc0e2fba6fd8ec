"""The web application: sockets for what is live, plain HTTP for what is not."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from lampion import __version__
from lampion.games import core
from lampion.games.core import EVERYTHING
from lampion.games.editions import standard
from lampion.locale import LANGUAGES, Problem, say, speaking
from lampion.locale.shape import wrong_form
from lampion.server import messages as wire
from lampion.server.guard import Bucket, Guard
from lampion.server.hub import Hub
from lampion.server.metrics import METRICS
from lampion.server.room import Room, Socket
from lampion.server.table import Refused

log = logging.getLogger("lampion.server")

RATE, BURST = 30.0, 120.0
"""Messages a second of one socket, and at once."""
OUTBOX = 1 << 20
"""Bytes that may wait for one socket before it is dropped."""
MOST_STRIKES = 200
"""Refusals of rate or form after which a socket is closed."""
HELLO_SECONDS = 10.0
LAST_WORDS = 5.0
"""Seconds to send what still waits for a socket that is closed."""

Endpoint = Callable[[Request], Awaitable[Response]]


class Encoded(Response):
    """A message as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def language_of(request: HTTPConnection) -> str:
    """The language a request asks for."""
    asked = request.query_params.get("lang") or request.headers.get("accept-language", "")
    return asked[:2].lower() if asked[:2].lower() in LANGUAGES else "en"


def refusal(problem: Problem, status: int = 400) -> Response:
    """No, and why."""
    METRICS.refusals.add()
    return Encoded(wire.No(code=problem.code, reason=str(problem)), status_code=status)


def spoken(endpoint: Endpoint) -> Endpoint:
    """An endpoint that answers in the asker's language, and with a reason where it refuses."""

    async def answer(request: Request) -> Response:
        with speaking(language_of(request)):
            try:
                return await endpoint(request)
            except Problem as problem:
                return refusal(problem, 404 if problem.code in ("no_table", "no_game", "game") else 400)

    return answer


class App:
    """The application and what it serves."""

    def __init__(
        self,
        hub: Hub,
        *,
        admin: str | None = None,
        hosts: Iterable[str] = (),
        trust_proxy: bool = False,
        base_path: str = "",
        pages: Path | None = None,
    ) -> None:
        self.hub = hub
        self.admin = admin
        self.making = Bucket(20, 200)
        routes: list[BaseRoute] = [
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
            Route("/api/games", spoken(self.games)),
            Route("/api/words/{language}", self.words),
            Route("/api/tables", spoken(self.make), methods=["POST"]),
            Route("/api/tables/{table}", spoken(self.table)),
            Route("/api/tables/{table}/record", spoken(self.record)),
            Route("/api/tables/{table}/replay/{ply:int}", spoken(self.replay)),
            Route("/api/admin/tables", spoken(self.admin_tables)),
            Route("/api/admin/tables/{table}", spoken(self.admin_close), methods=["DELETE"]),
            WebSocketRoute("/api/tables/{table}/socket", self.socket),
        ]
        if pages is not None and pages.is_dir():
            routes.append(Mount("/", StaticFiles(directory=pages, html=True)))
        inner = Starlette(routes=routes, lifespan=self.lifespan, exception_handlers={500: self.fault})
        self.asgi = Guard(
            Starlette(routes=[Mount(base_path, inner)], lifespan=self.lifespan) if base_path else inner,
            hosts=hosts,
            trust_proxy=trust_proxy,
        )

    @asynccontextmanager
    async def lifespan(self, app: Any) -> AsyncIterator[None]:
        """Open and close the hub."""
        await self.hub.open()
        try:
            yield
        finally:
            await self.hub.close()

    async def fault(self, request: Request, error: Exception) -> Response:
        """Our own mistake: logged, never shown."""
        log.error("fault", exc_info=error, extra={"path": request.url.path})
        return JSONResponse({"say": "no", "code": "fault", "reason": say("server.fault")}, status_code=500)

    async def health(self, request: Request) -> Response:
        """Alive, and the store answers."""
        try:
            await asyncio.wait_for(self.hub.store.headings(limit=1), 5)
        except Exception:
            return JSONResponse({"ok": False}, status_code=503)
        return JSONResponse({"ok": True, "version": __version__})

    async def metrics(self, request: Request) -> Response:
        """For Prometheus."""
        return PlainTextResponse(METRICS.text(), media_type="text/plain; version=0.0.4")

    async def games(self, request: Request) -> Response:
        """What can be played here."""
        return Encoded(
            [
                {
                    "game": game.name,
                    "name": say(f"{game.name}.name"),
                    "about": say(f"{game.name}.about"),
                    "players": list(game.players),
                    "hidden": game.hidden,
                    "simultaneous": game.simultaneous,
                    "ready": self.hub.is_ready(game.name),
                    "edition": standard(game.name).hash,
                    "options": {
                        str(players): {
                            option.name: {
                                "default": option.default_for(players),
                                "choices": list(option.choices(players))[:100],
                            }
                            for option in game.options
                        }
                        for players in game.players
                    },
                }
                for game in core.games().values()
            ]
        )

    async def words(self, request: Request) -> Response:
        """The catalogue of a language."""
        from lampion.locale import catalogue

        language = request.path_params["language"]
        if language not in LANGUAGES:
            return Encoded(wire.No(code="language", reason="en, fr"), status_code=404)
        return Encoded(catalogue(language))

    async def make(self, request: Request) -> Response:
        """A new table."""
        if not self.making.take():
            raise Refused("server.busy")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > 1 << 20:
                return refusal(Refused("server.too_long"), 413)
        try:
            wanted = msgspec.json.decode(bytes(body), type=wire.NewTable)
        except msgspec.ValidationError as error:
            raise Refused("server.bad_message", detail=wrong_form(error)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refused("server.not_json") from None
        return Encoded(await self.hub.make(wanted), status_code=201)

    async def find(self, request: Request) -> Room:
        """The room of a request."""
        room = await self.hub.room(request.path_params["table"])
        if room is None:
            raise Refused("server.no_table")
        return room

    async def table(self, request: Request) -> Response:
        """A table as everybody sees it."""
        return Encoded((await self.find(request)).info())

    async def record(self, request: Request) -> Response:
        """The record of a finished game."""
        table = (await self.find(request)).table
        if table.status != "over":
            raise Refused("server.unfinished")
        name = f"{table.made.game}-{table.id}.json"
        return Response(
            table.record().to_json(),
            media_type="application/json",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def replay(self, request: Request) -> Response:
        """A finished game at a ply, all-seeing."""
        table = (await self.find(request)).table
        if table.status != "over":
            raise Refused("server.unfinished")
        position = table.position.at(request.path_params["ply"])
        return Encoded({"ply": position.ply, "last": table.position.ply, "view": position.view(EVERYTHING)})

    def must_be_admin(self, request: Request) -> None:
        """Refuse without the admin's token."""
        given = request.headers.get("authorization", "")
        if not self.admin or not hmac.compare_digest(given.encode(), f"Bearer {self.admin}".encode()):
            raise Refused("server.admin_only")

    async def admin_tables(self, request: Request) -> Response:
        """All tables, the last changed first."""
        self.must_be_admin(request)
        headings = await self.hub.store.headings(limit=1000)
        return Encoded(
            [
                {
                    "table": one.id,
                    "game": one.game,
                    "players": one.players,
                    "status": one.status,
                    "made": one.made,
                    "changed": one.changed,
                    "seq": one.seq,
                    "sockets": len(self.hub.rooms[one.id].sockets) if one.id in self.hub.rooms else 0,
                }
                for one in headings
            ]
        )

    async def admin_close(self, request: Request) -> Response:
        """Close a table."""
        self.must_be_admin(request)
        room = await self.find(request)
        async with room.lock:
            await room.store(room.table.decide_close)
        return Encoded(room.info())

    async def socket(self, websocket: WebSocket) -> None:
        """One socket at one table."""
        await websocket.accept()
        METRICS.sockets_opened.add()
        line = Line(websocket)
        socket = Socket(line.put, line.end)
        socket.language = language_of(websocket)
        try:
            await self.listen(websocket, socket, line)
        finally:
            line.end()
            await asyncio.wait((line.writer,), timeout=LAST_WORDS)
            line.writer.cancel()

    async def listen(self, websocket: WebSocket, socket: Socket, line: Line) -> None:
        """Read messages until the socket closes, misbehaves or never says hello."""
        room = await self.hub.room(websocket.path_params["table"])
        if room is None:
            with speaking(socket.language):
                socket.say(wire.No(code="no_table", reason=say("server.no_table")))
            return
        bucket = Bucket(RATE, BURST)
        strikes = 0
        patience = asyncio.get_running_loop().time() + HELLO_SECONDS
        try:
            while strikes < MOST_STRIKES and not line.ended:
                message = await line.listen(None if socket.greeted else patience)
                if message["type"] == "websocket.disconnect":
                    return
                METRICS.messages.add()
                data = message.get("text") or ""
                with speaking(socket.language):
                    try:
                        wish = read(data, socket, bucket)
                    except Problem as problem:
                        strikes += 1
                        room.refuse(socket, wire.id_of(data) if len(data) <= wire.LONGEST else None, problem)
                        continue
                await room.handle(socket, wish)
        except TimeoutError:
            pass
        finally:
            room.leave(socket)


def read(data: str, socket: Socket, bucket: Bucket) -> Any:
    """A message as a wish, or a Problem that says why it is none."""
    if not bucket.take():
        raise Refused("server.too_fast")
    if len(data) > wire.LONGEST:
        raise Refused("server.too_long")
    try:
        wish = wire.decode(data)
    except msgspec.ValidationError as error:
        raise Refused("server.bad_message", detail=wrong_form(error)) from None
    except (msgspec.DecodeError, RecursionError):
        raise Refused("server.not_json") from None
    if socket.greeted == isinstance(wish, wire.Hello):
        raise Refused("server.hello_again" if socket.greeted else "server.hello_first")
    return wish


class Line:
    """A socket and what waits to be sent to it, in order; who reads too slowly is dropped."""

    def __init__(self, websocket: WebSocket) -> None:
        self.websocket = websocket
        self.waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.size = 0
        self.ended = False
        self.listening: asyncio.Timeout | None = None
        self.writer = asyncio.create_task(self.write())

    def put(self, word: bytes) -> None:
        """Send it when those before it are sent."""
        if self.ended:
            return
        self.size += len(word)
        self.waiting.put_nowait(word)
        if self.size > OUTBOX and self.waiting.qsize() > 1:
            self.end()
            self.writer.cancel()

    def end(self) -> None:
        """Listen no more, and close the socket when all is sent."""
        if not self.ended:
            self.ended = True
            self.waiting.put_nowait(None)
            if self.listening is not None:
                self.listening.reschedule(asyncio.get_running_loop().time())

    async def listen(self, until: float | None) -> Message:
        """The next message, or TimeoutError at the end: to stop here and nowhere else leaves no wish half done."""
        try:
            async with asyncio.timeout_at(until) as self.listening:
                return await self.websocket.receive()
        finally:
            self.listening = None

    async def write(self) -> None:
        """Send what waits until the end."""
        try:
            while (word := await self.waiting.get()) is not None:
                await self.websocket.send_text(word.decode())
                self.size -= len(word)
            await self.websocket.close()
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone already
