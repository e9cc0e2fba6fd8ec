"""Beside boardgame.io: as many matches of two, each as fast as its answers come, on the same machine in turn.

Both play the same tiny game, Places: in turn, each claims one of nine places. Both check the move and send the new
state to both players; the next move of a match follows its answer. Both have scripted players in one other process
that speak the server's messages and read no more than they need. What differs:

- boardgame.io keeps its matches in memory, as it does where nothing else is asked for; in a second row, in files, with
  the storage that comes with it. Ours are in SQLite. Ours alone waits for the disk before a move is acknowledged.
- boardgame.io sends state and log, over socket.io. Ours sends the table, the view of the seat, its legal moves, what
  happened as data and in words, and an acknowledgement of its own to who moved, over plain WebSockets.
- Ours has a second row with Lumens, a real game with hidden tokens and draws.

A last row has no game at all: the same players and messages on the parts that our server stands on (`bare`). No server
made of these parts can be faster.

boardgame.io is installed from npm when it is asked for, into the user's cache folder, and runs for production.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from benchmarks.peers import PeerMissing, cache_folder
from benchmarks.server.ground import Bare, Players, Server, missing, percentile
from benchmarks.server.players import Orders, Report
from benchmarks.server.processes import processor_time

VERSION = "0.50.2"
FILES = "node-persist@3.1.3"
"""What its storage of files needs."""
PROGRAMS = Path(__file__).parent / "boardgameio"
TINY = Path(__file__).parent / "tiny"
"""A package with the tiny game, as Lampion finds games."""
GAMES = ("places", "lumens")
WARM = 1.0
"""Seconds before those that are measured."""


@dataclass(frozen=True)
class Speed:
    """Of one server."""

    server: str
    matches: int
    moves_per_second: float
    median_ms: float
    p99_ms: float
    server_us_per_move: float
    players_us_per_move: float
    """Processor time of the server and of its players: where the latter fill a core, they were the limit."""
    missing: int = 0
    ratio: float = 1.0
    """Moves a second beside boardgame.io's in memory."""


def install() -> Path:
    """The folder where boardgame.io lies."""
    npm = shutil.which("npm")
    if npm is None:
        raise PeerMissing("npm is not here: install Node.js")
    folder = cache_folder() / f"boardgame.io-{VERSION}"
    if not (folder / "node_modules" / "node-persist").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        packages = [f"boardgame.io@{VERSION}", FILES]
        command = [npm, "install", *packages, "--no-audit", "--no-fund", "--loglevel", "error"]
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
    processor: float
    """Seconds of processor time, the second before the measured ones included."""


def theirs(folder: Path, matches: int, seconds: float, files: Path | None = None) -> Speed:
    """One run of boardgame.io, in memory or with its matches in a folder of files."""
    port = str(free_port())
    words = [port, *([str(files)] if files else [])]
    env = {**os.environ, "NODE_PATH": str(folder / "node_modules"), "NODE_ENV": "production"}
    server = subprocess.Popen(["node", PROGRAMS / "server.cjs", *words], env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if line.startswith("open"):
                break
        command = ["node", PROGRAMS / "players.cjs", port, str(matches), str(seconds)]
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as players:
            assert players.stdout is not None
            try:
                players.stdout.readline()
                before = processor_time(server.pid)
                told = msgspec.json.decode(players.stdout.readline(), type=Theirs)
                spent = processor_time(server.pid) - before
            finally:
                players.kill()
    finally:
        server.kill()
        server.wait()
    return speed("boardgame.io, files" if files else "boardgame.io", matches, told, spent)


def ours(game: str, matches: int, seconds: float) -> Speed:
    """One run of ours."""
    with tempfile.TemporaryDirectory(prefix="lampion-") as folder:
        db = Path(folder) / "lampion.db"
        server = Server(db, path=TINY)
        try:
            server.wait_for_all()
            found, report = played(f"lampion, {game}", server, game, matches, seconds)
        finally:
            server.stop()
        return replace(found, missing=len(missing(db, report.acknowledged)))


def sockets(matches: int, seconds: float) -> Speed:
    """One run of what ours stands on, without a game."""
    server = Bare()
    try:
        return played("sockets alone", server, "none", matches, seconds)[0]
    finally:
        server.stop()


def played(name: str, server: Server, game: str, matches: int, seconds: float) -> tuple[Speed, Report]:
    """So many matches on a server that speaks as ours does."""
    players = Players(Orders(ports=[server.port], game=game, tables=matches, seconds=seconds, warm=WARM))
    try:
        players.wait_until_seated()
        before = server.cpu()
        report = players.report()
        return speed(name, matches, report, server.cpu() - before), report
    finally:
        players.stop()


def speed(name: str, matches: int, told: Theirs | Report, spent: float) -> Speed:
    """The figures of a run; the second before the measured ones is in the processor times and is taken out again."""
    share = 1e6 / max(1, told.moves) * told.seconds / (told.seconds + WARM)
    return Speed(
        server=name,
        matches=matches,
        moves_per_second=told.moves / told.seconds,
        median_ms=1000 * percentile(told.latencies, 0.5),
        p99_ms=1000 * percentile(told.latencies, 0.99),
        server_us_per_move=share * spent,
        players_us_per_move=share * told.processor,
    )


def compare(games: Sequence[str], matches: int, seconds: float, rounds: int) -> list[Speed]:
    """All in turn, so many times; of boardgame.io in memory the middle run, of the others the middle ratio."""
    folder = install()
    turns: list[list[Speed]] = []
    for _ in range(rounds):
        peer = theirs(folder, matches, seconds)
        with tempfile.TemporaryDirectory(prefix="boardgame.io-") as files:
            others = [theirs(folder, matches, seconds, Path(files)), *(ours(game, matches, seconds) for game in games)]
            others.append(sockets(matches, seconds))
        turns.append([peer, *(replace(one, ratio=one.moves_per_second / peer.moves_per_second) for one in others)])
    return [
        sorted(runs, key=lambda run: (run.ratio, run.moves_per_second))[(rounds - 1) // 2]
        for runs in zip(*turns, strict=True)
    ]
