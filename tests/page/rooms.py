"""A room as a page has it, in this process: its shelf in memory, its jobs done in place."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lampion.page.room import Room
from lampion.page.worker_jobs import InPlace
from lampion.server.protocol.messages import VERSION

PATIENCE = 60.0


class MemoryShelf:
    """A shelf that is forgotten with the test; tabs that share it hear one another."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self._listening: list[Callable[[str], None]] = []

    async def read(self, first: str, last: str) -> list[tuple[str, bytes]]:
        return [(name, self.kept[name]) for name in sorted(self.kept) if first <= name <= last]

    async def write(
        self, new: Mapping[str, bytes], put: Mapping[str, bytes], needed: Sequence[str], gone: Sequence[str]
    ) -> bool:
        if new.keys() & self.kept.keys() or not self.kept.keys() >= set(needed):
            return False
        self.kept.update({**new, **put})
        for name in gone:
            self.kept.pop(name, None)
        return True

    def listen(self, heard: Callable[[str], None]) -> None:
        self._listening.append(heard)

    def tell(self, news: str) -> None:
        for heard in self._listening:
            asyncio.get_running_loop().call_soon(heard, news)


class OwnRoom:
    """A room, and what it said to each connection."""

    def __init__(self, shelf: MemoryShelf) -> None:
        self.said: dict[int, asyncio.Queue[dict[str, Any] | None]] = {}
        self.room = Room(shelf, InPlace(), InPlace(), self._send)

    def _send(self, number: int, text: str | None) -> None:
        self.said[number].put_nowait(None if text is None else json.loads(text))

    async def __aenter__(self) -> OwnRoom:
        await self.room.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.room.close()

    async def ask(self, path: str, body: Any = None, method: str | None = None, **headers: str) -> tuple[int, Any]:
        """Ask for an address below /api, with a body as JSON or as bytes; return the status and the answer."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        chosen = method or ("GET" if body is None else "POST")
        found = await self.room.ask(chosen, f"/api/{path}", headers, sent)
        return found.status_code, json.loads(found.content) if found.content[:1] in (b"{", b"[") else found.content

    def visit(self, table: str, *tokens: str) -> Visitor:
        return Visitor(self, table, tokens)


class Visitor:
    """A connection to a table of a room."""

    def __init__(self, own: OwnRoom, table: str, tokens: Sequence[str]) -> None:
        self._own, self.number = own, len(own.said)
        own.said[self.number] = asyncio.Queue()
        own.room.connect(self.number, table, "en")
        self.update: dict[str, Any] = {}
        self.say({"do": "hello", "version": VERSION, "tokens": list(tokens), "since": 0, "language": "en"})

    def say(self, wish: dict[str, Any]) -> None:
        self._own.room.hear(self.number, json.dumps(wish))

    async def hear(self) -> dict[str, Any] | None:
        word = await asyncio.wait_for(self._own.said[self.number].get(), PATIENCE)
        if word is not None and word["say"] == "update":
            self.update = word
        return word

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Hear until a word comes that is wanted."""
        while True:
            word = await self.hear()
            assert word is not None, "the connection ended"
            if wanted(word):
                return word
