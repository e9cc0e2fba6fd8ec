"""A static site with its room in the page."""

from __future__ import annotations

import functools
import http.server
import json
import os
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

IN_PAGE = os.environ.get("LAMPION_ROOM") == "page"
"""Whether the tests of the boards run against rooms in pages; those with other people are skipped."""
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
        self.address = f"http://localhost:{self.port}/"
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


def ask(page: Page, path: str, body: Any = None) -> Any:
    """Ask the room of a page as soon as there is one, and return its answer."""
    status, text = page.evaluate(ASK, [path, body])
    assert status < 300, text
    return json.loads(text)


def plan(game: str, *seats: Any, start: bool = False, **more: Any) -> dict[str, Any]:
    """Return what asks a room for a table. A seat is the level of a bot, or (NAME,) for somebody at the screen."""
    kinds = [
        {"kind": "screen", "name": seat[0]} if isinstance(seat, tuple) else {"kind": "bot", "level": seat}
        for seat in seats
    ]
    return {"game": game, "seats": kinds, "start": start, **more}


def make_here(page: Page, wanted: dict[str, Any], seats: tuple[int, ...]) -> str:
    """Make a table in a page's own room, and open it with some of its seats; return its id."""
    made = ask(page, "tables", wanted)
    known = {
        "id": made["table"],
        "game": wanted["game"],
        "tokens": [made["tokens"][str(seat)] for seat in seats],
        "host": made["host"],
        "at": 1,
    }
    page.evaluate("known => localStorage.setItem('lampion.tables', JSON.stringify([known]))", known)
    page.evaluate("id => { location.hash = `#t/${id}`; location.reload(); }", made["table"])
    return str(made["table"])
