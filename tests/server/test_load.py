"""Many at once: nothing is lost, people are answered while bots think, copies made meanwhile are whole."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from tiers import daily
from waiting import until

from benchmarks.server.ground import Players, missing
from benchmarks.server.players import Orders
from lampion.bots import searcher
from lampion.bots.levels import STRONGEST
from lampion.bots.searcher import SearchBot, SearchWorkspace
from lampion.games.core import CHANCE
from lampion.games.registry import game
from lampion.play import Position, Seeded
from lampion.server.database_admin import backup, check
from lampion.server.tables.bot_pool import LEAST_MS, PATIENCE_MS, Job, Lane, SeatedBot

from .people import Server

TABLES = 20


@pytest.mark.parametrize("bots", daily((0, 8), 8))
def test_nothing_is_lost_and_people_are_answered_while_bots_think(tmp_path: Path, bots: int) -> None:
    """How fast is a matter of benchmarks: `python -m benchmarks.server load`. Here it takes as long as it takes until
    two moves are stored at every table, the second of which nobody makes before the first is answered."""
    db = tmp_path / "lampion.db"
    server = Server(db)
    crowds: list[Players] = []
    try:
        if bots:
            against = Orders(ports=[server.port], tables=bots, seats=("open", STRONGEST), seconds=None, network="127.2")
            crowds.append(Players(against))
            crowds[-1].wait_until_seated()
        crowds.append(Players(Orders(ports=[server.port], tables=TABLES, every=1.0, seconds=None)))
        crowds[-1].wait_until_seated()
        until(lambda: tables_with_moves(db, "player", 2) >= TABLES + bots, "people move at every table", every=0.2)
        until(lambda: tables_with_moves(db, "bot", 1) >= bots, "every bot moves", every=0.2)
        reports = [crowd.report() for crowd in crowds]
    finally:
        for crowd in crowds:
            crowd.stop()
        server.stop()
    acknowledged = [one for report in reports for one in report.acknowledged]
    assert len({one.table for one in acknowledged}) >= TABLES + bots
    assert [fault for report in reports for fault in report.faults] == []
    assert missing(db, acknowledged) == []


def tables_with_moves(db: Path, by: str, least: int) -> int:
    """Return the number of tables with at least `least` stored moves by "player" or by "bot"."""
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        found = connection.execute("select game, body from events").fetchall()
    events = [(table, msgspec.json.decode(body)) for table, body in found]
    moves = [(table, one) for table, one in events if one["type"] == "moved" and one["seat"] != CHANCE]
    counts = Counter(table for table, one in moves if one.get("by", "player") == by)
    return sum(count >= least for count in counts.values())


def test_copies_made_under_load_hold_whole_tables(tmp_path: Path) -> None:
    db = tmp_path / "lampion.db"
    server = Server(db)
    players = Players(Orders(ports=[server.port], game="lumens", tables=10, seconds=None))
    try:
        players.wait_until_seated()
        for number in range(3):
            backup(str(db), tmp_path / f"{number}.db")
    finally:
        report = players.report()
        server.stop()
    assert report.acknowledged
    for number in range(3):
        found = asyncio.run(check(str(tmp_path / f"{number}.db")))
        assert found.tables >= 10
        assert not found.broken


def a_position() -> Position:
    """Where somebody has a choice."""
    position = Position("lumens", 2)
    position.push_chances(Seeded(1))
    assert len(position.legal_moves) > 1
    return position


def test_a_bot_stops_at_its_limit_and_otherwise_does_all_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which each simulation takes a millisecond."""
    now = 0.0
    think = SearchWorkspace.think

    def take_time(workspace: SearchWorkspace, simulations: int) -> int:
        nonlocal now
        now += simulations / 1000
        return think(workspace, simulations)

    monkeypatch.setattr(SearchWorkspace, "think", take_time)
    monkeypatch.setattr(searcher, "time", SimpleNamespace(perf_counter=lambda: now))
    position = a_position()
    for level, limit, all_done in (("lighthouse", 60_000, True), ("sun", LEAST_MS, False)):
        sitter = SeatedBot(level, 1)
        sitter.think(position.copy(), position.actor, limit)
        assert isinstance(sitter._bot, SearchBot)
        assert (sitter._bot.simulations == sitter._bot.effort.sims) == all_done


def test_a_bot_says_that_it_thinks_less_only_where_it_does() -> None:
    lumens = game("lumens")
    assert SeatedBot("sun", 1).needs_more(lumens, 2, LEAST_MS)
    assert not SeatedBot("sun", 1).needs_more(lumens, 2, PATIENCE_MS)
    assert not SeatedBot("lighthouse", 1).needs_more(lumens, 2, LEAST_MS)
    assert not SeatedBot("spark", 1).needs_more(lumens, 2, LEAST_MS)


def test_addresses_and_their_tables_take_turns_with_the_bots_and_share_the_time() -> None:
    async def run() -> tuple[list[str], list[int]]:
        lane = Lane(threads=1)
        order: list[str] = []
        limits: list[int] = []
        all_done = asyncio.Event()

        def think(table: str) -> Callable[[int], int]:
            def work(limit: int) -> int:
                order.append(table)
                limits.append(limit)
                return 0

            return work

        async def done(move: int) -> None:
            if len(order) == 7:
                all_done.set()

        for table in ("a", "a", "a", "b", "c", "b", "a"):
            address = "other" if table == "c" else "one"
            lane.put(address, table, Job(think(table), done, lambda error: None, lambda: True, lambda: None))
        await asyncio.wait_for(all_done.wait(), 30)
        lane.close()
        return order, limits

    order, limits = asyncio.run(run())
    assert order.index("c") <= 1, "the other address does not wait for all tables of the first"
    assert order[:4].count("a") <= 2, "one table does not go before another of its address"
    assert limits[order.index("c")] == PATIENCE_MS // 2
    assert limits[0] == PATIENCE_MS, "nobody else waited yet"


def test_a_move_that_nobody_waits_for_any_more_is_not_thought_about() -> None:
    async def run() -> tuple[list[str], list[str]]:
        lane = Lane(threads=1)
        thought: list[str] = []
        dropped: list[str] = []
        all_done = asyncio.Event()
        held = threading.Event()

        def job(table: str, wanted: bool) -> Job:
            def think(limit: int) -> int:
                held.wait(30)
                thought.append(table)
                return 0

            async def done(move: int) -> None:
                if table == "last":
                    all_done.set()

            return Job(think, done, lambda error: None, lambda: wanted, lambda: dropped.append(table))

        for table, wanted in (("first", True), ("left", False), ("last", True)):
            lane.put("one", table, job(table, wanted))
        held.set()
        await asyncio.wait_for(all_done.wait(), 30)
        lane.close()
        return thought, dropped

    assert asyncio.run(run()) == (["first", "last"], ["left"])
