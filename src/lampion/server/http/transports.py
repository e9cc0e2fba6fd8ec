"""Connections that cannot be held for nothing: time limits on requests and on readers, and a bound on their number.

A request must arrive whole within REQUEST_SECONDS of its first byte, and whoever is sent something must read it within
WRITE_SECONDS. What waits in the system's buffers for slow readers is bounded over all of them. The number of
connections stays below the process's limit of descriptors, and of one address below a share of it; where a new one does
not fit, the oldest that has not sent a whole request yet makes room for it.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from lampion.server.tables.limits import AddressLimiter, TokenBucket, charged_address

REQUEST_SECONDS = 20.0
"""For a whole request, headers and body, from its first byte on (the first one: from the connection on)."""
WRITE_SECONDS = 20.0
"""After which a reader that took less than READ_BYTES of what is sent is cut."""
READ_BYTES = 16 << 10
MOST_TIMES = 6
"""After so many times WRITE_SECONDS also one that reads slowly is cut."""
MOST_HEAD = 64 << 10
"""Bytes of a request's line and headers."""
MOST_UNREAD = 64 << 20
"""Bytes that may wait for slow readers, all together; beyond that the one that is slow longest is cut."""
MOST_OF_ADDRESS = 400
"""Connections of one address, unless a proxy stands in front."""
OPENED = (100.0, 2000.0)
"""Connections that one address may open a second, and at once, unless a proxy stands in front."""
MOST_PIPELINED = 16
"""Requests of one connection that may wait for an answer."""
PARSED, PARSED_OF_ADDRESS = (0.05, 0.01), (0.1, 0.05)
"""Processor seconds that taking in what one connection sends may cost a second, and at once; and all of one address."""
MOST_DEFERRED = 64 << 10
"""Bytes of a connection that wait while its address has spent its seconds."""
PIECE = 1 << 10
"""Bytes that are taken in before the time is looked at."""
RESERVE = 64
"""Descriptors for the database, the log and other processes."""
WANTED_DESCRIPTORS = (65_536, 10_240, 4_096)


def raise_descriptor_limit() -> int:
    """Let the process open as many descriptors as the system allows it, up to a number; return how many."""
    if sys.platform == "win32":
        return 4096
    import resource

    for wanted in WANTED_DESCRIPTORS:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        if soft == resource.RLIM_INFINITY or soft >= most:
            return most if soft == resource.RLIM_INFINITY else int(soft)
        with suppress(ValueError, OSError):  # macOS may allow less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            return most
    return int(soft)


class _Collecting:
    """How long Python's garbage collection took in the thread of the event loop: no connection is charged for it."""

    def __init__(self) -> None:
        self.seconds = self._began = 0.0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        """Note when it begins and ends; one of `gc.callbacks`."""
        if threading.current_thread() is threading.main_thread():
            moment = time.thread_time()
            if phase == "start":
                self._began = moment
            else:
                self.seconds += moment - self._began


COLLECTING = _Collecting()
gc.callbacks.append(COLLECTING)


