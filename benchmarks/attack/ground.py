"""A server, people who play at it, one attack at a time, and the bars."""

from __future__ import annotations

import asyncio
import math
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.attack import connections, costs, files, inputs, tables
from benchmarks.attack.target import ATTACKS, Seen, Target
from benchmarks.attack.victims import Suffered
from benchmarks.server.ground import ROOT, Server, percentile, raise_descriptor_limit
from benchmarks.server.players import Orders
from benchmarks.server.processes import memory, sum_of

__all__ = ["ATTACKS", "BARS", "Ground", "Result", "connections", "costs", "files", "inputs", "tables"]

GAMES = ("lumens", "dice", "lanternes", "iles")
"""What is played at the tables of attackers and of people."""
ADMIN = "an admin's token that nobody guesses"
GUARD = 2_500_000_000
"""Bytes of memory at which the benchmark itself ends the server, so that the machine survives."""
TRACEBACK = re.compile(r"Traceback \(most recent call last\):\n(?:[ ].*\n|\n)*(.*)")
EVERY = 0.5
"""Seconds between the moves at a table of people."""
QUIET = 5.0
"""Seconds that people play before an attack begins."""
LIMIT = 240.0
"""Seconds after which an attack is given up."""


class Result(msgspec.Struct, kw_only=True):
    """What an attack did to the server and to the people at it."""

    name: str
    seconds: float
    moves: int
    quiet_p99_ms: float
    """The 99th percentile before the attack: what the machine itself costs."""
    median_ms: float
    p99_ms: float
    worst_ms: float
    missed: int
    memory_mb: float
    answers: bool
    stop_s: float | None
    """Seconds from SIGTERM to its end, while the attacker's connections are still open."""
    tracebacks: int
    broken: list[str]
    """What else was not as it should be."""
    figures: dict[str, Any]

    def missed_bars(self) -> list[str]:
        """Return the names of the bars that do not hold."""
        return [name for name, holds in BARS.items() if not holds(self)] + self.broken


BARS = {
    "p99 < 100 ms": lambda one: one.p99_ms < 100,
    "no move missed": lambda one: one.missed == 0,
    "memory < 600 MB": lambda one: one.memory_mb < 600,
    "it answers": lambda one: one.answers,
    "it stops in 10 s": lambda one: one.stop_s is None or one.stop_s < 10,
    "no traceback": lambda one: one.tracebacks == 0,
}


