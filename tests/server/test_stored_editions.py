"""An edition is stored once and held in memory once, however many tables are played with it; old databases are read."""

from __future__ import annotations

import asyncio
import copy
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest
from lanternes_games import finished
from write_records import file_of

from lampion.games import registry
from lampion.games.editions import edition, standard
from lampion.play import Record
from lampion.server.database_admin import check, export_records, import_records, read_table
from lampion.server.protocol import http_types
from lampion.server.protocol import stored_events as stored
from lampion.server.storage import postgres, sqlite
from lampion.server.storage.edition_cache import EditionCache
from lampion.server.storage.postgres import PostgresStore
from lampion.server.storage.schema import SCHEMA
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.storage.store import Damaged
from lampion.server.tables.hub import Hub
from lampion.server.tables.record_import import events_of_record, store_finished

from .postgresql import Postgresql

SEATS = [http_types.SeatPlan("screen", "Ann"), http_types.SeatPlan("screen", "Bob")]
RECORD = file_of("lumens", registry.game("lumens").version, "sealed")
"""Of an edition that an earlier Lampion shipped."""
EARLIER = edition(registry.game("lumens"), Record.load(RECORD).edition.components)


def other_box() -> dict[str, Any]:
    """The components of an edition of Lumens with other tokens."""
    box: dict[str, Any] = copy.deepcopy(dict(standard("lumens").data))
    box["tokens"]["each_colour"] = [[1, 6, 9], [2, 5, 8], [3, 4, 7]]
    return box


def other_table() -> http_types.NewTable:
    """A wish for a table that is played with it."""
    return http_types.NewTable(game="lumens", seats=SEATS, components=msgspec.Raw(msgspec.json.encode(other_box())))


def rows(db: Path, query: str, *given: Any) -> list[Any]:
    """What a database answers."""
    with closing(sqlite3.connect(db)) as connection, connection:
        return connection.execute(query, given).fetchall()


def with_hub(db: Path, work: Callable[[Hub], Awaitable[None]]) -> None:
    """Do something with the tables of a database."""

    async def run() -> None:
        hub = Hub(SqliteStore(db))
        await hub.store.open()
        try:
            await work(hub)
        finally:
            await hub.close()

    asyncio.run(run())


def test_tables_of_one_edition_hold_one_and_the_store_has_it_once(tmp_path: Path) -> None:
    db = tmp_path / "lampion.db"
    tables: list[str] = []

    def editions(hub: Hub) -> set[int]:
        return {id(hub.live_tables[table].table.edition) for table in tables}

    async def make(hub: Hub) -> None:
        for _ in range(5):
            made = await hub.make(other_table())
            tables.append(made.table)
        assert len(editions(hub)) == 1
        await hub.make(http_types.NewTable(game="lumens", seats=SEATS))

    async def again(hub: Hub) -> None:
        for table in tables:
            assert await hub.find(table) is not None
        assert len(editions(hub)) == 1
        assert hub.live_tables[tables[0]].table.edition.data == other_box()

    with_hub(db, make)
    with_hub(db, again)
    assert len(rows(db, "select hash from editions")) == 2, "the one we ship may change with the next version"
    firsts = [json.loads(body) for (body,) in rows(db, "select body from events where seq = 1")]
    assert not any("components" in first for first in firsts)
    assert {first["edition"] for first in firsts} == {hash for (hash,) in rows(db, "select hash from editions")}


def test_a_rematch_is_played_with_the_same_edition(tmp_path: Path) -> None:
    async def work(hub: Hub) -> None:
        made = await hub.make(other_table())
        first = hub.live_tables[made.table].table
        following = await hub.rematch(first)
        assert hub.live_tables[following].table.edition is first.edition

    with_hub(tmp_path / "lampion.db", work)


