"""The web application: sockets for what is live, plain HTTP for what is not."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from lampion import __version__, bounds, locale
from lampion.games import core, registry
from lampion.games.editions import standard
from lampion.locale import LANGUAGES, Problem, catalogue, say, speaking
from lampion.locale.rules import parsed as rules_as_data
from lampion.locale.shape import wrong_form
from lampion.server import messages as wire
from lampion.server import replies
from lampion.server.answers import Encoded, json_of, language_of, refusal, spoken
from lampion.server.glance import Glances
from lampion.server.guard import Guard, addresses, host_name
from lampion.server.health import StoreHealth
from lampion.server.hub import Hub
from lampion.server.limits import Bucket, PerAddress, asker
from lampion.server.looking import Looking
from lampion.server.metrics import METRICS
from lampion.server.office import Office
from lampion.server.proxy import Proxied
from lampion.server.room import Room, Socket
from lampion.server.table import Refused

log = logging.getLogger("lampion.server")

RATE, BURST = 30.0, 120.0
"""Messages a second of one socket, and at once."""
OUTBOX = 256 << 10
"""Bytes that may wait for one socket before it is dropped, besides the largest message."""
MOST_OUTBOXES = 64 << 20
"""Bytes that may wait for all sockets together."""
MOST_OF_ADDRESS = 400
"""Sockets of one address."""
PENALTY = 0.05
"""Seconds in which a socket is not read after a message that was refused for its rate or form."""
MOST_STRIKES = 200
"""Refusals of rate or form after which a socket is closed."""
HELLO_SECONDS = 10.0
LAST_WORDS = 5.0
"""Seconds to send what still waits for a socket that is closed."""
MOST_QR = 300
MOST_NEW_TABLE = 8 * bounds.MOST_EDITION
"""Bytes of a wish for a table: its edition may be written with escapes."""
LOCAL = ("localhost", "127.0.0.1", "::1")
RULES = Path(locale.__file__).resolve().parent / "rules"


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
        lan: bool = False,
        pages: Path | None = None,
    ) -> None:
        self.hub = hub
        self.base_path, self.lan = base_path, lan
        self.making = PerAddress(1, 60)
        self.looks = PerAddress(5, 100)
        self.glances = Glances(hub)
        self.store_health = StoreHealth(hub.store)
        self.lines: set[Line] = set()
        self.outboxes = Outboxes()
        routes: list[BaseRoute] = [
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
            Route("/api/games", spoken(self.games)),
            Route("/api/words/{language}", spoken(self.words)),
            Route("/api/rules/{game}", spoken(self.rules)),
            Route("/api/rules/{game}/sections", spoken(self.sections)),
            Route("/api/server", spoken(self.about)),
            Route("/api/qr.svg", spoken(self.qr)),
            Route("/api/tables", spoken(self.make), methods=["POST"]),
            Route("/api/tables/look", spoken(self.look), methods=["POST"]),
            Route("/api/tables/{table}", spoken(self.table)),
            Route("/api/tables/{table}/components", spoken(self.components)),
            *Looking(hub, self.find).routes,
            *Office(hub, self.glances, admin).routes,
            WebSocketRoute("/api/tables/{table}/socket", self.socket),
        ]
        nowhere = {404: self.nowhere, 405: self.nowhere, 500: self.fault}
        inner = Starlette(routes=routes, lifespan=self.lifespan, exception_handlers=nowhere)
        if pages is not None and pages.is_dir():
            inner.router.default = pages_or(inner.router.default, pages)
        outer = Starlette(routes=[Mount(base_path, inner)], lifespan=self.lifespan, exception_handlers=nowhere)
        self.guard = Guard(outer if base_path else inner, hosts=hosts)
        self.asgi: ASGIApp = Proxied(self.guard) if trust_proxy else self.guard

    @asynccontextmanager
    async def lifespan(self, app: Any) -> AsyncIterator[None]:
        """Open and close the hub."""
        await self.hub.open()
        try:
            yield
        finally:
            await self.hub.close()

    async def nowhere(self, request: Request, error: Exception) -> Response:
        """There is nothing here, or not by this method."""
        status = getattr(error, "status_code", 404)
        with speaking(language_of(request)):
            return refusal(Refused("server.no_method" if status == 405 else "server.no_page"))

    async def fault(self, request: Request, error: Exception) -> Response:
        """Our own mistake: logged, never shown."""
        log.error("fault", exc_info=error, extra={"path": request.url.path})
        return JSONResponse({"say": "no", "code": "fault", "reason": say("server.fault")}, status_code=500)

    async def health(self, request: Request) -> Response:
        """Alive, and the store can be written to."""
        trouble = await self.store_health.trouble()
        if trouble is not None:
            return JSONResponse({"ok": False, "reason": trouble}, status_code=503)
        return JSONResponse({"ok": True, "version": __version__})

    async def metrics(self, request: Request) -> Response:
        """For Prometheus."""
        return PlainTextResponse(METRICS.text(), media_type="text/plain; version=0.0.4")

    async def games(self, request: Request) -> Response:
        """What can be played here."""
        ready = tuple(filter(self.hub.is_ready, registry.games()))
        listed = partial(list_games, ready)
        return ready_made(await self.hub.side_work.made_once(("games", ready, language_of(request)), "", listed))

    async def words(self, request: Request) -> Response:
        """The catalogue of a language."""
        language = request.path_params["language"]
        if language not in LANGUAGES:
            raise Refused("server.language", known=", ".join(LANGUAGES))
        listed = partial(msgspec.json.encode, catalogue(language))
        return ready_made(await self.hub.side_work.made_once(("words", language), "", listed))

    async def rules(self, request: Request) -> Response:
        """How a game is played, as Markdown, in the asker's language or else in another."""
        language, text = rules_for(request)
        return Response(text, media_type="text/markdown", headers={"content-language": language})

    async def sections(self, request: Request) -> Response:
        """The same as data."""
        language, text = rules_for(request)
        return Encoded(rules_as_data(text, request.path_params["game"], language))

    async def about(self, request: Request) -> Response:
        """Who answers, and by which address others come."""
        scheme, host = request.url.scheme, request.url.netloc
        alone = host_name(host) in LOCAL
        if alone and self.lan:
            found = [address for address in addresses() if ":" not in address]
            port = request.url.port or (443 if scheme == "https" else 80)
            if found:
                host, alone = f"{found[0]}:{port}", False
        return Encoded(
            replies.Server(
                version=__version__,
                protocol=wire.VERSION,
                languages=list(LANGUAGES),
                address=f"{scheme}://{host}{self.base_path}/",
                alone=alone,
            )
        )

    async def qr(self, request: Request) -> Response:
        """A code for cameras, of an address of this server alone."""
        text = request.query_params.get("text", "")
        if len(text) > MOST_QR:
            raise Refused("server.too_long", most=MOST_QR)
        try:
            link = urlsplit(text)
            ours = await self.guard.knows(link.netloc) and link.port == request.url.port
        except ValueError:
            ours = False
        below = link.path == self.base_path or link.path.startswith(self.base_path + "/") if ours else False
        if not below or link.scheme not in ("http", "https") or "@" in link.netloc:
            raise Refused("server.not_ours")
        drawn = await self.hub.side_work.made_once(("qr", text), "", partial(draw_qr, text))
        return Response(drawn, media_type="image/svg+xml")

    async def make(self, request: Request) -> Response:
        """A new table."""
        self.making.take(request)
        wanted = await json_of(request, wire.NewTable, MOST_NEW_TABLE)
        return Encoded(await self.hub.make(wanted), status_code=201)

    async def find(self, request: Request) -> Room:
        """The room of a request."""
        room = await self.hub.room(request.path_params["table"])
        if room is None:
            raise Refused("server.no_table")
        return room

    async def table(self, request: Request) -> Response:
        """A table as everybody sees it."""
        room = await self.find(request)
        return Encoded(room.info(room.table.names()))

    async def components(self, request: Request) -> Response:
        """What is in the box that is played with."""
        return Encoded((await self.find(request)).table.edition.data)

    async def look(self, request: Request) -> Response:
        """Some tables at a glance. Tables are found by their ids alone: nobody can ask for all of them."""
        asked = await json_of(request, replies.Look)
        self.looks.take(request, max(1.0, len(asked.tables) / 10))
        return Encoded([await self.glances.look(id) for id in dict.fromkeys(asked.tables)])

    async def socket(self, websocket: WebSocket) -> None:
        """One socket at one table."""
        await websocket.accept()
        METRICS.sockets_opened.add()
        line = Line(websocket, self.outboxes)
        self.lines.add(line)
        socket = Socket(line.put, line.end)
        socket.language = language_of(websocket)
        try:
            if sum(other.address == line.address for other in self.lines) > MOST_OF_ADDRESS:
                raise Refused("server.busy")
            await self.listen(websocket, socket, line)
        except Problem as problem:
            with speaking(socket.language):
                socket.say(wire.No(code=problem.code, reason=str(problem)))
        except Exception as error:
            log.error("socket fault", exc_info=error)
        finally:
            line.end()
            await asyncio.wait((line.writer,), timeout=LAST_WORDS)
            line.writer.cancel()
            self.lines.discard(line)

    async def goodbye(self) -> None:
        """The server goes: everybody is told, after all that still waits for them."""
        going = list(self.lines)
        for line in going:
            line.put(wire.encode(wire.Bye(reason="restart")))
            line.end()
        if going:
            await asyncio.wait([line.writer for line in going], timeout=LAST_WORDS)

    async def listen(self, websocket: WebSocket, socket: Socket, line: Line) -> None:
        """Read messages until the socket closes, misbehaves or never says hello."""
        room = await self.hub.room(websocket.path_params["table"])
        if room is None:
            raise Refused("server.no_table")
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
                        await asyncio.sleep(PENALTY)
                        continue
                await room.handle(socket, wish)
        except TimeoutError:
            pass
        finally:
            room.leave(socket)


