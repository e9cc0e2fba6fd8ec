"""A static site with its room in the page, in the place of a server."""

from __future__ import annotations

import functools
import http.server
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  return (await (await caches.open("lampion-runtime")).keys()).length;
}"""
ASK = """async ([path, body]) => {
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
    page.locator("progress").wait_for(state="detached", timeout=240_000)
    large = page.evaluate("""() => {
      const files = JSON.parse(document.querySelector('meta[name="lampion-room"]').content);
      return files.archives.length + Object.keys(files.modules).length + 3;
    }""")
    while page.evaluate(KEPT) < large:
        page.wait_for_timeout(50)
    return page


class Planned(dict[str, Any]):
    """A table that is made in the page of whoever first sits down at it."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        super().__init__()
        self.wanted = wanted

    def __missing__(self, key: str) -> Any:
        pytest.skip("a room in a page has no other people")


def ask(page: Page, path: str, body: Any = None) -> Any:
    """Ask the room of a page, and return its answer."""
    import json

    status, text = page.evaluate(ASK, [path, body])
    assert status < 300, text
    return json.loads(text)
