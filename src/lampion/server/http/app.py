"""The web application: WebSockets for live tables, plain HTTP for everything else."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from lampion import __version__
from lampion.locale import LANGUAGES, Problem, language, say, speaking
from lampion.server.http.connection import Connection, Outboxes
from lampion.server.http.guard import Guard, addresses, host_name
from lampion.server.http.proxy import TrustedProxy
from lampion.server.http.responses import carried, over_http, sent
from lampion.server.metrics import METRICS
from lampion.server.protocol import http_types
from lampion.server.protocol import messages as wire
from lampion.server.protocol.refusals import Refused
from lampion.server.routes import exchange
from lampion.server.routes.admin_routes import AdminRoutes
from lampion.server.routes.dialogue import Dialogue
from lampion.server.routes.exchange import encoded, language_of, localized, refusal
from lampion.server.routes.room_routes import RoomRoutes
from lampion.server.storage.store_health import StoreHealth
from lampion.server.tables.hub import Hub
from lampion.server.tables.participant import Participant

log = logging.getLogger("lampion.server")

MOST_OF_ADDRESS = 400
"""WebSocket connections of one address."""
HELLO_SECONDS = 10.0
LAST_WORDS = 5.0
"""Seconds to send what still waits for a connection that is closed."""
MOST_QR = 300
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
        self.room = RoomRoutes(hub)
        self.store_health = StoreHealth(hub.store)
        self.connections: set[Connection] = set()
        self.outboxes = Outboxes()
        routes: list[BaseRoute] = [
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
            *over_http(self.room.routes),
            *over_http(AdminRoutes(hub, self.room.summaries, admin).routes),
            Route("/api/server", carried(localized(self.about))),
            Route("/api/qr.svg", carried(localized(self.qr))),
            WebSocketRoute("/api/tables/{table}/socket", self.websocket),
        ]
        handlers = {404: self.not_found, 405: self.not_found, 500: self.server_error}
        inner = Starlette(routes=routes, lifespan=self.lifespan, exception_handlers=handlers)
        if pages is not None and pages.is_dir():
            inner.router.default = pages_or(inner.router.default, pages)
        outer = Starlette(routes=[Mount(base_path, inner)], lifespan=self.lifespan, exception_handlers=handlers)
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

    async def not_found(self, request: Request, error: Exception) -> Response:
        """Answer a request for an unknown path or with a wrong method."""
        status = getattr(error, "status_code", 404)
        with speaking(language_of(request)):
            if status == 404 and "text/html" in request.headers.get("accept", ""):
                return HTMLResponse(page_for_people(self.base_path), status)
            return sent(refusal(Refused("server.no_method" if status == 405 else "server.no_page")))

    async def server_error(self, request: Request, error: Exception) -> Response:
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

    async def about(self, request: Request) -> exchange.Response:
        """Answer with the server's version and the address by which others reach it."""
        scheme, host = request.url.scheme, request.url.netloc
        alone = host_name(host) in LOCAL
        if alone and self.lan:
            found = [address for address in addresses() if ":" not in address]
            port = request.url.port or (443 if scheme == "https" else 80)
            if found:
                host, alone = f"{found[0]}:{port}", False
        return encoded(
            http_types.Server(
                version=__version__,
                protocol=wire.VERSION,
                languages=list(LANGUAGES),
                address=f"{scheme}://{host}{self.base_path}/",
                alone=alone,
            )
        )

    async def qr(self, request: Request) -> exchange.Response:
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
        return exchange.Response(drawn, media_type="image/svg+xml")

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
        dialogue = Dialogue(await self.hub.expect(websocket.path_params["table"]), participant)
        patience = asyncio.get_running_loop().time() + HELLO_SECONDS
        try:
            while not (dialogue.is_over or connection.ended):
                message = await connection.listen(None if participant.greeted else patience)
                if message["type"] == "websocket.disconnect":
                    return
                await dialogue.hear(message.get("text") or "")
        except TimeoutError:
            pass
        finally:
            dialogue.end()


def draw_qr(text: str) -> bytes:
    """Return a QR code as SVG."""
    import segno

    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", scale=4, xmldecl=False, dark="#000", light="#fff")
    return drawn.getvalue()


def page_for_people(base: str) -> str:
    """Return the page for an address at which there is nothing: it says so, and leads to the room."""
    return f"""<!doctype html>
<html lang="{language()}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lampion</title><link rel="stylesheet" href="{base}/offline.css"></head>
<body><main><img src="{base}/icon.svg" alt=""><h1>Lampion</h1>
<p>{say("server.no_page")}</p>
<p><a href="{base}/">{say("server.to_room")}</a></p></main></body>
</html>
"""


def pages_or(usual: ASGIApp, folder: Path) -> ASGIApp:
    """Return an application that serves the browser's files at all paths without a route."""
    files = StaticFiles(directory=folder, html=True)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await (files if scope["type"] == "http" else usual)(scope, receive, send)

    return answer
