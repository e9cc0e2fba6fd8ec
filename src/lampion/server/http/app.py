"""The web application: WebSockets for live tables, plain HTTP for everything else."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
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
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from lampion import __version__, bounds
from lampion.games import registry
from lampion.games.editions import components_file, standard
from lampion.games.rulebook import nearest_rules
from lampion.games.rulebook import parsed as rules_as_data
from lampion.locale import LANGUAGES, Problem, catalogue, say, speaking
from lampion.locale.decode_errors import wrong_form
from lampion.play.tutorial import tutorial
from lampion.server.http.admin_routes import AdminRoutes
from lampion.server.http.analysis_routes import AnalysisRoutes
from lampion.server.http.connection import Connection, Outboxes
from lampion.server.http.explore_routes import ExploreRoutes
from lampion.server.http.guard import Guard, addresses, host_name
from lampion.server.http.proxy import TrustedProxy
from lampion.server.http.puzzle_routes import PuzzleRoutes
from lampion.server.http.replay_routes import ReplayRoutes
from lampion.server.http.responses import EncodedResponse, address_of, json_of, language_of, localized, refusal
from lampion.server.metrics import METRICS
from lampion.server.protocol import http_types
from lampion.server.protocol import messages as wire
from lampion.server.protocol.refusals import Refused
from lampion.server.storage.store_health import StoreHealth
from lampion.server.tables.hub import Hub
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.participant import Participant
from lampion.server.tables.rate_limits import AddressLimiter, TokenBucket
from lampion.server.tables.summaries import TableSummaries
from lampion.server.tables.wish_handlers import ASIDE, handle

log = logging.getLogger("lampion.server")

RATE, BURST = 30.0, 120.0
"""Messages of one connection a second, and at once."""
MOST_OF_ADDRESS = 400
"""WebSocket connections of one address."""
PENALTY = 0.05
"""Seconds for which a connection is not read after a message was refused for its rate or form."""
MOST_STRIKES = 200
"""Refusals for rate or form after which a connection is closed."""
HELLO_SECONDS = 10.0
LAST_WORDS = 5.0
"""Seconds to send what still waits for a connection that is closed."""
MOST_QR = 300
MOST_NEW_TABLE = 8 * bounds.MOST_EDITION
"""Bytes of a request for a new table: its edition may be written with escapes."""
LOCAL = ("localhost", "127.0.0.1", "::1")


class App:
    """The application and its routes."""

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
        self.making = AddressLimiter(1, 60)
        self.looks = AddressLimiter(5, 100)
        self.summaries = TableSummaries(hub)
        self.store_health = StoreHealth(hub.store)
        self.connections: set[Connection] = set()
        self.outboxes = Outboxes()
        routes: list[BaseRoute] = [
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
            Route("/api/games", localized(self.games)),
            Route("/api/games/{game}/components", localized(self.standard_components)),
            Route("/api/games/{game}/components.toml", localized(self.components_text)),
            Route("/api/words/{language}", localized(self.words)),
            Route("/api/rules/{game}", localized(self.rules)),
            Route("/api/rules/{game}/sections", localized(self.sections)),
            Route("/api/server", localized(self.about)),
            Route("/api/qr.svg", localized(self.qr)),
            Route("/api/tables", localized(self.make), methods=["POST"]),
            Route("/api/tutorials/{game}", localized(self.teach), methods=["POST"]),
            Route("/api/tables/look", localized(self.look), methods=["POST"]),
            Route("/api/tables/{table}", localized(self.table)),
            Route("/api/tables/{table}/components", localized(self.components)),
            *ReplayRoutes(hub, self.find).routes,
            *AnalysisRoutes(hub, self.find, self.making).routes,
            *PuzzleRoutes(hub).routes,
            *ExploreRoutes(hub).routes,
            *AdminRoutes(hub, self.summaries, admin).routes,
            WebSocketRoute("/api/tables/{table}/socket", self.websocket),
        ]
        nowhere = {404: self.nowhere, 405: self.nowhere, 500: self.fault}
        inner = Starlette(routes=routes, lifespan=self.lifespan, exception_handlers=nowhere)
        if pages is not None and pages.is_dir():
            inner.router.default = pages_or(inner.router.default, pages)
        outer = Starlette(routes=[Mount(base_path, inner)], lifespan=self.lifespan, exception_handlers=nowhere)
        self.guard = Guard(outer if base_path else inner, hosts=hosts)
        self.asgi: ASGIApp = TrustedProxy(self.guard) if trust_proxy else self.guard

    @asynccontextmanager
    async def lifespan(self, app: Any) -> AsyncIterator[None]:
        """Open the hub, and close it at the end."""
        await self.hub.open()
        try:
            yield
        finally:
            await self.hub.close()

    async def nowhere(self, request: Request, error: Exception) -> Response:
        """Answer a request for an unknown path or with a wrong method."""
        status = getattr(error, "status_code", 404)
        with speaking(language_of(request)):
            return refusal(Refused("server.no_method" if status == 405 else "server.no_page"))

    async def fault(self, request: Request, error: Exception) -> Response:
        """Answer after a fault of ours, which is logged and never shown."""
        log.error("fault", exc_info=error, extra={"path": request.url.path})
        return JSONResponse({"say": "no", "code": "fault", "reason": say("server.fault")}, status_code=500)

    async def health(self, request: Request) -> Response:
        """Answer whether the store can be written to."""
        trouble = await self.store_health.trouble()
        if trouble is not None:
            return JSONResponse({"ok": False, "reason": trouble}, status_code=503)
        return JSONResponse({"ok": True, "version": __version__})

    async def metrics(self, request: Request) -> Response:
        """Answer with the metrics in Prometheus' text format."""
        return PlainTextResponse(METRICS.text(), media_type="text/plain; version=0.0.4")

    async def games(self, request: Request) -> Response:
        """Answer with the games that can be played here."""
        ready = tuple(filter(self.hub.is_ready, registry.games()))
        listed = partial(list_games, ready)
        return ready_made(await self.hub.side_work.made_once(("games", ready, language_of(request)), "", listed))

    async def standard_components(self, request: Request) -> Response:
        """Answer with the components of the edition that comes with a game."""
        return EncodedResponse(standard(registry.game(request.path_params["game"]).name).data)

    async def components_text(self, request: Request) -> Response:
        """Answer with the file of the edition that comes with a game, for whoever wants to write another."""
        game = registry.game(request.path_params["game"])
        name = {"content-disposition": f'attachment; filename="{game.name}.toml"'}
        return Response(components_file(game).read_bytes(), media_type="application/toml", headers=name)

    async def words(self, request: Request) -> Response:
        """Answer with the message catalogue of a language."""
        language = request.path_params["language"]
        if language not in LANGUAGES:
            raise Refused("server.language", known=", ".join(LANGUAGES))
        listed = partial(msgspec.json.encode, catalogue(language))
        return ready_made(await self.hub.side_work.made_once(("words", language), "", listed))

    async def rules(self, request: Request) -> Response:
        """Answer with the rules of a game as Markdown, in the asker's language if there are any."""
        language, text = rules_for(request)
        return Response(text, media_type="text/markdown", headers={"content-language": language})

    async def sections(self, request: Request) -> Response:
        """Answer with the rules of a game as structured data."""
        language, text = rules_for(request)
        return EncodedResponse(rules_as_data(text, request.path_params["game"], language))

    async def about(self, request: Request) -> Response:
        """Answer with the server's version and the address by which others reach it."""
        scheme, host = request.url.scheme, request.url.netloc
        alone = host_name(host) in LOCAL
        if alone and self.lan:
            found = [address for address in addresses() if ":" not in address]
            port = request.url.port or (443 if scheme == "https" else 80)
            if found:
                host, alone = f"{found[0]}:{port}", False
        return EncodedResponse(
            http_types.Server(
                version=__version__,
                protocol=wire.VERSION,
                languages=list(LANGUAGES),
                address=f"{scheme}://{host}{self.base_path}/",
                alone=alone,
            )
        )

    async def qr(self, request: Request) -> Response:
        """Answer with the QR code of an address of this server; refuse any other."""
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
        """Make a table."""
        self.making.take(address_of(request))
        wanted = await json_of(request, http_types.NewTable, MOST_NEW_TABLE)
        return EncodedResponse(await self.hub.make(wanted), status_code=201)

    async def teach(self, request: Request) -> Response:
        """Make a table at which somebody is taught a game."""
        self.making.take(address_of(request))
        wanted = await json_of(request, http_types.NewTutorial)
        return EncodedResponse(await self.hub.teach(request.path_params["game"], wanted), status_code=201)

    async def find(self, request: Request) -> LiveTable:
        """Return the live table that a request names, or refuse."""
        live = await self.hub.find(request.path_params["table"])
        if live is None:
            raise Refused("server.no_table")
        return live

    async def table(self, request: Request) -> Response:
        """Answer with a table as everybody sees it."""
        live = await self.find(request)
        return EncodedResponse(live.info(live.table.names()))

    async def components(self, request: Request) -> Response:
        """Answer with the components of the edition that a table is played with."""
        return EncodedResponse((await self.find(request)).table.edition.data)

    async def look(self, request: Request) -> Response:
        """Answer with summaries of tables, named by their ids: nobody can ask for all of them."""
        asked = await json_of(request, http_types.SummaryRequest)
        self.looks.take(address_of(request), max(1.0, len(asked.tables) / 10))
        return EncodedResponse([await self.summaries.look(id) for id in dict.fromkeys(asked.tables)])

    async def websocket(self, websocket: WebSocket) -> None:
        """Serve one WebSocket connection to one table."""
        await websocket.accept()
        METRICS.sockets_opened.add()
        connection = Connection(websocket, self.outboxes)
        self.connections.add(connection)
        participant = Participant(connection.put, connection.end)
        participant.language = language_of(websocket)
        try:
            if sum(other.address == connection.address for other in self.connections) > MOST_OF_ADDRESS:
                raise Refused("server.busy")
            await self.listen(websocket, participant, connection)
        except Problem as problem:
            with speaking(participant.language):
                participant.say(wire.No(code=problem.code, reason=str(problem)))
        except Exception as error:
            log.error("socket fault", exc_info=error)
        finally:
            connection.end()
            await asyncio.wait((connection.writer,), timeout=LAST_WORDS)
            connection.writer.cancel()
            self.connections.discard(connection)

    async def goodbye(self) -> None:
        """Tell everybody that the server stops, after all that still waits for them."""
        going = list(self.connections)
        for connection in going:
            connection.put(wire.encode(wire.Bye(reason="restart")))
            connection.end()
        if going:
            await asyncio.wait([connection.writer for connection in going], timeout=LAST_WORDS)

    async def listen(self, websocket: WebSocket, participant: Participant, connection: Connection) -> None:
        """Handle messages until the connection closes, breaks the limits or sends no hello in time."""
        live = await self.hub.find(websocket.path_params["table"])
        if live is None:
            raise Refused("server.no_table")
        bucket = TokenBucket(RATE, BURST)
        strikes = 0
        patience = asyncio.get_running_loop().time() + HELLO_SECONDS
        try:
            while strikes < MOST_STRIKES and not connection.ended:
                message = await connection.listen(None if participant.greeted else patience)
                if message["type"] == "websocket.disconnect":
                    return
                METRICS.messages.add()
                data = message.get("text") or ""
                with speaking(participant.language):
                    try:
                        wish = read(data, participant, bucket)
                    except Problem as problem:
                        strikes += 1
                        live.refuse(participant, wire.id_of(data) if len(data) <= wire.LONGEST else None, problem)
                        await asyncio.sleep(PENALTY)
                        continue
                doing = handle(live, participant, wish)
                if isinstance(wish, ASIDE):
                    live.run_aside(doing)
                else:
                    await doing
        except TimeoutError:
            pass
        finally:
            live.leave(participant)


