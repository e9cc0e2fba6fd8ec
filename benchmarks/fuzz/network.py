"""The doors of a real server in a process of its own: bytes over TCP, many requests on a connection, and raw frames."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.attack.connections import upgrade
from benchmarks.attack.target import LOST, Target
from benchmarks.fuzz import corpus
from benchmarks.fuzz.application import METHODS, PATHS, POSTED
from benchmarks.fuzz.mutate import Mutator
from benchmarks.fuzz.parsers import Wrong
from benchmarks.server.ground import Server

PIPELINED = 20
"""Requests on one connection, or frames on one socket."""
MOST_MEMORY = 900_000_000


class Network:
    """A real server, fed with bytes."""

    def __init__(self, mutator: Mutator, folder: Path) -> None:
        self.mutator = mutator
        self.log = folder / "server.log"
        self.server = Server(folder / "network.db", "--log", "json", log=self.log)
        self.target = Target(self.server.port, "127.5")
        self.last: Any = b""
        self._read = self._number = 0
        self.table: dict[str, Any] = {}

    async def open(self) -> None:
        """Wait until it can be played at, and make a table."""
        await asyncio.to_thread(self.server.wait_for, "lumens")
        self.table = await self.target.make("lumens", "screen", "screen", start=True)

    def source(self) -> str:
        """Return an address that was not used for a while."""
        self._number += 1
        return self.target.source(self._number)

    def request(self) -> bytes:
        """Return a request, mostly in good form."""
        mutator = self.mutator
        path = mutator.pick(PATHS + POSTED).replace("{t}", self.table["table"])
        body = b""
        method = mutator.pick(METHODS)
        if path in POSTED:
            method, body = "POST", mutator.message(mutator.pick(corpus.new_tables()), mutator.pick(corpus.wishes()))
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost:{self.server.port}\r\nContent-Length: {len(body)}\r\n\r\n"
        data = head.encode() + body
        return mutator.text(data, most=2) if mutator.chance(0.15) else data

    async def http(self) -> int:
        """Send some requests on one connection and read what comes; return how many."""
        requests = [self.request() for _ in range(PIPELINED)]
        self.last = b"".join(requests)
        answer = await self.exchange(self.last)
        for status in answer.split(b"HTTP/1.1 ")[1:]:
            if status[:1] == b"5" and status[:3].isdigit():
                raise Wrong(f"status {status[:3].decode()}")
        await self.see()
        return PIPELINED

    async def frames(self) -> int:
        """Send a handshake and frames on one socket and read what comes; return how many."""
        mutator = self.mutator
        hello = corpus.encode({"do": "hello", "version": 2, "tokens": list(self.table["tokens"].values())})
        sent = [self.frame(hello, 1)]
        for _ in range(PIPELINED):
            wish = mutator.message(mutator.pick(corpus.wishes()), mutator.pick(corpus.wishes()))
            sent.append(self.frame(wish[:60_000], mutator.pick((1, 1, 1, 1, 1, 2, 9, 10, 0, 8, 3, 15))))
        handshake = upgrade(self.target, self.table["table"])
        if mutator.chance(0.1):
            handshake = mutator.text(handshake, most=1)
        self.last = handshake + b"".join(sent)
        answer = await self.exchange(self.last)
        if b'"code":"fault"' in answer:
            raise Wrong("fault")
        await self.see()
        return PIPELINED

    def frame(self, body: bytes, kind: int) -> bytes:
        """Return a frame, sometimes with a wrong length, without its end, or without a mask."""
        final = 0 if self.mutator.chance(0.05) else 128
        size = len(body) + (self.mutator.pick((-1, 1, 1000)) if self.mutator.chance(0.02) else 0)
        size = max(0, size)
        masked = 0 if self.mutator.chance(0.02) else 128
        if size < 126:
            head = bytes((final | kind, masked | size))
        elif size < 1 << 16:
            head = bytes((final | kind, masked | 126)) + size.to_bytes(2, "big")
        else:
            head = bytes((final | kind, masked | 127)) + size.to_bytes(8, "big")
        return head + (b"\0\0\0\0" if masked else b"") + body

    async def exchange(self, data: bytes) -> bytes:
        """Send bytes and read until nothing more comes."""
        read = bytearray()
        with suppress(*LOST):
            local = (self.source(), 0)
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=local)
            try:
                writer.write(data)
                writer.write_eof()
                async with asyncio.timeout(15):
                    while chunk := await reader.read(1 << 16):
                        read += chunk
            finally:
                writer.close()
        return bytes(read)

    async def see(self) -> None:
        """See that the server lives, has written no traceback and has not grown without bound."""
        if self.server.process.poll() is not None:
            raise Wrong("the server has ended")
        with self.log.open("rb") as log:
            log.seek(self._read)
            text = log.read()
        self._read += len(text)
        for line in text.splitlines():
            if b"Traceback" in line:
                trace = msgspec.json.decode(line).get("trace", "").strip().splitlines()
                raise Wrong(f"traceback: {trace[-1]} ({trace[-3].strip() if len(trace) > 3 else ''})")
        if self._number % 50 == 0 and (grown := self.server.memory()) > MOST_MEMORY:
            raise Wrong(f"{grown // 1_000_000} MB of memory")

    async def close(self) -> None:
        """End the server."""
        await asyncio.to_thread(self.server.stop)
