"""What one guest can do with tables: make very many, fill them with bots, or fill one with events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from benchmarks.attack.target import LOST, Guest, Target, attack
from benchmarks.server.ground import percentile
from benchmarks.server.processes import processor_time

SPARK_SECONDS = 1.0
"""How long somebody may wait for the easiest bot, in 99 of 100 cases."""
IDLE_CORES = 0.15
"""Processor time a second that a server may use for tables at which nobody is."""


@attack("table-flood")
async def table_flood(target: Target) -> None:
    """Tables until they are refused; then somebody else makes one."""
    made = refused = 0
    for _ in range(target.pick(600, 90)):
        answer = await target.request("/api/tables", {"game": "lumens", "seats": [{}, {}]})
        made += answer.status == 201
        refused += answer.is_refusal
    other = await target.request("/api/tables", {"game": "lumens", "seats": [{}, {}]}, source=target.stranger())
    target.seen.figures |= {"made": made, "refused": refused, "other_s": other.seconds}
    target.seen.expect(refused > 0, f"one address may make {made} tables at once")
    target.seen.expect(other.status == 201, f"another address is refused: {other.status}")


async def all_bot_tables(target: Target, count: int, addresses: int = 4) -> int:
    """Make as many all-bot tables of the strongest level as some addresses may; return how many."""
    made = 0
    for number in range(count):
        seats = ["sun"] * 4
        answer = await target.make("lumens", *seats, source=target.source(number % addresses), start=True)
        made += bool(answer)
    return made


async def wait_for_spark(target: Target, turns: int, source: str) -> list[float]:
    """Play against the easiest bot; return how long each of its moves took to come, in seconds."""
    made = await target.make("lumens", "screen", "spark", source=source, start=True)
    guest = await target.join(made["table"], made["tokens"]["0"], source=source)
    waits: list[float] = []
    async with asyncio.timeout(60):
        while len(waits) < turns and guest.latest["table"]["status"] == "playing":
            while not guest.latest["view"].get("moves"):
                await guest.hear()
            moves, seq = guest.latest["view"]["moves"], guest.latest["seq"]
            await guest.ask("move", seat=0, seq=seq, move=moves[len(moves) // 2])
            began = time.perf_counter()
            while not guest.latest["view"].get("moves") and guest.latest["table"]["status"] == "playing":
                await guest.hear()
            waits.append(time.perf_counter() - began)
    await guest.close()
    return waits


@attack("bot-tables")
async def bot_tables(target: Target) -> None:
    """200 tables of the strongest bots, watched by their maker, while somebody else waits for the easiest one."""
    watched: list[Guest] = []
    count = target.pick(200, 40)
    for number in range(count):
        source = target.source(number % 4)
        made = await target.make("lumens", "sun", "sun", source=source, start=True)
        if made:
            with suppress(*LOST):
                watched.append(await target.join(made["table"], source=source))
    listening = [asyncio.create_task(listen(guest)) for guest in watched]
    waits: list[float] = []
    with suppress(*LOST):
        for number in range(target.pick(3, 1)):
            waits += await wait_for_spark(target, target.pick(20, 6), target.stranger(number))
    for task in listening:
        task.cancel()
    target.kept += watched
    p99 = percentile(waits, 0.99) if waits else 99.0
    target.seen.figures |= {
        "tables": len(watched), "spark_median_ms": 1000 * percentile(waits, 0.5), "spark_p99_ms": 1000 * p99
    }  # fmt: skip
    target.seen.expect(p99 < SPARK_SECONDS * (4 if target.short else 1), f"the easiest bot took {p99:.1f} s")


async def listen(guest: Guest) -> None:
    """Read and forget."""
    with suppress(*LOST):
        async for _ in guest.socket:
            pass


@attack("bots-alone")
async def bots_alone(target: Target) -> None:
    """Tables of bots at which nobody is: what the server still does for them after ten seconds."""
    made = await all_bot_tables(target, target.pick(200, 10))
    await asyncio.sleep(target.pick(10, 2))
    before, began = processor_time(target.pid), time.perf_counter()
    await asyncio.sleep(target.pick(10, 2))
    cores = (processor_time(target.pid) - before) / (time.perf_counter() - began)
    target.seen.figures |= {"tables": made, "cores": cores}
    most = IDLE_CORES * (3 if target.short else 1)
    target.seen.expect(cores < most, f"bots use {cores:.2f} of a core where nobody is")


MOST_REFUSED = 120
"""Refusals in a row after which one kind of event is given up."""

Repeat = Callable[[int], list[dict[str, Any]]]
"""The wishes of one round, by its number."""
BEFORE: dict[str, Repeat] = {
    "stand-sit": lambda n: [{"do": "stand", "seat": 0}, {"do": "sit", "seat": 0, "name": f"Eve {n % 97}"}],
    "commit": lambda n: [{"do": "commit", "seat": 0, "commit": f"{n:064x}"}],
    "put-bot": lambda n: [{"do": "put_bot", "seat": 1, "level": ("spark", "candle")[n % 2]}],
    "kick": lambda n: [{"do": "put_bot", "seat": 1, "level": "spark"}, {"do": "kick", "seat": 1}],
    "greet-open": lambda n: [{"do": "greet", "seat": 0, "emoji": "👏"}],
    "handover-open": lambda n: [{"do": "handover", "seat": 0}],
}
"""Wishes that can be repeated at a table that has not begun."""
DURING: dict[str, Repeat] = {
    "handover": lambda n: [{"do": "handover", "seat": 0}],
    "greet": lambda n: [{"do": "greet", "seat": n % 2, "emoji": "🎉"}],
    "pause": lambda n: [{"do": "pause", "seat": 0, "on": True}, {"do": "pause", "seat": 0, "on": False}],
    "replace": lambda n: [{"do": "replace", "seat": 1, "level": "spark"}, {"do": "return", "seat": 1}],
    "stand-return": lambda n: [{"do": "stand", "seat": 1, "level": "spark"}, {"do": "return", "seat": 1}],
    "undo": lambda n: [{"do": "first-move"}, {"do": "undo", "seat": -1}],
    "undo-asked": lambda n: [
        *([{"do": "first-move"}] * 3 if n < 4 else []),
        {"do": "undo", "seat": n % 2},
        {"do": "answer", "seat": 1 - n % 2, "agrees": False},
    ],
}
"""Wishes that can be repeated during a game."""


async def repeat_wishes(target: Target, kind: str, most: int, seconds: float, number: int) -> None:
    """Repeat one kind of wish with four sockets; then a new socket must get its first update, and the table go on."""
    source = target.source(number)
    wishes = BEFORE.get(kind) or DURING[kind]
    made = await target.make("lumens", "screen", "screen", source=source, start=kind in DURING, options={"first": 0})
    tokens = [*made["tokens"].values(), made["host"]]
    if kind in ("put-bot", "kick"):
        made = await target.make("lumens", "screen", "open", source=source)
        tokens = [*made["tokens"].values(), made["host"]]
    done, deadline = 0, time.monotonic() + seconds

    async def lane() -> None:
        nonlocal done, tokens
        guest = await target.join(made["table"], *tokens, source=source)
        round_number = refused = 0
        while done < most and time.monotonic() < deadline and refused < MOST_REFUSED:
            round_number += 1
            for wish in wishes(round_number):
                try:
                    answer = await guest.ask(**completed(wish, guest))
                    done += answer["say"] != "no"
                    refused = refused + 1 if answer["say"] == "no" else 0
                    if answer["say"] == "yours":
                        tokens = [*tokens[-8:], answer["token"]]
                    if answer["say"] == "no" and answer["code"] in ("too_fast", "busy", "too_much"):
                        await asyncio.sleep(0.05)
                except LOST:
                    await asyncio.sleep(0.05)
                    guest = await target.join(made["table"], *tokens, source=source)

    with suppress(*LOST):
        await asyncio.gather(*(lane() for _ in range(1 if kind in ("stand-sit", "undo", "undo-asked") else 4)))
    await see_reload(target, kind, made["table"], tokens, done, source)


def completed(wish: dict[str, Any], guest: Guest) -> dict[str, Any]:
    """Return a wish with the number, the seat and the move that fit now."""
    seq = guest.latest.get("seq", 0)
    if wish["do"] == "first-move":
        table = guest.latest.get("table", {})
        seat = (table.get("pending") or [0])[0]
        guest.seat = seat  # type: ignore[attr-defined]
        return {"do": "curtain", "seat": seat} if not guest.latest["view"].get("moves") else {
            "do": "move", "seat": seat, "seq": seq, "move": guest.latest["view"]["moves"][0]
        }  # fmt: skip
    if wish["do"] == "undo":
        return {**wish, "seq": seq, "seat": getattr(guest, "seat", 0) if wish["seat"] < 0 else wish["seat"]}
    return wish


async def see_reload(target: Target, kind: str, table: str, tokens: list[str], done: int, source: str) -> None:
    """Reload the page at a table: the first update must come, to a player and to somebody who looks on."""
    target.seen.figures[f"{kind}_events"] = done
    sizes = []
    for with_tokens, asker in ((tokens, source), ([], target.stranger())):
        guest = None
        try:
            guest = await target.join(table, *with_tokens[-9:], source=asker)
            sizes.append(guest.size)
            target.seen.expect(bool(guest.latest), f"{kind}: no first update after {done} events")
            pong = await guest.ask("ping")
            target.seen.expect(pong["say"] == "pong", f"{kind}: no answer after {done} events")
        except LOST:
            target.seen.expect(False, f"{kind}: a reload fails after {done} events")
        if guest is not None:
            await guest.close()
    target.seen.figures[f"{kind}_first_update_kb"] = max(sizes, default=0) / 1e3


@attack("handovers")
async def handovers(target: Target) -> None:
    """13,972 handovers by one guest, then a reload."""
    await repeat_wishes(target, "handover", target.pick(13_972, 400), target.pick(150, 2), 0)


@attack("events")
async def events(target: Target) -> None:
    """Every other kind of event that a guest can repeat, each at a table of its own, then a reload of each."""
    kinds = [*BEFORE, *(kind for kind in DURING if kind != "handover")]
    seconds = target.pick(25, 2)
    await asyncio.gather(*(repeat_wishes(target, kind, 20_000, seconds, number) for number, kind in enumerate(kinds)))
