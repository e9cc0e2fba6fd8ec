"""The interface between JavaScript in the workers of a page and the Python that runs in them.

Nothing else here knows Pyodide. Bytes come and go as arrays of JavaScript.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from js import Object
from pyodide.ffi import JsException, create_proxy, to_js

from lampion.engine import module
from lampion.page.room import Room, prepare
from lampion.page.worker_jobs import JobWorker
from lampion.server.storage.store import Unavailable

MODULES = Path("/modules")
"""Where JavaScript puts the compiled modules."""


def wake() -> None:
    """Start, with restored or fresh memory: seed the random numbers again and use the compiled modules."""
    random.seed()
    module.use_modules(MODULES)


prepare()


class BrowserShelf:
    """The shelf that JavaScript keeps in the browser's database."""

    def __init__(self, shelf: Any) -> None:
        self._shelf = shelf

    async def read(self, first: str, last: str) -> list[tuple[str, bytes]]:
        """Return what has a name from `first` to `last`, in order."""
        return [(row[0], row[1].to_bytes()) for row in await self._shelf.read(first, last)]

    async def write(
        self, new: Mapping[str, bytes], put: Mapping[str, bytes], needed: Sequence[str], gone: Sequence[str]
    ) -> bool:
        """Write all or nothing; return False where a new name is taken or a needed one missing."""
        try:
            done = await self._shelf.write(
                to_js(list(new.items())), to_js(list(put.items())), to_js(list(needed)), to_js(list(gone))
            )
        except JsException as error:
            raise Unavailable("server.disk_full") from error
        return bool(done)

    def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with each message that any tab sends."""
        self._shelf.listen(create_proxy(heard))

    def tell(self, news: str) -> None:
        """Send news to every tab."""
        self._shelf.tell(news)


class BrowserMessages:
    """The way to another worker, which JavaScript starts when it is first asked."""

    def __init__(self, helper: Any) -> None:
        self._helper = helper

    async def ask(self, body: bytes, progressed: Callable[[bytes], None]) -> bytes:
        """Send a job; return its answer."""
        heard = create_proxy(lambda news: progressed(news.to_bytes()))
        try:
            return bytes((await self._helper.ask(to_js(body), heard)).to_bytes())
        except JsException as error:
            raise OSError(str(error)) from error
        finally:
            heard.destroy()

    def stop(self) -> None:
        """Stop the worker at once; the next job starts another."""
        self._helper.stop()


class BrowserRoom:
    """The methods of a room that JavaScript calls."""

    def __init__(self, shelf: Any, thinker: Any, analyst: Any, send: Any) -> None:
        self._room = Room(BrowserShelf(shelf), BrowserMessages(thinker), BrowserMessages(analyst), send)

    async def open(self) -> None:
        """Open the room."""
        await self._room.open()

    async def ask(self, method: str, address: str, headers: Any, body: Any) -> Any:
        """Answer a request: its status, its headers and its body."""
        answer = await self._room.ask(method, address, headers.to_py(), body.to_bytes())
        headers_out = {"content-type": answer.media_type or "", **answer.headers}
        return to_js([answer.status_code, headers_out, answer.content], dict_converter=Object.fromEntries)

    def connect(self, number: int, table: str, language: str) -> None:
        """Connect to a table."""
        self._room.connect(number, table, language)

    def hear(self, number: int, data: str) -> None:
        """Handle a message from a connection."""
        self._room.hear(number, data)

    def disconnect(self, number: int) -> None:
        """End a connection that the page has closed."""
        self._room.disconnect(number)


def room(shelf: Any, thinker: Any, analyst: Any, send: Any) -> BrowserRoom:
    """Return a room that keeps its games on a shelf and has two helpers, for short jobs and for long ones."""
    return BrowserRoom(shelf, thinker, analyst, send)


class BrowserJobWorker:
    """Does jobs, as JavaScript hands them over."""

    def __init__(self, tell: Any) -> None:
        self._worker = JobWorker(lambda body: tell(to_js(body)))

    def do(self, body: Any) -> Any:
        """Do a job; return its answer."""
        return to_js(self._worker.do(body.to_bytes()))


def job_worker(tell: Any) -> BrowserJobWorker:
    """Return a worker for jobs; `tell` is called with their progress."""
    return BrowserJobWorker(tell)
