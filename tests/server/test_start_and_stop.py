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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lampion.games import registry

from .people import PATIENCE, ConnectionClosed, Person, Server

BAR = 3.0
"""Seconds from the command to the page, with games that were compiled before."""


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_a_server_that_goes_says_goodbye_to_all_and_takes_up_where_it_was(
    tmp_path: Path, sent: int, status: int
) -> None:
    server = Server(tmp_path / "lampion.db")
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
    assert server.process.wait(15) == status
    server.start(server.port)
    with Person(server, made["table"], made["tokens"]["0"], since=seq) as again:
        assert again.latest["changes"] == []
        assert again.seq == seq
    server.stop()


def waited(process: int) -> float:
    """Seconds in which a process could not go on because others had the processors; 0 where that is not counted."""
    file = Path(f"/proc/{process}/schedstat")
    return int(file.read_text().split()[1]) / 1e9 if file.exists() else 0.0


class Start:
    """A server being started, and how long it takes, less what it and we wait for processors."""

    def __init__(self, folder: Path, **settings: str) -> None:
        command = [sys.executable, "-m", "lampion", "--lang", "en", "serve", "--port", "0"]
        self.waited = waited(os.getpid())
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [*command, "--db", str(folder / "lampion.db")],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **settings},
        )
        assert self.process.stdout is not None
        found = re.search(r"http://localhost:(\d+)/$", self.process.stdout.readline().strip())
        assert found
        self.port = int(found[1])

    def seconds(self) -> float:
        """Since the command."""
        return time.monotonic() - self.began - waited(self.process.pid) - waited(os.getpid()) + self.waited

    def get(self, path: str) -> str:
        """What a GET answers."""
        with urllib.request.urlopen(f"http://localhost:{self.port}{path}", timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def ready(self) -> dict[str, bool]:
        """Which games are compiled."""
        return {game["game"]: game["ready"] for game in json.loads(self.get("/api/games"))}

    def page(self) -> str:
        """The page, as soon as somebody answers."""
        while True:
            try:
                return self.get("/")
            except urllib.error.URLError:
                assert time.monotonic() - self.began < PATIENCE
                time.sleep(0.01)

    def __enter__(self) -> Start:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(15)
        assert self.process.stdout is not None
        self.process.stdout.close()


def test_the_page_is_there_within_three_seconds_when_games_were_compiled_before(tmp_path: Path, server: Server) -> None:
    wait_until_ready(server)
    took = []
    for _ in range(3):
        with Start(tmp_path) as start:
            assert "<title>Lampion" in start.page()
            took.append(start.seconds())
    print("seconds until the page:", *(f"{one:.2f}" for one in took))
    assert min(took) < BAR


def wait_until_ready(server: Server) -> None:
    """Until all games are compiled."""
    deadline = time.monotonic() + 600
    while not all(game["ready"] for game in server.get("/api/games")):
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_nothing_compiled_keeps_nobody_from_the_page_and_the_game_asked_for_comes_first(tmp_path: Path) -> None:
    wanted = "fireflies"  # a small one; others come before it
    assert list(registry.games()).index(wanted) > 0
    with Start(tmp_path, XDG_CACHE_HOME=str(tmp_path)) as start:
        assert "<title>Lampion" in start.page()
        assert start.seconds() < BAR
        assert not any(start.ready().values())
        seats = [{"kind": "screen", "name": "Ann"}, {"kind": "bot", "level": "candle"}]
        asked = urllib.request.Request(
            f"http://localhost:{start.port}/api/tables", json.dumps({"game": wanted, "seats": seats}).encode()
        )
        with ThreadPoolExecutor() as pool:
            made = pool.submit(urllib.request.urlopen, asked, timeout=5 * PATIENCE)
            slowest = 0.0
            while not made.done():
                before = start.seconds()
                assert "<title>Lampion" in start.page()
                slowest = max(slowest, start.seconds() - before)
                time.sleep(0.05)
        with made.result() as answer:
            assert answer.status == 201
        print(f"{wanted} compiled after {start.seconds():.1f} seconds; slowest page meanwhile: {slowest:.2f}")
        assert slowest < 1
        assert [name for name, is_ready in start.ready().items() if is_ready] == [wanted]
