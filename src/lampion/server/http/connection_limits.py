"""Limits on TCP connections: time for requests and for readers, processor time, and number.

A request must arrive whole within REQUEST_SECONDS of its first byte, and whoever is sent something must read it within
WRITE_SECONDS. What waits in the system's buffers for slow readers is bounded over all of them. The number of
connections stays below the process's limit of descriptors, and of one address below a share of it; where a new one does
not fit, the oldest that has not sent a whole request yet is cut for it.
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

from lampion.server.tables.rate_limits import AddressLimiter, TokenBucket, charged_address

REQUEST_SECONDS = 20.0
"""Time for a whole request from its first byte, for the first one from the start of the connection."""
WRITE_SECONDS = 20.0
"""Time in which a reader must take READ_BYTES of what is sent."""
READ_BYTES = 16 << 10
MOST_TIMES = 6
"""Periods of WRITE_SECONDS after which a slow reader is cut in any case."""
MOST_HEAD = 64 << 10
"""Bytes of a request's line and headers."""
MOST_UNREAD = 64 << 20
"""Bytes that may wait for all slow readers together; beyond that one is cut."""
MOST_OF_ADDRESS = 400
"""Connections of one address, unless a proxy stands in front."""
OPENED = (100.0, 2000.0)
"""Connections that one address may open a second, and at once, unless a proxy stands in front."""
MOST_PIPELINED = 16
"""Requests of one connection that may wait for an answer."""
PARSED, PARSED_OF_ADDRESS = (0.05, 0.05), (0.1, 0.05)
"""Processor seconds that parsing the input may cost a second, and at once: of a connection, and of an address."""
MOST_OF_PIECE = 0.01
"""Processor seconds that a piece of the input is charged at most. The worst cost a sixth of that; where more is
measured, something was done for the first time, or a virtual machine did not run for a while, which its clocks of
processor time cannot see."""
MOST_DEFERRED = 64 << 10
"""Bytes of a connection that may wait while its address has no processor time left."""
PIECE = 1 << 10
"""Bytes that are parsed before the time is measured."""
RESERVE = 64
"""Descriptors for the database, the log and other processes."""
WANTED_DESCRIPTORS = (65_536, 10_240, 4_096)


def raise_descriptor_limit() -> int:
    """Raise the process's limit of file descriptors as far as the system allows; return the limit."""
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
    """Measures garbage collection in the thread of the event loop, which no connection is charged for."""

    def __init__(self) -> None:
        self.seconds = self._began = 0.0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        """Note the start or the end of a collection; one of `gc.callbacks`."""
        if threading.current_thread() is threading.main_thread():
            moment = time.thread_time()
            if phase == "start":
                self._began = moment
            else:
                self.seconds += moment - self._began


COLLECTING = _Collecting()
gc.callbacks.append(COLLECTING)


class Transports:
    """The TCP connections of a server: their number by address, incomplete requests, slow readers."""

    def __init__(self, most: int, most_of_address: int | None = MOST_OF_ADDRESS) -> None:
        self.most, self.most_of_address = most, most_of_address
        self._opened = AddressLimiter(*OPENED)
        self._parsed = AddressLimiter(*PARSED_OF_ADDRESS)
        self._open: dict[asyncio.Transport, str] = {}
        self._counts: dict[str, int] = {}
        self._incomplete: dict[asyncio.Transport, None] = {}
        """Connections whose request is incomplete, the oldest first."""
        self._unread: dict[asyncio.Transport, int] = {}
        """Bytes that wait for slow readers, by connection, the one slow longest first."""

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: asyncio.Transport) -> bool:
        """Count a new connection, cutting an incomplete one if there are too many; return whether it may stay."""
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
        """Cut the oldest connection with an incomplete request, of one address or of all; return whether one was."""
        for transport in self._incomplete:
            if address is None or self._open.get(transport) == address:
                transport.abort()
                self.forget(transport)
                return True
        return False

    def forget(self, transport: asyncio.Transport) -> None:
        """Forget a connection that is closed."""
        self._incomplete.pop(transport, None)
        self._unread.pop(transport, None)
        address = self._open.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def request_begins(self, transport: asyncio.Transport) -> None:
        """Note that a request is incomplete."""
        self._incomplete[transport] = None

    def request_is_whole(self, transport: asyncio.Transport) -> None:
        """Note that a request is complete."""
        self._incomplete.pop(transport, None)

    def writing_stops(self, transport: asyncio.Transport) -> None:
        """Note a slow reader; where too much waits for all of them, cut one of the address with most."""
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
        """Note that a reader has caught up."""
        self._unread.pop(transport, None)