def list_games(ready: Sequence[str]) -> bytes:
    """Return what can be played, in JSON and in the language in use."""
    listed = []
    for game in registry.games().values():
        options = {
            str(players): {
                option.name: {
                    "default": option.default_for(players),
                    "choices": list(option.choices(players))[:100],
                }
                for option in game.options
            }
            for players in game.players
        }
        listed.append(
            {
                "game": game.name,
                "name": say(f"{game.name}.name"),
                "about": say(f"{game.name}.about"),
                "players": list(game.players),
                "hidden": game.hidden,
                "simultaneous": game.simultaneous,
                "ready": game.name in ready,
                "edition": standard(game.name).hash,
                "options": options,
            }
        )
    return msgspec.json.encode(listed)


def ready_made(content: bytes) -> Response:
    """Return JSON that is already written."""
    return Response(content, media_type="application/json")


def draw_qr(text: str) -> bytes:
    """Return a code for cameras as SVG."""
    import segno

    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", scale=4, xmldecl=False, dark="#000", light="#fff")
    return drawn.getvalue()


def words_folder(game: core.Game) -> Path:
    """Where a game keeps its words: one from another package brings its own rules."""
    return Path(str(game.words.__file__)).resolve().parent


def pages_or(usual: ASGIApp, folder: Path) -> ASGIApp:
    """The browser's files at all addresses that no route has."""
    files = StaticFiles(directory=folder, html=True)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await (files if scope["type"] == "http" else usual)(scope, receive, send)

    return answer


