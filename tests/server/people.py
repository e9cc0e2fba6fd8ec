"""A real server in a process of its own, and people at real sockets."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fork_server
from waiting import PATIENCE, until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

SEEDED = Path(__file__).with_name("seeded.py")
POSITIONS = Path(__file__).parents[1] / "fixtures" / "positions"
"""Records of games that are played on: `write_positions.py` says what each of them is."""


class Server:
    """`lampion serve` on a free port, its chance seeded by the running test; `anew`, nothing is imported before.

    `seconds` sets times of the program, by their names in `seeded.py`; another value counts from the next start.
    """

    def __init__(
        self,
        db: Path | str,
        *words: str,
        port: int = 0,
        errors: Path | None = None,
        unlimited: bool = False,
        loads_all: bool = False,
        anew: bool = False,
        **seconds: float,
    ) -> None:
        self.db, self.words, self.errors, self.anew = db, words, errors, anew
        self.replaced = ["--unlimited"] * unlimited + ["--load-all"] * loads_all
        self.seconds = seconds
        self.start(port)

    def start(self, port: int = 0) -> None:
        """Start, or start again after a kill."""
        times = [word for name, seconds in self.seconds.items() for word in ("--seconds", name, str(seconds))]
        words = [
            str(SEEDED), os.environ.get("LAMPION_RUNNING_TEST", os.devnull),
            *self.replaced, *times, "--lang", "en", "serve", "--port", str(port), "--db", str(self.db), *self.words,
        ]  # fmt: skip
        self.process = fork_server.start(words, errors=self.errors, anew=self.anew)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)(\S*?)/$", line.strip())
        assert found, line
        self.port, self.base = int(found[1]), found[2]
        self.address = f"http://localhost:{self.port}{self.base}/"
        self.wait()

    def wait(self) -> None:
        """Until it answers."""
        until(self.answers, "the server answers")

    def answers(self) -> bool:
        """Return whether it answers by now; it must not have ended."""
        try:
            assert self.get("/healthz")["ok"]
        except OSError:
            assert self.process.poll() is None
            return False
        return True

    def kill(self) -> None:
        """As a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """As a person would; it must go by itself."""
        try:
            if self.process.poll() is None:
                self.process.terminate()
                self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            if self.process.stdout is not None:
                self.process.stdout.close()

    def request(self, path: str, body: Any = None, method: str | None = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON (or text) of a request."""
        status, text = self.answer(path, body, method, **headers)
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text

    def answer(self, path: str, body: Any = None, method: str | None = None, **headers: str) -> tuple[int, str]:
        """Status and text of a request; a header's name is written with _ for -."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        asked = urllib.request.Request(
            f"http://localhost:{self.port}{self.base}{path}", data, method=method, headers=named
        )
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, path: str, **headers: str) -> Any:
        """What a GET answers."""
        return self.request(path, **headers)[1]

    def socket(self, table: str, source: str | None = None) -> Any:
        """Open a socket at a table, from a loopback address of one's own if that is given."""
        more: dict[str, Any] = {} if source is None else {"source_address": (source, 0)}
        return connect(
            f"ws://localhost:{self.port}{self.base}/api/tables/{table}/socket",
            max_size=None,
            max_queue=None,  # who does not listen for a while can still say goodbye
            open_timeout=PATIENCE,
            **more,
        )

    def make(self, game: str, *seats: Any, start: bool = False, **more: Any) -> dict[str, Any]:
        """A table. A seat is `open`, the level of a bot, or (NAME,) for somebody at the maker's screen."""
        plans = [
            {} if seat == "open" else {"kind": "screen", "name": seat[0]} if isinstance(seat, tuple)
            else {"kind": "bot", "level": seat}
            for seat in seats
        ]  # fmt: skip
        status, made = self.request("/api/tables", {"game": game, "seats": plans, "start": start, **more})
        assert status == 201, made
        return dict(made)

    def open(self, position: str, *seats: Any, hints: int = 0) -> dict[str, Any]:
        """A table at a position that is kept, with some hints; its seats are those of the record, or as in `make`."""
        record = json.loads((POSITIONS / f"{position}.json").read_text(encoding="utf-8"))
        if seats:
            record["seats"] = [
                {"name": seat[0]} if isinstance(seat, tuple) else {"name": seat.title(), "kind": "bot", "level": seat}
                for seat in seats
            ]
        if hints:
            record["hints"] = {"allowed": hints, "used": [0] * record["players"]}
        status, made = self.request("/api/tables/unfinished", record)
        assert status == 201, made
        return dict(made)


class Person:
    """Somebody at a socket, who keeps all that was said."""

    def __init__(
        self,
        server: Server,
        table: str,
        *tokens: str,
        since: int = 0,
        hello: bool = True,
        language: str = "en",
        source: str | None = None,
    ) -> None:
        """Open a socket, from a loopback address of one's own if that is given: limits are per address."""
        self.server, self.table, self.tokens = server, table, list(tokens)
        self.said: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self.latest: dict[str, Any] = {}
        self.seq = since
        self._id = 0
        self._opened = server.socket(table, source)
        self.socket = self._opened.__enter__()
        if hello:
            self.send({"do": "hello", "version": 2, "tokens": self.tokens, "since": since, "language": language})
            self.until(lambda word: word["say"] == "update")

    def send(self, wish: dict[str, Any] | str) -> None:
        """Say something."""
        self.socket.send(wish if isinstance(wish, str) else json.dumps(wish))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next word."""
        raw = self.socket.recv(timeout=timeout)
        self.raw.append(str(raw))
        word: dict[str, Any] = json.loads(raw)
        self.said.append(word)
        if word["say"] == "update":
            assert word["since"] <= self.seq or not self.latest
            self.seq, self.latest = word["seq"], word
        if word["say"] == "yours":
            self.tokens.append(word["token"])
        return word

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Hear until a word is the one."""
        deadline = time.monotonic() + PATIENCE
        while not wanted(word := self.hear()):
            assert time.monotonic() < deadline, "never heard"
        return word

    def hear_until(self, seq: int) -> None:
        """Hear until all is known up to that number."""
        while self.seq < seq:
            self.hear()

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Wish, and hear the answer."""
        self._id += 1
        own = self._id
        self.send({"do": do, "id": own, **more})
        return self.until(lambda word: word.get("id") == own)

    @property
    def view(self) -> dict[str, Any]:
        """What I see."""
        return dict(self.latest["view"])

    def move(self, choose: Callable[[list[Any]], Any] = lambda moves: moves[0], seat: int | None = None) -> Any:
        """Make one of my moves."""
        move = choose(self.view["moves"])
        return self.ask("move", seat=self.view["seat"] if seat is None else seat, seq=self.seq, move=move)

    def close(self) -> None:
        """Leave."""
        self._opened.__exit__(None, None, None)

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = ["PATIENCE", "ConnectionClosed", "Person", "Server"]
