"""Many open tables and idle sockets in one server: what each takes of its memory, and how fast live moves still are."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.server.ground import Server, percentile, raise_descriptor_limit
from benchmarks.server.players import Crowd, Match, Orders

EVERY = 10.0
"""Seconds between the moves of a live table."""
AT_ONCE = 20
"""Tables or sockets that are opened at the same time."""


@dataclass(frozen=True)
class Idle:
    """What the server held, and what the people at its live tables saw."""

    tables: int
    """Made and started, each from an address of its own."""
    sockets: int
    live_tables: int
    """Those with a socket at every seat, which move."""
    empty_mb: float
    """Memory of the server with every game compiled and no table."""
    full_mb: float
    """With all tables and all sockets, after the moves."""
    kb_per_quiet_table: float
    kb_per_socket: float
    kb_per_live_table: float
    """Quiet table, its two sockets, and what the moves added."""
    moves: int
    median_ms: float
    p99_ms: float
    worst_ms: float
    server_cores: float
    refused: dict[str, int]
    lost_lines: int
    faults: list[str]


async def in_groups(work: Sequence[Awaitable[None]]) -> None:
    """Do some things, a few at a time."""
    for start in range(0, len(work), AT_ONCE):
        await asyncio.gather(*work[start : start + AT_ONCE])


async def settled(server: Server) -> int:
    """Return the memory of the server once its figures stand still."""
    last = 0
    for _ in range(20):
        await asyncio.sleep(0.5)
        now = server.memory()
        if abs(now - last) < 1 << 20:
            break
        last = now
    return now


def idle(folder: Path, tables: int, sockets: int, seconds: float, game: str = "lumens") -> Idle:
    """Open that many tables of two and that many sockets; move every ten seconds where both seats have one."""
    raise_descriptor_limit()
    server = Server(folder / "lampion.db", log=folder / "server.log")
    try:
        server.wait_for_all()
        return asyncio.run(measure(server, tables, sockets, seconds, game))
    finally:
        server.stop()


async def measure(server: Server, tables: int, sockets: int, seconds: float, game: str) -> Idle:
    """Open tables, then sockets, then play; note the server's memory between."""
    crowd = Crowd(Orders(ports=[server.port], game=game, tables=tables, every=EVERY, seconds=seconds))
    matches = [Match(crowd, number) for number in range(tables)]
    live = matches[: max(0, sockets - tables)]
    empty = await settled(server)
    await in_groups([match.make() for match in matches])
    quiet = await settled(server)
    players = [player for match in live for player in match.players]
    players += [match.players[0] for match in matches[len(live) :]]
    await in_groups([player.connect() for player in players[:sockets]])
    connected = await settled(server)
    gc.collect()
    gc.freeze()  # to look through 3,000 sockets of our own would be measured as the server's time
    began, used = time.perf_counter(), server.cpu()
    crowd.playing, crowd.measured_from = True, began
    for number, match in enumerate(live):
        crowd.start(crowd.pace(match, began + EVERY * number / len(live)))
    await asyncio.sleep(seconds)
    spent = (server.cpu() - used) / (time.perf_counter() - began)
    crowd.playing = False
    await asyncio.sleep(1)
    full = await settled(server)
    per_table = (quiet - empty) / tables
    per_socket = (connected - quiet) / max(1, len(players[:sockets]))
    return Idle(
        tables=tables,
        sockets=len(players[:sockets]),
        live_tables=len(live),
        empty_mb=empty / 1e6,
        full_mb=full / 1e6,
        kb_per_quiet_table=per_table / 1e3,
        kb_per_socket=per_socket / 1e3,
        kb_per_live_table=(per_table + 2 * per_socket + (full - connected) / max(1, len(live))) / 1e3,
        moves=len(crowd.latencies),
        median_ms=1000 * percentile(crowd.latencies, 0.5),
        p99_ms=1000 * percentile(crowd.latencies, 0.99),
        worst_ms=1000 * percentile(crowd.latencies, 1.0),
        server_cores=spent,
        refused=crowd.refused,
        lost_lines=crowd.lost_lines,
        faults=crowd.faults,
    )
