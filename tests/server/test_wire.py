"""Nothing hidden is on the wire: whole games over real sockets, every byte kept, then judged by who knows all.

The judge replays the stored events. Each update must be, word for word, what this server says at that moment; and what
they say to a viewer must stay the same, byte for byte, in other worlds that the viewer cannot tell from the true one.
"""

from __future__ import annotations

import copy
import json
import random
import sqlite3
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from tiers import daily

from lampion.games import registry
from lampion.games.core import CHANCE, SPECTATOR
from lampion.games.editions import standard
from lampion.games.move_types import event
from lampion.locale import Problem, addressing, say, speaking
from lampion.play import Record, compiled_calls
from lampion.server.protocol import messages as wire
from lampion.server.protocol import stored_events as stored
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.seat import hashed
from lampion.server.tables.side_work import ByteCache
from lampion.server.tables.table import Table
from lampion.server.tables.update_builder import outlook, reader_of

from .people import Person, Server

EVENINGS = {"lanternes": 3, "dice": 3, "lumens": 3, "iles": 2}
ALLOWED = {
    "welcome": {"version", "server", "seats", "host"}, "presence": {"here", "watchers"}, "done": {"id", "seq"},
    "no": {"id", "code", "reason", "seq"}, "thinking": {"seat", "slow", "preparing"}, "code": {"id", "seat", "code"},
    "previews": {"id", "seat", "seq", "outlooks"}, "update": {"since", "seq", "table", "changes", "view"},
}  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that lets people play as fast as they can."""
    one = Server(tmp_path_factory.mktemp("wire") / "lampion.db", unlimited=True)
    yield one
    one.stop()


class Evening:
    """A whole game of two people and perhaps a bot, with a spectator, a shared screen and people who come late."""

    def __init__(self, server: Server, game: str, players: int) -> None:
        self.server, self.dice = server, random.Random(game)
        self.made = server.make(game, ("Ann",), ("Bob",), *["spark"] * (players - 2), start=True)
        self.table, self.tokens = self.made["table"], list(self.made["tokens"].values())
        self.ann, self.bob = (Person(server, self.table, token) for token in self.tokens)
        self.watcher = Person(server, self.table)
        self.screen = Person(server, self.table, *self.tokens)
        self.people = [self.ann, self.bob, self.watcher, self.screen]
        self.late: list[tuple[Person, int]] = []
        self.pages: list[str] = []
        self.codes: list[str] = []
        self.agreed = 0
        self.looked: set[int] = set()
        """The numbers of words at the shared screen that were said to whose curtain was open."""

    def level(self, seq: int) -> None:
        """Everybody has heard that much."""
        for person in self.people:
            while person.seq < seq:
                person.hear()

    def play(self) -> None:
        """To the end."""
        turns = 0
        while self.ann.latest["table"]["status"] == "playing":
            mover = next((person for person in (self.ann, self.bob) if person.view.get("moves")), None)
            if mover is None:
                self.ann.until(lambda word: word["say"] == "update")
                self.level(self.ann.seq)
                continue
            turns += 1
            self.beside(turns, mover)
            if mover.view.get("moves"):
                answer = mover.move(self.dice.choice)
                assert answer["say"] == "done" or answer["code"] == "stale", answer
                self.level(answer["seq"])
        for person in self.people:
            person.close()

    def beside(self, turns: int, mover: Person) -> None:
        """What happens beside the moves."""
        other = self.bob if mover is self.ann else self.ann
        seat = mover.view["seat"]
        if turns % 6 == 0:
            mover.ask(
                "preview", seat=seat, moves=self.dice.sample(mover.view["moves"], min(9, len(mover.view["moves"])))
            )
        if turns % 5 == 1:
            begun = len(self.screen.said)
            self.screen.ask("curtain", seat=seat)
            assert self.screen.view["seat"] == seat
            self.screen.ask("curtain")
            self.looked.update(range(begun, len(self.screen.said)))
        if turns % 20 == 7:
            self.level(mover.ask("greet", seat=seat, emoji="🤔").get("seq", 0))  # refused to who greets too often
        if turns % 20 == 8:
            self.codes.append(other.ask("handover", seat=other.view["seat"])["code"])
            self.level(other.seq)
        if turns % 9 == 4 and self.agreed < 3:
            self.lower_priority(mover, other)
        if turns % 8 == 3:
            self.forge(mover, other)
        if turns % 16 == 10:
            for number, tokens in ((SPECTATOR, []), (seat, [self.tokens[seat]])):
                with Person(self.server, self.table, *tokens) as late:
                    self.late.append((late, number))
            paths = ("", "/record", "/replay/0", f"/replay/{mover.latest['table']['ply']}")
            answers = [self.server.request(f"/api/tables/{self.table}{path}") for path in paths]
            assert [status for status, _ in answers] == [200, 409, 409, 409]
            self.pages += [json.dumps(answer) for _, answer in answers]

    def forge(self, mover: Person, other: Person) -> None:
        """The mover's wishes from those who are not the mover, from who is not to move, and of the past."""
        seat, move = mover.view["seat"], mover.view["moves"][0]
        wishes: list[dict[str, Any]] = [
            {"do": "move", "seq": mover.seq, "move": move}, {"do": "preview", "moves": [move]},
            {"do": "undo", "seq": mover.seq}, {"do": "curtain"}, {"do": "handover"},
        ]  # fmt: skip
        for wish in wishes:
            assert other.ask(**wish, seat=seat)["code"] == "not_yours"
            assert self.watcher.ask(**wish, seat=seat)["code"] == "not_yours"
        while not other.view.get("moves"):
            known = other.seq
            code = other.ask("move", seat=other.view["seat"], seq=known, move=move)["code"]
            if code == "stale":  # a bot has moved meanwhile
                self.level(known + 1)
                continue
            assert code == "out_of_turn"
            assert other.ask("preview", seat=other.view["seat"], moves=[move])["code"] == "out_of_turn"
            break
        assert mover.ask("move", seat=seat, seq=2, move=move)["code"] == "stale"
        self.level(mover.seq)

    def lower_priority(self, mover: Person, other: Person) -> None:
        """The one who has just moved, or else the other, takes a move back, with the other's leave if need be."""
        for one, two in ((mover, other), (other, mover)):
            answer = one.ask("undo", seat=one.view["seat"], seq=one.seq)
            if answer["say"] != "done":
                continue
            self.level(answer["seq"])
            if "undo" in two.latest["table"]:
                answer = two.ask("answer", seat=two.view["seat"], agrees=True)
                assert answer["say"] == "done", answer
                self.agreed += 1
                self.level(answer["seq"])
            return

    def stored(self) -> list[Any]:
        """What the database has of it."""
        with sqlite3.connect(f"file:{self.server.db}?mode=ro", uri=True) as database:
            rows = database.execute("select body from events where game = ? order by seq", (self.table,))
            return [stored.decode(row[0]) for row in rows]

    def told(self) -> Iterator[tuple[str, int | None, dict[str, Any]]]:
        """All that was ever said, as it was sent: to whom (None: to either seat of the shared screen)."""
        for raw, seat, _, word in self.told_to():
            yield raw, seat, word

    def told_to(self) -> Iterator[tuple[str, int | None, frozenset[int], dict[str, Any]]]:
        """The same, with the seats that were held."""
        for person, seat in ((self.ann, 0), (self.bob, 1), (self.watcher, SPECTATOR), *self.late):
            for raw, word in zip(person.raw, person.said, strict=True):
                yield raw, seat, frozenset({seat} - {SPECTATOR}), word
        for number, (raw, word) in enumerate(zip(self.screen.raw, self.screen.said, strict=True)):
            yield raw, None if number in self.looked else SPECTATOR, frozenset({0, 1}), word