class Watch:
    """Notes the most memory that a server and its children have had; ends a server that takes far too much."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.most = 0
        self._done = threading.Event()
        self.reset()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def reset(self) -> None:
        """Begin anew."""
        self.most = 0
        with suppress(OSError):
            Path(f"/proc/{self.server.process.pid}/clear_refs").write_text("5")  # its highest mark is what it has now

    def peak(self) -> int:
        """Return the most bytes since the last reset."""
        with suppress(OSError, ValueError):
            self.most = max(self.most, sum_of(self.server.process.pid, "status", ("VmHWM:",)))
        return self.most

    def _look(self) -> None:
        while not self._done.wait(0.1):
            with suppress(OSError, ValueError):
                found = memory(self.server.process.pid)
                self.most = max(self.most, found)
                if found > GUARD:
                    self.server.process.kill()

    def end(self) -> None:
        """Look no more."""
        self._done.set()
        self._thread.join()


class Victims:
    """The people who play, in a process of their own."""

    def __init__(self, orders: Orders) -> None:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.attack.victims"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        self.say(msgspec.json.encode(orders))
        if self.hear() != b"ready\n":
            raise RuntimeError("the players did not sit down")

    def say(self, line: bytes) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> bytes:
        """Return the next line."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def suffered(self) -> Suffered:
        """Return what they saw since they were last asked."""
        self.say(b"")
        return msgspec.json.decode(self.hear(), type=Suffered)

    def stop(self) -> None:
        """Send them away."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


class Ground:
    """A server and the people at it; attacks are run one after another, each from addresses of its own.

    With `settle`, the people sit down once all games that are installed are compiled, also those that nobody plays.
    With `by_work`, what they wait is measured in the processor time of the server, which is the same beside other work.
    """

    def __init__(
        self,
        folder: Path,
        descriptors: int | None = None,
        *,
        tables: int = 6,
        settle: bool = True,
        by_work: bool = False,
    ) -> None:
        raise_descriptor_limit()
        os.environ["LAMPION_ADMIN"] = ADMIN
        self.log = folder / "server.log"
        self.server = Server(folder / "lampion.db", log=self.log, descriptors=descriptors)
        self.victims: Victims | None = None
        try:
            self.server.wait_for()
            self.server.have_compiled(*GAMES)
            if settle:
                self.server.wait_for_all()
            pid = self.server.process.pid if by_work else None
            orders = Orders(
                ports=[self.server.port], tables=tables, every=EVERY, seconds=None, network="127.3", pid=pid
            )
            self.victims = Victims(orders)
            self.watch = Watch(self.server)
        except BaseException:
            self.close()
            raise
        self._read = 0
        self.exceptions: dict[str, int] = {}

    def run(self, name: str, short: bool = False) -> Result:
        """Attack in a process of its own, which keeps its connections until the server was told to stop."""
        assert self.victims is not None
        time.sleep(1 if short else QUIET)
        quiet = self.begin()
        began = time.perf_counter()
        attacker = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.attack.attacker", name, str(self.server.port),
             str(self.server.process.pid), ADMIN, *(["--short"] if short else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip
        giving_up = threading.Timer(LIMIT, attacker.kill)
        giving_up.start()
        try:
            assert attacker.stdout is not None
            told = attacker.stdout.readline()
            seen = msgspec.json.decode(told, type=Seen) if told else Seen(broken=["the attacker failed"])
            result = self.result(name, seen, time.perf_counter() - began, quiet)
            result.stop_s = self.stop()
            result.tracebacks += self.tracebacks()
            if self.exceptions:
                result.figures["exceptions_at_the_end"] = self.exceptions
        finally:
            giving_up.cancel()
            attacker.kill()
            attacker.wait()
        return result

    def run_here(self, name: str) -> Result:
        """Attack from this process, in the short form, once people have moved; the server goes on."""
        giving_up = time.monotonic() + LIMIT
        while math.isnan(quiet := self.begin()) and time.monotonic() < giving_up:
            time.sleep(0.1)
        began = time.perf_counter()
        target = Target(self.server.port, network(name), short=True, pid=self.server.process.pid, admin=ADMIN)
        try:
            asyncio.run(attack_and_leave(name, target))
        except Exception as error:
            target.seen.broken.append(f"the attack failed: {type(error).__name__}: {error}")
        self.answers()  # by then the server has seen that they are gone
        return self.result(name, target.seen, time.perf_counter() - began, quiet)

    def begin(self) -> float:
        """Forget what was measured before; return the 99th percentile of the moves until now, in seconds."""
        assert self.victims is not None
        before = self.victims.suffered()
        self.tracebacks()
        self.watch.reset()
        return percentile(before.latencies, 0.99)

    def result(self, name: str, seen: Seen, seconds: float, quiet: float) -> Result:
        """Return what was measured since the beginning."""
        assert self.victims is not None
        suffered = self.victims.suffered()
        seen.broken += suffered.faults
        if suffered.lost_lines:
            seen.broken.append(f"{suffered.lost_lines} lines of people were cut")
        if suffered.refused:
            seen.broken.append(f"people were refused: {suffered.refused}")
        return Result(
            name=name,
            seconds=seconds,
            moves=len(suffered.latencies),
            quiet_p99_ms=1000 * quiet,
            median_ms=1000 * percentile(suffered.latencies, 0.5),
            p99_ms=1000 * percentile(suffered.latencies, 0.99),
            worst_ms=1000 * percentile(suffered.latencies, 1.0),
            missed=suffered.missed,
            memory_mb=self.watch.peak() / 1e6,
            answers=self.answers(),
            stop_s=None,
            tracebacks=self.tracebacks(),
            broken=seen.broken,
            figures=seen.figures | ({"exceptions": self.exceptions} if self.exceptions else {}),
        )

    def answers(self) -> bool:
        """Return whether the server lives and says so, to an address that nobody has used."""
        target = Target(self.server.port, "127.4")

        async def ask() -> bool:
            for _ in range(5):
                answer = await target.request("/healthz", timeout=5)
                if answer.status == 200:
                    return True
                await asyncio.sleep(0.5)
            return False

        return self.server.process.poll() is None and asyncio.run(ask())

    def tracebacks(self) -> int:
        """Return how many new tracebacks are in the server's log; `exceptions` counts them by their last lines."""
        text = self.log.read_text(errors="replace")
        found = TRACEBACK.findall(text[self._read :])
        self._read = len(text)
        self.exceptions = dict(Counter(one[:120] for one in found).most_common(3))
        return len(found)

    def stop(self) -> float:
        """Tell the server to stop; return how many seconds that took."""
        self.watch.end()
        began = time.perf_counter()
        self.server.stop()
        return time.perf_counter() - began

    def close(self) -> None:
        """End all that was started."""
        if self.victims is not None:
            self.victims.stop()
        self.server.stop()


async def attack_and_leave(name: str, target: Target) -> None:
    """Attack, and close what is still open then."""
    try:
        await ATTACKS[name].run(target)
    finally:
        target.leave()


def network(name: str) -> str:
    """Return the first two numbers of the addresses of an attack."""
    return f"127.{20 + sorted(ATTACKS).index(name)}"
