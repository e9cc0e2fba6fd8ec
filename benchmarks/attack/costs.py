"""Requests that are short to send and long to answer, as many as a few lanes can ask for."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import quote

from benchmarks.attack.target import LOST, Guest, Target, attack


async def preview_tables(target: Target, tables: int) -> None:
    """Preview 400 moves with views, again and again, at some Dice tables of one address."""

    async def one(number: int) -> int:
        made = await target.make("dice", "screen", "screen", start=True)
        guest = await target.join(made["table"], *made["tokens"].values())
        moves = await longest_list_of_moves(guest)
        asked = (moves * 400)[:400]
        while len(json.dumps(asked)) > 60_000:
            asked = asked[:-20]
        seat = guest.latest["view"]["seat"]
        deadline = asyncio.get_running_loop().time() + target.pick(15, 2)
        answered = 0
        while asyncio.get_running_loop().time() < deadline:
            try:
                answer = await guest.ask("preview", seat=seat, moves=asked, views=True)
                answered += answer["say"] == "previews"
                if answer["say"] == "no":
                    await asyncio.sleep(0.05)
            except LOST:
                guest = await target.join(made["table"], *made["tokens"].values())
                await asyncio.sleep(0.05)
        return answered

    target.seen.figures["previews"] = sum(await asyncio.gather(*(one(number) for number in range(tables))))


async def longest_list_of_moves(guest: Guest) -> list[Any]:
    """Play on until a seat has a long list of moves, and look from that seat."""
    best: list[Any] = []
    for _ in range(6):
        for seat in guest.latest["table"]["pending"]:
            await guest.ask("curtain", seat=seat)
            best = guest.latest["view"].get("moves", [])
            if len(best) > 20:
                return best
        seat = guest.latest["view"]["seat"]
        await guest.ask("move", seat=seat, seq=guest.latest["seq"], move=best[0])
    return best


@attack("preview-1")
async def preview_one(target: Target) -> None:
    """`preview` of 400 moves with views on one Dice table, again and again."""
    await preview_tables(target, 1)


@attack("preview-4")
async def preview_four(target: Target) -> None:
    """The same on four tables at once."""
    await preview_tables(target, 4)


@attack("qr-flood")
async def qr_flood(target: Target) -> None:
    """/api/qr.svg of ever new addresses, from one address and then from four."""
    for addresses in (1, 4):

        async def ask(number: int, addresses: int = addresses) -> None:
            text = quote(f"http://localhost:{target.port}/#{number}" + "x" * 240)
            await target.request(f"/api/qr.svg?text={text}", source=target.source(number % addresses))

        done = await target.for_seconds(target.pick(8, 1), ask)
        target.seen.figures[f"codes_from_{addresses}"] = done
    target.seen.figures["statuses"] = {str(key): count for key, count in target.statuses.items()}
    target.seen.expect(not target.statuses[500], "status 500")


@attack("picture-flood")
async def picture_flood(target: Target) -> None:
    """picture.svg and picture.txt of tables in play, from one address and then from four."""
    tables = [await target.make(game, "screen", "screen", start=True) for game in ("dice", "lanternes", "iles")]
    tables = [made["table"] for made in tables if made]
    for addresses in (1, 4):

        async def ask(number: int, addresses: int = addresses) -> None:
            path = f"/api/tables/{tables[number % len(tables)]}/picture.{('svg', 'txt')[number % 2]}?n={number}"
            await target.request(path, source=target.source(number % addresses))

        target.seen.figures[f"pictures_from_{addresses}"] = await target.for_seconds(target.pick(8, 1), ask)
    target.seen.figures["statuses"] = {str(key): count for key, count in target.statuses.items()}
    target.seen.expect(not target.statuses[500], "status 500")


@attack("replay-flood")
async def replay_flood(target: Target) -> None:
    """Records sent to be replayed, whole and at one move, and replays of a finished table."""
    table, record = await target.finished_game(target.pick("dice", "lumens"))
    body = json.dumps(record).encode()
    paths = ["/api/replay", "/api/replay/40", "/api/replay/40/picture.svg"]
    own = [f"/api/tables/{table}/replay", f"/api/tables/{table}/replay/40", f"/api/tables/{table}/record"]
    for addresses in (1, 4):

        async def ask(number: int, addresses: int = addresses) -> None:
            source = target.source(number % addresses)
            if number % 2:
                await target.request(own[number // 2 % len(own)], source=source)
            else:
                await target.request(paths[number // 2 % len(paths)], body, source=source)

        target.seen.figures[f"replays_from_{addresses}"] = await target.for_seconds(target.pick(8, 1), ask)
    target.seen.figures["statuses"] = {str(key): count for key, count in target.statuses.items()}
    target.seen.expect(not target.statuses[500], "status 500")


@attack("look-flood")
async def look_flood(target: Target) -> None:
    """`look` over sockets, and POST /api/tables/look with 50 tables."""
    table, _ = await target.finished_game(target.pick("dice", "lumens"))
    made = [await target.make("lumens", "screen", "screen", start=True) for _ in range(target.pick(49, 9))]
    ids = [table, *(one["table"] for one in made if one)]
    guests = [await target.join(table, source=target.source(number)) for number in range(4)]

    async def ask(number: int) -> None:
        await target.request("/api/tables/look", {"tables": ids}, source=target.source(number % 4))

    seconds = target.pick(10, 1)
    lanes = (lane_of(guests, lane, target, table, seconds) for lane in range(4))
    asked, *_ = await asyncio.gather(target.for_seconds(seconds, ask), *lanes)
    target.seen.figures |= {"looks": asked, "statuses": {str(key): count for key, count in target.statuses.items()}}
    target.seen.expect(not target.statuses[500], "status 500")


async def lane_of(guests: list[Guest], lane: int, target: Target, table: str, seconds: float) -> None:
    """Ask over one socket what was seen at some move, again and again."""
    deadline = asyncio.get_running_loop().time() + seconds
    number = 0
    while asyncio.get_running_loop().time() < deadline:
        number += 1
        try:
            answer = await guests[lane].ask("look", ply=number % 50)
            if answer["say"] == "no":
                await asyncio.sleep(0.02)
        except LOST:
            await asyncio.sleep(0.05)
            guests[lane] = await target.join(table, source=target.source(lane))
