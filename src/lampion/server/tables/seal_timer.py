"""Start a game a few seconds after its commitments are sealed, so that clients can reveal their nonces."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Protocol

from lampion.server.protocol.refusals import Stale
from lampion.server.storage.store import Unavailable
from lampion.server.tables.table import Table

log = logging.getLogger("lampion.server")

SEAL_SECONDS = 5.0
"""How long a sealed table waits for nonces before its game begins without them."""


class Owner(Protocol):
    """What the timer needs of its live table."""

    table: Table
    lock: asyncio.Lock
    tasks: set[asyncio.Task[None]]

    async def store(self, decide: Callable[[int], list[Any]]) -> None:
        """Store the events that are decided on."""

    def go_on(self) -> None:
        """Let clocks and bots go on."""


class SealTimer:
    """Begins the game of a sealed table whose nonces are not all revealed in time."""

    def __init__(self, live: Owner) -> None:
        self._live = live
        self._timer: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Run the timer while the table is sealed and its game has not begun; call this after every change."""
        if not self._live.table.is_starting:
            self.cancel()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SEAL_SECONDS, self._ring)

    def cancel(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        task = asyncio.create_task(self._begin())
        self._live.tasks.add(task)
        task.add_done_callback(self._live.tasks.discard)

    async def _begin(self) -> None:
        live = self._live
        async with live.lock:
            if not live.table.is_starting:
                return
            try:
                await live.store(live.table.decide_begin)
            except Stale:
                pass  # another server of the same store was first
            except Unavailable:
                pass  # which the store has logged; the timer runs again
            except Exception as error:
                log.error("game not begun", exc_info=error, extra={"table": live.table.id})
        live.go_on()
