"""Tables that are prepared at a server, and then played at in a page's own room.

The tests of the boards prepare a table as people at a server do. Whoever opens it has it in their own browser from then
on: what the server stored of it is laid there, in the very form in which a room in a page stores it, before the page
is opened. Whoever was at the table by a socket goes on in that page.
"""

from __future__ import annotations

import json
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import JSHandle, Page
from server.people import PATIENCE, Server

from lampion.page import site
from lampion.page.shelf_store import event_name
from lampion.server.storage.schema import COLUMNS

from .own_room import ASK, Host, ask

ALONE = "a room in a page has no other people"
LAY = """rows => new Promise((done, failed) => {
  const opening = indexedDB.open("lampion", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
  opening.onerror = () => failed(opening.error);
  opening.onsuccess = () => {
    const change = opening.result.transaction("kept", "readwrite");
    for (const [name, text] of rows) change.objectStore("kept").put(new TextEncoder().encode(text), name);
    change.oncomplete = () => done(opening.result.close());
  };
})"""
PIPE = """([table, patience]) => {
  const pipe = lampion.connect(table);
  const heard = [];
  let wake = () => undefined;
  pipe.addEventListener("message", (event) => {
    heard.push(event.data);
    wake();
  });
  const next = () =>
    new Promise((done, failed) => {
      const late = setTimeout(() => failed(new Error("nothing was said")), patience);
      wake = () => {
        if (heard.length === 0) return;
        clearTimeout(late);
        wake = () => undefined;
        done(heard.shift());
      };
      wake();
    });
  return { send: (text) => pipe.send(text), next, close: () => pipe.close() };
}"""


class MovableSocket:
    """A socket at a table of the server, or, once the table has moved, a connection to it in its page."""

    def __init__(self, opened: Any) -> None:
        self._opened, self._socket = opened, opened.__enter__()
        self._page: Page | None = None
        self._pipe: JSHandle | None = None
        self._hello: str | None = None
        self.is_open = True

    def move(self, page: Page, table: str) -> None:
        """Go on in a page; say hello again."""
        self._opened.__exit__(None, None, None)
        self._page, self._pipe = page, page.evaluate_handle(PIPE, [table, 1000 * PATIENCE])
        if self._hello is not None:
            self.send(self._hello)

    def send(self, text: str) -> None:
        """Say something."""
        if json.loads(text)["do"] == "hello":
            self._hello = text
        if self._pipe is None:
            self._socket.send(text)
        else:
            self._pipe.evaluate("(pipe, text) => pipe.send(text)", text)

    def recv(self, timeout: float) -> str:
        """Return what is said next."""
        if self._pipe is None:
            return str(self._socket.recv(timeout=timeout))
        return str(self._pipe.evaluate("pipe => pipe.next()"))

    def __enter__(self) -> MovableSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False
        if self._pipe is None:
            self._opened.__exit__(None, None, None)
        elif self._page is not None and not self._page.is_closed():
            self._pipe.evaluate("pipe => pipe.close()")


def shelf_of(db: Path | str, table: str) -> list[tuple[str, str]]:
    """Return a table that a server stored as a browser keeps it: texts under names."""
    with closing(sqlite3.connect(db)) as stored:
        heading = stored.execute(f"select {COLUMNS} from tables where id = ?", (table,)).fetchone()
        events = stored.execute("select seq, body from events where game = ?", (table,)).fetchall()
    return [(f"table/{table}", json.dumps(heading)), *((event_name(table, seq), body.decode()) for seq, body in events)]


class OwnRooms(Server):
    """A server where tables are prepared, and a static host, whose pages have rooms of their own."""

    def __init__(self, folder: Path, **seconds: Any) -> None:
        self._pages: dict[str, Page] = {}
        self._sockets: dict[str, list[MovableSocket]] = {}
        super().__init__(folder / "lampion.db", unlimited=True, loads_all=True, **seconds)
        with ThreadPoolExecutor(1) as pool:  # beside the event loop of the browser's tools
            pool.submit(site.write, folder / "site").result()
        self._host = Host(folder / "site")
        self.address = self._host.address

    def stop(self) -> None:
        """Stop both."""
        self._host.stop()
        super().stop()

    def socket(self, table: str, source: str | None = None) -> MovableSocket:
        """Open a socket that goes where its table goes."""
        opened = MovableSocket(super().socket(table, source))
        self._sockets.setdefault(table, []).append(opened)
        if table in self._pages:
            opened.move(self._pages[table], table)
        return opened

    def move_table(self, page: Page, table: str) -> None:
        """Lay a table into the browser of a page, and open it there; for one page alone."""
        if table in self._pages:
            pytest.skip(ALONE)
        self._pages[table] = page
        page.goto(f"{self.address}icon.svg")
        page.evaluate(LAY, shelf_of(self.db, table))
        page.goto(f"{self.address}#t/{table}")
        ask(page, f"tables/{table}")
        for socket in self._sockets.get(table, []):
            if socket.is_open:
                socket.move(page, table)

    def answer(self, path: str, body: Any = None, method: str | None = None, **headers: str) -> tuple[int, str]:
        """Answer from where the table is."""
        found = re.match("/api/(tables/([^/?]+).*)", path)
        if found is None or found[2] not in self._pages:
            return super().answer(path, body, method, **headers)
        status, text = self._pages[found[2]].evaluate(ASK, [found[1], body])
        return status, text