def rules_for(request: Request) -> tuple[str, str]:
    """The rules of a game that are nearest to the asker's language, and which that is."""
    game = registry.game(request.path_params["game"])
    for language in (language_of(request), *LANGUAGES):
        for file in (RULES / f"{game.name}.{language}.md", words_folder(game) / f"rules.{language}.md"):
            if file.is_file():
                return language, file.read_text(encoding="utf-8")
    raise Refused("server.no_rules", game=say(f"{game.name}.name"))


def read(data: str, socket: Socket, bucket: Bucket) -> Any:
    """A message as a wish, or a Problem that says why it is none."""
    if not bucket.take():
        raise Refused("server.too_fast")
    if len(data) > wire.LONGEST:
        raise Refused("server.too_long", most=wire.LONGEST)
    try:
        wish = wire.decode(data)
    except msgspec.ValidationError as error:
        raise Refused("server.bad_message", detail=wrong_form(error)) from None
    except (msgspec.DecodeError, RecursionError):
        raise Refused("server.not_json") from None
    if socket.greeted == isinstance(wish, wire.Hello):
        raise Refused("server.hello_again" if socket.greeted else "server.hello_first")
    return wish


class Outboxes:
    """What waits to be sent to all sockets; where that is too much, the one that has most waiting is dropped."""

    def __init__(self, most: int = MOST_OUTBOXES) -> None:
        self.most, self.size = most, 0
        self.lines: set[Line] = set()

    def shrink(self) -> None:
        """Drop sockets until no more waits than may."""
        while self.size > self.most and self.lines:
            max(self.lines, key=lambda line: line.size).cut()


class Line:
    """A socket and what waits to be sent to it, in order; one that reads too slowly is dropped."""

    def __init__(self, websocket: WebSocket, outboxes: Outboxes) -> None:
        self.websocket, self.outboxes = websocket, outboxes
        self.address = asker.get()
        self.waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.size = 0
        self.largest = 0
        """Of what was put in so far: an update with the whole history may be larger than the outbox."""
        self.ended = False
        self.listening: asyncio.Timeout | None = None
        outboxes.lines.add(self)
        self.writer = asyncio.create_task(self.write())

    def put(self, word: bytes) -> None:
        """Send it when those before it are sent; what waits may be as much as the outbox and the largest word."""
        if self.ended or self.writer.done():
            return
        self.size += len(word)
        self.outboxes.size += len(word)
        self.largest = max(self.largest, len(word))
        self.waiting.put_nowait(word)
        if self.size > OUTBOX + self.largest:
            self.cut()
        self.outboxes.shrink()

    def cut(self) -> None:
        """Close the socket without sending what waits."""
        self.end()
        self.writer.cancel()
        self._leave_outboxes()

    def _leave_outboxes(self) -> None:
        """Count no more what waits here. Also for a writer that is cancelled before its first step."""
        self.outboxes.lines.discard(self)
        self.outboxes.size -= self.size
        self.size = 0

    def end(self) -> None:
        """Listen no more, and close the socket when all is sent."""
        if not self.ended:
            self.ended = True
            self.waiting.put_nowait(None)
            if self.listening is not None:
                with suppress(RuntimeError):  # it expires at this very moment
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
                self.outboxes.size -= len(word)
            await self.websocket.close()
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone already
        finally:
            self.ended = True
            self._leave_outboxes()
