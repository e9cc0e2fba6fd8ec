"""The few seconds between the seal of a table's commitments and the start of its game."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lampion.server.protocol.refusals import Stale
from lampion.server.storage.store import Unavailable

if TYPE_CHECKING:
    from lampion.server.tables.live_table import LiveTable

log = logging.getLogger("lampion.server")

SEAL_SECONDS = 5.0
"""How long a sealed table waits for nonces before its game begins without them."""


class SealTimer:
    """Begins the game of a sealed table whose nonces are not all revealed in time."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self._timer: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Run while the table is sealed and its game has not begun; call it whenever something happens."""
        if not self.live.table.is_starting:
            self.cancel()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SEAL_SECONDS, self._ring)

    def cancel(self) -> None:
        """Stop."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        task = asyncio.create_task(self._begin())
        self.live._tasks.add(task)
        task.add_done_callback(self.live._tasks.discard)

    async def _begin(self) -> None:
        live = self.live
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
