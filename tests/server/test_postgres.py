"""Two servers on one PostgreSQL: one games room."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import asyncpg
import msgspec
import pytest

from benchmarks.server.ground import Players
from benchmarks.server.players import Orders

from .people import Person, Server
from .postgresql import Postgresql
from .test_tables import play_out


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Postgresql]:
    """One for the file."""
    one = Postgresql()
    yield one
    one.remove()


@pytest.fixture(scope="module")
def servers(postgresql: Postgresql) -> Iterator[tuple[Server, Server]]:
    """Two that share it."""
    url = postgresql.new("lampion")
    two = Server(url), Server(url)
    yield two
    for one in two:
        one.stop()


def rows(postgresql: Postgresql, query: str, *given: Any) -> list[Any]:
    """What the database answers."""

    async def run() -> list[Any]:
        connection = await asyncpg.connect(postgresql.url("lampion"))
        try:
            return list(await connection.fetch(query, *given))
        finally:
            await connection.close()

    return asyncio.run(run())


def hears(person: Person, seq: int) -> Person:
    """Once they were told of a number."""
    if person.seq < seq:
        person.until(lambda word: word["say"] == "update" and word["seq"] >= seq)
    return person


def test_a_player_on_each_server_play_a_whole_game(servers: tuple[Server, Server]) -> None:
    here, there = servers
    made = here.make("lumens", ("Ann",), ("Bob",), start=True)
    with (
        Person(here, made["table"], made["tokens"]["0"]) as ann,
        Person(there, made["table"], made["tokens"]["1"]) as bob,
    ):
        seq = 0
        while movers := [person for person in (ann, bob) if hears(person, seq).view.get("moves")]:
            answer = movers[0].move(lambda moves: moves[len(moves) // 2])
            assert answer["say"] == "done"
            seq = answer["seq"]
        assert ann.latest["table"]["status"] == "over"
        assert ann.latest["table"]["result"] == bob.latest["table"]["result"]
    with Person(there, made["table"], made["tokens"]["0"], since=ann.seq - 3) as again:
        assert [change["seq"] for change in again.latest["changes"]] == [ann.seq - 2, ann.seq - 1, ann.seq]


def test_of_two_who_answer_the_same_number_one_wins_and_the_other_is_told(servers: tuple[Server, Server]) -> None:
    here, there = servers
    made = here.make("lumens", ("Ann",), ("Bob",), start=True)
    with (
        Person(here, made["table"], *made["tokens"].values()) as one,
        Person(there, made["table"], *made["tokens"].values()) as other,
    ):
        for _ in range(8):
            seat = one.latest["table"]["pending"][0]
            one.ask("curtain", seat=seat)
            other.ask("curtain", seat=seat)
            assert one.seq == other.seq
            for person in (one, other):
                move = {"do": "move", "id": 1000 + one.seq, "seat": seat, "seq": one.seq}
                person.send({**move, "move": one.view["moves"][0]})
            id = 1000 + one.seq
            answers = [person.until(lambda word, id=id: word.get("id") == id) for person in (one, other)]
            assert sorted(answer["say"] for answer in answers) == ["done", "no"]
            told = next(answer for answer in answers if answer["say"] == "no")
            won = next(answer for answer in answers if answer["say"] == "done")
            assert (told["code"], told["seq"]) == ("stale", won["seq"])
            for person in (one, other):
                hears(person, won["seq"])


def test_a_bot_watched_from_two_servers_moves_once(servers: tuple[Server, Server]) -> None:
    here, there = servers
    made = here.make("lumens", ("Ann",), "candle", start=True)
    with (
        Person(here, made["table"], made["tokens"]["0"]) as ann,
        Person(there, made["table"]) as watcher,
    ):
        play_out(ann)
        hears(watcher, ann.seq)
        seen = [change["seq"] for word in watcher.said for change in word.get("changes", [])]
        assert seen == sorted(set(seen))
        assert watcher.seq == ann.seq


def test_a_database_that_is_away_for_a_moment_loses_nothing(
    servers: tuple[Server, Server], postgresql: Postgresql
) -> None:
    ports = [server.port for server in servers]
    players = Players(Orders(ports=ports, game="lumens", tables=8, seconds=None))
    try:
        players.wait_until_seated()
        for _ in range(2):
            wait_until_all_move(postgresql)
            postgresql.stop()
            postgresql.start()
        wait_until_all_move(postgresql)
        report = players.report()
    finally:
        players.stop()
    assert len(report.acknowledged) > 8
    assert report.faults == []
    for one in report.acknowledged:
        found = rows(postgresql, "select body from events where game = $1 and seq = $2", one.table, one.seq)
        event = msgspec.json.decode(found[0][0])
        assert (event["seat"], event["move"]) == (one.seat, msgspec.json.decode(one.move))


def wait_until_all_move(postgresql: Postgresql, seconds: float = 100) -> None:
    """Until every table that is played has gone on."""
    query = "select id, seq from tables where status = 'playing' and id = any($1)"
    before = dict(rows(postgresql, "select id, seq from tables where status = 'playing' order by made desc limit 8"))
    deadline = time.monotonic() + seconds
    while any(before[id] == seq for id, seq in rows(postgresql, query, list(before))):
        assert time.monotonic() < deadline
        time.sleep(0.05)
