"""What an attacker has: loopback addresses to come from, plain requests, sockets, and the list of all attacks."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from benchmarks.server.lines import address

PATIENCE = 20.0
"""Seconds that an attacker waits for one answer."""
LOST = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError)
"""What a refused or cut connection looks like."""


FINISHED: dict[tuple[int, str], tuple[str, Any]] = {}
"""Finished games by the port of their server and by name: the table and its record."""


class Answer(msgspec.Struct):
    """The answer to a request: status 0 where there was none in time."""

    status: int
    size: int
    body: bytes
    seconds: float

    @property
    def data(self) -> Any:
        """Its body as JSON; an empty object where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def is_refusal(self) -> bool:
        """Whether it says no, with a status that blames the asker."""
        return 400 <= self.status < 500


class Seen(msgspec.Struct):
    """What an attack came to: figures for people, and what was not as it should be."""

    figures: dict[str, Any] = {}
    broken: list[str] = []

    def expect(self, holds: bool, told: str) -> None:
        """Note what does not hold."""
        if not holds and told not in self.broken:
            self.broken.append(told)


class Target:
    """A server under attack, and the addresses that the attacker comes from."""

    def __init__(self, port: int, network: str, *, short: bool = False, pid: int = 0, admin: str = "") -> None:
        self.port, self.network, self.short, self.pid, self.admin = port, network, short, pid, admin
        self.seen = Seen()
        self.statuses: Counter[int] = Counter()
        self.kept: list[socket.socket | Guest] = []
        """Connections that stay open until the server was told to stop."""

    def source(self, number: int = 0) -> str:
        """Return one of the attacker's own addresses."""
        return address(self.network, number)

    def stranger(self, number: int = 0) -> str:
        """Return an address that no attack came from."""
        return address(f"127.{int(self.network.partition('.')[2]) + 100}", number)

    def pick(self, long: Any, short: Any) -> Any:
        """Return the one of two that suits the length of the attack."""
        return short if self.short else long

    async def request(
        self,
        path: str,
        body: Any = None,
        *,
        method: str | None = None,
        source: str | None = None,
        timeout: float = PATIENCE,
        keep: int = 8 << 20,
        **headers: str,
    ) -> Answer:
        """Ask and read the whole answer, of which `keep` bytes are kept; a header's name is written with _ for -."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {"Host": f"localhost:{self.port}", "Connection": "close", "Content-Length": str(len(data))}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = f"{method or ('GET' if body is None else 'POST')} {path} HTTP/1.1\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in named.items())
        began = time.perf_counter()
        answer = Answer(0, 0, b"", 0.0)
        with suppress(*LOST):
            answer = await asyncio.wait_for(
                self._exchange(head.encode("utf-8", "surrogateescape") + b"\r\n" + data, source or self.source(), keep),
                timeout,
            )
        answer.seconds = time.perf_counter() - began
        self.statuses[answer.status] += 1
        return answer

    async def _exchange(self, request: bytes, source: str, keep: int) -> Answer:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        try:
            writer.write(request)
            with suppress(OSError):  # a server may answer, and close, before it has read a body that is too long
                await writer.drain()
            read, size = bytearray(), 0
            with suppress(ConnectionResetError):
                while chunk := await reader.read(1 << 16):
                    size += len(chunk)
                    if len(read) < keep:
                        read += chunk
            head, _, body = bytes(read).partition(b"\r\n\r\n")
            words = head.split(b" ", 2)
            return Answer(int(words[1]) if len(words) > 1 and words[1].isdigit() else 0, size, body, 0.0)
        finally:
            writer.close()

    async def make(self, game: str, *seats: str, source: str | None = None, **more: Any) -> dict[str, Any]:
        """Make a table; a seat is `open`, `screen` or the level of a bot. Return its answer, or {} where refused."""
        plans = [
            {"kind": "open"} if seat == "open"
            else {"kind": "screen", "name": f"Eve {number}"} if seat == "screen"
            else {"kind": "bot", "level": seat}
            for number, seat in enumerate(seats)
        ]  # fmt: skip
        answer = await self.request("/api/tables", {"game": game, "seats": plans, **more}, source=source)
        return dict(answer.data) if answer.status == 201 else {}

    async def join(self, table: str, *tokens: str, source: str | None = None, hello: bool = True) -> Guest:
        """Open a socket at a table, and say hello."""
        opened = connect(
            f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket",
            local_addr=(source or self.source(), 0),
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )
        guest = Guest(await opened)
        if hello:
            await guest.send({"do": "hello", "version": 2, "tokens": list(tokens)})
            await guest.until(lambda word: word["say"] in ("update", "no"))
        return guest

    async def finished_game(self, game: str = "lumens", source: str | None = None) -> tuple[str, Any]:
        """Let easy bots play a game to its end, once a server; return the table's id and its record."""
        if (self.port, game) in FINISHED:
            return FINISHED[self.port, game]
        made = await self.make(game, "spark", "spark", source=source or self.stranger(9), start=True)
        if not made:
            raise RuntimeError("no table could be made")
        guest = await self.join(made["table"], source=source or self.stranger(9))  # bots may rest where nobody looks
        async with asyncio.timeout(60):
            while guest.latest.get("table", {}).get("status") != "over":
                await guest.hear()
        await guest.close()
        answer = await self.request(f"/api/tables/{made['table']}/record", source=self.stranger(9))
        FINISHED[self.port, game] = made["table"], answer.data
        return FINISHED[self.port, game]

    async def raw(self, data: bytes, *, source: str | None = None, window: int | None = None) -> socket.socket:
        """Open a connection, send some bytes and keep it; `window` is the size of its receive buffer."""
        one = socket.socket()
        one.setblocking(False)
        if window is not None:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        one.bind((source or self.source(), 0))
        loop = asyncio.get_running_loop()
        await asyncio.wait_for(loop.sock_connect(one, ("127.0.0.1", self.port)), PATIENCE)
        await asyncio.wait_for(loop.sock_sendall(one, data), PATIENCE)
        self.kept.append(one)
        return one

    def leave(self) -> None:
        """Close the connections that were kept, without a goodbye."""
        for one in self.kept:
            if isinstance(one, Guest):
                one.socket.transport.abort()
            else:
                one.close()
        self.kept.clear()

    async def for_seconds(self, seconds: float, work: Callable[[int], Awaitable[None]], at_once: int = 8) -> int:
        """Do the same again and again, some of it at once, until the time is over; return how often."""
        deadline = time.monotonic() + seconds
        done = 0

        async def one(lane: int) -> None:
            nonlocal done
            while time.monotonic() < deadline:
                try:
                    await work(done)
                except LOST:
                    await asyncio.sleep(0.05)
                done += 1

        await asyncio.gather(*(one(lane) for lane in range(at_once)))
        return done


