"""A server starts while people wait, and goes without leaving them in doubt."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
from waiting import PATIENCE, until

from lampion.games import registry

from .people import ConnectionClosed, Person, Server


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_a_server_that_goes_says_goodbye_to_all_and_takes_up_where_it_was(
    tmp_path: Path, sent: int, status: int
) -> None:
    server = Server(tmp_path / "lampion.db", anew=True)
    assert server.get("/api/words/en")["lanternes.name"] == "Lanternes", "asked before anything else"
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    tokens = made["tokens"]
    ann, bob = (Person(server, made["table"], tokens[seat]) for seat in "01")
    watcher = Person(server, made["table"])
    mover = ann if ann.view["moves"] else bob
    seq = mover.move()["seq"]
    server.process.send_signal(sent)
    for person in (ann, bob, watcher):
        assert person.until(lambda word: word["say"] == "bye") == {"say": "bye", "reason": "restart"}
        with pytest.raises(ConnectionClosed):
            person.hear()
        assert person.seq == seq
    assert server.process.wait(PATIENCE) == status
    assert server.process.stdout is not None
    assert server.process.stdout.read().splitlines()[-2:] == [
        f"A new database: {server.db}",
        "The room is closed; everything is stored.",
    ]
    server.start(server.port)
    with Person(server, made["table"], made["tokens"]["0"], since=seq) as again:
        assert again.latest["changes"] == []
        assert again.seq == seq
    server.stop()


class Start:
    """A server being started."""

    socket = Server.socket

    def __init__(self, folder: Path, **settings: str) -> None:
        command = [sys.executable, "-m", "lampion", "--lang", "en", "serve", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--db", str(folder / "lampion.db")],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **settings},
        )
        assert self.process.stdout is not None
        found = re.search(r"http://localhost:(\d+)/$", self.process.stdout.readline().strip())
        assert found
        self.port, self.base = int(found[1]), ""
        self.made: dict[str, Any] = {}
        """The table that was made last."""

    def get(self, path: str) -> str:
        """What a GET answers."""
        with urllib.request.urlopen(f"http://localhost:{self.port}{path}", timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def ready(self) -> dict[str, bool]:
        """Which games are compiled."""
        return {game["game"]: game["ready"] for game in json.loads(self.get("/api/games"))}

    def page(self) -> str:
        """The page, as soon as somebody answers."""

        def look() -> str:
            try:
                return self.get("/")
            except urllib.error.URLError:
                return ""

        return until(look, "the server answers")

    def __enter__(self) -> Start:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


def wait_until_ready(server: Server) -> None:
    """Wait until all games are compiled."""

    def is_ready() -> bool:
        return all(game["ready"] for game in server.get("/api/games"))

    until(is_ready, "all games are compiled", seconds=1200, every=0.2)


def compiling(start: Start, game: str) -> Iterator[None]:
    """Make a table of a game that is not compiled yet, and go on until it is."""
    seats = [{"kind": "screen", "name": "Ann"}, {"kind": "bot", "level": "candle"}]
    asked = urllib.request.Request(
        f"http://localhost:{start.port}/api/tables", json.dumps({"game": game, "seats": seats, "start": True}).encode()
    )
    with ThreadPoolExecutor() as pool:
        made = pool.submit(urllib.request.urlopen, asked, timeout=5 * PATIENCE)
        while not made.done():
            yield
            time.sleep(0.05)
    with made.result() as answer:
        assert answer.status == 201
        start.made = json.load(answer)


@pytest.mark.deep
def test_nothing_compiled_keeps_nobody_from_the_page_and_the_game_asked_for_comes_first(tmp_path: Path) -> None:
    wanted = "fireflies"  # a small one; others come before it
    assert list(registry.games()).index(wanted) > 0
    with Start(tmp_path, XDG_CACHE_HOME=str(tmp_path)) as start:
        assert "<title>Lampion" in start.page()
        assert not any(start.ready().values())
        assert not any(game["bots"] for game in json.loads(start.get("/api/games")))
        pages = [start.page() for _ in compiling(start, wanted)]
        assert pages
        assert all("<title>Lampion" in page for page in pages)
        assert [name for name, is_ready in start.ready().items() if is_ready] == [wanted]
        with Person(cast(Server, start), start.made["table"], *start.made["tokens"].values()) as ann:
            while not has_heard_of_a_bot(ann):
                if ann.view.get("moves"):
                    assert ann.move()["say"] == "done"
                else:
                    ann.until(lambda word: word["say"] == "update")


def has_heard_of_a_bot(person: Person) -> bool:
    """Return whether a bot has moved."""
    changes = [change for word in person.said if word["say"] == "update" for change in word["changes"]]
    return any(change.get("by") == "bot" for change in changes)