@pytest.fixture(scope="module", params=daily(EVENINGS, "dice", "lumens"))
def evening(request: pytest.FixtureRequest, server: Server) -> Evening:
    one = Evening(server, request.param, EVENINGS[request.param])
    one.play()
    return one


def live_table_of(table: Table) -> LiveTable:
    """A live table that shares nothing with another."""
    return LiveTable(SimpleNamespace(bot_pool=None, analyses=None, changes=ByteCache()), table)


def settled(update: dict[str, Any]) -> dict[str, Any]:
    """An update without who happened to be connected."""
    table = {key: value for key, value in update["table"].items() if key != "watchers"}
    table["seats"] = [{key: value for key, value in seat.items() if key != "here"} for seat in table["seats"]]
    return {**update, "table": table}


def test_every_update_is_what_the_stored_events_say_to_that_viewer_and_no_more(evening: Evening) -> None:
    updates: dict[int, dict[tuple[int, frozenset[int], int], list[dict[str, Any]]]] = {}
    previews: dict[int, list[tuple[frozenset[int], dict[str, Any]]]] = {}
    count = 0
    for _, seat, held, word in evening.told_to():
        assert set(word) - {"say"} <= ALLOWED[word["say"]]
        if word["say"] == "update":
            shown = word["view"].get("seat", SPECTATOR)
            assert shown == seat if seat is not None else shown in (SPECTATOR, 0, 1)
            updates.setdefault(word["seq"], {}).setdefault((shown, held, word["since"]), []).append(word)
            count += 1
        if word["say"] == "previews":
            assert word["seat"] == seat
            previews.setdefault(word["seq"], []).append((held, word))
    assert count > 4 * 30
    assert previews
    table = Table(evening.table)
    for seq, one in enumerate(evening.stored(), start=1):
        table.fold(one)
        for (viewer, held, since), words in updates.get(seq, {}).items():
            expected = settled(json.loads(live_table_of(table).update(viewer, since, "en", held)))
            assert all(settled(word) == expected for word in words)
        for held, word in previews.get(seq, []):
            names = addressing(reader_of(held), table.names())
            for told in word["outlooks"]:
                position = table.position_for({word["seat"]})
                found = outlook(position, word["seat"], told["move"], names, with_view=False)
                assert told == json.loads(wire.encode(found))


