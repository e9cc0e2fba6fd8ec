"""The threads in which bots think, shared fairly between addresses and tables.

Compiled search lets other threads run. At most cores - 1 search at once, one at least; bots that answer at once have a
thread of their own. A search may take a second; where many wait, they share it, and a search that is cut
short is announced as such.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from lampion.bots import Bot, named
from lampion.bots.levels import LEVELS, Level
from lampion.bots.searcher import SearchBot
from lampion.games.core import Game
from lampion.play.position import Position
from lampion.play.sight import Sight
from lampion.server.metrics import METRICS
from lampion.server.tables.fair_queue import FairQueue
from lampion.server.tables.precompiler import Part

PATIENCE_MS = 1000
"""Milliseconds that the bots which think or wait may take together."""
LEAST_MS = 20
BOT_NICENESS = 5
"""The niceness of the bots' threads."""
MOST_WAITING = 1000
"""Moves of one address that may wait."""
MOST_REMEMBERING = 24
"""Bots that keep their search tree from one move to the next; the largest fill some 30 MB."""
CHEAP_MS = 20
"""Bots that need no longer than this share a thread that deep searches do not use."""


Elsewhere = Callable[[Callable[[int], int], int], Awaitable[int]]
"""Lets a bot think elsewhere than in a thread: called with a job's `think` and its limit in milliseconds."""


@dataclass(frozen=True)
class Job:
    """A request for a move: `think` is given the milliseconds it may take, `done` the move.

    It is `dropped` where it is no longer `wanted` when its turn has come.
    """

    think: Callable[[int], int]
    done: Callable[[int], Awaitable[None]]
    failed: Callable[[BaseException], None]
    wanted: Callable[[], bool]
    dropped: Callable[[], None]


class Lane:
    """Threads and the jobs that wait for them, served fairly between addresses and tables.

    A thread takes the next job only when the last one's move was stored and sent, so that bots which answer at once
    leave the event loop to people.
    """

    def __init__(self, threads: int, elsewhere: Elsewhere | None = None) -> None:
        self.threads = threads
        self._think = elsewhere or self._think_in_thread
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot", initializer=lower_priority)
        self._queue: FairQueue[Job] = FairQueue(MOST_WAITING)
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        """The number of jobs that wait."""
        return len(self._queue)

    def limit(self, address: str) -> int:
        """Return the milliseconds that a bot may think for an address if it is asked now.

        The addresses that want moves share the time, and an address shares its part among its own moves.
        """
        addresses = {address, *self._queue.addresses(), *self._running}
        own = self._queue.waiting(address) + self._running[address] + 1
        return min(PATIENCE_MS, max(LEAST_MS, PATIENCE_MS * self.threads // (len(addresses) * own)))

    def put(self, address: str, table: str, job: Job) -> None:
        """Add a job; refuse it where too many of its address wait."""
        self._queue.put(address, table, job)
        self._next()

    def _next(self) -> None:
        while len(self._tasks) < self.threads and len(self._queue):
            address, table, job = self._queue.pop()
            if not job.wanted():
                job.dropped()
                continue
            task = asyncio.create_task(self._work(address, table, job, self.limit(address)))
            self._tasks.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            self._next()

    async def _think_in_thread(self, think: Callable[[int], int], limit: int) -> int:
        return await asyncio.get_running_loop().run_in_executor(self._pool, think, limit)

    async def _work(self, address: str, table: str, job: Job, limit: int) -> None:
        began = time.perf_counter()
        self._running[address] += 1
        try:
            move = await self._think(job.think, limit)
        except Exception as error:
            job.failed(error)
            return
        finally:
            seconds = time.perf_counter() - began
            self._running[address] -= 1
            self._running += Counter()  # forget addresses without any
            self._queue.charge(address, table, seconds)
            METRICS.bot_seconds.observe(seconds)
        await job.done(move)

    def close(self) -> None:
        """Drop all jobs and stop the threads."""
        self._queue.clear()
        for task in self._tasks:
            task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)


class BotPool:
    """Two lanes for bots: one thread for those that answer at once, all cores but one for the others."""

    def __init__(
        self,
        threads: int | None = None,
        is_loaded: Callable[[str, Part], bool] = lambda *_: True,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.is_loaded = is_loaded
        """Whether bots need not be waited for: to compile them in this process would stop everybody for a while."""
        self.deep = Lane(threads or max(1, (os.cpu_count() or 2) - 1), elsewhere)
        self.cheap = Lane(1, elsewhere)
        self._remembering: dict[SeatedBot, None] = {}
        """Bots that keep their search tree for the next move, the one that moved longest ago first."""

    def remember(self, bot: SeatedBot) -> None:
        """Let a bot keep its search tree; of too many, the one that moved longest ago forgets."""
        self._remembering.pop(bot, None)
        self._remembering[bot] = None
        if len(self._remembering) > MOST_REMEMBERING:
            oldest = next(iter(self._remembering))
            del self._remembering[oldest]
            oldest.forget()

    @property
    def waiting(self) -> int:
        """The number of jobs that wait."""
        return self.deep.waiting + self.cheap.waiting

    def lane(self, bot: SeatedBot, game: Game, players: int) -> Lane:
        """Return the lane in which a bot thinks."""
        return self.deep if bot.needs_more(game, players, CHEAP_MS) else self.cheap

    def has_code(self, bot: SeatedBot, game: Game, players: int) -> bool:
        """Return whether a bot can think without being compiled first."""
        return self.is_loaded(game.name, "search" if bot.needs_more(game, players, 0) else "bots")

    def close(self) -> None:
        """Drop all jobs and stop the threads."""
        self.deep.close()
        self.cheap.close()


class SeatedBot:
    """A bot at a seat: its level, and what it remembers from move to move."""

    def __init__(self, level: str, seed: int) -> None:
        self.level, self.seed = level, seed
        self._bot: Bot | None = None
        self.game_number = 0
        """How often it has forgotten its game and begun another."""

    def needs_more(self, game: Game, players: int, limit: int) -> bool:
        """Return whether the bot would think longer than `limit` milliseconds."""
        return Level(self.level, self.level).milliseconds(game, players) > limit

    def think(self, position: Position, seat: int, limit: int) -> int:
        """Return the id of a move for a seat; `position` is the bot's own copy."""
        sight = Sight(position, seat)
        bot = self._bot
        if bot is None:
            bot = self._bot = named(self.level).sit(sight, self.seed)
        if isinstance(bot, SearchBot):
            bot.most_ms = limit
        return bot.choose(sight)

    def forget(self) -> None:
        """Forget the game so far, for instance because moves were taken back."""
        self._bot = None
        self.game_number += 1


@dataclass(frozen=True)
class Thought:
    """What a bot is to think about, for its seat."""

    bot: SeatedBot
    position: Position
    seat: int

    def __call__(self, limit: int) -> int:
        """Return the id of a move, found in `limit` milliseconds."""
        return self.bot.think(self.position, self.seat, limit)


def lower_priority() -> None:
    """Lower the priority of this thread below those that answer people."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BOT_NICENESS)


def is_level(name: str) -> bool:
    """Return whether a table may name this bot: only levels, so that nobody chooses the server's effort."""
    return name in LEVELS
