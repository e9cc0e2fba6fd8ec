"""A WebSocket connection and the messages that wait to be sent over it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from lampion.server.tables.rate_limits import asker

OUTBOX = 256 << 10
"""Bytes that may wait for one connection before it is cut, besides the largest message."""
MOST_OUTBOXES = 64 << 20
"""Bytes that may wait for all connections together."""


class Outboxes:
    """Bounds the bytes that wait to be sent to all connections together."""

    def __init__(self, most: int = MOST_OUTBOXES) -> None:
        self.most, self.size = most, 0
        self.connections: set[Connection] = set()

    def shrink(self) -> None:
        """Cut the connections with most waiting until no more than `most` bytes wait."""
        while self.size > self.most and self.connections:
            max(self.connections, key=lambda connection: connection.size).cut()


class Connection:
    """A WebSocket connection and the messages that wait to be sent; one that reads too slowly is cut."""

    def __init__(self, websocket: WebSocket, outboxes: Outboxes) -> None:
        self.websocket, self.outboxes = websocket, outboxes
        self.address = asker.get()
        self.waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.size = 0
        self.largest = 0
        """Bytes of the largest message so far: an update with the whole history may be larger than OUTBOX."""
        self.ended = False
        self.listening: asyncio.Timeout | None = None
        outboxes.connections.add(self)
        self.writer = asyncio.create_task(self.write())

    def put(self, message: bytes) -> None:
        """Send a message after those before it; cut the connection where more waits than OUTBOX and the largest."""
        if self.ended or self.writer.done():
            return
        self.size += len(message)
        self.outboxes.size += len(message)
        self.largest = max(self.largest, len(message))
        self.waiting.put_nowait(message)
        if self.size > OUTBOX + self.largest:
            self.cut()
        self.outboxes.shrink()

    def cut(self) -> None:
        """Close the connection without sending what waits."""
        self.end()
        self.writer.cancel()
        self._leave_outboxes()

    def _leave_outboxes(self) -> None:
        """Stop counting what waits here; also for a writer that was cancelled before its first step."""
        self.outboxes.connections.discard(self)
        self.outboxes.size -= self.size
        self.size = 0

    def end(self) -> None:
        """Stop listening, and close the connection when all is sent."""
        if not self.ended:
            self.ended = True
            self.waiting.put_nowait(None)
            if self.listening is not None:
                with suppress(RuntimeError):  # the timeout has just expired
                    self.listening.reschedule(asyncio.get_running_loop().time())

    async def listen(self, until: float | None) -> Message:
        """Return the next message; raise TimeoutError at `until`, or when the connection ends.

        A connection is interrupted only here, so no wish is left half done.
        """
        try:
            async with asyncio.timeout_at(until) as self.listening:
                return await self.websocket.receive()
        finally:
            self.listening = None

    async def write(self) -> None:
        """Send what waits until the connection ends."""
        try:
            while (message := await self.waiting.get()) is not None:
                await self.websocket.send_text(message.decode())
                self.size -= len(message)
                self.outboxes.size -= len(message)
            await self.websocket.close()
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone already
        finally:
            self.ended = True
            self._leave_outboxes()
