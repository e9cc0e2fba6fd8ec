"""The bots' desk: they think off the event loop, a table at a time in turn, and move through the same door as people.

Compiled search lets other threads run. At most cores - 1 think at once, one at least. A bot has a second; where many
wait they share it, and one that would need longer says that it thinks less.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from lampion.bots import Bot, named
from lampion.bots.levels import LEVELS, Level
from lampion.bots.searcher import Search, SearchBot
from lampion.games.core import Game
from lampion.play.position import Position
from lampion.play.sight import Sight
from lampion.server.metrics import METRICS

PATIENCE_MS = 1000
"""What the bots that wait together may take."""
LEAST_MS = 20
BACK = 5
"""How far the bots' threads stand back in the system's order."""
SIMULATIONS_PER_MS = 30
"""What a search is expected to do; it is more on most machines."""


@dataclass
class Job:
    """A move wanted: of which table, and what to do with it. `think` is given the milliseconds it may take."""

    table: str
    think: Callable[[int], int]
    done: Callable[[int], Awaitable[None]]
    failed: Callable[[BaseException], None]
    limit: int


class Desk:
    """The queue, fair by table, and the threads."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or max(1, (os.cpu_count() or 2) - 1)
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="bot", initializer=step_back)
        self._waiting: dict[str, deque[Job]] = {}
        self._turns: deque[str] = deque()
        self._busy = 0
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """How many moves are wanted and not begun."""
        return sum(map(len, self._waiting.values()))

    @property
    def limit(self) -> int:
        """Milliseconds that a bot may think if it is asked now."""
        return max(LEAST_MS, PATIENCE_MS * self.threads // (self.waiting + self._busy + self.threads))

    def ask(
        self,
        table: str,
        think: Callable[[int], int],
        done: Callable[[int], Awaitable[None]],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Want a move for a table, within `limit` once it is thought about."""
        if table not in self._waiting:
            self._waiting[table] = deque()
            self._turns.append(table)
        self._waiting[table].append(Job(table, think, done, failed, self.limit))
        self._next()

    def _next(self) -> None:
        while self._busy < self.threads and self._turns:
            table = self._turns.popleft()
            job = self._waiting[table].popleft()
            if self._waiting[table]:
                self._turns.append(table)
            else:
                del self._waiting[table]
            self._busy += 1
            task = asyncio.create_task(self._work(job))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, job: Job) -> None:
        began = time.perf_counter()
        try:
            move = await asyncio.get_running_loop().run_in_executor(self._pool, job.think, job.limit)
        except Exception as error:
            job.failed(error)
            return
        finally:
            self._busy -= 1
            METRICS.bot_seconds.observe(time.perf_counter() - began)
            self._next()
        await job.done(move)

    async def close(self) -> None:
        """Leave what is being thought about."""
        self._waiting.clear()
        self._turns.clear()
        for task in self._tasks:
            task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)


class Sitter:
    """A bot at a table: what it is, and what it remembers from move to move."""

    def __init__(self, level: str, seed: int) -> None:
        self.level, self.seed = level, seed
        self._bot: Bot | None = None

    def needs_more(self, game: Game, players: int, limit: int) -> bool:
        """Whether it would think longer than so many milliseconds."""
        maker = Level(self.level, self.level).maker(game, players)
        return isinstance(maker, Search) and maker.sims > SIMULATIONS_PER_MS * limit

    def think(self, position: Position, seat: int, limit: int) -> int:
        """A move for the seat. `position` is the thinker's own copy."""
        sight = Sight(position, seat)
        if self._bot is None:
            self._bot = named(self.level).sit(sight, self.seed)
        if isinstance(self._bot, SearchBot):
            self._bot.most_ms = limit
        return self._bot.choose(sight)

    def forget(self) -> None:
        """Moves were taken back: what it remembers is not so."""
        self._bot = None


def step_back() -> None:
    """A thread that thinks lets those go first that answer people."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BACK)


def is_level(name: str) -> bool:
    """Whether a table may name this bot: levels alone, so that nobody sets the server's effort."""
    return name in LEVELS
