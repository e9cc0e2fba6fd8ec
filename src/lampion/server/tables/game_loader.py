"""Loads the games of a server: of each the rules first, so that people can play, then its bots, those that search last.

A game that somebody asked for comes before the others, in a process of its own. Bots take four times as long to compile
as the rules: whoever sits down with one chooses the first move meanwhile.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from typing import Protocol

from lampion.games import registry
from lampion.server.tables.precompiler import PARTS, Part, Precompiler, load

log = logging.getLogger("lampion.server")

COLLECTIONS = (5_000, 20, 200)
"""The thresholds of Python's garbage collection. A full collection with thousands of connections takes 0.3 s in which
nobody is answered, so it is made rare.
"""


class Loader(Protocol):
    """Knows which games are loaded, and loads the others."""

    def is_loaded(self, game: str, part: Part = "rules") -> bool:
        """Return whether a part of a game can be used."""

    def is_settled(self, game: str, part: Part) -> bool:
        """Return whether a part of a game can be used, or never will be."""

    async def load(self, game: str, part: Part = "rules") -> None:
        """Wait until a part of a game can be used."""

    async def load_all(self) -> None:
        """Make all games ready."""

    def close(self) -> None:
        """Cancel what is not loaded yet."""


class GameLoader:
    """What of each game is compiled and loaded, or about to be."""

    def __init__(self) -> None:
        self._tasks: dict[tuple[str, Part], asyncio.Task[None]] = {}

    def is_loaded(self, game: str, part: Part = "rules") -> bool:
        """Return whether a part of a game is compiled and loaded."""
        task = self._tasks.get((game, part))
        return task is not None and task.done() and not has_failed(task)

    def is_settled(self, game: str, part: Part) -> bool:
        """Return whether a part of a game is loaded or cannot be."""
        task = self._tasks.get((game, part))
        return task is not None and task.done()

    async def load(self, game: str, part: Part = "rules") -> None:
        """Begin to compile and load a game unless that is done or under way; wait until this part of it is there."""
        if not self.is_loaded(game, PARTS[-1]):
            registry.game(game)
            precompiler = Precompiler()
            for one in PARTS:
                self._begin(precompiler, game, one).add_done_callback(lambda _: self._stop_after(game, precompiler))
        if not self.is_loaded(game, part):
            await asyncio.shield(self._tasks[game, part])

    async def load_all(self) -> None:
        """Compile and load all games one after another, in a background process."""
        precompiler = Precompiler(in_background=True)
        for part in PARTS:
            for game in registry.games():
                await asyncio.wait([self._begin(precompiler, game, part)])
        precompiler.stop()
        gc.collect()
        gc.freeze()  # compiled code stays: to scan it again and again would stop all tables for a while
        gc.set_threshold(*COLLECTIONS)

    def close(self) -> None:
        """Give up what is not loaded yet."""
        for task in self._tasks.values():
            task.cancel()

    def _begin(self, precompiler: Precompiler, game: str, part: Part) -> asyncio.Task[None]:
        """Begin with a part of a game, unless it is under way or done; return its task."""
        task = self._tasks.get((game, part))
        if task is None or has_failed(task):
            task = self._tasks[game, part] = asyncio.create_task(self._load(precompiler, game, part))
        return task

    async def _load(self, precompiler: Precompiler, game: str, part: Part) -> None:
        """Compile a part of a game in another process, which puts it into the cache, then load it from there."""
        for earlier in PARTS[: PARTS.index(part)]:
            await asyncio.shield(self._tasks[game, earlier])
        try:
            await precompiler.compile(game, part)
            await asyncio.to_thread(load, game, part)
        except Exception as error:
            log.error("game not ready", exc_info=error, extra={"game": game})
            raise

    def _stop_after(self, game: str, precompiler: Precompiler) -> None:
        """Stop a process when it has finished all parts of its game."""
        if all(self.is_settled(game, part) for part in PARTS):
            precompiler.stop()


def has_failed(task: asyncio.Task[None]) -> bool:
    """Return whether a task has ended without success."""
    return task.done() and (task.cancelled() or task.exception() is not None)
