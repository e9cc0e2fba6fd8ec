"""The line of a scripted player to a server: a WebSocket made by hand, and the few fields that a player reads."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import Any

import msgspec

CLOSE, PING, PONG = 8, 9, 10


class Change(msgspec.Struct):
    """Of a change its number."""

    seq: int


class View(msgspec.Struct):
    """Of a view the moves."""

    seat: int | None = None
    moves: list[msgspec.Raw] = []


class Info(msgspec.Struct):
    """Of a table its state."""

    status: str


class Word(msgspec.Struct):
    """What a player needs to know of anything the server says."""

    say: str
    id: int | None = None
    seq: int = 0
    since: int = 0
    code: str = ""
    table: Info | None = None
    view: View | None = None
    changes: list[Change] = []
    seat: int | None = None
    token: str = ""


read_word = msgspec.json.Decoder(Word).decode
encode = msgspec.json.encode


def address(network: str, number: int) -> str:
    """Return the loopback address of that number in a network given by its first two numbers."""
    return f"{network}.{number // 250 % 250}.{number % 250 + 1}"


async def post(port: int, path: str, body: Any, source: str = "127.0.0.1") -> Any:
    """Return what a POST from a loopback address answers; nothing where nobody does."""
    data = encode(body)
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n"
            f"Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        answer = await reader.read()
        writer.close()
        return msgspec.json.decode(answer.partition(b"\r\n\r\n")[2])
    except (OSError, msgspec.DecodeError):
        return {}


class Line(asyncio.Protocol):
    """The client's end of a WebSocket."""

    def __init__(self, port: int, path: str, heard: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self.heard, self.lost = heard, lost
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
        self.data = bytearray()
        self.is_open = False
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Cut what arrives into messages."""
        held = self.data
        held += data
        if not self.is_open:
            end = held.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in held[:end].split(b"\r\n", 1)[0]:
                self.transport.close()
                return
            self.is_open = True
            del held[: end + 4]
        while len(held) >= 2:
            size, start = held[1] & 127, 2
            if size == 126:
                start, size = 4, int.from_bytes(held[2:4], "big")
            elif size == 127:
                start, size = 10, int.from_bytes(held[2:10], "big")
            if len(held) < start or len(held) < start + size:
                return
            kind, body = held[0] & 15, bytes(held[start : start + size])
            del held[: start + size]
            if kind == PING:
                self.send(body, PONG)
            elif kind == CLOSE:
                self.transport.close()
            else:
                self.heard(body)

    def send(self, body: bytes, kind: int = 1) -> None:
        """Send a message; a mask of zeros changes nothing, and is a mask."""
        size = len(body)
        head = bytes((128 | kind, 128 | size)) if size < 126 else bytes((128 | kind, 254)) + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + body)

    def connection_lost(self, error: Exception | None) -> None:
        """The server is gone."""
        self.lost()
