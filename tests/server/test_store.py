"""Where events are kept: the same behaviour in a file and in PostgreSQL, and what a file alone must do."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from commands import in_a_process, lampion
from waiting import PATIENCE, until

from lampion.server.database_admin import backup, check
from lampion.server.protocol import http_types
from lampion.server.protocol import messages as wire
from lampion.server.storage import postgres, schema, sqlite
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.storage.store import BadStore, Conflict, Heading, Idle, Store, now
from lampion.server.storage.sweep import DAY
from lampion.server.tables.hub import QUIET, Hub
from lampion.server.tables.ids import new_table_id
from lampion.server.tables.participant import Participant
from lampion.server.tables.wish_handlers import handle

from .people import Person, Server
from .test_sweep import Clock, left, make

COUNTER = itertools.count()
Open = Callable[[], Store]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """A way to open the same new database again and again."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "lampion.db")
    url = request.getfixturevalue("postgresql").new(f"store{next(COUNTER)}")
    return lambda: postgres.PostgresStore(url)


def head(table: str, seq: int, status: str = "playing", changed: int = 5) -> Heading:
    """A heading."""
    return Heading(table, "lumens", 2, status, 1, changed, seq)


def with_store(place: Open, work: Callable[[Store], Coroutine[Any, Any, Any]]) -> Any:
    """Do something with an open store."""

    async def run() -> Any:
        one = place()
        await one.open()
        try:
            return await work(one)
        finally:
            await one.close()

    return asyncio.run(run())


def ask(place: Open, query: str) -> None:
    """Change a database behind the store's back."""
    one = place()
    if isinstance(one, SqliteStore):
        with closing(sqlite3.connect(one.path)) as connection, connection:
            connection.execute(query)
        return

    async def run() -> None:
        connection = await postgres.asyncpg.connect(one.url)  # type: ignore[attr-defined]
        await connection.execute(query)
        await connection.close()

    asyncio.run(run())


def test_what_was_stored_is_read_in_order_from_any_number(place: Open) -> None:
    async def work(one: Store) -> list[list[bytes]]:
        await one.append("a", 0, [b"1", b"2"], head("a", 2))
        await one.append("b", 0, [b"x"], head("b", 1))
        await one.append("a", 2, [b"3"], head("a", 3))
        return [await one.read("a"), await one.read("a", 1), await one.read("a", 3), await one.read("none")]

    assert with_store(place, work) == [[b"1", b"2", b"3"], [b"2", b"3"], [], []]
    assert with_store(place, lambda one: one.read("a")) == [b"1", b"2", b"3"]


def test_of_two_who_store_the_same_number_one_is_told(place: Open) -> None:
    async def work(one: Store) -> Any:
        await one.append("a", 0, [b"1"], head("a", 1))
        tries = (one.append("a", 1, [bytes([i]), b"more"], head("a", 3)) for i in range(8))
        told = await asyncio.gather(*tries, return_exceptions=True)
        return told, await one.read("a")

    told, bodies = with_store(place, work)
    assert sorted(map(repr, told)) == ["Conflict()"] * 7 + ["None"]
    assert bodies == [b"1", bytes([told.index(None)]), b"more"]


def test_a_removed_table_does_not_come_back_in_part(place: Open) -> None:
    async def work(one: Store) -> list[bytes]:
        await one.append("a", 0, [b"1"], head("a", 1))
        assert await one.delete("a")
        assert not await one.delete("a")
        with pytest.raises(Conflict):
            await one.append("a", 1, [b"2"], head("a", 2))
        with pytest.raises(Conflict):
            await one.append("b", 5, [b"6"], head("b", 6))
        return [*await one.read("a"), *await one.read("b")]

    assert with_store(place, work) == []


def test_headings_tell_the_last_changed_first(place: Open) -> None:
    async def work(one: Store) -> Any:
        for i, status in enumerate(["open", "playing", "over"]):
            await one.append(f"t{i}", 0, [b"1"], head(f"t{i}", 1, "open", changed=i))
            await one.append(f"t{i}", 1, [b"2"], head(f"t{i}", 2, status, changed=10 - i))
        return await one.headings(), await one.headings("over"), await one.headings(limit=1)

    every, over, first = with_store(place, work)
    assert [heading.id for heading in every] == ["t0", "t1", "t2"]
    assert over == [head("t2", 2, "over", changed=8)]
    assert first == every[:1]


def test_a_table_is_removed_only_if_nobody_came_since(place: Open) -> None:
    async def work(one: Store) -> list[bool]:
        moment = now()
        await one.append("old", 0, [b"1"], head("old", 1, changed=moment - 1000))
        await one.append("used", 0, [b"1"], head("used", 1, changed=moment - 1000))
        await one.touch(["used", "none"])
        return [await one.delete(table, Idle(moment, 0)) for table in ("old", "used")]

    assert with_store(place, work) == [True, False]


