"""Two servers on one PostgreSQL: one games room."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import asyncpg
import msgspec
import pytest
from waiting import until

from benchmarks.server.ground import Players
from benchmarks.server.players import Orders
from lampion.locale import say, speaking
from lampion.server.storage import postgres
from lampion.server.storage.postgres import PostgresStore
from lampion.server.storage.store import Conflict, Heading, Unavailable

from .people import ConnectionClosed, Person, Server
from .postgresql import Postgresql, two_servers
from .test_tables import play_out


@pytest.fixture(scope="module")
def servers(postgresql: Postgresql, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two that share it, and make no fault in all that is done to them."""
    errors = tmp_path_factory.mktemp("servers") / "errors"
    os.environ["LAMPION_ADMIN"] = "office"
    with two_servers(postgresql.new("lampion"), errors) as two:
        del os.environ["LAMPION_ADMIN"]
        yield two


def is_answer(id: int, word: dict[str, Any]) -> bool:
    """Return whether a message answers the wish of that number."""
    return word.get("id") == id


def is_healthy(server: Server) -> bool:
    """Return whether a server says that it is well."""
    return server.request("/healthz")[0] == 200


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


def hears_all_since(person: Person, begun: int) -> bool:
    """Whether both seats' moves of a step have come at once, none of them held back."""
    updates = [word for word in person.said if word["say"] == "update" and word["since"] == begun]
    return any(
        {0, 1} <= {change["seat"] for change in word["changes"] if change["kind"] == "moved" and not change.get("held")}
        for word in updates
    )


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
            heard = [person.until(partial(is_answer, id)) for person in (one, other)]
            assert sorted(answer["say"] for answer in heard) == ["done", "no"]
            told = next(answer for answer in heard if answer["say"] == "no")
            won = next(answer for answer in heard if answer["say"] == "done")
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


def test_a_table_that_is_removed_by_one_server_is_gone_from_the_other(servers: tuple[Server, Server]) -> None:
    here, there = servers
    made = here.make("lumens", ("Ann",), "candle", start=True)
    admin = {"Authorization": "Bearer office"}
    path = f"/api/admin/tables/{made['table']}"
    with (
        Person(here, made["table"], made["tokens"]["0"]) as ann,
        Person(there, made["table"], made["tokens"]["0"], language="fr") as too,
    ):
        assert here.request(f"{path}/close", b"", **admin)[0] == 200
        for person in (ann, too):
            person.until(lambda word: word["say"] == "update" and word["table"]["status"] == "closed")
        assert here.request(path, method="DELETE", **admin)[0] == 204
        for person in (ann, too):
            told = person.until(lambda word: word["say"] == "no")
            assert told["code"] == "no_table"
            with pytest.raises(ConnectionClosed):
                person.hear()
        with speaking("fr"):
            assert told["reason"] == say("server.no_table")
    for server in servers:
        assert server.request(f"/api/tables/{made['table']}")[0] == 404


def test_what_was_removed_while_nobody_listened_is_found_out(
    servers: tuple[Server, Server], postgresql: Postgresql
) -> None:
    server = servers[0]
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    with Person(server, made["table"], *made["tokens"].values()) as ann:
        rows(postgresql, "delete from tables where id = $1", made["table"])
        rows(postgresql, "delete from events where game = $1", made["table"])
        ann.ask("curtain", seat=ann.latest["table"]["pending"][0])
        ann.send({"do": "move", "seat": ann.view["seat"], "seq": ann.seq, "move": ann.view["moves"][0]})
        assert ann.until(lambda word: word["say"] == "no")["code"] == "no_table"
    assert server.request(f"/api/tables/{made['table']}")[0] == 404


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


def test_while_the_database_is_away_that_is_the_reason_given_and_then_all_goes_on(
    servers: tuple[Server, Server], postgresql: Postgresql
) -> None:
    here, there = servers
    made = here.make("lumens", ("Ann",), ("Bob",), start=True)
    unread = there.make("lumens", ("Ann",), ("Bob",), start=True)["table"]
    with (
        Person(here, made["table"], made["tokens"]["0"]) as ann,
        Person(there, made["table"], made["tokens"]["1"]) as bob,
    ):
        mover = ann if ann.view.get("moves") else bob
        postgresql.stop()
        try:
            refused = mover.move()
            assert (refused["say"], refused["code"]) == ("no", "store_away")
            assert mover.ask("ping")["say"] == "pong"
            assert here.get(f"/api/tables/{made['table']}")["status"] == "playing"
            for path, body in (
                (f"/api/tables/{unread}", None),
                ("/api/tables/look", {"tables": [unread]}),
                ("/api/tables", {"game": "lumens", "seats": [{}, {}]}),
            ):
                status, told = here.request(path, body)
                assert (status, told["code"]) == (503, "store_away"), path
            assert here.request("/healthz") == (503, {"ok": False, "reason": "store_away"})
        finally:
            postgresql.start()
        for server in servers:
            until(partial(is_healthy, server), "the server finds its database again")
        until(lambda: mover.move()["say"] == "done", "a move is stored again")
        seq = mover.seq
        while movers := [person for person in (ann, bob) if hears(person, seq).view.get("moves")]:
            answer = movers[0].move()
            assert answer["say"] == "done"
            seq = answer["seq"]
        assert ann.latest["table"]["status"] == "over"
        for person in (ann, bob):
            seen = [change["seq"] for word in person.said for change in word.get("changes", [])]
            assert seen == list(range(1, seq + 1))
    [count] = rows(postgresql, "select count(*), max(seq) from events where game = $1", made["table"])
    assert tuple(count) == (seq, seq)
    assert here.request(f"/api/tables/{unread}")[0] == 200


