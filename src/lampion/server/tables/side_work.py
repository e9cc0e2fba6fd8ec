"""A thread for work besides moves: previews, pictures, replays, summaries, tables loaded from the store.

It runs in one thread beside the event loop, a small unit at a time, so that moves go first; those who wait are served
fairly (see fair_queue). The seconds of a unit are charged to the address that asked for it. A question
that comes twice is answered from a bounded cache.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from lampion.server.tables.fair_queue import FairQueue
from lampion.server.tables.rate_limits import asker

T = TypeVar("T")
MOST_WAITING = 64
"""Units of one address that may wait."""
MOST_KEPT = 32 << 20
"""Bytes of answers that are kept."""


@dataclass(frozen=True)
class Unit:
    """A piece of work, the context it runs in, and the future of its result."""

    work: Callable[[], Any]
    context: contextvars.Context
    answer: asyncio.Future[Any]


class ByteCache:
    """A cache of encoded answers, bounded by their bytes; the least recently used goes first."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self.most, self.size = most, 0
        self._kept: dict[Hashable, bytes] = {}

    def get(self, key: Hashable) -> bytes | None:
        """Return the answer kept under a key, None where there is none."""
        found = self._kept.pop(key, None)
        if found is not None:
            self._kept[key] = found
        return found

    def keep(self, key: Hashable, answer: bytes) -> None:
        """Keep an answer, and drop the least recently used where there are too many."""
        self.size += len(answer) - len(self._kept.pop(key, b""))
        self._kept[key] = answer
        while self.size > self.most:
            self.size -= len(self._kept.pop(next(iter(self._kept))))


class SideWork:
    """A thread, its queue, and a cache of answers."""

    def __init__(self) -> None:
        self.answers = ByteCache()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="side")
        self._queue: FairQueue[Unit] = FairQueue(MOST_WAITING)
        self._making: dict[Hashable, asyncio.Future[bytes]] = {}
        self._task: asyncio.Task[None] | None = None

    async def run(self, table: str, work: Callable[[], T]) -> T:
        """Run a small piece of work for a table in its turn and return what it returns.

        Raises Refused where too much of the same address waits.
        """
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(asker.get(), table, Unit(work, contextvars.copy_context(), answer))
        if self._task is None:
            self._task = asyncio.create_task(self._serve())
        return await answer

    async def made_once(self, key: Hashable, table: str, make: Callable[[], bytes]) -> bytes:
        """Return the answer kept under a key, or make it once for all who ask meanwhile."""
        found = self.answers.get(key)
        if found is not None:
            return found
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.ensure_future(self.run(table, make))
            making.add_done_callback(lambda done: self._made(key, done))
        return await asyncio.shield(making)

    def _made(self, key: Hashable, done: asyncio.Future[bytes]) -> None:
        self._making.pop(key, None)
        if not done.cancelled() and done.exception() is None:
            self.answers.keep(key, done.result())

    async def _serve(self) -> None:
        """Run the units that wait, one after another; the event loop runs between two of them."""
        loop = asyncio.get_running_loop()
        try:
            while len(self._queue):
                address, table, unit = self._queue.pop()
                if unit.answer.done():  # whoever asked is gone
                    continue
                result, error, seconds = await loop.run_in_executor(self._pool, measured, unit)
                self._queue.charge(address, table, seconds)
                if unit.answer.done():
                    continue
                if error is None:
                    unit.answer.set_result(result)
                else:
                    unit.answer.set_exception(error)
        finally:
            self._task = None

    def close(self) -> None:
        """Cancel what waits and stop the thread."""
        for unit in self._queue.clear():
            unit.answer.cancel()
        if self._task is not None:
            self._task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)


def measured(unit: Unit) -> tuple[Any, Exception | None, float]:
    """Run a unit; return its result or its error, and the seconds it took."""
    began = time.perf_counter()
    try:
        return unit.context.run(unit.work), None, time.perf_counter() - began
    except Exception as error:
        return None, error, time.perf_counter() - began