def test_no_token_code_or_secret_of_another_is_ever_said(evening: Evening) -> None:
    events = evening.stored()
    secret = events[0].secret
    hidden = [evening.made["host"], *map(hashed, [evening.made["host"], *evening.tokens, *evening.codes])]
    for raw, _, word in evening.told():
        assert not any(one in raw for one in [*hidden, *evening.tokens])
        assert all(code not in raw or word["say"] == "code" for code in evening.codes)
        assert secret not in raw or word["table"]["status"] == "over"
    assert sum(word["say"] == "code" for _, _, word in evening.told()) == len(evening.codes) > 0
    assert evening.pages
    for page in evening.pages:
        assert not any(one in page for one in [*hidden, *evening.tokens, *evening.codes, secret])


def test_a_refusal_tells_nothing_but_its_rule(evening: Evening) -> None:
    seats = range(len(evening.ann.latest["table"]["seats"]))
    with speaking("en"):
        sayings = {say(key) for key in ("table.stale", "table.out_of_turn", "undo.nothing", "server.too_fast")}
        sayings |= {*(say("table.not_yours", seat=seat + 1) for seat in seats)}
    refusals = [word for _, _, word in evening.told() if word["say"] == "no"]
    assert len(refusals) > 20
    assert {word["reason"] for word in refusals} <= sayings


def test_a_game_with_steps_back_over_chance_still_keeps_its_promise(evening: Evening) -> None:
    record = Record.from_data(evening.server.get(f"/api/tables/{evening.table}/record"))
    record.check()
    assert evening.agreed
    undone = [one for one in evening.stored() if isinstance(one, stored.Undone)]
    assert any(one.whole for one in undone)


@pytest.mark.parametrize("game", EVENINGS)
def test_who_steps_back_over_a_draw_does_not_meet_it_again(game: str) -> None:
    table = Table("back")
    box = dict(standard(game).data)
    table.fold(stored.Made(0, version=1, game=game, rules=1, players=2, options=options(game), components=box,
                           secret="5e" * 32, host=""))  # fmt: skip
    table.fold(stored.Sat(0, seat=0, name="Ann", token="a", nonce="aa"))
    table.fold(stored.Sat(0, seat=1, name="Bob", token="b", nonce="bb"))
    for one in table.decide_start(0):
        table.fold(one)
    while True:  # up to a move after which something is drawn, from more than one
        ply, seat = table.position.ply, table.position.actor
        made = table.decide_move(0, seat, int(table.position.legal_ids(seat)[0]), 0)
        for one in made:
            table.fold(one)
        if len(made) > 1:
            break
    draws = set()
    for _ in range(12):
        draws.add(json.dumps([one.move for one in made[1:]]))
        table.fold(stored.UndoAsked(0, seat=seat, ply=ply))
        *_, undone = table.decide_answer(0, 1 - seat, True)
        table.fold(undone)
        made = table.decide_move(0, seat, made[0].move, 0)
        for one in made:
            table.fold(one)
    assert table.epoch == 12
    assert len(draws) > 3


