"""Connections that are held for nothing are cut, and there is always room for one more guest."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from threading import Thread, current_thread, main_thread
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from waiting import until
from websockets.sync.client import connect

from lampion.server.http import connection_limits
from lampion.server.http.connection_limits import Config, Transports

PATIENCE = 30.0
LARGE = 8 << 20
HELLO = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def app(scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer with as many bytes as the path says; a WebSocket is sent messages until nobody takes them."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while scope["path"] == "/idle" and (await receive())["type"] != "websocket.disconnect":
            pass
        for _ in range(1000):
            await send({"type": "websocket.send", "text": "x" * 100_000})
    elif scope["path"] == "/early":
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"xx"})
    elif scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        size = int(scope["path"].strip("/") or 2)
        headers = [(b"content-length", str(size).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * size})


@contextmanager
def serving(held: Transports) -> Iterator[int]:
    """A server with these connections in a thread of its own; its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        Config(app, held, log_config=None, lifespan="off", ws_ping_interval=None, timeout_keep_alive=1)
    )
    thread = Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        listener.close()


def dial(port: int, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    opened = socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
    opened.sendall(sent)
    return opened


def is_cut(opened: socket.socket) -> bool:
    """Wait for an answer or the end; whether it was the end."""
    try:
        return opened.recv(1000) == b""
    except ConnectionError:
        return True


def read_answer(opened: socket.socket) -> bytes:
    """A whole answer of two bytes."""
    answer = b""
    while not answer.endswith(b"\r\n\r\nxx"):
        part = opened.recv(1000)
        assert part, answer
        answer += part
    return answer


def answers(port: int, source: str = "127.0.0.1") -> bool:
    with dial(port, HELLO, source) as opened:
        try:
            return opened.recv(1000).startswith(b"HTTP/1.1 200")
        except ConnectionError:
            return False


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nhalf",
    ],
    ids=["nothing", "half a line", "half a header", "half a body"],
)
@pytest.mark.parametrize("before", [0, 1], ids=["first", "second"])
def test_a_request_that_does_not_arrive_is_cut(sent: bytes, before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "REQUEST_SECONDS", 0.2)
    held = Transports(100)
    with serving(held) as port, dial(port, HELLO * before) as opened:
        if before:
            read_answer(opened)
        opened.sendall(sent)
        assert is_cut(opened)
        assert answers(port)


def test_a_request_that_is_whole_has_its_time_and_the_next_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "REQUEST_SECONDS", 60.0)
    with serving(Transports(100)) as port, dial(port) as opened:
        for _ in range(3):
            opened.sendall(HELLO[:10])
            opened.sendall(HELLO[10:])
            assert read_answer(opened).startswith(b"HTTP/1.1 200")


def test_a_request_that_follows_another_at_once_has_its_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "REQUEST_SECONDS", 0.2)
    half = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nhalf"
    with serving(Transports(100)) as port, dial(port, HELLO + half) as opened:
        read_answer(opened)
        assert is_cut(opened)


def test_a_body_that_was_answered_early_is_not_taken_for_headers_without_end() -> None:
    head = b"POST /early HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
    with serving(Transports(100)) as port, dial(port, head) as opened:
        assert read_answer(opened).startswith(b"HTTP/1.1 200")
        for _ in range(9):
            opened.sendall(b"x" * 100_000)
        opened.sendall(HELLO)
        assert read_answer(opened).startswith(b"HTTP/1.1 200")


def test_headers_without_end_are_cut() -> None:
    with serving(Transports(100)) as port, dial(port, b"GET / HTTP/1.1\r\n") as opened:
        with pytest.raises(ConnectionError):
            send_for_ever(opened)
        assert answers(port)


def send_for_ever(opened: socket.socket) -> None:
    for number in range(100_000):
        opened.sendall(b"X-%d: %s\r\n" % (number, b"x" * 1000))


def test_who_half_sends_makes_room_for_who_comes() -> None:
    held = Transports(5)
    with serving(held) as port:
        idle = [dial(port, b"GET / HT", f"127.0.0.{i}") for i in range(2, 12)]
        assert answers(port)
        assert len(held) <= 5
        for opened in idle:
            opened.close()


PONG, PING, PART = b"\x8a\x80\0\0\0\0", b"\x89\x80\0\0\0\0", b"\x00\x80\0\0\0\0"


