"""Tables that nobody wants any more are removed in the end, and a clock that is wrong removes none."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lampion.server.protocol import stored_events as stored
from lampion.server.storage import sqlite, store, sweep
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.storage.store import Heading, Store
from lampion.server.storage.sweep import DAY, LEAST_DAYS, Sweeper

HOUR = 3_600_000
MAY = 1_777_600_000_000


class Clock:
    """What the server takes for the time: the clock on the wall, which can be set, and the time it has run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.running = MAY, 0.0
        for module in (store, sqlite, sweep):
            monkeypatch.setattr(module, "now", lambda: self.wall)
        monkeypatch.setattr("lampion.server.storage.postgres.now", lambda: self.wall)
        monkeypatch.setattr("lampion.server.storage.sweep.monotonic", lambda: self.running)

    def passes(self, milliseconds: int) -> None:
        """Time passes, on the wall as everywhere."""
        self.wall += milliseconds
        self.running += milliseconds / 1000

    async def run(self, sweeper: Sweeper, days: float, *in_use: str) -> int:
        """Let a server run for some days, which sweeps every few hours; return how many tables it removed."""
        gone = 0
        for _ in range(round(days * 4)):
            self.passes(6 * HOUR)
            gone += await sweeper.sweep(in_use)
        return gone


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands until a test moves it."""
    return Clock(monkeypatch)


async def make(one: Store, clock: Clock, table: str, status: str = "playing") -> None:
    """Store a table that begins now."""
    event = stored.encode(stored.Started(clock.wall))
    await one.append(table, 0, [event], Heading(table, "lumens", 2, status, clock.wall, clock.wall, 1))


async def left(one: Store) -> set[str]:
    """The tables that are there."""
    return {heading.id for heading in await one.headings()}


def with_tables(tmp_path: Path, clock: Clock, work: Callable[[Store], Awaitable[Any]]) -> Any:
    """Do something with a store that has a table of every status."""

    async def run() -> Any:
        one = SqliteStore(tmp_path / "lampion.db")
        await one.open()
        for status in ("open", "playing", "closed", "over"):
            await make(one, clock, status, status)
        try:
            return await work(one)
        finally:
            await one.close()

    return asyncio.run(run())


ALL = {"open", "playing", "closed", "over"}


def test_tables_that_nobody_wants_go_after_so_many_days_and_finished_games_stay(tmp_path: Path, clock: Clock) -> None:
    async def work(one: Store) -> None:
        sweeper = Sweeper(one, keep_days=30)
        assert await clock.run(sweeper, 29) == 0
        assert await left(one) == ALL
        assert await clock.run(sweeper, 3) == 3
        assert await left(one) == {"over"}

    with_tables(tmp_path, clock, work)


def test_a_clock_that_is_200_days_ahead_removes_nothing_at_the_start_nor_later(tmp_path: Path, clock: Clock) -> None:
    async def work(one: Store) -> None:
        await clock.run(Sweeper(one, 180), 1)
        clock.wall += 200 * DAY
        wrong = Sweeper(one, 180)
        assert await wrong.sweep([]) == 0
        assert await clock.run(wrong, 170) == 0
        assert await left(one) == ALL

    with_tables(tmp_path, clock, work)


def test_many_starts_with_a_clock_that_jumps_remove_nothing(tmp_path: Path, clock: Clock) -> None:
    async def work(one: Store) -> None:
        for _ in range(6):
            for jump in (200 * DAY, -200 * DAY):
                clock.wall += jump
                assert await clock.run(Sweeper(one, 180), 1) == 0
        assert await left(one) == ALL

    with_tables(tmp_path, clock, work)


def test_a_clock_that_jumps_while_the_server_runs_is_told_once(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(one: Store) -> None:
        sweeper = Sweeper(one, 24)
        for _ in range(25):  # that many days are counted, though by the clock there were fewer
            clock.passes(20 * HOUR)
            assert await sweeper.sweep([]) == 0
        clock.wall += 200 * DAY
        with caplog.at_level(logging.WARNING, "lampion.server"):
            assert await sweeper.sweep([]) == 0
            clock.wall -= 200 * DAY
            assert await sweeper.sweep([]) == 0
        assert [record.getMessage().partition(",")[0] for record in caplog.records] == ["the clock jumped"]
        assert await left(one) == ALL

    with_tables(tmp_path, clock, work)


def test_a_clock_that_is_set_back_removes_nothing_and_is_told(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(one: Store) -> None:
        clock.wall -= 3650 * DAY
        with caplog.at_level(logging.WARNING, "lampion.server"):
            assert await clock.run(Sweeper(one, 20), 60) == 0
        assert len(caplog.records) == 1
        assert await left(one) == ALL
        clock.wall += 3650 * DAY
        assert await clock.run(Sweeper(one, 20), 1) == 3

    with_tables(tmp_path, clock, work)


def test_a_server_that_stood_still_for_years_gives_people_time_to_come_back(tmp_path: Path, clock: Clock) -> None:
    async def work(one: Store) -> None:
        await clock.run(Sweeper(one, 180), 10)
        clock.wall += 1000 * DAY
        again = Sweeper(one, 180)
        assert await clock.run(again, 100) == 0
        await one.touch(["playing"])
        assert await clock.run(again, 100) == 2
        assert await left(one) == {"playing", "over"}

    with_tables(tmp_path, clock, work)


def test_tables_in_use_stay_and_a_short_time_to_keep_them_has_a_least(tmp_path: Path, clock: Clock) -> None:
    async def work(one: Store) -> None:
        sweeper = Sweeper(one, keep_days=1)
        assert await clock.run(sweeper, LEAST_DAYS - 1, "open") == 0
        assert await clock.run(sweeper, 3, "open") == 2
        assert await left(one) == {"open", "over"}

    with_tables(tmp_path, clock, work)


def test_the_newest_event_itself_is_looked_at_and_what_cannot_be_read_stays(tmp_path: Path, clock: Clock) -> None:
    async def work(one: Store) -> None:
        clock.passes(DAY)
        sweeper = Sweeper(one, 10)
        await sweeper.sweep([])
        later = stored.encode(stored.Closed(clock.wall + 15 * DAY))
        old = Heading("playing", "lumens", 2, "playing", clock.wall, clock.wall, 2)
        await one.append("playing", 1, [later], old)
        await one.append("open", 1, [b"no event"], old._replace(id="open", status="open"))
        assert await clock.run(sweeper, 14) == 1
        assert await left(one) == {"playing", "open", "over"}
        assert await clock.run(sweeper, 14) == 1
        assert await left(one) == {"open", "over"}

    with_tables(tmp_path, clock, work)