def list_games(ready: Sequence[str]) -> bytes:
    """Return the games in JSON, described in the language in use."""
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
                "tutorial": tutorial(game.name) is not None,
                "hidden": game.hidden,
                "simultaneous": game.simultaneous,
                "ready": game.name in ready,
                "edition": standard(game.name).hash,
                "options": options,
            }
        )
    return msgspec.json.encode(listed)


def ready_made(content: bytes) -> Response:
    """Return a response of JSON that is already encoded."""
    return Response(content, media_type="application/json")


def draw_qr(text: str) -> bytes:
    """Return a QR code as SVG."""
    import segno

    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", scale=4, xmldecl=False, dark="#000", light="#fff")
    return drawn.getvalue()


def pages_or(usual: ASGIApp, folder: Path) -> ASGIApp:
    """Return an application that serves the browser's files at all paths without a route."""
    files = StaticFiles(directory=folder, html=True)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await (files if scope["type"] == "http" else usual)(scope, receive, send)

    return answer


def rules_for(request: Request) -> tuple[str, str]:
    """Return the language nearest to the asker's that a game has rules in, and the rules."""
    game = registry.game(request.path_params["game"])
    found = nearest_rules(game, language_of(request))
    if found is None:
        raise Refused("server.no_rules", game=say(f"{game.name}.name"))
    return found


def read(data: str, participant: Participant, bucket: TokenBucket) -> Any:
    """Return the wish in a message; raise a Problem where it is too long, malformed or too early."""
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
    if participant.greeted == isinstance(wish, wire.Hello):
        raise Refused("server.hello_again" if participant.greeted else "server.hello_first")
    return wish