class Transports:
    """All connections of a server: how many an address has, which wait for a request, which do not read."""

    def __init__(self, most: int, most_of_address: int | None = MOST_OF_ADDRESS) -> None:
        self.most, self.most_of_address = most, most_of_address
        self._opened = AddressLimiter(*OPENED)
        self._parsed = AddressLimiter(*PARSED_OF_ADDRESS)
        self._open: dict[asyncio.Transport, str] = {}
        self._counts: dict[str, int] = {}
        self._incomplete: dict[asyncio.Transport, None] = {}
        """Those whose request has not arrived whole, the oldest first."""
        self._unread: dict[asyncio.Transport, int] = {}
        """Bytes that wait for those that do not read, the one that is slow longest first."""

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: asyncio.Transport) -> bool:
        """Count a new connection, making room for it where that is needed; return whether it may stay."""
        peer = transport.get_extra_info("peername")
        address = charged_address(str(peer[0])) if peer else ""
        if self.most_of_address is not None:
            if not self._opened.bucket(address).take():
                return False
            if self._counts.get(address, 0) >= self.most_of_address and not self._cut_incomplete(address):
                return False
        if len(self._open) >= self.most and not self._cut_incomplete():
            return False
        self._open[transport] = address
        self._counts[address] = self._counts.get(address, 0) + 1
        return True

    def parsed_of(self, transport: asyncio.Transport) -> TokenBucket | None:
        """Return the processor time that is left to the address of a connection; None behind a proxy."""
        return None if self.most_of_address is None else self._parsed.bucket(self._open.get(transport, ""))

    def _cut_incomplete(self, address: str | None = None) -> bool:
        """Cut the oldest connection without a whole request, of one address or of all; return whether there was one."""
        for transport in self._incomplete:
            if address is None or self._open.get(transport) == address:
                transport.abort()
                self.forget(transport)
                return True
        return False

    def forget(self, transport: asyncio.Transport) -> None:
        """A connection is closed."""
        self._incomplete.pop(transport, None)
        self._unread.pop(transport, None)
        address = self._open.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def request_begins(self, transport: asyncio.Transport) -> None:
        """A request is on its way."""
        self._incomplete[transport] = None

    def request_is_whole(self, transport: asyncio.Transport) -> None:
        """A request has arrived."""
        self._incomplete.pop(transport, None)

    def writing_stops(self, transport: asyncio.Transport) -> None:
        """A reader does not keep up; where too much waits for all of them, cut one of the address with most of it."""
        self._unread[transport] = transport.get_write_buffer_size()
        while sum(self._unread.values()) > MOST_UNREAD:
            waiting: Counter[str] = Counter()
            for other, size in self._unread.items():
                waiting[self._open.get(other, "")] += size
            (worst, _), *_ = waiting.most_common(1)
            slowest = next(other for other in self._unread if self._open.get(other, "") == worst)
            del self._unread[slowest]
            slowest.abort()

    def writing_goes_on(self, transport: asyncio.Transport) -> None:
        """A reader has caught up."""
        self._unread.pop(transport, None)


class _Intake:
    """Hands what a connection sends to its protocol, a piece at a time, and bounds what that costs.

    Frames and headers without content cost a thousand times more than their bytes. A connection that costs too much is
    cut. Where all of its address together do, it waits: that may be many people who come at once.
    """

    def __init__(self, transports: Transports, take: Callable[[bytes], None]) -> None:
        self._transports, self._take = transports, take
        self._own = TokenBucket(*PARSED)
        self._deferred = b""

    def feed(self, transport: asyncio.Transport, data: bytes) -> None:
        """Take in what came, now or later."""
        if self._deferred:
            self._defer(transport, data)
            return
        shared = self._transports.parsed_of(transport)
        for i in range(0, len(data), PIECE):
            if transport.is_closing():
                return
            if shared is not None and shared.is_overdrawn:
                self._defer(transport, data[i:])
                asyncio.get_running_loop().call_later(shared.seconds_until(0), self._go_on, transport)
                return
            began, collected = time.thread_time(), COLLECTING.seconds
            self._take(data[i : i + PIECE])
            seconds = time.thread_time() - began - (COLLECTING.seconds - collected)
            self._own.charge(seconds)
            if shared is not None:
                shared.charge(seconds)
            if self._own.is_overdrawn:
                transport.abort()

    def _defer(self, transport: asyncio.Transport, data: bytes) -> None:
        if len(self._deferred) + len(data) > MOST_DEFERRED:
            self._deferred = b""
            transport.abort()
        else:
            self._deferred += data

    def _go_on(self, transport: asyncio.Transport) -> None:
        data, self._deferred = self._deferred, b""
        self.feed(transport, data)


class Config(uvicorn.Config):
    """uvicorn's settings, with the connections that the protocols below count."""

    def __init__(self, app: Any, transports: Transports, **settings: Any) -> None:
        super().__init__(app, http=LimitedHttp, ws=LimitedWebSocket, **settings)
        self.lampion_transports = transports


