"""A health check: whether the store can be written to."""

from __future__ import annotations

import asyncio
import logging
import time

from lampion.locale import Problem
from lampion.server.storage.store import Store

log = logging.getLogger("lampion.server")

PROBE_EVERY = 2.0
"""Seconds for which a result is reused."""
PROBE_SECONDS = 5.0


class StoreHealth:
    """Tries a small write and reuses the result for a while."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._probe: asyncio.Task[str | None] | None = None
        self._done = 0.0

    async def trouble(self) -> str | None:
        """Return the code of what is wrong with the store, None where nothing is."""
        if self._probe is None or (self._probe.done() and time.monotonic() - self._done > PROBE_EVERY):
            self._probe = asyncio.create_task(self._try())
        return await asyncio.shield(self._probe)

    async def _try(self) -> str | None:
        try:
            await asyncio.wait_for(self.store.probe(), PROBE_SECONDS)
            return None
        except Problem as problem:
            return problem.code
        except TimeoutError:
            return "store_away"
        except Exception as error:
            log.error("the database cannot be tried", exc_info=error)
            return "fault"
        finally:
            self._done = time.monotonic()
