"""Connections that cost the server something and their owner nothing: never read, half sent, slow, or very many."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import time
from contextlib import suppress
from typing import Any

from benchmarks.attack.target import LOST, Target, attack

NEWCOMER_SECONDS = 12.0
"""How long somebody from another address may have to wait before the server answers them."""


async def newcomers(target: Target, seconds: float, least: int = 3) -> None:
    """Come again and again from another address; the longest time without an answer must be short."""
    began = last = time.monotonic()
    longest, number = 0.0, 0
    while time.monotonic() < began + seconds or number < least:
        answer = await target.request("/api/server", source=target.stranger(number), timeout=2.0)
        number += 1
        now = time.monotonic()
        longest = max(longest, now - last)
        if answer.status == 200:
            last = now
        await asyncio.sleep(0.3)
    target.seen.figures["newcomer_waits_s"] = longest
    target.seen.expect(longest < NEWCOMER_SECONDS, f"a newcomer had to wait {longest:.0f} s")


async def still_open(connections: list[socket.socket]) -> int:
    """Return how many connections the server has not closed."""
    count = 0
    for one in connections:
        try:
            count += one.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            count += 1
        except OSError:
            pass
    return count


async def open_many(target: Target, data: bytes, count: int, addresses: int, window: int | None = None) -> list[Any]:
    """Open that many connections from some addresses; those that cannot be opened are left out."""
    opened = []
    for number in range(count):
        with suppress(*LOST):
            opened.append(await target.raw(data, source=target.source(number % addresses), window=window))
    return opened


def upgrade(target: Target, table: str) -> bytes:
    """Return the request for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost:{target.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def frame(wish: Any) -> bytes:
    """Return a wish as a text frame; a mask of zeros changes nothing, and is a mask."""
    body = json.dumps(wish).encode()
    head = bytes((129, 128 | len(body))) if len(body) < 126 else bytes((129, 254)) + len(body).to_bytes(2, "big")
    return head + b"\0\0\0\0" + body


@attack("never-read-http")
async def never_read_http(target: Target) -> None:
    """Connections that ask for large answers, one after another, and read none."""
    table, record = await target.finished_game()
    host = f"Host: localhost:{target.port}\r\n"
    body = json.dumps(record).encode()
    replay = f"POST /api/replay HTTP/1.1\r\n{host}Content-Length: {len(body)}\r\n\r\n".encode() + body
    asked = [
        replay,
        f"GET /api/tables/{table}/replay HTTP/1.1\r\n{host}\r\n".encode() * 40,
        f"GET /api/words/fr HTTP/1.1\r\n{host}\r\n".encode() * 100,
        f"GET /api/tables/{table}/picture.svg HTTP/1.1\r\n{host}\r\n".encode() * 40,
    ]
    opened = []
    for kind in asked:
        opened += await open_many(target, kind, target.pick(100, 12), 4, window=2048)
    await newcomers(target, target.pick(25, 2))
    target.seen.figures |= {"connections": len(opened), "still_open": await still_open(opened)}


@attack("never-read-sockets")
async def never_read_sockets(target: Target) -> None:
    """WebSockets that ask for whole updates and large previews, and read nothing."""
    made = await target.make("dice", "screen", "screen", start=True)
    moves = []
    guest = await target.join(made["table"], *made["tokens"].values())
    await guest.ask("curtain", seat=0)
    moves = guest.latest["view"].get("moves", [])
    opened = []
    hello = {"do": "hello", "version": 2, "tokens": [made["tokens"]["0"]]}
    wishes = frame(hello) + frame({"do": "speak", "language": "fr"}) * 20
    if moves:
        wishes += frame({"do": "preview", "seat": 0, "moves": (moves * 20)[:20], "views": True}) * 5
    for number in range(target.pick(90, 20)):
        with suppress(*LOST):
            one = await target.raw(upgrade(target, made["table"]), source=target.source(number % 4), window=2048)
            loop = asyncio.get_running_loop()
            await asyncio.wait_for(loop.sock_sendall(one, wishes), 5)
            opened.append(one)
    await newcomers(target, target.pick(25, 2))
    target.seen.figures |= {"sockets": len(opened), "still_open": await still_open(opened)}


@attack("half-sent", descriptors=1024)
async def half_sent(target: Target) -> None:
    """1,100 requests of which half is sent, at a server that may open 1,024 files."""
    half = f"GET /api/games HTTP/1.1\r\nHost: localhost:{target.port}\r\nX-Slow: ".encode()
    opened = await open_many(target, half, 1_100, target.pick(11, 11))
    await newcomers(target, target.pick(40, 3))
    target.seen.figures |= {"connections": len(opened), "still_open": await still_open(opened)}


@attack("half-sent-one", descriptors=1024)
async def half_sent_of_one_address(target: Target) -> None:
    """The same 1,100 from one address."""
    half = f"GET /api/games HTTP/1.1\r\nHost: localhost:{target.port}\r\nX-Slow: ".encode()
    opened = await open_many(target, half, 1_100, 1)
    await newcomers(target, target.pick(40, 3))
    target.seen.figures |= {"connections": len(opened), "still_open": await still_open(opened)}


@attack("silent", descriptors=1024)
async def silent(target: Target) -> None:
    """1,100 connections that send nothing at all."""
    opened = await open_many(target, b"", 1_100, 11)
    await newcomers(target, target.pick(40, 3))
    target.seen.figures |= {"connections": len(opened), "still_open": await still_open(opened)}


@attack("slow-bodies", descriptors=1024)
async def slow_bodies(target: Target) -> None:
    """1,000 bodies of a megabyte, of which most is sent and then a byte a second."""
    head = f"POST /api/replay HTTP/1.1\r\nHost: localhost:{target.port}\r\nContent-Length: 1000000\r\n\r\n".encode()
    count = target.pick(1_000, 1_000)
    opened = await open_many(target, head + b" " * target.pick(400_000, 40_000), count, 11)

    async def drip() -> None:
        while True:
            await asyncio.sleep(1)
            for one in opened:
                with suppress(OSError):
                    one.send(b" ")

    task = asyncio.create_task(drip())
    await newcomers(target, target.pick(40, 3))
    task.cancel()
    target.seen.figures |= {"connections": len(opened), "still_open": await still_open(opened)}


@attack("slow-handshakes", descriptors=1024)
async def slow_handshakes(target: Target) -> None:
    """500 half handshakes of WebSockets, and 500 sockets that never say hello."""
    made = await target.make("lumens", "open", "open", source=target.source(0))
    whole = upgrade(target, made["table"])
    half = await open_many(target, whole[:-20], target.pick(500, 500), 5)
    mute = await open_many(target, whole, target.pick(500, 500), 5)
    await newcomers(target, target.pick(40, 3))
    target.seen.figures |= {
        "half": len(half), "half_still_open": await still_open(half),
        "mute": len(mute),
    }  # fmt: skip
    closed = 0
    for one in mute:
        data = b"x"
        with suppress(OSError):
            while data:
                data = one.recv(65536, socket.MSG_DONTWAIT)
            closed += 1
    target.seen.figures["mute_still_open"] = len(mute) - closed
    if not target.short:
        target.seen.expect(closed == len(mute), f"{len(mute) - closed} sockets that said nothing are still open")


@attack("many-sockets")
async def many_sockets(target: Target) -> None:
    """2,000 sockets of one address at 25 tables, who say hello and stay."""
    tables = [await target.make("lumens", "open", "open") for _ in range(25)]
    tables = [one for one in tables if one]
    refused = welcome = 0
    for number in range(target.pick(2_000, 300)):
        try:
            guest = await target.join(tables[number % len(tables)]["table"])
            target.kept.append(guest)
            welcome += bool(guest.latest)
            refused += not guest.latest
        except LOST:
            refused += 1
    await newcomers(target, target.pick(5, 1))
    target.seen.figures |= {"welcome": welcome, "refused": refused}
    if not target.short:
        target.seen.expect(refused > 0, "one address may open 2,000 sockets")


@attack("message-flood")
async def message_flood(target: Target) -> None:
    """Sockets that send messages as fast as they can: pings, nonsense, long texts, binary frames."""
    made = await target.make("lumens", "screen", "screen", start=True)
    kinds = ['{"do":"ping"}', "x" * 60_000, "[" * 9_000, b"\0" * 200, '{"do":"speak","language":"en"}']
    sent = 0

    async def flood(kind: Any) -> None:
        nonlocal sent
        deadline = time.monotonic() + target.pick(12, 1.5)
        while time.monotonic() < deadline:
            with suppress(*LOST):
                guest = await target.join(made["table"], made["tokens"]["0"])
                reader = asyncio.create_task(read_all(guest))
                try:
                    while time.monotonic() < deadline:
                        await guest.send(kind)
                        sent += 1
                finally:
                    reader.cancel()
                    await guest.close()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(flood(kind) for kind in kinds for _ in range(target.pick(2, 1))))
    target.seen.figures["messages"] = sent