class _Deadline:
    """A timer that cuts a connection."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        """Cut the connection after the time, unless stopped before; one that runs is left to run."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.seconds, transport.abort)

    def start_while_idle(self, transport: asyncio.Transport, times: int = MOST_TIMES) -> None:
        """Cut the connection when less than READ_BYTES were taken in the time, or after as many times as that."""

        def look(before: int) -> None:
            self._timer = None
            if before - transport.get_write_buffer_size() < READ_BYTES or times <= 1:
                transport.abort()
            else:
                self.start_while_idle(transport, times - 1)

        if self._timer is None:
            size = transport.get_write_buffer_size()
            self._timer = asyncio.get_running_loop().call_later(self.seconds, look, size)

    def stop(self) -> None:
        """Leave the connection alone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class LimitedHttp(HttpToolsProtocol):
    """HTTP with a time limit on requests and on readers."""

    admitted = False
    upgraded = False
    in_head = False
    head = 0
    """Bytes that have come of a request whose headers are not complete."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.all = cast(Config, self.config).lampion_transports
        self.arriving, self.reading = _Deadline(REQUEST_SECONDS), _Deadline(WRITE_SECONDS)
        self.intake = _Intake(self.all, self._take)
        self.unanswered: list[Any] = []
        """Requests that were begun; uvicorn tells the last one alone that the connection is lost."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection or cut it; a first request must follow."""
        super().connection_made(transport)
        self.admitted = self.all.admit(transport)
        if self.admitted:
            self._wait_for_request()
        else:
            transport.abort()

    def _wait_for_request(self) -> None:
        self.all.request_begins(self.transport)
        self.arriving.start(self.transport)

    def data_received(self, data: bytes) -> None:
        """Read on, unless the headers have no end."""
        if not self.admitted:
            return
        self.intake.feed(self.transport, data)

    def _take(self, data: bytes) -> None:
        if self.upgraded:
            return  # a client waits for the answer before it goes on
        super().data_received(data)
        self.head = self.head + len(data) if self.in_head else 0
        if self.head > MOST_HEAD:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """The first bytes of a request start its time."""
        self.in_head = True
        self._wait_for_request()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """A request begins; others of this connection may not be answered yet."""
        self.in_head = False
        super().on_headers_complete()
        self.unanswered = [cycle for cycle in self.unanswered if not cycle.response_complete]
        if self.cycle is not None and self.cycle not in self.unanswered:
            self.unanswered.append(self.cycle)
        if len(self.unanswered) > MOST_PIPELINED:
            self.transport.abort()

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._request_is_whole()
        super().on_message_complete()

    def _request_is_whole(self) -> None:
        self.arriving.stop()
        self.all.request_is_whole(self.transport)

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a WebSocket's connection."""
        self._request_is_whole()
        self.upgraded = True
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        """The reader does not keep up."""
        super().pause_writing()
        self.reading.start_while_idle(self.transport)
        self.all.writing_stops(self.transport)

    def resume_writing(self) -> None:
        """The reader has caught up."""
        super().resume_writing()
        self.reading.stop()
        self.all.writing_goes_on(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Closed, by whomever: what is still answered goes nowhere."""
        for cycle in self.unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        self.arriving.stop()
        self.reading.stop()
        self.all.forget(self.transport)
        super().connection_lost(exc)


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket with a time limit on readers."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.all = cast(Config, self.config).lampion_transports
        self.reading = _Deadline(WRITE_SECONDS)
        self.intake = _Intake(self.all, super().data_received)

    def data_received(self, data: bytes) -> None:
        """Read on, unless that takes too much time."""
        self.intake.feed(self.transport, data)

    def pause_writing(self) -> None:
        """The reader does not keep up."""
        super().pause_writing()
        self.reading.start_while_idle(self.transport)
        self.all.writing_stops(self.transport)

    def resume_writing(self) -> None:
        """The reader has caught up."""
        super().resume_writing()
        self.reading.stop()
        self.all.writing_goes_on(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Closed, by whomever."""
        self.reading.stop()
        self.all.forget(self.transport)
        super().connection_lost(exc)
