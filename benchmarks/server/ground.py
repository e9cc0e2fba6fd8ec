"""A server in a process of its own, crowds of scripted players, and a look into the database afterwards."""

from __future__ import annotations

import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.server.players import Acknowledged, Orders, Report
from benchmarks.server.processes import memory, processor_time

ROOT = Path(__file__).resolve().parents[2]


def raise_descriptor_limit() -> int:
    """Let this process and those it starts open as many files as the system allows; return how many."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


class Server:
    """`lampion serve` on a free port, killed and started again at will; `path` is a folder with one more game.

    Its log goes to a file, else to standard error. `descriptors` is the most files that it may open.
    """

    def __init__(
        self,
        db: Path | str,
        *words: str,
        port: int = 0,
        path: Path | None = None,
        log: Path | None = None,
        descriptors: int | None = None,
    ) -> None:
        self.db, self.words, self.port = db, words, port
        self.log, self.descriptors = log, descriptors
        known = [str(path) if path else None, os.environ.get("PYTHONPATH")]
        self.env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, known))}
        self.start()

    def command(self) -> list[str]:
        """What starts it."""
        words = ["--lang", "en", "serve", "--port", str(self.port), "--db", str(self.db), *self.words]
        return [sys.executable, "-m", "lampion", *words]

    def start(self) -> None:
        """Start; after a kill, on the same port."""
        errors = None if self.log is None else self.log.open("a")
        self.process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=errors, text=True, env=self.env)
        if errors is not None:
            errors.close()
        if self.descriptors is not None:
            resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))
        assert self.process.stdout is not None
        try:
            line = self.process.stdout.readline()
            found = re.search(r"http://localhost:(\d+)/", line)
            if not found:
                raise RuntimeError(f"the server did not start: {line!r}")
        except BaseException:
            self.stop()
            raise
        self.port = int(found[1])

    def get(self, path: str) -> Any:
        """What a GET answers, as JSON."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
            return msgspec.json.decode(answer.read())

    def wait_for(self, *games: str, seconds: float = 180) -> None:
        """Until these games can be played without waiting."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                ready = {game["game"] for game in self.get("/api/games") if game["ready"]}
                if ready >= set(games):
                    return
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError("the server stopped") from None
            time.sleep(0.05)
        raise RuntimeError(f"not ready: {games}")

    def have_compiled(self, *games: str, seconds: float = 600) -> None:
        """Make a table of each of some games, which has them compiled before all others."""
        for game in games:
            body = msgspec.json.encode({"game": game, "seats": [{}, {}]})
            asked = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/tables", body)
            urllib.request.urlopen(asked, timeout=seconds).close()

    def wait_for_all(self) -> None:
        """Until every game can be."""
        self.wait_for()
        self.wait_for(*(game["game"] for game in self.get("/api/games")))

    def cpu(self) -> float:
        """Seconds of processor time that it has used."""
        return processor_time(self.process.pid)

    def memory(self) -> int:
        """Return the bytes that it and its children have in memory."""
        return memory(self.process.pid)

    def kill(self) -> None:
        """As a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> None:
        """As a person would."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


class Bare(Server):
    """The server that has nothing but sockets."""

    def __init__(self) -> None:
        super().__init__("", path=ROOT)

    def command(self) -> list[str]:
        """What starts it."""
        return [sys.executable, "-m", "benchmarks.server.bare"]


class Players:
    """A crowd in a process of its own."""

    def __init__(self, orders: Orders) -> None:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.server.players"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        assert self.process.stdin is not None
        self.process.stdin.write(msgspec.json.encode(orders) + b"\n")
        self.process.stdin.flush()

    def wait_until_seated(self) -> None:
        """Until all sit."""
        assert self.process.stdout is not None
        if self.process.stdout.readline() != b"ready\n":
            raise RuntimeError("the players did not sit down")

    def report(self) -> Report:
        """What they saw."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        told = (
            self.process.stdout.read()
        )  # not `communicate`, which passes over what was read ahead with the first line
        if self.process.wait():
            raise RuntimeError(f"the players failed ({self.process.returncode})")
        return msgspec.json.decode(told, type=Report)

    def stop(self) -> None:
        """Where something went wrong."""
        self.process.kill()
        self.process.wait()


def missing(db: Path, acknowledged: Iterable[Acknowledged]) -> list[Acknowledged]:
    """The acknowledged moves that are not in the database as they were made."""
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        return [one for one in acknowledged if not holds(connection, one)]


def holds(connection: sqlite3.Connection, one: Acknowledged) -> bool:
    """Whether a move is stored under its number."""
    query = "select body from events where game = ? and seq = ?"
    found = connection.execute(query, (one.table, one.seq)).fetchone()
    event = msgspec.json.decode(found[0]) if found else {}
    return (event.get("seat"), event.get("move")) == (one.seat, msgspec.json.decode(one.move))


def numbers(db: Path) -> dict[str, int]:
    """Of each table at which somebody has moved and that is not over, the number of its last event.

    A server that is killed may have stored a new table without saying so to anybody: nobody will ever move there.
    """
    query = "select id, seq from tables where status = 'playing' and changed > made"
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        return dict(connection.execute(query).fetchall())


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which that part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")