class Guest:
    """A socket at a table."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.latest: dict[str, Any] = {}
        self.size = 0
        """Bytes of the latest update."""
        self._ids = 0

    async def send(self, wish: Any) -> None:
        """Send a message."""
        await self.socket.send(wish if isinstance(wish, str | bytes) else json.dumps(wish))

    async def hear(self) -> dict[str, Any]:
        """Return the next word."""
        async with asyncio.timeout(PATIENCE):
            raw = await self.socket.recv()
        word: dict[str, Any] = json.loads(raw)
        if word["say"] == "update":
            self.latest, self.size = word, len(raw)
        return word

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first word that is wanted."""
        while not wanted(word := await self.hear()):
            pass
        return word

    async def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Send a wish and return its answer."""
        self._ids += 1
        own = self._ids
        await self.send({"do": do, "id": own, **more})
        return await self.until(lambda word: word.get("id") == own)

    async def close(self) -> None:
        """Leave."""
        with suppress(*LOST):
            await asyncio.wait_for(self.socket.close(), 5)


class Attack(msgspec.Struct, frozen=True):
    """An attack that has a name; `descriptors` limits the files that the server may open."""

    name: str
    about: str
    run: Callable[[Target], Awaitable[None]]
    descriptors: int | None = None


ATTACKS: dict[str, Attack] = {}
"""All of them, by name."""


def attack(name: str, descriptors: int | None = None) -> Callable[[Any], Any]:
    """Add a function to the list of attacks; its docstring says what it does."""

    def add(run: Any) -> Any:
        ATTACKS[name] = Attack(name, str(run.__doc__).partition("\n")[0], run, descriptors)
        return run

    return add
