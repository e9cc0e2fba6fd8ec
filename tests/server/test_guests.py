"""What one guest does takes nothing from the others: not the table, not the bots, not the server's memory."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

import pytest

from lampion.games.editions import standard
from lampion.games.registry import game
from lampion.server.http import connection as websocket_connection
from lampion.server.http.connection import Connection, Outboxes
from lampion.server.protocol import messages as wire
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Refused
from lampion.server.tables import wish_handlers
from lampion.server.tables.bot_pool import MOST_REMEMBERING, BotPool, SeatedBot
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.participant import Participant
from lampion.server.tables.rate_limits import AddressLimiter
from lampion.server.tables.seat import hashed
from lampion.server.tables.side_work import ByteCache, SideWork
from lampion.server.tables.table import Table
from lampion.server.tables.table_state import MOST_PASSING

from .people import Person, Server


def a_table() -> Table:
    """A game of two people that has begun."""
    table = Table("table")
    lumens = game("lumens")
    table.fold(
        stored.Made(0, version=1, game="lumens", rules=lumens.version, players=2, options={"first": 0},
                    components=dict(standard("lumens").data), secret="00" * 32, host="")
    )  # fmt: skip
    for seat, name in enumerate(("Ann", "Bob")):
        table.fold(stored.Sat(0, seat=seat, name=name, token=""))
    for event in table.decide_start(0):
        table.fold(event)
    return table


def a_live_table(table: Table) -> LiveTable:
    messages = {True: AddressLimiter(100, 400), False: AddressLimiter(50, 200)}
    return LiveTable(SimpleNamespace(bot_pool=None, analyses=None, changes=ByteCache(), messages=messages), table)


def test_bots_rest_while_nobody_is_connected(server: Server) -> None:
    alone = server.make("lumens", "spark", "spark", start=True)["table"]
    watched = server.make("lumens", "spark", "spark", start=True)["table"]
    begun = server.get(f"/api/tables/{alone}")["ply"]
    with Person(server, watched) as person:
        while person.latest["table"]["status"] != "over":
            person.hear()
    assert server.get(f"/api/tables/{alone}")["ply"] == begun
    with Person(server, alone) as person:
        while person.latest["table"]["status"] != "over":
            person.hear()


def test_a_guest_who_repeats_himself_is_slowed_down_and_the_game_goes_on(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), options={"first": 0}, start=True)
    with Person(server, made["table"], made["tokens"]["1"]) as bob:
        answers = [bob.ask("handover", seat=1) for _ in range(80)]
        assert answers[0]["say"] == "code"
        assert answers[-1]["code"] == "too_fast"
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert ann.move()["say"] == "done"


def test_however_much_happened_a_history_is_sent_without_what_only_its_moment_needed() -> None:
    table = a_table()
    short = len(a_live_table(table).update(0, 0, "en"))
    for number in range(14_000):
        table.fold(stored.CodeMade(number, seat=1, code="00"))
        table.fold(stored.Greeted(number, seat=1, emoji="👋"))
    table.fold(stored.Paused(20_000, seat=1))
    update = json.loads(a_live_table(table).update(0, 0, "en"))
    assert len(json.dumps(update)) < short + 200 * MOST_PASSING
    assert update["seq"] == table.seq
    assert update["changes"][-1]["what"] == "paused"
    assert [change["seq"] for change in update["changes"] if change["kind"] == "moved"] == [
        entry.seq for entry in table.entries if isinstance(entry.event, stored.Moved)
    ]


def test_a_seat_that_has_filled_the_history_can_still_move_and_others_can_do_all() -> None:
    table = a_table()
    for _ in range(wish_handlers.MOST_CHANGES):
        table.fold(stored.Greeted(0, seat=1, emoji="👋"))
    one = a_live_table(table)
    guest = Participant(lambda word: None, lambda: None)
    with pytest.raises(Refused):
        wish_handlers.check_rate(one, guest, wire.Handover(seat=1))
    wish_handlers.check_rate(one, guest, wire.Move(seat=1, seq=0, move={}))
    wish_handlers.check_rate(one, guest, wire.Handover(seat=0))


class Reader:
    """A socket that reads when it is told to."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.read: list[str] = []

    async def send_text(self, word: str) -> None:
        await self.reads.wait()
        self.read.append(word)

    async def close(self) -> None:
        pass


def test_the_first_update_is_never_too_large_and_a_slow_reader_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_connection, "OUTBOX", 1000)

    async def run() -> None:
        outboxes = Outboxes()
        reader = Reader()
        connection = Connection(reader, outboxes)  # type: ignore[arg-type]
        connection.put(b"welcome")
        connection.put(b"x" * 50_000)
        connection.put(b"presence")
        reader.reads.set()
        await asyncio.sleep(0)
        connection.end()
        await connection.writer
        assert [len(word) for word in reader.read] == [7, 50_000, 8]
        slow = Connection(Reader(), outboxes)  # type: ignore[arg-type]
        for _ in range(300):
            slow.put(b"x" * 10)
        assert slow.ended
        assert (slow.size, outboxes.size) == (0, 0)

    asyncio.run(run())


