"""Whatever is sent to the server: an answer with a reason, never a 500 or a traceback, at most one line of log."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import PATIENCE

from .people import Server

DEEP = 5000
DIGITS = b"9" * 6000
NEW = b'{"game": "iles", "seats": [{}, {}]'
RECORD = b'{"format": "lampion", "version": 1, '


def body(content: bytes, path: bytes = b"/api/tables", more: bytes = b"") -> bytes:
    """A request with a body."""
    head = b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%b" % (path, len(content), more)
    return head + b"Connection: close\r\n\r\n" + content


def get(path: bytes, more: bytes = b"", method: bytes = b"GET", host: bytes = b"localhost") -> bytes:
    """A request without a body."""
    return b"%b %b HTTP/1.1\r\nHost: %b\r\n%bConnection: close\r\n\r\n" % (method, path, host, more)


def edition(text: str) -> bytes:
    """A wish for a table with an edition."""
    return body(json.dumps({"game": "iles", "seats": [{}, {}], "edition": text}).encode())


REFUSED: dict[str, bytes] = {
    # Paths
    "a ply of 5,000 digits": get(b"/api/tables/x/replay/" + b"9" * DEEP),
    "a posted ply of 5,000 digits": body(b"{}", b"/api/replay/" + b"9" * DEEP),
    "a ply that is no number": body(b"{}", b"/api/replay/-1"),
    "Arabic digits": body(b"{}", b"/api/replay/%D9%A3"),
    "a NUL in a file's path": get(b"/assets/%00.js"),
    "a NUL in a table's id": get(b"/api/tables/%00"),
    "a path that climbs": get(b"/..%2f..%2fetc/passwd"),
    "a name longer than any file's": get(b"/" + b"a" * 5000),
    "a table's id of 10,000 letters": get(b"/api/tables/" + b"a" * 10_000),
    "a game of 10,000 letters": get(b"/api/rules/" + b"a" * 10_000),
    "half a letter in an id": get(b"/api/tables/%ED%A0%80"),
    "half a letter in a game": get(b"/api/rules/%ED%A0%80"),
    "bytes that are no text": get(b"/api/tables/%FF%FE"),
    "malformed escapes": get(b"/api/tables/%zz%1"),
    "malformed escapes of a file": get(b"/%zz%"),
    "an address as path": get(b"http://localhost/api/nothing"),
    "a star as path": get(b"*", method=b"OPTIONS"),
    # Questions
    "a seat of 5,000 digits": body(b"{}", b"/api/replay?seat=" + b"9" * DEEP),
    "half a letter in a code": get(b"/api/qr.svg?text=%ED%A0%80"),
    "a code of an address with an odd port": get(b"/api/qr.svg?text=http://localhost:99999999/"),
    "a code of brackets": get(b"/api/qr.svg?text=http://[::1/"),
    "a limit of 5,000 digits": get(b"/api/admin/tables?limit=" + b"1" * DEEP),
    # Methods
    "DELETE": get(b"/api/games", method=b"DELETE"),
    "OPTIONS": get(b"/api/games", method=b"OPTIONS"),
    "PUT of a file": get(b"/index.html", method=b"PUT"),
    "TRACE": get(b"/api/games", method=b"TRACE"),
    "a method of its own": get(b"/api/games", method=b"FROBNICATE"),
    "CONNECT": get(b"localhost:80", method=b"CONNECT"),
    "GET of what is posted": get(b"/api/replay"),
    # Headers
    "no host": b"GET /api/server HTTP/1.1\r\nConnection: close\r\n\r\n",
    "HTTP/1.0 without a host": b"GET /api/server HTTP/1.0\r\n\r\n",
    "a host with an odd port": get(b"/api/server", host=b"localhost:99999999"),
    "a host with letters for a port": get(b"/api/server", host=b"localhost:abc"),
    "a host in half brackets": get(b"/api/server", host=b"[::1"),
    "a host of control signs": get(b"/api/server", host=b"local\x07host"),
    "a host that is no text": get(b"/api/server", host=b"\xff\xfe"),
    "a host of 10,000 letters": get(b"/api/server", host=b"a" * 10_000),
    "two hosts": get(b"/api/server", b"Host: example.org\r\n"),
    "a foreign origin": body(NEW + b"}", more=b"Origin: http://[::1\r\n"),
    "an origin that is no text": body(NEW + b"}", more=b"Origin: \xff\r\n"),
    "a length that is no number": b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
    "a length of 5,000 digits": b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: %b\r\n\r\n" % DIGITS,
    "a negative length": b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    "a token that is no text": get(b"/api/admin/tables", b"Authorization: Bearer \xff\xed\xa0\x80\r\n"),
    "no HTTP at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\xff" * 50 + b"\r\n\r\n",
    "a socket without a key": get(b"/api/tables/x/socket", b"Upgrade: websocket\r\nConnection: Upgrade\r\n"),
    # Bodies
    "no body": body(b""),
    "a body that is not UTF-8": body(b"\xff\xfe"),
    "a record that is not UTF-8": body(b"\xff\xfe", b"/api/replay"),
    "half a letter": body(NEW + b', "options": {"a": "\\ud800"}}'),
    "half a letter in the name of a game": body(b'{"game": "\\ud800", "seats": [{}, {}]}'),
    "half a letter as bytes": body(b'{"game": "\xed\xa0\x80", "seats": [{}, {}]}'),
    "half a letter in a record": body(RECORD + b'"game": "\\ud800"}', b"/api/replay"),
    "half a letter in a table's id that is looked at": body(b'{"tables": ["\\ud800"]}', b"/api/tables/look"),
    "JSON nested 5,000 deep": body(b"[" * DEEP + b"]" * DEEP),
    "options nested 900 deep": body(NEW + b', "options": {"first": ' + b"[" * 900 + b"]" * 900 + b"}}"),
    "a number of 6,000 digits": body(NEW + b', "options": {"first": ' + DIGITS + b"}}"),
    "a number of 300 digits": body(NEW + b', "options": {"first": ' + b"9" * 300 + b"}}"),
    "a number without end": body(NEW + b', "options": {"first": 1e999}}'),
    "a clock of many digits": body(NEW + b', "clock": {"kind": "move", "seconds": ' + b"9" * 30 + b"}}"),
    "a level of 10,000 letters": body(NEW[:-9] + b'[{"kind": "bot", "level": "' + b"a" * 10_000 + b'"}, {}]}'),
    "a thousand options": body(NEW + b', "options": {' + b", ".join(b'"a%d": 1' % i for i in range(1000)) + b"}}"),
    "TOML nested 5,000 deep": edition("a = " + "[\n" * DEEP),
    "TOML of 60 KB of dotted keys": edition("a." * 30_000 + "a = 1"),
    "TOML of many dotted keys": edition("\n".join("a." * 20 + f"a{i} = 1" for i in range(1000))),
    "TOML with a number of 6,000 digits": edition("a = " + "9" * 6000),
    "TOML with a long hexadecimal number": edition("a = 0x" + "f" * 900),
    "TOML with half a letter": edition('a = "\\ud800"'),
    "TOML with dates": edition("islands = 2020-01-01T00:00:00.000001Z"),
    "components nested 5,000 deep": body(NEW + b', "components": ' + b"[" * DEEP + b"]" * DEEP + b"}"),
    "components nested 500 deep": body(NEW + b', "components": {"a": ' + b"[" * 500 + b"]" * 500 + b"}}"),
    "components with a name twice": body(NEW + b', "components": {"islands": 1, "islands": 2}}'),
    "a record nested 100,000 deep": body(b"[" * 100_000, b"/api/replay"),
    "a record with a number of 6,000 digits": body(RECORD + b'"rules": ' + DIGITS + b"}", b"/api/replay"),
    "a record with NaN": body(RECORD + b'"rules": NaN}', b"/api/replay"),
    "a record with a name twice": body(RECORD + b'"version": 1}', b"/api/replay"),
    "a record of 200,000 lists": body(RECORD + b'"x": [' + b"[]," * 160_000 + b"[]]}", b"/api/replay"),
    "a record that is too long": body(b" " * 600_000, b"/api/replay"),
    "a body that is too long": body(b" " * 1_100_000),
    "a body in pieces without length": (
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        + (b"8000\r\n" + b"x" * 0x8000 + b"\r\n") * 40 + b"0\r\n\r\n"
    ),
    "malformed pieces": (
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n"
    ),
    "pieces and a length": body(b"5\r\nhello\r\n0\r\n\r\n", more=b"Transfer-Encoding: chunked\r\n"),
}  # fmt: skip

ANSWERED: dict[str, bytes] = {
    "HEAD": get(b"/api/games", method=b"HEAD"),
    "HEAD of a file": get(b"/", method=b"HEAD"),
    "a question of 30,000 letters": get(b"/api/games?" + b"a" * 30_000),
    "a question that is no text": get(b"/api/games?lang=%FF&%ED%A0%80=%zz"),
    "a language that is no text": get(b"/api/games", b"Accept-Language: \xff;q=x,\xed\xa0\x80;q=9\r\n"),
    "a wrong type": get(b"/api/games", b"Content-Type: \xff/x\r\n"),
    "a slash too many": get(b"/api/games/"),
    "an id that no table has": body(b'{"tables": ["\\u0000", "../x", ""]}', b"/api/tables/look"),
}


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """A server behind a proxy that it trusts, and its log."""
    folder = tmp_path_factory.mktemp("any")
    server = Server(folder / "lampion.db", "--trust-proxy", errors=folder / "log")
    yield server, folder / "log"
    server.stop()


def exchange(server: Server, request: bytes) -> bytes:
    """Send bytes and return all that comes back until the server closes, which it must."""
    with socket.create_connection(("localhost", server.port), PATIENCE) as line:
        line.settimeout(PATIENCE)
        found = b""
        try:
            line.sendall(request)
            while part := line.recv(65_536):
                found += part
        except ConnectionError:
            pass  # it closed before it had read everything
        return found


def lines(log: Path) -> list[str]:
    """What was written about faults and about strangers."""
    return log.read_text(encoding="utf-8").splitlines()


def status_of(answer: bytes) -> int:
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    assert found, answer[:200]
    return int(found[1])


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_with_a_reason_and_at_most_one_line_of_log(what: str, logged: tuple[Server, Path]) -> None:
    server, log = logged
    before = len(lines(log))
    answer = exchange(server, REFUSED[what])
    if answer:  # a connection that speaks no HTTP may be cut
        assert 300 <= status_of(answer) < 500, answer[:300]
        assert len(answer) < 3000
        reason = answer.partition(b"\r\n\r\n")[2]
        if reason.startswith(b"{"):
            assert json.loads(reason)["reason"]
    new = [line for line in lines(log)[before:] if "table made" not in line]
    assert len(new) <= 1, new
    assert not any("Traceback" in line or "fault" in line or "Exception" in line for line in new), new


@pytest.mark.parametrize("what", ANSWERED)
def test_it_is_answered_all_the_same(what: str, logged: tuple[Server, Path]) -> None:
    server, log = logged
    before = len(lines(log))
    assert 200 <= status_of(exchange(server, ANSWERED[what])) < 400
    assert lines(log)[before:] == []


@pytest.mark.parametrize(
    "header",
    [
        b"X-Forwarded-For: " + b"1" * 5000,
        b"X-Forwarded-For: \xff\xfe",
        b"X-Forwarded-For: ,,,",
        b"X-Forwarded-For: fe80::1%" + b"a" * 300,
        b"X-Forwarded-Proto: javascript",
        b"X-Forwarded-Host: localhost:999999",
        b"X-Forwarded-Host: \xff",
        b"X-Forwarded-Host: ]]",
        b"Forwarded: for=\xff",
    ],
    ids=lambda header: repr(header)[:40],
)
def test_garbage_from_a_proxy_is_harmless(header: bytes, logged: tuple[Server, Path]) -> None:
    server, log = logged
    before = len(lines(log))
    answer = exchange(server, get(b"/api/server", header + b"\r\n"))
    assert status_of(answer) in (200, 403)
    assert len(lines(log)) - before <= 1


def test_who_leaves_in_the_middle_of_a_body_leaves_no_trace(logged: tuple[Server, Path]) -> None:
    server, log = logged
    before = len(lines(log))
    for path in (b"/api/tables", b"/api/replay"):
        with socket.create_connection(("localhost", server.port), PATIENCE) as line:
            line.sendall(b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{" % path)
    assert server.get("/healthz")["ok"]
    assert lines(log)[before:] == []


def test_the_same_nonsense_again_fills_no_log(logged: tuple[Server, Path]) -> None:
    server, log = logged
    before = len(lines(log))
    for _ in range(30):
        exchange(server, REFUSED["no HTTP at all"])
        exchange(server, REFUSED["a host of control signs"])
        exchange(server, REFUSED["malformed pieces"])
    assert len(lines(log)) - before <= 3
