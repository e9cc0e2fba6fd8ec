"""The server killed with -9 at random moments while many play: no acknowledged move is lost, every table plays on."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.server.ground import Players, Server, missing, numbers
from benchmarks.server.players import Orders

PATIENCE = 120.0


@dataclass(frozen=True)
class Survived:
    """What was left."""

    kills: int
    acknowledged: int
    missing: int
    stuck: int
    """Tables that did not go on after the last start."""
    broken: int
    """Lines that the kills cut."""
    games: int
    faults: list[str]


def wait_until_all_move(db: Path, least: int = 1) -> int:
    """Until every table that is played now has so many events more, or is over; how many have not, in the end."""
    before = numbers(db)
    deadline = time.monotonic() + PATIENCE
    while True:
        now = numbers(db)
        stuck = [table for table, seq in before.items() if table in now and now[table] < seq + least]
        if not stuck or time.monotonic() > deadline:
            return len(stuck)
        time.sleep(0.02)


def wait_until_begun(db: Path, tables: int) -> None:
    """Wait until somebody has moved at that many tables: before, there is nothing that a kill could lose."""
    deadline = time.monotonic() + PATIENCE
    while len(numbers(db)) < tables and time.monotonic() < deadline:
        time.sleep(0.02)


def survive(folder: Path, kills: int, tables: int, game: str = "lumens", seed: int = 1) -> Survived:
    """Kill so often, let it go on, count."""
    chosen = random.Random(seed)
    db = folder / "lampion.db"
    server = Server(db)
    players = None
    try:
        server.wait_for()
        players = Players(Orders(ports=[server.port], game=game, tables=tables, seconds=None, seed=seed))
        players.wait_until_seated()
        stuck = 0
        wait_until_begun(db, tables)
        for _ in range(kills):
            stuck += wait_until_all_move(db)
            time.sleep(chosen.uniform(0, 0.3))
            server.kill()
            server.start()
        stuck += wait_until_all_move(db, 3)
        report = players.report()
    finally:
        if players is not None:
            players.stop()
        server.stop()
    return Survived(
        kills=kills,
        acknowledged=len(report.acknowledged),
        missing=len(missing(db, report.acknowledged)),
        stuck=stuck,
        broken=report.lost_lines,
        games=report.games,
        faults=report.faults,
    )
