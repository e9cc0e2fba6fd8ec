"""Sockets that misbehave and pages that are not ours: they are shown out or not let in, and the others play on."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket as plain_socket
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from waiting import PATIENCE, until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from lampion.server.http.guard import Guard
from lampion.server.http.proxy import TrustedProxy

from .people import Person, Server


def test_a_message_of_bytes_or_of_endless_brackets_is_no_message(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", options={"first": 0}, start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        ann.socket.send(b'{"do": "ping", "id": 1}')
        assert ann.until(lambda word: word["say"] == "no")["code"] == "not_json"
        for depth in (100, 900, 5000, 30_000):
            deep = {"kind": "DEEP"}
            for wish in ({"do": "move", "seq": ann.seq, "move": deep}, {"do": "preview", "moves": [deep]}):
                ann.send(json.dumps(wish | {"seat": 0}).replace('"DEEP"', "[" * depth + "]" * depth))
                word = ann.until(lambda word: word["say"] in ("no", "previews"))
                assert word["say"] == "previews" or word["code"] in ("not_json", "unreadable_move", "bad_message"), word
        ann.send("x" * 65_537)
        assert ann.until(lambda word: word["say"] == "no")["code"] == "too_long"
        assert ann.ask("ping")["say"] == "pong"
        ann.send("x" * 300_000)
        assert heard_to_the_end(ann) == []


def test_many_messages_at_once_are_slowed_down_and_then_shown_out(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True)
    with Person(server, made["table"]) as eve, Person(server, made["table"], made["tokens"]["0"]) as ann:
        eve.socket.send(iter(['{"do": "ping"', "}"]))  # a message in two parts is one message
        codes: list[str | None] = []
        with suppress(ConnectionClosed):
            while True:
                for _ in range(30):
                    eve.send({"do": "ping", "id": 1})
                for _ in range(30):
                    codes.append(eve.until(lambda word: word.get("id") == 1).get("code"))
        assert codes.count("too_fast") == 200
        assert ann.ask("ping")["say"] == "pong"


def test_those_who_watch_cannot_shut_out_those_who_play(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", options={"first": 0}, start=True)
    crowd = [raw_socket(server, made["table"], hello=True) for _ in range(6)]
    for one in crowd:
        one.sendall(frame(b'{"do": "ping"}') * 100)
    with Person(server, made["table"]) as eve:
        while eve.ask("ping")["say"] == "pong":
            crowd[0].sendall(frame(b'{"do": "ping"}'))
        with Person(server, made["table"], made["tokens"]["0"]) as ann:
            assert ann.move()["say"] == "done"
    for one in crowd:
        one.close()


def test_a_page_of_an_older_protocol_is_told_to_reload(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True)
    with Person(server, made["table"], hello=False) as old:
        tokens = [made["tokens"]["0"]]
        old.send({"do": "hello", "version": 1, "tokens": tokens, "since": 0, "language": "en", "id": 5})
        refused = old.until(lambda word: word["say"] == "no")
        assert (refused["code"], refused["id"]) == ("version", 5)
        assert "reload" in refused["reason"]


def test_an_address_has_room_for_so_many_watchers_and_always_for_who_sits(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True)
    crowd = [raw_socket(server, made["table"], hello=True) for _ in range(50)]
    with Person(server, made["table"], hello=False) as late:
        late.send({"do": "hello", "version": 2, "id": 5, "language": "fr"})
        refused = late.until(lambda word: word["say"] == "no")
        assert (refused["code"], refused["id"]) == ("table_full", 5)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert ann.view["seat"] == 0
    for eve in crowd:
        eve.close()


def test_who_says_something_else_before_hello_may_still_say_it(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True)
    with Person(server, made["table"], hello=False) as half:
        half.send('{"do": "ping", "id": 3}')
        assert half.hear()["code"] == "hello_first"
        half.send({"do": "hello", "version": 2})
        assert half.until(lambda word: word["say"] == "update")["table"]["status"] == "playing"


def test_who_never_says_hello_is_shown_out_and_hears_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path / "lampion.db", time_to_greet=0.1)
    try:
        made = server.make("lumens", ("Ann",), "spark", start=True)
        assert heard_to_the_end(Person(server, made["table"], hello=False)) == []
    finally:
        server.stop()


def test_who_reads_too_slowly_is_dropped_and_the_others_play_on(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        moves = ann.view["moves"][:1] * 400
        preview = {"do": "preview", "seat": 0, "moves": moves}
        ann.send(preview)
        ann.until(lambda word: word["say"] == "previews")
        answer = len(ann.raw[-1])
        quiet = raw_socket(server, made["table"], hello=True)
        slow = raw_socket(server, made["table"], hello=True, tokens=ann.tokens)
        there = sockets(server)
        with suppress(ConnectionError):
            for _ in range(60):
                slow.sendall(frame(json.dumps(preview).encode()))

        # It asked for some 20 MB and reads none of it.

        def is_dropped() -> bool:
            assert ann.ask("ping")["say"] == "pong"
            return sockets(server) < there

        until(is_dropped, "the slow reader is dropped", every=0.1)
        assert size_to_the_end(slow) < 60 * answer / 2, "it was sent what it asked for"
        assert ann.move()["say"] == "done"
        quiet.sendall(frame(b'{"do": "ping"}'))  # whom no ping has reached either, and for longer
        receive(quiet, b"pong")
        slow.close()
        quiet.close()


def heard_to_the_end(person: Person) -> list[dict[str, Any]]:
    """All that a socket hears until it is closed."""
    heard = []
    while True:
        try:
            heard.append(person.hear())
        except ConnectionClosed:
            return heard


def receive(one: plain_socket.socket, wanted: bytes) -> None:
    """Receive until something was said."""
    heard = b""
    while wanted not in heard:
        piece = one.recv(4096)
        assert piece, heard[-300:]
        heard += piece


def size_to_the_end(one: plain_socket.socket) -> int:
    """How much a socket still receives before it is closed or reset."""
    size = 0
    with suppress(ConnectionError):
        while piece := one.recv(65_536):
            size += len(piece)
    return size


def sockets(server: Server) -> int:
    """How many sockets the server counts."""
    for line in server.get("/metrics").splitlines():
        if line.startswith("lampion_sockets "):
            return int(float(line.split()[1]))
    raise AssertionError("not measured")


def raw_socket(server: Server, table: str, hello: bool = False, tokens: Sequence[str] = ()) -> plain_socket.socket:
    """A socket after its handshake, with little room to receive, that reads only what it is told to."""
    one = plain_socket.socket()
    one.settimeout(PATIENCE)
    one.setsockopt(plain_socket.SOL_SOCKET, plain_socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", server.port))
    lines = (
        f"GET /api/tables/{table}/socket HTTP/1.1", f"Host: localhost:{server.port}", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "",
    )  # fmt: skip
    one.sendall("\r\n".join(lines).encode())
    receive(one, b"\r\n\r\n")
    if hello:
        one.sendall(frame(json.dumps({"do": "hello", "version": 2, "tokens": tokens}).encode()))
        receive(one, b"welcome")
    return one


def frame(text: bytes) -> bytes:
    """One text message as the browser would send it, masked with zeros."""
    size = len(text)
    head = bytes([0x81]) + (bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big"))
    return head + b"\0\0\0\0" + text


# Who may come in at all


def opens(server: Server, table: str, **headers: str) -> bool:
    """Whether a socket with these headers is let in."""
    origin = headers.pop("Origin", None)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    host = named.pop("Host", None)
    try:
        with connect(
            f"ws://localhost:{server.port}/api/tables/{table}/socket" if host is None
            else f"ws://{host}/api/tables/{table}/socket",
            sock=plain_socket.create_connection(("localhost", server.port), PATIENCE), origin=cast(Any, origin),
            additional_headers=named,
        ):  # fmt: skip
            return True
    except InvalidStatus as refused:
        return refused.response.status_code != 403


def test_sockets_of_foreign_pages_are_refused(server: Server) -> None:
    table = server.make("lumens", "open", "open")["table"]
    own = f"localhost:{server.port}"
    assert opens(server, table)
    assert opens(server, table, Origin=f"http://{own}")
    assert opens(server, table, Sec_Fetch_Site="same-origin")
    assert not opens(server, table, Origin="http://evil.example")
    assert not opens(server, table, Origin="null")
    assert not opens(server, table, Origin=f"http://localhost:{server.port + 1}")
    assert not opens(server, table, Origin=f"http://{own}.evil.example")
    assert not opens(server, table, Sec_Fetch_Site="cross-site")
    assert not opens(server, table, Sec_Fetch_Site="same-site")
    assert not opens(server, table, Host="evil.example")
    assert not opens(server, table, Host="evil.example", Origin="http://evil.example")
    assert not opens(server, table, Origin="http://evil.example", X_Forwarded_Host="evil.example")


def test_requests_of_foreign_pages_are_refused_and_make_no_table(server: Server) -> None:
    wanted: Any = {"game": "lumens", "seats": [{}, {}]}
    own = f"http://localhost:{server.port}"
    assert server.request("/api/tables", wanted, Origin=own)[0] == 201
    for headers in (
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"},
        {"Host": "evil.example", "Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://evil.example", "X-Forwarded-Host": "evil.example"}, {"Host": ""},
    ):  # fmt: skip
        assert server.request("/api/tables", wanted, **headers)[0] == 403, headers
    assert server.request("/healthz", Host="evil.example")[0] == 403
    line = http.client.HTTPConnection("localhost", server.port, timeout=60)
    line.putrequest("POST", "/api/tables")
    line.putheader("Content-Length", str((1 << 20) + 1))
    line.endheaders()
    assert line.getresponse().status == 413
    line.close()


@pytest.mark.parametrize("trusted", [False, True])
def test_a_forwarded_host_counts_only_where_proxies_are_trusted(trusted: bool) -> None:
    let_in = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        let_in.append(scope)

    async def nothing(*_: Any) -> Any:
        pass

    guard = Guard(inside, hosts=["games.example"])
    headers = {"host": "inside", "x-forwarded-host": "games.example", "origin": "https://games.example"}
    scope = {"type": "websocket", "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    asyncio.run((TrustedProxy(guard) if trusted else guard)(scope, nothing, nothing))
    assert bool(let_in) == trusted


@pytest.mark.parametrize("path", ["/healthz", "/api/games", "/api/tables/none", "/nothing", "/"])
def test_every_answer_says_that_nothing_foreign_may_run_and_sets_no_cookie(server: Server, path: str) -> None:
    try:
        answer: Any = urllib.request.urlopen(f"http://localhost:{server.port}{path}", timeout=60)
    except urllib.request.HTTPError as error:
        answer = error
    with answer:
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["set-cookie"] is None
        assert answer.headers["server"] is None
        assert answer.headers["access-control-allow-origin"] is None
    assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert not any("unsafe" in value or "*" in value or "http" in value for value in policy.values())