def test_what_is_put_after_a_socket_broke_is_not_counted() -> None:
    class Broken(Reader):
        async def send_text(self, word: str) -> None:
            raise RuntimeError

    async def run() -> None:
        outboxes = Outboxes()
        connection = Connection(Broken(), outboxes)  # type: ignore[arg-type]
        connection.put(b"x" * 100)
        await connection.writer
        connection.put(b"x" * 100)
        assert (outboxes.size, outboxes.connections) == (0, set())
        outboxes.size = outboxes.most + 1
        outboxes.shrink()

    asyncio.run(run())


def test_a_refused_hello_leaves_no_seat_behind() -> None:
    table = a_table()
    table.seats[1].token = hashed("t" * 32)
    one = a_live_table(table)
    one.hub.histories = AddressLimiter(0.0001, 0.5)
    guest = Participant(lambda word: None, lambda: None)
    with pytest.raises(Refused):
        asyncio.run(one.greet(guest, wire.Hello(version=wire.VERSION, tokens=["t" * 32])))
    assert (guest.seats, guest.is_host, guest.greeted, one.participants) == ([], False, False, set())


def test_nobody_can_use_up_what_a_seat_may_do_before_the_game_nor_keep_the_host_from_sending_somebody_away() -> None:
    table = a_table()
    table.has_begun = False
    table.fold(stored.CodeMade(0, seat=1, code="00"))
    table.has_begun = True
    table.fold(stored.CodeMade(0, seat=1, code="00", by_host=True))
    assert table.changes == {}
    table.changes[1] = wish_handlers.MOST_CHANGES
    one, host = a_live_table(table), Participant(lambda word: None, lambda: None)
    for wish in (wire.Kick(seat=1), wire.Replace(seat=1, level="spark"), wire.Answer(seat=1, agrees=True)):
        wish_handlers.check_rate(one, host, wish)


def test_the_history_before_a_game_is_bounded_and_the_game_can_begin() -> None:
    table = a_table()
    table.has_begun = False
    while table.seq < wish_handlers.MOST_BEFORE:
        table.fold(stored.Freed(0, seat=1))
    one, guest = a_live_table(table), Participant(lambda word: None, lambda: None)
    with pytest.raises(Refused):
        wish_handlers.check_rate(one, guest, wire.Sit(seat=1, name="Eve"))
    wish_handlers.check_rate(one, guest, wire.Start())
    wish_handlers.check_rate(one, guest, wire.Kick(seat=1))


def test_moves_go_on_though_others_of_the_household_say_too_much() -> None:
    one = a_live_table(a_table())
    guest = Participant(lambda word: None, lambda: None)
    guest.greeted = True

    def say_too_much() -> None:
        for _ in range(1000):
            wish_handlers.check_rate(one, guest, wire.Ping())

    with pytest.raises(Refused):
        say_too_much()
    wish_handlers.check_rate(one, guest, wire.Move(seat=0, seq=0, move={}))


def test_only_some_bots_remember_their_search() -> None:
    bot_pool = BotPool(1)
    bots = [SeatedBot("sun", number) for number in range(MOST_REMEMBERING + 3)]
    for bot in bots:
        bot._bot = object()  # type: ignore[assignment]
        bot_pool.remember(bot)
    assert [bot._bot is None for bot in bots] == [True] * 3 + [False] * MOST_REMEMBERING
    bot_pool.close()


def test_a_table_that_was_closed_before_anybody_came_has_a_record(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "open")
    with Person(server, made["table"], made["host"]) as host:
        assert host.ask("close")["say"] == "done"
    status, record = server.request(f"/api/tables/{made['table']}/record")
    assert (status, [seat["name"] for seat in record["seats"]]) == (200, ["Ann", "2"])
    assert server.request(f"/api/tables/{made['table']}/replay")[0] == 200


def test_what_waits_for_all_sockets_together_is_bounded() -> None:
    async def run() -> None:
        outboxes = Outboxes(most=10_000)
        connections = [Connection(Reader(), outboxes) for _ in range(5)]  # type: ignore[arg-type]
        for connection in connections[1:]:
            connection.put(b"x" * 1000)
        connections[0].put(b"x" * 8000)
        assert [connection.ended for connection in connections] == [True, False, False, False, False]
        assert outboxes.size == 4000
        for connection in connections:
            connection.cut()

    asyncio.run(run())


def test_equal_answers_are_made_once_and_errors_are_not_kept() -> None:
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        if len(made) == 1:
            raise Refused("server.busy")
        return b"answer"

    async def run() -> None:
        work = SideWork()
        with pytest.raises(Refused):
            await work.made_once("key", "table", make)
        answers = await asyncio.gather(*(work.made_once("key", "table", make) for _ in range(5)))
        assert answers == [b"answer"] * 5
        assert await work.made_once("key", "table", make) == b"answer"
        work.close()

    asyncio.run(run())
    assert len(made) == 2


def test_answers_are_kept_up_to_a_size() -> None:
    kept = ByteCache(10)
    kept.keep("a", b"12345")
    kept.keep("b", b"12345")
    assert kept.get("a") is not None
    kept.keep("c", b"12345")
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (b"12345", None, b"12345")
    kept.keep("a", b"1")
    assert kept.size == 6
