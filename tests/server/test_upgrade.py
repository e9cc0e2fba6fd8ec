"""After an upgrade: every stored game is replayed, and one that the rules no longer allow is kept to be looked at.

To add records of a new version of a game's rules: `python tests/write_records.py`.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commands import lampion
from write_records import FOLDER, file_of, ours

from lampion.games import registry
from lampion.play import Record
from lampion.play.record import BadRecord
from lampion.server.protocol import stored_events as stored
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.tables.hub import Hub
from lampion.server.tables.record_import import events_of_record, store_finished
from lampion.server.tables.summaries import TableSummaries
from lampion.server.tables.table import rebuild

from .people import Person, Server
from .test_tables import play_out

RECORDS = sorted(FOLDER.glob("*.json"))


def test_there_are_records_of_every_version_of_the_rules_of_every_game() -> None:
    wanted = {file_of(g.name, rules, kind).name for g in ours() for rules in range(1, g.version + 1)
              for kind in ("seeded", "sealed")}  # fmt: skip
    assert wanted <= {file.name for file in RECORDS}


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_a_record_of_any_version_replays_or_says_which_move_it_cannot(file: Path) -> None:
    record = Record.load(file)
    assert file == file_of(record.game, record.rules, "sealed" if record.chance.commits else record.chance.kind)
    if record.rules == registry.game(record.game).version:
        assert record.check().outcome() == record.result is not None
        assert rebuild("x", events_of_record(record, 0, "")).record().to_json() == record.to_json()
        return
    with suppress(BadRecord):
        record.check()


def test_the_command_checks_them_too() -> None:
    done = lampion("check", str(file_of("lumens", 1, "sealed")))
    assert (done.returncode, "is good" in done.stdout) == (0, True)
    done = lampion("check", str(file_of("lumens", 1, "promised")))  # it replays, but its epochs are not accounted for
    assert (done.returncode, "is good" in done.stdout, "Not proven" in done.stdout) == (1, True, True)


def test_a_glance_that_was_kept_notices_what_is_new_and_what_is_gone(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "x.db")
        await store.open()
        summaries = TableSummaries(Hub(store))
        id = await store_finished(store, events_of_record(Record.load(RECORDS[0]), 1, ""))
        first = await summaries.look(id)
        assert (first.status, await summaries.look(id)) == ("over", first)
        [heading] = await store.headings()
        await store.append(id, first.seq, [stored.encode(stored.Greeted(1, seat=0, emoji="👏"))], heading)
        assert (await summaries.look(id)).seq == first.seq + 1
        await store.delete(id)
        assert (await summaries.look(id)).status == "gone"
        await store.close()

    asyncio.run(run())


def doctor(db: Path, table: str, change: Any) -> None:
    """Alter one stored event, as an upgrade alters what it means."""
    with sqlite3.connect(db) as connection:
        rows = connection.execute("select seq, body from events where game = ? order by seq", (table,)).fetchall()
        for seq, body in rows:
            event = json.loads(body)
            if change(event):
                connection.execute(
                    "update events set body = ? where game = ? and seq = ?", (json.dumps(event).encode(), table, seq)
                )
                break
        else:
            raise AssertionError("nothing to alter")
    connection.close()


def other_result(event: dict[str, Any]) -> bool:
    if event["type"] == "ended":
        event["result"]["scores"][0] += 1
    return event["type"] == "ended"


def illegal_move(event: dict[str, Any]) -> bool:
    if event["type"] == "moved" and event["move"]["kind"] == "face":
        event["move"]["face"] = 99
        return True
    return False


def unknown_event(event: dict[str, Any]) -> bool:
    if event["type"] == "started":
        event["type"] = "sung"
        return True
    return False


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A database with a good game, one whose result differs, one with an illegal move, one that is unreadable."""
    db = tmp_path_factory.mktemp("upgrade") / "lampion.db"
    server = Server(db)
    tables: dict[str, Any] = {}
    for name in ("good", "result", "move", "unread"):
        made = tables[name] = server.make("lumens", ("Ann",), "spark", start=True)
        with Person(server, made["table"], made["tokens"]["0"]) as ann:
            if name == "result":
                play_out(ann)
            else:
                while not ann.view.get("moves"):
                    ann.hear()
                assert ann.move()["say"] == "done"
                while not ann.view.get("moves"):
                    ann.hear()
    server.stop()
    doctor(db, tables["result"]["table"], other_result)
    doctor(db, tables["move"]["table"], illegal_move)
    doctor(db, tables["unread"]["table"], unknown_event)
    told = lampion("serve", "--check", "--db", str(db))
    server.start()
    yield server, tables, told
    server.stop()


def test_the_check_tells_before_the_upgrade_which_tables_could_only_be_looked_at(upgraded: Any) -> None:
    _, tables, told = upgraded
    assert told.returncode == 1
    lines = {line.partition(":")[0]: line for line in told.stdout.splitlines()}
    assert tables["good"]["table"] not in lines
    assert "ends otherwise" in lines[tables["result"]["table"]]
    assert "Move" in lines[tables["move"]["table"]]
    assert "cannot be read" in lines[tables["unread"]["table"]]
    assert "4 tables looked at, 3 of them" in told.stdout


def test_a_table_that_still_replays_is_played_on(upgraded: Any) -> None:
    server, tables, _ = upgraded
    with Person(server, tables["good"]["table"], tables["good"]["tokens"]["0"]) as ann:
        assert "broken" not in ann.latest["table"]
        assert ann.move()["say"] == "done"


@pytest.mark.parametrize(("name", "reason"), [("result", "ends otherwise"), ("move", "cannot be made")])
def test_one_that_does_not_is_shown_up_to_there_and_says_why_in_ones_language(
    upgraded: Any, name: str, reason: str
) -> None:
    server, tables, _ = upgraded
    made = tables[name]
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert reason in ann.latest["table"]["broken"]
        assert ann.latest["table"]["pending"] == []
        assert ann.view["view"]
        assert "moves" not in ann.view
        refused = ann.ask("move", seat=0, seq=ann.seq, move={"kind": "place", "x": 0, "y": 0, "face": "A"})
        assert (refused["code"], reason in refused["reason"]) == ("broken", True)
        ann.ask("speak", language="fr")
        assert reason not in ann.latest["table"]["broken"]
    [told] = server.request("/api/tables/look", {"tables": [made["table"]]})[1]
    assert reason in told["broken"]


def test_one_that_cannot_be_read_is_refused_with_the_reason(upgraded: Any) -> None:
    server, tables, _ = upgraded
    table = tables["unread"]["table"]
    status, answer = server.request(f"/api/tables/{table}")
    assert (status, answer["code"]) == (400, "event")
    with Person(server, table, hello=False) as ann:
        assert ann.hear()["code"] == "event"
    assert server.get("/healthz")["ok"]
    assert server.request("/api/tables/look", {"tables": [table]})[1][0]["broken"]