@pytest.mark.parametrize("frames", [PONG, PING, b"\x01\x80\0\0\0\0" + 200_000 * PART], ids=["pong", "ping", "parts"])
def test_frames_without_content_cannot_hold_the_server(frames: bytes) -> None:
    upgrade = (
        b"GET /idle HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with serving(Transports(100)) as port, dial(port, upgrade, "127.0.0.2") as opened:
        assert opened.recv(1000).startswith(b"HTTP/1.1 101")
        with pytest.raises(ConnectionError):
            send_again(opened, frames * (1 if len(frames) > 10 else 100_000))
        assert answers(port)


def test_a_machine_that_stood_still_cuts_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = chain([0.0], repeat(1.0))

    def thread_time() -> float:
        return next(measured) if current_thread() is not main_thread() else 0.0

    monkeypatch.setattr(connection_limits, "time", SimpleNamespace(thread_time=thread_time))
    with serving(Transports(100)) as port:
        assert answers(port)


def test_trailers_without_end_cannot_hold_the_server() -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
    with serving(Transports(100)) as port, dial(port, head, "127.0.0.2") as opened:
        with pytest.raises(ConnectionError):
            send_again(opened, b"A:b\r\n" * 100_000)
        assert answers(port)


def test_connections_of_an_address_that_costs_too_much_wait_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    # A request takes it some dozen milliseconds.
    monkeypatch.setattr(connection_limits, "PARSED_OF_ADDRESS", (0.001, 0.0))
    with serving(Transports(100)) as port:
        assert all(answers(port, "127.0.0.2") for _ in range(4))


def test_little_of_a_connection_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "PARSED_OF_ADDRESS", (1e-9, 0.0))
    monkeypatch.setattr(connection_limits, "REQUEST_SECONDS", 2 * PATIENCE)
    with serving(Transports(100)) as port:
        assert answers(port, "127.0.0.2")
        with dial(port, b"x" * 2 * connection_limits.MOST_DEFERRED, "127.0.0.2") as opened:
            assert is_cut(opened)
        assert answers(port, "127.0.0.3")


def send_again(opened: socket.socket, sent: bytes) -> None:
    for _ in range(200):
        opened.sendall(sent)


def test_requests_that_are_not_waited_for_are_few() -> None:
    with serving(Transports(100)) as port, dial(port, 200 * HELLO) as opened:
        answered = b""
        try:
            while part := opened.recv(100_000):
                answered += part
        except ConnectionError:
            pass
        assert answered.count(b"HTTP/1.1 200") <= connection_limits.MOST_PIPELINED
        assert answers(port)


def test_one_address_has_its_share_and_no_more() -> None:
    held = Transports(100, most_of_address=3)
    with serving(held) as port:
        busy = [dial(port, HELLO, "127.0.0.2") for _ in range(3)]
        assert all(map(read_answer, busy))
        assert not answers(port, "127.0.0.2")
        assert answers(port, "127.0.0.3")
        for opened in busy:
            opened.close()


def test_who_never_reads_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "WRITE_SECONDS", 0.2)
    held = Transports(100)
    with serving(held) as port:
        idle = dial(port, b"GET /%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % LARGE)
        with connect(f"ws://127.0.0.1:{port}/", max_queue=1, close_timeout=1) as page:
            page.recv()
            wait_for_nobody(held)
        assert answers(port)
        idle.close()


def test_the_first_of_several_requests_is_answered_into_nowhere_when_the_connection_is_cut() -> None:
    faults: list[Exception] = []

    async def late(scope: Any, receive: Any, send: Any) -> None:
        try:
            for transport in list(held._open):
                transport.abort()
            while held:
                await asyncio.sleep(0.01)
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"x"})
        except RuntimeError as error:
            faults.append(error)
        done.set()

    async def cut_and_answer() -> None:
        server = uvicorn.Server(Config(late, held, log_config=None, lifespan="off"))
        serving = asyncio.create_task(server.serve([listener]))
        _, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(3 * HELLO)
        await asyncio.wait_for(done.wait(), PATIENCE)
        writer.close()
        server.should_exit = True
        await serving

    held, done = Transports(100), asyncio.Event()
    uvloop = pytest.importorskip("uvloop")  # the loop that minds
    with socket.create_server(("127.0.0.1", 0)) as listener:
        uvloop.run(cut_and_answer())
    assert not faults


def test_what_waits_for_those_who_do_not_read_is_bounded_over_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "MOST_UNREAD", 2 * LARGE)
    monkeypatch.setattr(connection_limits, "WRITE_SECONDS", 3600)  # nobody is cut for being slow
    held = Transports(100)
    with serving(held) as port:
        ask = b"GET /%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % LARGE
        idle = [dial(port, ask)]
        until(lambda: len(held._unread) == 1, "one reader is slow")
        (first,) = held._open
        idle += [dial(port, ask) for _ in range(5)]
        until(lambda: first not in held._open, "the first one is cut")
        assert is_cut_after_reading(idle[0])
        assert answers(port)
        for opened in idle:
            opened.close()


def is_cut_after_reading(opened: socket.socket) -> bool:
    """Read what is left; whether it is less than all."""
    size = 0
    try:
        while (part := opened.recv(1 << 20)) and size < LARGE:
            size += len(part)
    except ConnectionError:
        return True
    return size < LARGE


def wait_for_nobody(held: Transports) -> None:
    """Wait until no connection is left."""
    until(lambda: len(held) == 0, "no connection is left")