class Losing:
    """Transports of which one breaks before it has told the answer; the database comes back, or not."""

    def __init__(self, pool: Any, comes_back: bool) -> None:
        self.pool, self.comes_back, self.is_lost = pool, comes_back, False

    async def fetch(self, query: str, *given: Any) -> Any:
        """Ask."""
        if self.is_lost and not self.comes_back:
            raise ConnectionRefusedError
        answer = await self.pool.fetch(query, *given)
        if not self.is_lost:
            self.is_lost = True
            raise ConnectionResetError
        return answer


@pytest.mark.parametrize("comes_back", [True, False])
def test_what_was_stored_though_nobody_was_told_is_neither_lost_nor_doubled(
    postgresql: Postgresql, monkeypatch: pytest.MonkeyPatch, comes_back: bool
) -> None:
    async def run() -> None:
        store = PostgresStore(postgresql.new(f"answers{comes_back}".lower()))
        await store.open()
        heading = Heading("a", "lumens", 2, "playing", 1, 1, 1)
        await store.append("a", 0, [b"1"], heading, ("cafe", b"{}"))
        pool = store._pool
        store._pool = Losing(pool, comes_back)
        monkeypatch.setattr(postgres, "PATIENCE", 240.0 if comes_back else 0.2)
        if comes_back:
            await store.append("a", 1, [b"2", b"3"], heading)
        else:
            with pytest.raises(Unavailable):
                await store.append("a", 1, [b"2", b"3"], heading)
        store._pool = pool
        assert await store.read("a") == [b"1", b"2", b"3"]
        with pytest.raises(Conflict):
            await store.append("a", 1, [b"2", b"3"], heading)
        await store.close()

    asyncio.run(run())


class Deaf:
    """A connection that breaks in silence: it goes on hearing, and no question is answered."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    async def execute(self, query: str, timeout: float) -> None:
        """Find out that no answer comes in time."""
        raise TimeoutError


def test_a_connection_that_does_not_answer_is_replaced_and_nothing_is_heard_twice(
    postgresql: Postgresql, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    connect = asyncpg.connect

    async def connected(*given: Any, **named: Any) -> Any:
        made.append(await connect(*given, **named))
        return Deaf(made[0]) if len(made) == 1 else made[-1]

    async def run() -> None:
        store = PostgresStore(postgresql.new("deaf"))
        await store.open()
        heard: asyncio.Queue[str] = asyncio.Queue()
        with monkeypatch.context() as patch:
            patch.setattr(asyncpg, "connect", connected)
            patch.setattr(postgres, "PULSE", 0.05)
            await store.listen(heard.put_nowait)
            patch.setattr(postgres, "PULSE", 20.0)
            assert await asyncio.wait_for(heard.get(), 60) == "", "what was said meanwhile is to be read"
        await store.tell(["once"])
        await store.tell(["more"])
        assert [await asyncio.wait_for(heard.get(), 60) for _ in range(2)] == ["once", "more"]
        assert [one.is_closed() for one in made] == [True, False]
        await store.close()
        assert [one.is_closed() for one in made] == [True, True]

    asyncio.run(run())


def wait_until_all_move(postgresql: Postgresql) -> None:
    """Until every table that is played has gone on."""
    query = "select id, seq from tables where status = 'playing' and id = any($1)"
    before = dict(rows(postgresql, "select id, seq from tables where status = 'playing' order by made desc limit 8"))

    def have_moved() -> bool:
        return all(before[id] != seq for id, seq in rows(postgresql, query, list(before)))

    until(have_moved, "every table goes on")


def test_decisions_of_a_simultaneous_step_are_held_back_on_every_server(servers: tuple[Server, Server]) -> None:
    here, there = servers
    made = here.make("dice", ("Ann",), ("Bob",), start=True)
    with (
        Person(here, made["table"], made["tokens"]["0"]) as ann,
        Person(there, made["table"], made["tokens"]["1"]) as bob,
        Person(there, made["table"]) as watcher,
    ):
        mover, other = (ann, bob) if ann.view.get("moves") else (bob, ann)
        answer = mover.move(lambda moves: next(move for move in moves if move["kind"] == "turn"))
        begun = hears(other, answer["seq"]).seq
        before = hears(watcher, begun).view
        assert watcher.latest["table"]["pending"] == [0, 1]
        seq = begun
        while ann.view.get("moves"):
            seq = ann.move()["seq"]
        assert hears(watcher, seq).view == before
        assert hears(bob, seq).view["view"] == before["view"]
        assert {change["held"] for word in watcher.said for change in word.get("changes", []) if word["since"] >= begun}
        while not hears_all_since(watcher, begun):
            seq = bob.move()["seq"]
            hears(watcher, seq)
        people = (ann, bob, watcher)
        seq = max(seq, *(person.seq for person in people))  # what was drawn after the step may come by itself
        for person in people:
            assert hears_all_since(hears(person, seq), begun)
        assert ann.latest["view"]["view"] == bob.latest["view"]["view"] == watcher.latest["view"]["view"]
