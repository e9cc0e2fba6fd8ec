"""Editions and records that are made to cost much: deep, long, or full of digits."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

from benchmarks.attack.target import Target, attack

MOST_ANSWER = 8 << 20
"""Bytes that no answer should be longer than."""


def table_with(edition: str) -> dict[str, Any]:
    """Return the body of a request for a table with an edition given as text."""
    return {"game": "lumens", "seats": [{}, {}], "edition": edition}


async def refused(target: Target, **requests: Any) -> None:
    """Send some bodies and expect each to be refused; a path may stand before the body."""
    for name, request in requests.items():
        path, body = request if isinstance(request, tuple) else ("/api/tables", request)
        answer = await target.request(path, body)
        target.seen.figures[f"{name}_s"] = answer.seconds
        target.seen.expect(answer.is_refusal, f"{name}: status {answer.status}")


@attack("dotted-keys")
async def dotted_keys(target: Target) -> None:
    """An edition of 200 KB of dotted TOML keys."""
    length = target.pick(99_990, 30_000)
    keys, header = ".".join(["a"] * length), ".".join(["a"] * (length // 2))
    await refused(target, key=table_with(f"{keys}=1"), header=table_with(f"[{header}]\n"))


@attack("deep-toml")
async def deep_toml(target: Target) -> None:
    """Editions, records and bodies nested 5,000 and 90,000 deep."""
    for depth in target.pick((5_000, 90_000), (5_000,)):
        await refused(
            target,
            **{
                f"lists_{depth}": table_with("a=" + "[" * depth + "]" * depth),
                f"open_lists_{depth}": table_with("a=" + "[" * depth),
                f"tables_{depth}": table_with("a=" + "{a=" * (depth // 2) + "1" + "}" * (depth // 2)),
                f"json_{depth}": b'{"game":"lumens","seats":[{},{}],"components":{"a":' + b"[" * depth + b"]" * depth,
                f"record_{depth}": ("/api/replay", b'{"a":' * depth + b"1" + b"}" * depth),
            },
        )  # fmt: skip


@attack("long-integers")
async def long_integers(target: Target) -> None:
    """Integers of 6,000 and 190,000 digits in editions, options and records."""
    for digits in target.pick((6_000, 190_000), (6_000,)):
        number = b"9" * digits
        await refused(
            target,
            **{
                f"toml_{digits}": table_with(f"a={number.decode()}"),
                f"hexadecimal_{digits}": table_with(f"a=0x{number.decode()}"),
                f"float_{digits}": table_with(f"a={number.decode()}e{number.decode()[:9]}"),
                f"components_{digits}": b'{"game":"lumens","seats":[{},{}],"components":{"tokens":' + number + b"}}",
                f"options_{digits}": b'{"game":"lumens","seats":[{},{}],"options":{"first":' + number + b"}}",
                f"record_{digits}": ("/api/replay", b'{"format":"lampion","version":' + number + b"}"),
            },
        )


@attack("long-texts")
async def long_texts(target: Target) -> None:
    """Five texts of 205 KB in an edition, at as many tables as four addresses may make."""
    made = await target.make("iles", "open", "open", source=target.stranger())
    components = (await target.request(f"/api/tables/{made.get('table')}/components", source=target.stranger())).data
    sizes = target.pick((205_000, 30_000, 1_000), (205_000,))
    tables = 0
    for size in sizes:
        names = [f"{number}" * size for number in range(5)]
        body = {"game": "iles", "seats": [{}, {}], "components": components | {"characters": {"names": names}}}
        data = json.dumps(body).encode()[: 1 << 20]
        for number in range(target.pick(240, 12)):
            answer = await target.request("/api/tables", data, source=target.source(number % 4))
            tables += answer.status == 201
            target.seen.expect(answer.status in (201, *range(400, 500)), f"status {answer.status}")
        target.seen.figures[f"tables_with_{size}"] = tables
        if size > 10_000:
            target.seen.expect(not tables, f"names of {size} letters were taken")


@attack("long-names")
async def long_names(target: Target) -> None:
    """Records sent to /api/replay with a megabyte of text in one place: a name, a level, a date, a nonce."""
    _, record = await target.finished_game()
    places: list[tuple[str, list[Any]]] = [
        ("name", ["seats", 0, "name"]), ("level", ["seats", 0, "level"]), ("version", ["seats", 0, "version"]),
        ("date", ["date"]), ("promise", ["chance", "promise"]), ("game", ["game"]),
    ]  # fmt: skip
    room = (1 << 20) - len(json.dumps(record, ensure_ascii=False).encode()) - 200
    worst = 0
    for name, (*way, last) in places[: target.pick(None, 2)]:
        spoilt = copy.deepcopy(record)
        inside = spoilt
        for part in way:
            inside = inside[part]
        inside[last] = "x" * (room - 5_000)
        for path in ("/api/replay", "/api/replay/3", "/api/replay/3/picture.svg"):
            answer = await target.request(path, json.dumps(spoilt, ensure_ascii=False).encode())
            worst = max(worst, answer.size)
            target.seen.expect(
                answer.status == 200 or answer.is_refusal,
                f"{name} at {path.partition('/3')[0]}: status {answer.status}",
            )
            target.seen.expect(answer.size < MOST_ANSWER, f"{name}: an answer of {answer.size // 1_000_000} MB")
    target.seen.figures["largest_answer_mb"] = worst / 1e6


@attack("long-epochs")
async def long_epochs(target: Target) -> None:
    """Records with as many epochs, nonces, moves or milliseconds as a megabyte holds."""
    _, record = await target.finished_game()
    spoilt = {
        "epochs": record | {"chance": record["chance"] | {"epochs": [[n, n] for n in range(60_000)]}},
        "nonces": record | {"chance": record["chance"] | {"nonces": ["00"] * 120_000}},
        "moves": record | {"moves": (record["moves"] * 1_000)[:15_000]},
        "milliseconds": record | {"milliseconds": [1] * 300_000},
        "seats": record | {"seats": [{"name": "x"}] * 40_000},
    }
    bodies = {name: json.dumps(one, separators=(",", ":")).encode() for name, one in spoilt.items()}
    await refused(target, **{name: ("/api/replay", body) for name, body in bodies.items()})
    await asyncio.gather(*(target.request("/api/replay", bodies["epochs"]) for _ in range(target.pick(20, 2))))