class _Intake:
    """Hands the input of a connection to its protocol, a piece at a time, and limits the processor time of that.

    Frames and headers without content cost a thousand times more than their bytes. A connection that costs too much is
    cut. Where all of its address together do, it waits: that may be many people who come at once.
    """

    def __init__(self, transports: Transports, take: Callable[[bytes], None]) -> None:
        self._transports, self._take = transports, take
        self._own = TokenBucket(*PARSED)
        self._deferred = b""

    def feed(self, transport: asyncio.Transport, data: bytes) -> None:
        """Parse input, now or later."""
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
            seconds = min(time.thread_time() - began - (COLLECTING.seconds - collected), MOST_OF_PIECE)
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
    """uvicorn's settings, with the transports that the protocols below count."""

    def __init__(self, app: Any, transports: Transports, **settings: Any) -> None:
        super().__init__(app, http=LimitedHttp, ws=LimitedWebSocket, **settings)
        self.lampion_transports = transports


class _Deadline:
    """A timer that cuts a connection."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        """Cut the connection after the time unless stopped before; has no effect while the timer runs."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.seconds, transport.abort)

    def start_while_idle(self, transport: asyncio.Transport, times: int = MOST_TIMES) -> None:
        """Cut the connection when less than READ_BYTES are taken in the time, and in any case after `times` periods."""

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
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _LimitedReader(asyncio.Protocol):
    """A time limit on readers, for both protocols: comes before uvicorn's class in the bases of one."""

    transport: asyncio.Transport
    all: Transports
    reading: _Deadline

    def pause_writing(self) -> None:
        """Start the time limit of a slow reader."""
        super().pause_writing()
        self.reading.start_while_idle(self.transport)
        self.all.writing_stops(self.transport)

    def resume_writing(self) -> None:
        """Stop the time limit of a reader that has caught up."""
        super().resume_writing()
        self.reading.stop()
        self.all.writing_goes_on(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.reading.stop()
        self.all.forget(self.transport)
        super().connection_lost(exc)


class LimitedHttp(_LimitedReader, HttpToolsProtocol):
    """HTTP with a time limit on requests and on readers."""

    admitted = False
    upgraded = False
    in_head = False
    head = 0
    """Bytes so far of a request whose headers are incomplete."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.all = cast(Config, self.config).lampion_transports
        self.arriving, self.reading = _Deadline(REQUEST_SECONDS), _Deadline(WRITE_SECONDS)
        self.intake = _Intake(self.all, self._take)
        self.unanswered: list[Any] = []
        """Requests in progress; uvicorn tells only the last one that the connection is lost."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection or cut it, and wait for a first request."""
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
        """Parse input, unless the connection was not admitted."""
        if not self.admitted:
            return
        self.intake.feed(self.transport, data)

    def _take(self, data: bytes) -> None:
        if self.upgraded:
            return  # a client must wait for the answer before it sends more
        super().data_received(data)
        self.head = self.head + len(data) if self.in_head else 0
        if self.head > MOST_HEAD:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """Start the time limit of a request."""
        self.in_head = True
        self._wait_for_request()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Note a request in progress; cut the connection where too many are."""
        self.in_head = False
        super().on_headers_complete()
        self.unanswered = [cycle for cycle in self.unanswered if not cycle.response_complete]
        if self.cycle is not None and self.cycle not in self.unanswered:
            self.unanswered.append(self.cycle)
        if len(self.unanswered) > MOST_PIPELINED:
            self.transport.abort()

    def on_message_complete(self) -> None:
        """Stop the time limit of a request."""
        self._request_is_whole()
        super().on_message_complete()

    def _request_is_whole(self) -> None:
        self.arriving.stop()
        self.all.request_is_whole(self.transport)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the WebSocket protocol."""
        self._request_is_whole()
        self.upgraded = True
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell all requests in progress that the connection is lost, and forget it."""
        for cycle in self.unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        self.arriving.stop()
        super().connection_lost(exc)


class LimitedWebSocket(_LimitedReader, WebSocketsSansIOProtocol):
    """A WebSocket with a time limit on readers."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.all = cast(Config, self.config).lampion_transports
        self.reading = _Deadline(WRITE_SECONDS)
        self.intake = _Intake(self.all, super().data_received)

    def data_received(self, data: bytes) -> None:
        """Parse input, unless that takes too much time."""
        self.intake.feed(self.transport, data)
