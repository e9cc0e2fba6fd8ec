"""A static site with its room in the page, in the place of a server."""

from __future__ import annotations

import functools
import http.server
import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from lampion.page import site

IN_PAGE = os.environ.get("LAMPION_ROOM") == "page"
"""Whether the tests of the boards run against rooms in pages; those with other people are skipped."""
ALONE = "a room in a page has no other people"
PREPARED = "the test prepares its table over a server, before anybody sits down"
PATIENCE = 240.0
KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const path = new URL("./", document.baseURI).pathname;
  return (await (await caches.open(`lampion-runtime ${path}`)).keys()).length;
}"""
ASK = """async ([path, body]) => {
  while (!("lampion" in globalThis)) await new Promise((done) => setTimeout(done, 20));
  const init = body === null ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await lampion.ask(path, init);
  return [answer.status, await answer.text()];
}"""


class Files(http.server.SimpleHTTPRequestHandler):
    """A static host."""

    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class Host:
    """A static host on a free port, which can be switched off."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._server = http.server.ThreadingHTTPServer(
            ("localhost", port), functools.partial(Files, directory=str(folder))
        )
        self.port = int(self._server.server_address[1])
        self.base = ""
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Answer nobody any more."""
        self._server.shutdown()
        self._server.server_close()


def ready(page: Page) -> Page:
    """Wait until the room of a site can be played in, and the browser keeps all of it."""
    page.locator("article.game").first.wait_for()
    page.locator("progress").wait_for(state="detached", timeout=1000 * PATIENCE)
    large = page.evaluate("""() => {
      const files = JSON.parse(document.querySelector('meta[name="lampion-room"]').content);
      return Object.keys(files.modules).length + 5;
    }""")
    deadline = time.monotonic() + PATIENCE
    while page.evaluate(KEPT) < large:
        assert time.monotonic() < deadline, "the browser does not keep the site"
        page.wait_for_timeout(50)
    return page


class Planned(dict[str, Any]):
    """A table that is made in the page of whoever first sits down at it."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        super().__init__()
        self.wanted = wanted

    def __missing__(self, key: str) -> Any:
        pytest.skip(PREPARED)


def ask(page: Page, path: str, body: Any = None) -> Any:
    """Ask the room of a page, and return its answer."""
    status, text = page.evaluate(ASK, [path, body])
    assert status < 300, text
    return json.loads(text)


def plan(game: str, *seats: Any, start: bool = False, **more: Any) -> Planned:
    """Return a table that is to be made. A seat is the level of a bot, or (NAME,) for somebody at the screen."""
    kinds = [
        {"kind": "screen", "name": seat[0]} if isinstance(seat, tuple) else {"kind": "bot", "level": seat}
        for seat in seats
    ]
    return Planned({"game": game, "seats": kinds, "start": start, **more})


class OwnRooms(Host):
    """A static host in the place of a server: each guest has a room of their own."""

    def __init__(self, folder: Path) -> None:
        with ThreadPoolExecutor(1) as pool:  # beside the event loop of the browser's tools
            pool.submit(site.write, folder).result()
        super().__init__(folder)

    def __enter__(self) -> OwnRooms:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def make(self, game: str, *seats: Any, **more: Any) -> Planned:
        """Plan a table, as `Server.make` makes one."""
        return plan(game, *seats, **more)

    def get(self, path: str, **headers: str) -> Any:
        """Skip: only the page knows its room."""
        pytest.skip("the room is in the page")

    request = answer = get


def make_here(page: Page, planned: Planned, seats: tuple[int, ...]) -> None:
    """Make a planned table in a page's own room, and open it with some of its seats."""
    if planned:
        pytest.skip(ALONE)
    made = ask(page, "tables", planned.wanted)
    planned.update(made)
    known = {
        "id": made["table"],
        "game": planned.wanted["game"],
        "tokens": [made["tokens"][str(seat)] for seat in seats],
        "host": made["host"],
        "at": 1,
    }
    page.evaluate("known => localStorage.setItem('lampion.tables', JSON.stringify([known]))", known)
    page.evaluate("id => { location.hash = `#t/${id}`; location.reload(); }", made["table"])