def options(game: str) -> dict[str, Any]:
    """The usual options of a game for two."""
    return registry.game(game).read_options(2, None)


# Other worlds


def snapshot(table: Table) -> Table:
    """The same table, from here on independent."""
    other = copy.copy(table)
    other.position = table.position.copy()
    other.seats = [copy.copy(seat) for seat in table.seats]
    other.entries, other.plies = list(table.entries), list(table.plies)
    other.undo_request = copy.deepcopy(table.undo_request)
    return other


def look(table: Table, mover: int, id: int, viewer: int) -> Any:
    """What the viewer sees of a move: its code, and what is told."""
    position = table.position
    code = compiled_calls.seen_at(position._boxes, position._states, position.ply, mover, id, viewer)
    after = position.copy()
    rows = after.push_rows(id, mover)
    return int(code), [event(position.game, position.edition.box, row, viewer) for row in rows]


def other_move(truth: Table, world: Table, one: stored.Moved, viewer: int, anew: bool, dice: random.Random) -> Any:
    """A move for the other world that the viewer cannot tell from the true one; None where there is none."""
    true_id = truth.position.id_of(one.move)
    wanted = look(truth, one.seat, true_id, viewer)
    ids = [int(id) for id in world.position.legal_ids(one.seat)]
    dice.shuffle(ids)
    same = [id for id in ids if world.position.move(id) == truth.position.move(true_id)]
    for id in ids if anew else [*same, *ids]:
        if look(world, one.seat, id, viewer) == wanted:
            return msgspec.structs.replace(one, move=msgspec.to_builtins(world.position.move(id)))
    return None


def other_world(
    kept: dict[int, Table], events: list[Any], last: int, since: int, viewer: int, dice: random.Random
) -> Table | None:
    """The table after `last` events, had what is hidden from the viewer been drawn otherwise from `since` on."""
    world = snapshot(kept[since])
    for number in range(since, last):
        one = events[number]
        if isinstance(one, stored.Moved):
            hidden = not kept[number + 1].entries[number].can_tell(viewer)
            one = other_move(kept[number], world, one, viewer, hidden, dice)
            if one is None:
                return None
        world.fold(one)
    return world


def answers(table: Table, viewer: int, moves: list[Any]) -> list[Any]:
    """What a seat is told when it tries these moves."""
    told: list[Any] = []
    for move in moves:
        try:
            table.must_owe(viewer)
            told.append(wire.encode(outlook(table.position_for({viewer}), viewer, move, table.names(), with_view=True)))
        except Problem as problem:
            told.append(str(problem))
    return told


def test_what_is_said_to_a_viewer_is_the_same_in_every_world_it_thinks_possible(evening: Evening) -> None:
    events = evening.stored()
    dice = random.Random(1)
    kept: dict[int, Table] = {}
    table = Table(evening.table)
    for number, one in enumerate(events):
        table.fold(one)
        kept[number + 1] = snapshot(table)
    moved = [number for number, one in enumerate(events) if isinstance(one, stored.Moved)]
    pool = [events[number].move for number in moved]
    found = 0
    for last in range(moved[0] + 2, len(events)):
        if kept[last].position.actor == CHANCE:
            continue
        for viewer in (SPECTATOR, last % kept[last].made.players):
            hidden = [
                number for number in moved if number < last and not kept[number + 1].entries[number].can_tell(viewer)
            ]
            for since in dice.sample(hidden[-6:], min(3, len(hidden))):
                world = other_world(kept, events, last, since, viewer, dice)
                if world is None or world.position == kept[last].position:
                    continue
                found += 1
                with speaking("en"):
                    here, there = (live_table_of(each).update(viewer, 0, "en") for each in (kept[last], world))
                    assert here == there, f"viewer {viewer} after {last} events"
                    if viewer >= 0:
                        mine = [dict(msgspec.to_builtins(m)) for m in world.position.legal_moves_of(viewer)]
                        tried = [*dice.sample(pool, min(20, len(pool))), *mine[:5], {"kind": "nonsense"}]
                        assert answers(kept[last], viewer, tried) == answers(world, viewer, tried)
                break
    print(kept[1].made.game, len(events), "events,", found, "worlds")
    assert found > 20 if table.game.hidden else found == 0
