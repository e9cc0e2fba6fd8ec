"""The doors of the server, called as a web server would call them: plain requests and WebSockets, without a network."""

from __future__ import annotations

import asyncio
import itertools
import logging
import sqlite3
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from benchmarks.fuzz import corpus
from benchmarks.fuzz.mutate import TOKENS, Mutator
from benchmarks.fuzz.parsers import LONGEST_REASON, Wrong
from lampion.server.database_admin import store_for
from lampion.server.http.app import App
from lampion.server.tables import rate_limits
from lampion.server.tables.hub import Hub

ADMIN = "an admin's token that nobody guesses"
PATIENCE = 30.0
PATHS = [
    "/healthz", "/metrics", "/api/games", "/api/words/en", "/api/words/fr", "/api/rules/dice",
    "/api/rules/iles/sections",
    "/api/server", "/api/qr.svg?text=http://localhost:8000/%23x", "/api/tables/look", "/api/tables/{t}", "/",
    "/index.html",
    "/api/tables/{t}/components", "/api/tables/{t}/picture.svg", "/api/tables/{t}/picture.txt",
    "/api/tables/{t}/record",
    "/api/tables/{t}/replay", "/api/tables/{t}/replay?seat=0", "/api/tables/{t}/replay/7",
    "/api/tables/{t}/replay/7?seat=1",
    "/api/tables/{t}/replay/7/picture.svg", "/api/admin/tables", "/api/admin/tables?status=over&limit=5",
    "/api/admin/tables/{t}/close", "/api/admin/tables/{t}/kick", "/api/admin/tables/{t}", "/api/admin/records",
]  # fmt: skip
POSTED = [
    "/api/tables",
    "/api/tables/look",
    "/api/replay",
    "/api/replay/5",
    "/api/replay/5/picture.svg",
    "/api/replay?seat=1",
]
METHODS = ["GET", "GET", "GET", "POST", "HEAD", "DELETE", "PUT", "OPTIONS", "PATCH", "BREW"]
HEADERS = [
    (b"accept-language", b"fr;q=0.9, en"), (b"accept-language", b"\xff"), (b"origin", b"http://foreign.example"),
    (b"origin", b"null"), (b"sec-fetch-site", b"cross-site"), (b"content-length", b"12"), (b"content-length", b"-1"),
    (b"authorization", b"Bearer " + ADMIN.encode()), (b"authorization", b"Bearer \xff"), (b"authorization",
    b"Basic eDp4"),
    (b"range", b"bytes=0-"), (b"range", b"bytes=9-1,,"), (b"if-none-match", b'"x"'), (b"if-modified-since", b"never"),
    (b"host", b"["), (b"content-type", b"application/json; charset=\xff"), (b"x-forwarded-for", b"::1%x"),
]  # fmt: skip


