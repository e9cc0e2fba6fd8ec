"""Feeds the doors in turn, by weight, and keeps the smallest input of everything that it finds."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.fuzz.application import Application
from benchmarks.fuzz.mutate import Mutator
from benchmarks.fuzz.network import Network
from benchmarks.fuzz.parsers import Parsers
from benchmarks.server.processes import memory

SLOW = 3.0
"""Seconds of one input that are themselves a finding."""
WEIGHTS = {
    "wish": 38, "stdio": 22, "position": 10, "websocket": 13, "http": 6, "edition": 4, "record": 3,
    "network_http": 2.5,
    "network_frames": 1.5,
}  # fmt: skip
"""The share of the inputs that each door gets."""


class Found(msgspec.Struct):
    """Something that must not be: where, what, how often, and the smallest input of it."""

    door: str
    what: str
    times: int
    input: str


class Fuzzed(msgspec.Struct):
    """What a run came to."""

    inputs: int
    seconds: float
    by_door: dict[str, int]
    seconds_by_door: dict[str, float]
    memory_mb: float
    digest: str
    """Of all inputs of the doors that are functions: equal for equal seeds."""
    found: list[Found]


class Finds:
    """What was found, by door and by the place where it went wrong."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], Found] = {}

    def add(self, door: str, error: BaseException, data: Any) -> None:
        """Keep a finding, and its input where that is smaller than the one that is kept."""
        cause = error.__cause__ or error
        frames = traceback.extract_tb(cause.__traceback__)
        ours = [frame for frame in frames if "lampion" in frame.filename] or frames
        where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
        told = f"{type(error).__name__}: {str(error)[:300]}"
        key = door, f"{type(cause).__name__} {where}" if where else told[:60]
        if key not in self.found:
            print(f"found at {door}: {told} ({where}): {repr(data)[:300]}", file=sys.stderr, flush=True)
        one = self.found.setdefault(key, Found(door, f"{told} ({where})", 0, repr(data)))
        one.times += 1
        if len(repr(data)) < len(one.input):
            one.input, one.what = repr(data), f"{told} ({where})"


async def fuzz(inputs: int, seed: int, doors: Sequence[str] = ()) -> Fuzzed:
    """Feed that many inputs to the doors."""
    weights = {name: WEIGHTS[name] for name in (doors or WEIGHTS)}
    with tempfile.TemporaryDirectory(prefix="lampion-fuzz-", dir=memory_folder()) as folder:
        mutator = Mutator(seed)
        parsers = Parsers(Mutator(f"parsers {seed}"))
        needs = {"http", "websocket"} & set(weights), {"network_http", "network_frames"} & set(weights)
        application = Application(Mutator(f"application {seed}"), Path(folder)) if needs[0] else None
        network = Network(Mutator(f"network {seed}"), Path(folder)) if needs[1] else None
        try:
            for each in (application, network):
                if each is not None:
                    await each.open()
            return await feed(inputs, weights, mutator, parsers, application, network)
        finally:
            for each in (application, network):
                if each is not None:
                    await each.close()


async def feed(
    inputs: int,
    weights: dict[str, float],
    mutator: Mutator,
    parsers: Parsers,
    application: Application | None,
    network: Network | None,
) -> Fuzzed:
    """Feed the doors until that many inputs are used up."""
    if set(weights) & {"record", "position", "stdio"}:
        parsers.warm_up()
    finds, digest, done, spent = Finds(), hashlib.sha256(), Counter[str](), Counter[str]()
    plain: dict[str, Callable[[], Any]] = {
        name: getattr(parsers, name) for name in ("record", "edition", "position", "stdio", "wish")
    }
    waiting: dict[str, Callable[[], Awaitable[Any]]] = {}
    owners: dict[str, Any] = dict.fromkeys(plain, parsers)
    if application is not None:
        waiting |= {"http": application.http, "websocket": application.websocket}
        owners |= {"http": application, "websocket": application}
    if network is not None:
        waiting |= {"network_http": network.http, "network_frames": network.frames}
        owners |= {"network_http": network, "network_frames": network}
    names = list(weights)
    began = time.perf_counter()
    # A batch of one door at a time: the event loop is entered once for all of them.
    while done.total() < inputs:
        name = mutator.random.choices(names, list(weights.values()))[0]
        for _ in range(1 if name.startswith("network") else 50):
            at, fed = time.perf_counter(), 1
            try:
                if name in plain:
                    plain[name]()
                    digest.update(repr(parsers.last).encode("utf-8", "surrogatepass"))
                else:
                    fed = await waiting[name]() or 1
            except Exception as error:
                finds.add(name, error, owners[name].last)
            took = time.perf_counter() - at
            if took > SLOW:
                finds.add(name, TimeoutError(f"{took:.0f} s"), owners[name].last)
            done[name] += fed
            spent[name] += took  # type: ignore[assignment]
        await asyncio.sleep(0)
    return Fuzzed(
        inputs=done.total(),
        seconds=time.perf_counter() - began,
        by_door=dict(done),
        seconds_by_door=dict(spent),
        memory_mb=memory(os.getpid()) / 1e6,
        digest=digest.hexdigest()[:16],
        found=sorted(finds.found.values(), key=lambda one: (one.door, -one.times)),
    )


def run(inputs: int, seed: int, doors: list[str]) -> Fuzzed:
    """Feed one process's share of the inputs; without names, to all doors."""
    return asyncio.run(fuzz(inputs, seed, doors))


def memory_folder() -> str | None:
    """Return a folder that is in memory, where there is one: a database there is quicker."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