def test_a_newer_database_is_refused_and_left_alone(place: Open) -> None:
    with_store(place, lambda one: one.append("a", 0, [b"1"], head("a", 1)))
    ask(place, "update meta set value = '99' where name = 'schema'")
    with pytest.raises(BadStore) as told:
        with_store(place, lambda one: one.read("a"))
    assert told.value.key == "store.too_new"
    ask(place, f"update meta set value = '{schema.SCHEMA}' where name = 'schema'")
    assert with_store(place, lambda one: one.read("a")) == [b"1"]


def test_an_older_database_is_brought_up_once(place: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    with_store(place, lambda one: one.append("a", 0, [b"1"], head("a", 1)))
    steps = (("create table more (id text)", "insert into more values ('x')"), ("create table most (id text)",))
    monkeypatch.setattr(schema, "STEPS", schema.STEPS + steps)
    newest = schema.SCHEMA + 2
    for module in (schema, sqlite, postgres):
        monkeypatch.setattr(module, "SCHEMA", newest)
    for _ in range(2):  # a step that ran twice would fail
        assert with_store(place, lambda one: one.read("a")) == [b"1"]
    ask(place, "delete from more where id = 'x'")
    monkeypatch.undo()
    with pytest.raises(BadStore) as told:
        with_store(place, lambda one: one.read("a"))
    assert told.value.values["version"] == str(newest)


def test_a_step_that_fails_leaves_the_database_as_it_was(place: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    with_store(place, lambda one: one.append("a", 0, [b"1"], head("a", 1)))
    broken = ("create table more (id text)", "insert into nowhere values (1)")
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, broken))
    for module in (schema, sqlite, postgres):
        monkeypatch.setattr(module, "SCHEMA", schema.SCHEMA + 1)
    for _ in range(2):
        with pytest.raises(BadStore) as told:
            with_store(place, lambda one: one.read("a"))
        assert "nowhere" in str(told.value)
    monkeypatch.undo()
    assert with_store(place, lambda one: one.read("a")) == [b"1"]


def test_somebody_elses_database_is_refused(place: Open) -> None:
    ask(place, "create table events (song text)")
    with pytest.raises(BadStore) as told:
        with_store(place, lambda one: one.read("a"))
    assert told.value.key == "store.foreign"


def test_what_is_in_use_on_any_server_stays_and_servers_count_a_day_once(
    place: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)

    async def run() -> None:
        hubs = [Hub(place(), keep_days=10) for _ in range(2)]
        stores = [hub.store for hub in hubs]
        for one in stores:
            await one.open()
        for table in ("left", "used"):
            await make(stores[0], clock, table)
        hubs[1].live_tables["used"] = None  # type: ignore[assignment]
        for _ in range(11):
            assert await left(stores[0]) == {"left", "used"}
            clock.passes(DAY)
            for hub in hubs:
                await hub.remove_abandoned()
        assert await stores[0].count_day(clock.wall) == 11
        assert await left(stores[0]) == {"used"}
        for hub in hubs:
            hub.bot_pool.close()
            await hub.store.close()

    asyncio.run(run())


# Editions


def test_an_edition_is_stored_once_and_goes_with_its_last_table(place: Open) -> None:
    box = ("cafe", b'{"tiles":36}')

    async def work(one: Store) -> None:
        for table in "abc":
            await one.append(table, 0, [b"1"], head(table, 1), box)
        await one.append("d", 0, [b"1"], head("d", 1), ("beef", b"{}"))
        for table in "ab":
            assert await one.delete(table)
        await one.delete_unused_editions()
        assert await one.edition("cafe") == box[1]
        assert await one.edition("none") is None
        await one.delete("c")
        await one.delete_unused_editions()
        assert (await one.edition("cafe"), await one.edition("beef")) == (None, b"{}")
        await one.append("e", 0, [b"1"], head("e", 1), box)
        assert await one.edition("cafe") == box[1]

    with_store(place, work)


def test_a_table_that_was_not_stored_leaves_neither_its_events_nor_its_edition(place: Open) -> None:
    async def work(one: Store) -> list[bytes]:
        await one.append("a", 0, [b"1"], head("a", 1), ("cafe", b"{}"))
        with pytest.raises(Conflict):
            await one.append("a", 0, [b"2", b"3"], head("a", 2), ("beef", b"{}"))
        assert (await one.edition("cafe"), await one.edition("beef")) == (b"{}", None)
        return await one.read("a")

    assert with_store(place, work) == [b"1"]


def test_writing_is_tried_without_leaving_more_each_time(place: Open) -> None:
    async def work(one: Store) -> list[Heading]:
        for _ in range(3):
            await one.probe()
        return await one.headings()

    assert with_store(place, work) == []


# A file and a server