@pytest.mark.parametrize(
    "change", ["delete from editions", "update editions set body = cast(replace(body, '9', '8') as blob)"]
)
def test_a_table_whose_edition_is_lost_or_altered_is_refused_with_that_reason(tmp_path: Path, change: str) -> None:
    db = tmp_path / "lampion.db"
    tables: list[str] = []

    async def make(hub: Hub) -> None:
        tables.append((await hub.make(other_table())).table)

    async def again(hub: Hub) -> None:
        with pytest.raises(Damaged) as told:
            await hub.find(tables[0])
        assert told.value.code == "no_edition"

    with_hub(db, make)
    rows(db, change)
    assert list(asyncio.run(check(str(db))).broken) == tables
    with_hub(db, again)


def test_a_record_that_is_exported_has_its_components_and_can_be_imported_anywhere(tmp_path: Path) -> None:
    one, other = str(tmp_path / "one.db"), str(tmp_path / "other.db")
    asyncio.run(import_records(one, [RECORD]))
    [file] = asyncio.run(export_records(one, tmp_path / "out")).files
    assert json.loads(file.read_text())["edition"]["components"] == EARLIER.data
    asyncio.run(import_records(other, [file]))
    [again] = asyncio.run(export_records(other, tmp_path / "again")).files
    assert again.read_text() == file.read_text()
    assert json.loads(file.read_text()) == json.loads(RECORD.read_text())


def test_a_record_of_the_edition_of_today_is_exported_as_it_was_imported(tmp_path: Path) -> None:
    source, database = tmp_path / "record.json", str(tmp_path / "room.db")
    source.write_text(Record.of(finished(name="lumens")).to_json())
    asyncio.run(import_records(database, [source]))
    [file] = asyncio.run(export_records(database, tmp_path / "out")).files
    assert file.read_text() == source.read_text()
    assert json.loads(file.read_text())["edition"]["components"] == standard("lumens").data


# Databases of an older Lampion, whose first events have the components in them


def old_events() -> list[bytes]:
    """The events of a finished game as an older Lampion stored them."""
    events = events_of_record(Record.load(RECORD), 5, "host")
    events[0] = msgspec.structs.replace(events[0], edition="", components=dict(EARLIER.data))
    return [stored.encode(event) for event in events]


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Postgresql]:
    """One for the file."""
    one = Postgresql()
    yield one
    one.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of the first version of the schema with one finished game, table `a`."""
    bodies = old_events()
    heading = ("a", "lumens", 2, "over", 5, 5, len(bodies))
    events = [("a", number, body) for number, body in enumerate(bodies, start=1)]
    if request.param == "sqlite":
        with closing(sqlite3.connect(tmp_path / "old.db")) as connection, connection:
            for line in sqlite.MAKE:
                connection.execute(line)
            connection.execute("insert into tables values (?, ?, ?, ?, ?, ?, ?)", heading)
            connection.executemany("insert into events values (?, ?, ?)", events)
        return str(tmp_path / "old.db")
    url = str(request.getfixturevalue("postgresql").new("old"))

    async def run() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(postgres.MAKE)
        await connection.execute("insert into tables values ($1, $2, $3, $4, $5, $6, $7)", *heading)
        await connection.executemany("insert into events values ($1, $2, $3)", events)
        await connection.close()

    asyncio.run(run())
    return url


def test_an_old_database_is_brought_up_its_events_stay_and_its_tables_are_read(old: str) -> None:
    async def run() -> None:
        for _ in range(2):
            store = PostgresStore(old) if old.startswith("postgresql") else SqliteStore(Path(old))
            await store.open()
            assert await store.read("a") == old_events()
            editions = EditionCache(store)
            table = await read_table(editions, "a")
            assert (table.broken, table.edition) == (None, EARLIER)
            assert table.made.components is None, "the edition is held once"
            assert table.record().to_json() == Record.load(RECORD).to_json()
            new = await store_finished(store, events_of_record(Record.load(RECORD), 5, "host"))
            assert (await read_table(editions, new)).record().to_json() == table.record().to_json()
            await store.delete_unused_editions()
            assert await store.edition(EARLIER.hash) is not None
            await store.close()

    asyncio.run(run())
    if not old.startswith("postgresql"):
        assert rows(Path(old), "select value from meta where name = 'schema'") == [(str(SCHEMA),)]