class Errors(logging.Handler):
    """Keeps what the server logs as its own mistake."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.found.append(record)

    def raise_first(self) -> None:
        """Raise what was logged since the last time, if anything was."""
        if self.found:
            record, self.found = self.found[0], []
            error = record.exc_info[1] if record.exc_info else None
            raise Wrong(f"logged: {record.getMessage()}: {type(error).__name__}: {error}") from error


class Application:
    """A server without a network, some tables at it, and sockets there."""

    def __init__(self, mutator: Mutator, folder: Path) -> None:
        self.mutator, self.folder = mutator, folder
        self.last: Any = b""
        self.errors = Errors()
        logging.getLogger().addHandler(self.errors)
        self._level = logging.getLogger().level
        logging.getLogger().setLevel(logging.ERROR)
        seconds = itertools.count(0.0, 5.0)
        # Every look at this clock finds that five seconds went by: it is not the rate that refuses things here.
        rate_limits.time = SimpleNamespace(monotonic=lambda: next(seconds))  # type: ignore[attr-defined, assignment]
        self.hub = Hub(store_for(str(folder / "fuzz.db")), bot_threads=1)
        self.app = App(self.hub, admin=ADMIN)
        self.tables: list[dict[str, Any]] = []
        self.sockets: list[WebSocket] = []
        self.control = ""
        """A table that nobody has a token of."""
        self._number = 0

    async def open(self) -> None:
        """Make tables in every state."""
        await self.hub.open()
        for name in corpus.GAMES:
            await self.hub.ready(name)
        screen = [{"kind": "screen", "name": "Ann"}, {"kind": "screen", "name": "Bob"}]
        for name in corpus.GAMES:
            self.tables.append(await self.make({"game": name, "seats": screen, "start": True}))
        self.tables.append(await self.make({"game": "lumens", "seats": [screen[0], {}]}))
        self.tables.append(await self.make({"game": "lumens", "seats": screen, "start": True}))
        async with WebSocket(self, self.tables[-1]) as host:
            await host.ask(b'{"do":"close","id":1}')
        self.control = (await self.make({"game": "dice", "seats": screen, "start": True}))["table"]
        self._control = self.stored()

    async def close(self) -> None:
        """End it, and see that the table of nobody is as it was."""
        for socket in self.sockets:
            await socket.leave()
        changed = self.stored() != self._control
        await self.hub.close()
        logging.getLogger().removeHandler(self.errors)
        logging.getLogger().setLevel(self._level)
        rate_limits.time = time  # type: ignore[attr-defined]
        if changed:
            raise Wrong("a table that nobody has a token of was changed")

    def stored(self) -> list[Any]:
        """Return the events of the table that nobody has a token of."""
        with sqlite3.connect(f"file:{self.folder / 'fuzz.db'}?mode=ro", uri=True) as database:
            return list(database.execute("select * from events where game = ? order by seq", (self.control,)))

    async def make(self, wanted: Any) -> dict[str, Any]:
        """Make a table."""
        status, body = await self.call("POST", "/api/tables", corpus.encode(wanted))
        if status != 201:
            raise RuntimeError(f"no table: {status} {body[:200]!r}")
        return dict(msgspec.json.decode(body))

    def scope(self, kind: str, path: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
        """Return a request as a web server tells it, from an address of its own."""
        self._number += 1
        raw, _, query = path.partition("?")
        own = [] if any(name == b"host" for name, _ in headers) else [(b"host", b"localhost:8000")]
        number = self._number
        return {
            "type": kind, "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "root_path": "",
            "scheme": "ws" if kind == "websocket" else "http", "path": decoded(raw), "raw_path": raw.encode(),
            "query_string": query.encode("latin-1", "replace"), "headers": own + headers, "state": {}, "extensions": {},
            "client": (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", 1234), "server": ("127.0.0.1",
            8000),
            "subprotocols": [],
        }  # fmt: skip

    async def call(
        self, method: str, path: str, body: bytes = b"", headers: list[tuple[bytes, bytes]] | None = None
    ) -> tuple[int, bytes]:
        """Send a request; return the status and the body of its answer."""
        scope = self.scope("http", path, headers or []) | {"method": method}
        chunks = [body[:1000], body[1000:]] if len(body) > 1000 else [body]
        status, answer = 0, bytearray()

        async def receive() -> dict[str, Any]:
            if chunks:
                return {"type": "http.request", "body": chunks.pop(0), "more_body": bool(chunks)}
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                answer.extend(message.get("body", b""))

        async with asyncio.timeout(PATIENCE):
            await self.app.asgi(scope, receive, send)  # type: ignore[arg-type]
        return status, bytes(answer)

    # Doors

    async def http(self) -> None:
        """A request with an odd path, method, header or body: it is answered, and not with a fault."""
        mutator = self.mutator
        body, headers = b"", []
        if mutator.chance(0.45):
            method, path = "POST", mutator.pick(POSTED)
            known = corpus.records() if "replay" in path else corpus.new_tables()
            if path == "/api/tables/look":
                known = [corpus.encode({"tables": [one["table"] for one in self.tables]})]
            body = mutator.message(mutator.pick(known), mutator.pick(corpus.wishes()))
        else:
            method, path = mutator.pick(METHODS), mutator.pick(PATHS)
            body = mutator.message(b'{"seat":1,"level":"spark"}') if mutator.chance(0.3) else b""
        path = path.replace("{t}", mutator.pick(self.tables)["table"])
        if mutator.chance(0.3):
            path = "/" + mutator.text(path.encode(), most=2).decode("latin-1").lstrip("/")
        elif mutator.chance(0.1):
            path = path.replace("5", "9" * 5000) + quote(mutator.pick(TOKENS))
        if "admin" in path and mutator.chance(0.7):
            headers.append(HEADERS[7])
        while mutator.chance(0.25):
            headers.append(mutator.pick(HEADERS))
        self.last = method, path, headers, body
        try:
            status, answer = await self.call(method, path, body, headers)
        except Exception:
            self.errors.found.clear()  # it was logged as well
            raise
        self.errors.raise_first()
        if not 200 <= status < 500:
            raise Wrong(f"status {status}: {answer[:200]!r}")
        if len(answer) > 16 << 20:
            raise Wrong(f"an answer of {len(answer) >> 20} MB")

    async def websocket(self) -> None:
        """A wish at one of the tables, by somebody who sits there or looks on; what is refused changes nothing."""
        mutator = self.mutator
        if len(self.sockets) < 12 or mutator.chance(0.01):
            if len(self.sockets) >= 12:
                await self.sockets.pop(0).leave()
            self.sockets.append(await WebSocket(self, mutator.pick(self.tables), mutator.chance(0.7)).join())
        socket = mutator.pick(self.sockets)
        known = corpus.wishes()
        wish = mutator.pick(known)
        if socket.moves and mutator.chance(0.3):
            move = mutator.pick(socket.moves)
            asked = {"do": "move", "id": 3, "seat": socket.seat, "seq": socket.seq, "move": move}
            if mutator.chance(0.3):
                asked = {"do": "preview", "id": 3, "seat": socket.seat, "moves": socket.moves[:5], "views": True}
            wish = corpus.encode(asked)
        data = wish if mutator.chance(0.1) else mutator.message(wish, mutator.pick(known))
        as_text = mutator.chance(0.97)
        try:
            message = {"text": data.decode()} if as_text else {"bytes": data}
        except UnicodeDecodeError:
            message = {"bytes": data}
        if b'"close"' in data or b'"kick"' in data or b'"stand"' in data:
            if mutator.chance(0.98):
                return  # else all tables would soon be closed or without people
        self.last = socket.table, data
        live = self.hub.live_tables.get(socket.table)
        before = None if live is None else (live.table.seq, live.table.position.bytes())
        word = await socket.put(message)
        self.errors.raise_first()
        if word is None:
            self.sockets.remove(socket)
            await socket.leave()
            return
        if word.get("code") == "fault":
            raise Wrong(f"fault: {word}")
        if word["say"] == "no":
            if not word["reason"] or len(word["reason"]) > LONGEST_REASON:
                raise Wrong(f"a reason of {len(word['reason'])} letters")
            alone = live is not None and all(seat.level is None for seat in live.table.seats)  # else a bot may move
            if live is not None and alone and before != (live.table.seq, live.table.position.bytes()):
                raise Wrong("a refused wish changed the table")
        if live is not None and (live.table.status == "over" or live.table.seq > 3_000):
            await self.begin_again(socket.table, live.table.made.game)

    async def begin_again(self, table: str, game: str) -> None:
        """Put a new table in the place of one that is used up."""
        screen = [{"kind": "screen", "name": "Ann"}, {"kind": "screen", "name": "Bob"}]
        made = await self.make({"game": game, "seats": screen, "start": True})
        self.tables = [made if one["table"] == table else one for one in self.tables]
        for socket in [one for one in self.sockets if one.table == table]:
            self.sockets.remove(socket)
            await socket.leave()


def decoded(path: str) -> str:
    """Return a path as web servers decode it."""
    return unquote(path)


class WebSocket:
    """A socket at a table, as a web server would hold it."""

    def __init__(self, application: Application, made: dict[str, Any], seated: bool = True) -> None:
        self.application, self.table = application, made["table"]
        self.tokens = [*made["tokens"].values(), made["host"]] if seated else []
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.moves: list[Any] = []
        self.seat, self.seq = 0, 0

    async def join(self) -> WebSocket:
        """Open it and say hello."""
        scope = self.application.scope("websocket", f"/api/tables/{self.table}/socket", [])
        app = self.application.app.asgi
        self.task: Any = asyncio.create_task(app(scope, self.incoming.get, self.outgoing.put))  # type: ignore[arg-type]
        await self.incoming.put({"type": "websocket.connect"})
        await self.ask(corpus.encode({"do": "hello", "version": 2, "tokens": self.tokens[:9]}))
        return self

    async def __aenter__(self) -> WebSocket:
        return await self.join()

    async def __aexit__(self, *_: object) -> None:
        await self.leave()

    async def ask(self, data: bytes) -> dict[str, Any] | None:
        """Send a wish; return the answer to it, or None where the socket was closed."""
        return await self.put({"text": data.decode()})

    async def put(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Send a message; return the answer to it, or None where the socket was closed."""
        await self.incoming.put({"type": "websocket.receive", **message})
        while True:
            async with asyncio.timeout(PATIENCE):
                sent = await self.outgoing.get()
            if sent["type"] == "websocket.close":
                return None
            if sent["type"] != "websocket.send":
                continue
            word: dict[str, Any] = msgspec.json.decode(sent.get("text") or sent["bytes"])
            if word["say"] == "update":
                self.seq, self.moves = word["seq"], word["view"].get("moves", [])
                self.seat = word["view"].get("seat", (word["table"]["pending"] or [0])[0])
            if word["say"] == "yours":
                self.tokens.append(word["token"])
            if word["say"] not in ("update", "presence", "thinking", "welcome", "lost"):
                return word

    async def leave(self) -> None:
        """Close it."""
        await self.incoming.put({"type": "websocket.disconnect", "code": 1000})
        try:
            async with asyncio.timeout(PATIENCE):
                await self.task
        except asyncio.CancelledError:
            pass