def test_a_second_server_of_a_file_is_refused_and_all_else_works_beside_the_first(tmp_path: Path) -> None:
    db = tmp_path / "lampion.db"
    first = Server(db)
    try:
        made = first.make("lumens", ("Ann",), ("Bob",), start=True)
        refused = in_a_process("serve", "--port", "0", "--db", str(db))
        assert (refused.returncode, "Another server" in refused.stderr) == (2, True)
        assert "Traceback" not in refused.stderr
        assert "1 table looked at; 0" in lampion("serve", "--check", "--db", str(db)).stdout
        assert lampion("records", "list", "--db", str(db)).returncode == 0
        copied = tmp_path / "copy.db"
        assert lampion("backup", str(copied), "--db", str(db)).returncode == 0
        assert asyncio.run(check(str(copied))).tables == 1
        first.kill()
        first.start()  # nothing is left of the lock of who was killed
        with Person(first, made["table"], made["tokens"]["0"]) as ann:
            assert ann.view["seat"] == 0
    finally:
        first.stop()


def test_a_backup_of_a_file_in_use_is_whole(tmp_path: Path) -> None:
    """Batches of two rows are written all the time; a copy holds both of a batch or none."""
    db = tmp_path / "lampion.db"
    writer = os.fork()
    if writer == 0:
        try:

            async def write(one: Store) -> None:
                for i in itertools.count():
                    await one.append("a", 2 * i, [b"x" * 500, b"y"], head("a", 2 * i + 2))

            with_store(lambda: SqliteStore(db), write)
        finally:
            os._exit(1)
    try:
        copies = 0
        until(db.exists, "the database is made")
        deadline = time.monotonic() + PATIENCE
        while copies < 5:
            assert time.monotonic() < deadline
            copy = tmp_path / f"copy{copies}.db"
            try:
                backup(str(db), copy)
                with closing(sqlite3.connect(copy)) as connection:
                    rows, seq = connection.execute(
                        "select (select count(*) from events), (select max(seq) from tables)"
                    ).fetchone()
            except (BadStore, sqlite3.Error):
                continue  # not made yet
            if seq is None:
                continue
            assert rows == seq
            assert rows % 2 == 0
            copies += 1
    finally:
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)


def test_a_table_without_sockets_leaves_memory_and_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        hub = Hub(SqliteStore(tmp_path / "lampion.db"))
        await hub.open()
        seats = [http_types.SeatPlan("screen", "Ann"), http_types.SeatPlan("screen", "Bob")]
        made = await hub.make(http_types.NewTable(game="lumens", seats=seats, start=True))
        live = await hub.find(made.table)
        assert live is not None
        words: list[bytes] = []
        participant = Participant(words.append, lambda: None)
        await handle(live, participant, wire.Hello(version=wire.VERSION, tokens=[made.tokens[0]]))
        later = time.monotonic() + QUIET + 1
        monkeypatch.setattr("lampion.server.tables.hub.time.monotonic", lambda: later)
        hub.let_quiet_go()
        assert hub.live_tables[made.table] is live  # somebody is here
        monkeypatch.undo()
        live.leave(participant)
        hub.let_quiet_go()
        assert hub.live_tables[made.table] is live  # they may come back
        monkeypatch.setattr("lampion.server.tables.hub.time.monotonic", lambda: later + QUIET)
        hub.let_quiet_go()
        assert not hub.live_tables
        monkeypatch.undo()
        again = await hub.find(made.table)
        assert again is not None
        assert again is not live
        assert again.table.position == live.table.position
        await hub.close()

    asyncio.run(run())


def test_no_table_is_called_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-v", "--help", "m-"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: next(drawn))
    assert new_table_id() == "m-"


def test_an_analysis_is_kept_with_its_table_and_goes_with_it(place: Open) -> None:
    async def work(store: Store) -> None:
        await store.keep_analysis("gone", b"nothing")
        assert await store.analysis("gone") is None, "there is no such table"
        await store.append("a", 0, [b"{}"], head("a", 1))
        assert await store.analysis("a") is None
        await store.keep_analysis("a", b"first")
        await store.keep_analysis("a", b"second")
        assert await store.analysis("a") == b"second"
        assert await store.delete("a")
        assert await store.analysis("a") is None

    with_store(place, work)


def test_a_tree_of_variations_is_kept_until_nobody_looks_at_it(place: Open) -> None:
    async def work(store: Store) -> None:
        assert await store.board("a") is None
        await store.keep_board("a", b"tree")
        await store.keep_board("b", b"other")
        assert await store.delete_idle_boards(Idle(0, 0), 1 << 20) == 0
        await store.count_day(now())
        await store.touch_board("b")
        assert await store.delete_idle_boards(Idle(now() + 1000, 0), 1 << 20) == 1
        assert [await store.board("a"), await store.board("b")] == [None, b"other"]

    with_store(place, work)


def test_of_too_many_trees_those_go_that_nobody_looked_at_for_longest(
    place: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)

    async def work(store: Store) -> None:
        for name in "abc":
            await store.keep_board(name, bytes(100))
            clock.passes(1)
        await store.touch_board("a")
        assert await store.delete_idle_boards(Idle(0, 0), 250) == 1
        assert [await store.board(name) is None for name in "abc"] == [False, True, False]

    with_store(place, work)
