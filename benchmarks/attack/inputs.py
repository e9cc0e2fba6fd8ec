"""Odd inputs, which must be refused with a status 4xx, and foreign pages that try to lock the admin out."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.attack.target import Target, attack

DIGITS = "9" * 5_000
NEW = '{"game":"lumens","seats":[{},{}],%s}'
PATHS = [
    f"/api/replay/{DIGITS}", f"/api/tables/x/replay/{DIGITS}", f"/api/tables/x/replay/{DIGITS}/picture.svg",
    "/api/tables/%00", "/api/tables/%ff%fe/record", "/api/tables/%ED%A0%80/picture.svg", "/api/tables/..%2f..%2fetc",
    "/api/rules/%00", "/api/rules/..%2f..%2fx", "/api/words/%ff", "/%00", "/%ff", "/..%2f..%2f..%2fetc/passwd",
    "/api/qr.svg?text=%ED%A0%80", "/api/qr.svg?text=http://[", "/api/qr.svg?text=http://localhost:99999999/",
    f"/api/qr.svg?text=http://localhost:{DIGITS[:200]}/", "/api/qr.svg?text=%00", f"/{'a' * 5_000}", "/a" * 2_000,
    "/api/tables/x?lang=%ff", "/api/games?lang=" + "x" * 5_000, "/api//tables", "/api/tables/" + "x" * 4_000,
]  # fmt: skip
BODIES = [
    b"", b"\xff\xfe", b"\xed\xa0\x80", b"nul\0", b"[]", b"null", b"1", b'"\\ud800"', b"{" * 9_000, b"[" * 90_000,
    b'{"game":"\\ud800","seats":[{},{}]}', NEW.encode() % b'"options":{"\\ud800":1}',
    NEW.encode() % b'"options":{"first":"\\ud800"}', NEW.encode() % b'"edition":"\\ud800=1"',
    NEW.encode() % b'"edition":"a=\'\\ud800\'"', NEW.encode() % b'"components":{"\\ud800":"\\udfff"}',
    NEW.encode() % b'"options":{"first":NaN}', NEW.encode() % (b'"options":{"first":' + b"9" * 6_000 + b"}"),
    NEW.encode() % (b'"options":{"first":1e' + b"9" * 600 + b"}"), NEW.encode() % b'"edition":"a=0x"',
    NEW.encode() % b'"edition":"a=1979-13-45"', NEW.encode() % b'"edition":"a=2001-01-01"',
    NEW.encode() % b'"edition":"\\u0000"', NEW.encode() % b'"components":{"tokens":{"each_colour":[[1e400]]}}',
    b'{"game":"lumens","seats":[{"kind":"screen","name":"\\ud800"},{}]}',
    b'{"game":"lumens","seats":[{"kind":"screen","name":"x","commit":"\\ud800"},{}]}',
    b'{"tables":["\\ud800"]}', b'{"tables":["' + b"x" * 60_000 + b'"]}', b'{"tables":["\\u0000"]}',
    b'{"format":"lampion","version":1,"game":"\\ud800"}', b'{"format":"\\ud800"}',
]  # fmt: skip
HEADERS: list[dict[str, str]] = [
    {"Host": ""}, {"Host": "["}, {"Host": "[::1"}, {"Host": "localhost:x"}, {"Host": "é"}, {"Host": "\udcff"},
    {"Accept-Language": "\udcff"}, {"Accept-Language": "," * 5_000}, {"Accept-Language": "fr;q=1.0000001"},
    {"Accept-Language": "fr;q=٣"}, {"Authorization": "Bearer \udcff"}, {"Authorization": "Bearer " + "x" * 5_000},
    {"Authorization": "Bearer"}, {"Origin": "http://["}, {"Origin": "null"}, {"Content-Length": "-1"},
    {"Content-Length": "²"}, {"Content-Length": DIGITS}, {"Content-Length": "0x10"}, {"Transfer-Encoding": "chunked"},
    {"X-Forwarded-For": DIGITS, "X-Forwarded-Host": "["}, {"Range": "bytes=9-1"}, {"If-None-Match": "\udcff"},
    {"Expect": "100-continue"}, {"Upgrade": "websocket", "Connection": "Upgrade"}, {"Cookie": "x" * 9_000},
]  # fmt: skip
METHODS = ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "BREW", "get"]


@attack("odd-inputs")
async def odd_inputs(target: Target) -> None:
    """Lone surrogates, numbers of 5,000 digits, odd paths, headers, methods and bodies: never a status 500."""
    asked = 0

    async def ask(path: str, body: Any = None, **more: Any) -> None:
        nonlocal asked
        asked += 1
        source = target.source(asked % 200)  # so that it is not the rate that refuses them
        answer = await target.request(
            path, body, source=source, timeout=2, **more
        )  # a body may be awaited that never comes
        target.seen.expect(answer.status < 500, f"{answer.status}: {path[:60]} {str(body)[:80]} {str(more)[:80]}")

    for path in PATHS:
        await ask(path)
        await ask(path, b"{}")
    for path in ("/api/tables", "/api/tables/look", "/api/replay", "/api/replay/3", "/api/replay/3/picture.svg"):
        for body in BODIES:
            await ask(path, body)
    for headers in HEADERS:
        await ask("/api/games", **headers)
        await ask("/api/tables/look", b'{"tables":[]}', **headers)
    for method in METHODS:
        for path in ("/api/tables", "/api/games", "/api/replay/1", "/", "/healthz", "/api/admin/tables"):
            await ask(path, method=method)
    await ask_as_admin(target)
    target.seen.figures |= {"inputs": asked, "statuses": {str(key): count for key, count in target.statuses.items()}}


async def ask_as_admin(target: Target) -> None:
    """The same for the requests that only the admin may send."""
    bearer = f"Bearer {target.admin}"
    odd = [
        f"?limit={DIGITS}",
        "?limit=000000001" + DIGITS,
        "?limit=²",
        "?limit=٣",
        "?limit=",
        "?status=%ff",
        "?status=%00",
    ]
    for query in odd:
        answer = await target.request("/api/admin/tables" + query, source=target.stranger(), Authorization=bearer)
        target.seen.expect(200 <= answer.status < 500, f"{answer.status}: /api/admin/tables{query[:40]}")
    for path in ("/api/admin/tables/%00/close", "/api/admin/tables/%ff/kick", "/api/admin/records"):
        for body in BODIES:
            answer = await target.request(path, body, source=target.stranger(), Authorization=bearer)
            target.seen.expect(answer.status < 500, f"{answer.status}: {path} {str(body)[:80]}")
    for path in ("/api/admin/tables/%00", "/api/admin/tables/%ff", "/api/admin/tables/" + "x" * 4_000):
        answer = await target.request(path, method="DELETE", source=target.stranger(), Authorization=bearer)
        target.seen.expect(answer.status < 500, f"{answer.status}: DELETE {path[:40]}")


@attack("odd-messages")
async def odd_messages(target: Target) -> None:
    """The same over a WebSocket: each message is refused with a code that is not `fault`, or ends the socket."""
    made = await target.make("lumens", "screen", "screen", start=True)
    messages: list[Any] = [
        "", "[]", "1", '"\\ud800"', "[" * 9_000, '{"do":' * 5_000, '{"do":"undo","seat":0,"seq":' + DIGITS + "}",
        '{"do":"move","seat":0,"seq":1,"move":{"kind":"\\ud800"}}',
        '{"do":"move","seat":0,"seq":1,"move":{"\\ud800":1}}',
        '{"do":"move","seat":0,"seq":99,"move":{"kind":"place","x":' + DIGITS + ',"y":1,"face":1}}',
        '{"do":"preview","seat":0,"moves":[{"kind":"\\ud800"}]}',
        '{"do":"preview","seat":0,"moves":[{"x":' + DIGITS + "}]}",
        '{"do":"move","seat":0,"seq":1,"move":' + '{"a":' * 900 + "1" + "}" * 901, '{"do":"claim","code":"\\ud800"}',
        '{"do":"look","ply":' + DIGITS + "}", '{"do":"look","ply":1048576}',
        '{"do":"replace","seat":0,"level":"\\ud800"}',
        '{"do":"stand","seat":0,"level":"\\u0000"}', '{"do":"ping","id":' + DIGITS + "}", b"\xff\xfe", b"\0" * 70_000,
    ]  # fmt: skip
    codes: dict[str, int] = {}
    for message in messages:
        guest = await target.join(made["table"], *made["tokens"].values())
        await guest.until(lambda word: word["say"] == "done")
        try:
            await guest.send(message)
            word = await guest.until(lambda word: word["say"] not in ("update", "presence", "thinking"))
            code = word.get("code", word["say"])
        except (OSError, TimeoutError, EOFError):
            code = "nothing"
        except Exception as error:
            code = type(error).__name__
        codes[code] = codes.get(code, 0) + 1
        target.seen.expect(code != "fault", f"fault: {str(message)[:80]}")
        await guest.close()
    target.seen.figures["codes"] = codes


@attack("admin-lockout")
async def admin_lockout(target: Target) -> None:
    """Cross-site GETs at the admin's address, then the admin with the right token from the same address."""
    for site in ("cross-site", "same-site"):
        for _ in range(30):
            headers: Any = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Referer": "http://foreign.example/"}
            await target.request("/api/admin/tables", **headers)
    for _ in range(30):
        headers = {"Sec-Fetch-Site": "cross-site", "Origin": "null"}
        await target.request("/api/admin/tables?limit=1000", **headers)
    answer = await target.request("/api/admin/tables", Authorization=f"Bearer {target.admin}")
    target.seen.figures |= {"admin": answer.status}
    target.seen.expect(answer.status == 200, f"the admin is refused: {answer.status} {json.dumps(answer.data)[:80]}")