async def read_all(guest: Any) -> None:
    """Read and forget."""
    with suppress(*LOST):
        async for _ in guest.socket:
            pass


@attack("empty-bytes")
async def empty_bytes(target: Target) -> None:
    """Bytes that cost time to take apart and say nothing: frames of no content, trailers and chunks without end."""
    made = await target.make("lumens", "open", "open")
    chunked = (
        f"POST /api/replay HTTP/1.1\r\nHost: localhost:{target.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    )
    empty = b"\0\0\0\0"  # a mask
    kinds = [
        (upgrade(target, made["table"]), (b"\x81\x80" + empty) * 10_000),  # texts
        (upgrade(target, made["table"]), (b"\x8a\x80" + empty) * 10_000),  # pongs
        (upgrade(target, made["table"]) + b"\x01\x80" + empty, (b"\x00\x80" + empty) * 10_000),  # parts of a text
        (chunked + b"0\r\n", b"A:b\r\n" * 10_000),
        (chunked, b"1\r\n \r\n" * 10_000),
        (b"", b"\r\n" * 10_000),
    ]
    sent = 0

    async def flood(number: int, head: bytes, again: bytes) -> None:
        nonlocal sent
        deadline = time.monotonic() + target.pick(12, 1.5)
        while time.monotonic() < deadline:
            with suppress(*LOST):
                one = await target.raw(head, source=target.source(number))
                while time.monotonic() < deadline:
                    await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(one, again), 2)
                    sent += len(again)
            await asyncio.sleep(0.05)

    await asyncio.gather(*(flood(number % 4, *kind) for number, kind in enumerate(kinds)))
    target.seen.figures["bytes"] = sent
