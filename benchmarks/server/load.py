"""Many tables at a steady pace: an open loop of one move a second and table, over real WebSockets, durable."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.server.ground import Players, Server, missing, percentile
from benchmarks.server.players import Orders
from lampion.bots.levels import STRONGEST


@dataclass(frozen=True)
class Loaded:
    """What the people at the tables saw."""

    tables: int
    waiting_for_bots: int
    game: str
    moves: int
    moves_per_second: float
    median_ms: float
    p99_ms: float
    worst_ms: float
    server_cores: float
    """Processor seconds of the server a second."""
    bot_moves: int
    """Of the people who play against bots: each waited for a bot's."""
    bot_median_ms: float
    missing: int
    faults: list[str]


def load(folder: Path, *, tables: int, bots: int, seconds: float, game: str = "lumens", settle: bool = True) -> Loaded:
    """So many tables of two, and so many more where somebody plays against a bot as fast as it answers; once every game
    is compiled, unless that does not matter."""
    db = folder / "lampion.db"
    server = Server(db)
    crowds: list[Players] = []
    try:
        if settle:
            server.wait_for_all()
        else:
            server.wait_for()
        paced = Orders(ports=[server.port], game=game, tables=tables, every=1.0, seconds=seconds, warm=2.0)
        against = Orders(
            ports=[server.port], game=game, tables=bots, seats=("open", STRONGEST), seconds=None, network="127.2"
        )
        if bots:
            crowds.append(Players(against))
            crowds[-1].wait_until_seated()
        crowds.append(Players(paced))
        crowds[-1].wait_until_seated()
        before = server.cpu()
        report = crowds[-1].report()
        spent = server.cpu() - before
        others = crowds[0].report() if bots else None
    finally:
        for crowd in crowds:
            crowd.stop()
        server.stop()
    acknowledged = [*report.acknowledged, *(others.acknowledged if others else [])]
    return Loaded(
        tables=tables,
        waiting_for_bots=bots,
        game=game,
        moves=report.moves,
        moves_per_second=report.moves / report.seconds,
        median_ms=1000 * percentile(report.latencies, 0.5),
        p99_ms=1000 * percentile(report.latencies, 0.99),
        worst_ms=1000 * percentile(report.latencies, 1.0),
        server_cores=spent / (report.seconds + paced.warm),
        bot_moves=others.moves if others else 0,
        bot_median_ms=1000 * percentile(others.latencies, 0.5) if others else 0.0,
        missing=len(missing(db, acknowledged)),
        faults=[*report.faults, *(others.faults if others else [])],
    )
