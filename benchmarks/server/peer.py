"""Beside boardgame.io: as many matches of two, each as fast as its answers come, on the same machine in turn.

boardgame.io plays a tiny game in memory; ours plays a real one, checked by its rules, shown to each seat as it may be
seen, and stored before it is acknowledged. Both have scripted players in one other process that read no more than they
need. It is installed from npm when it is asked for, into the user's cache folder.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from benchmarks.peers import PeerMissing, cache_folder
from benchmarks.server.ground import Players, Server, cpu, missing, percentile
from benchmarks.server.players import Orders

VERSION = "0.50.2"
PROGRAMS = Path(__file__).parent / "boardgameio"


@dataclass(frozen=True)
class Speed:
    """Of one server."""

    server: str
    matches: int
    moves_per_second: float
    median_ms: float
    p99_ms: float
    server_us_per_move: float
    """Processor time of the server."""
    missing: int = 0
    ratio: float = 1.0
    """Moves a second beside boardgame.io's."""


def install() -> Path:
    """The folder where boardgame.io lies."""
    npm = shutil.which("npm")
    if npm is None:
        raise PeerMissing("npm is not here: install Node.js")
    folder = cache_folder() / f"boardgame.io-{VERSION}"
    if not (folder / "node_modules" / "boardgame.io").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        command = [npm, "install", f"boardgame.io@{VERSION}", "--no-audit", "--no-fund", "--loglevel", "error"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise PeerMissing(f"boardgame.io cannot be installed: {done.stderr.strip()[-300:]}")
    return folder


def free_port() -> int:
    """One that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Theirs(msgspec.Struct):
    """What boardgame.io's players print."""

    seconds: float
    moves: int
    latencies: list[float]


def theirs(folder: Path, matches: int, seconds: float) -> Speed:
    """One run of boardgame.io."""
    port = str(free_port())
    env = {**os.environ, "NODE_PATH": str(folder / "node_modules"), "NODE_ENV": "production"}
    server = subprocess.Popen(["node", PROGRAMS / "server.cjs", port], env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if line.startswith("open"):
                break
        command = ["node", PROGRAMS / "players.cjs", port, str(matches), str(seconds)]
        before = cpu(server.pid)
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=seconds + 120, check=True)
        spent = cpu(server.pid) - before
    finally:
        server.kill()
        server.wait()
    told = msgspec.json.decode(done.stdout, type=Theirs)
    return speed("boardgame.io", matches, told.moves, told.seconds, told.latencies, spent)


def ours(game: str, matches: int, seconds: float) -> Speed:
    """One run of ours."""
    with tempfile.TemporaryDirectory(prefix="lampion-") as folder:
        db = Path(folder) / "lampion.db"
        server = Server(db)
        players = None
        try:
            server.wait_for_all()
            players = Players(Orders(ports=[server.port], game=game, tables=matches, seconds=seconds, warm=1.0))
            players.wait_until_seated()
            before = server.cpu()
            report = players.report()
            spent = server.cpu() - before
        finally:
            if players is not None:
                players.stop()
            server.stop()
        found = speed(f"lampion, {game}", matches, report.moves, report.seconds, report.latencies, spent)
        return replace(found, missing=len(missing(db, report.acknowledged)))


def speed(name: str, matches: int, moves: int, seconds: float, latencies: list[float], spent: float) -> Speed:
    """The figures of a run; the second before the measured ones is in the processor time and is taken out again."""
    return Speed(
        server=name,
        matches=matches,
        moves_per_second=moves / seconds,
        median_ms=1000 * percentile(latencies, 0.5),
        p99_ms=1000 * percentile(latencies, 0.99),
        server_us_per_move=1e6 * spent / max(1, moves) * seconds / (seconds + 1),
    )


def compare(game: str, matches: int, seconds: float, rounds: int) -> list[Speed]:
    """Both in turn, so many times: the run of each with the middle ratio."""
    folder = install()
    pairs = []
    for _ in range(rounds):
        their, our = theirs(folder, matches, seconds), ours(game, matches, seconds)
        pairs.append((our.moves_per_second / their.moves_per_second, their, our))
    ratio = statistics.median_low([pair[0] for pair in pairs])
    their, our = next(pair[1:] for pair in pairs if pair[0] == ratio)
    return [their, replace(our, ratio=ratio)]
