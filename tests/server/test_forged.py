"""Forged and stale: who asks for what is not theirs is refused with a reason, and nothing changes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

import pytest

from lampion.games import registry
from lampion.games.editions import standard
from lampion.server.protocol import stored_events
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.seat import hashed
from lampion.server.tables.table import CODE_LIVES, Table

from .people import Person, Server


def stored(server: Server, table: str) -> list[bytes]:
    """The events of a table, as they are in the database."""
    with sqlite3.connect(f"file:{server.db}?mode=ro", uri=True) as database:
        return [row[0] for row in database.execute("select body from events where game = ? order by seq", (table,))]


class Evening:
    """A game of two people and a bot, with its host, and somebody who watches."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.made = server.make("lanternes", ("Ann",), ("Bob",), "spark", options={"first": 0}, start=True)
        self.table = self.made["table"]
        self.ann = Person(server, self.table, self.made["tokens"]["0"])
        self.bob = Person(server, self.table, self.made["tokens"]["1"])
        self.host = Person(server, self.table, self.made["host"])
        self.stranger = Person(server, self.table)

    def stored(self) -> list[bytes]:
        return stored(self.server, self.table)

    def close(self) -> None:
        for person in (self.ann, self.bob, self.host, self.stranger):
            person.close()


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    one = Evening(server)
    yield one
    one.close()


def test_nobody_acts_for_a_seat_that_is_not_theirs(evening: Evening) -> None:
    before = evening.stored()
    ann = evening.ann
    move = ann.view["moves"][0]
    for person in (evening.bob, evening.stranger, evening.host):
        for seat in (0, 2):  # a person's and the bot's
            for do, more in (
                ("move", {"seq": person.seq, "move": move}), ("undo", {"seq": person.seq}), ("stand", {}),
                ("answer", {"agrees": True}), ("pause", {"on": True}), ("return", {}), ("curtain", {}),
                ("greet", {"emoji": "👏"}), ("preview", {"moves": [move]}),
            ):  # fmt: skip
                answer = person.ask(do, seat=seat, **more)
                assert (answer["say"], answer["code"]) == ("no", "not_yours"), (do, answer)
    assert ann.ask("move", seat=7, seq=ann.seq, move=move)["code"] == "no_seat"
    assert evening.bob.ask("move", seat=1, seq=evening.bob.seq, move=move)["code"] == "out_of_turn"
    assert evening.bob.ask("preview", seat=1, moves=[move])["code"] == "out_of_turn"
    assert evening.stored() == before
    assert ann.move()["say"] == "done"


def test_only_the_host_does_what_is_the_hosts(evening: Evening) -> None:
    before = evening.stored()
    for person in (evening.ann, evening.stranger):
        for do, more in (
            ("start", {}), ("close", {}), ("kick", {"seat": 1}), ("put_bot", {"seat": 1, "level": "spark"}),
            ("replace", {"seat": 1, "level": "spark"}),
        ):  # fmt: skip
            assert person.ask(do, **more)["code"] == "host_only", do
    assert evening.stranger.ask("rematch")["code"] == "host_only"
    assert evening.ann.ask("handover", seat=1)["code"] == "not_yours"
    assert evening.stored() == before


def test_what_this_moment_does_not_allow_is_refused_to_the_host_too(evening: Evening) -> None:
    before = evening.stored()
    host = evening.host
    assert host.ask("start")["code"] == "is_playing"
    assert host.ask("put_bot", seat=0, level="spark")["code"] == "is_playing"
    assert host.ask("kick", seat=2)["code"] == "nobody"
    assert host.ask("replace", seat=2, level="spark")["code"] == "nobody"
    assert host.ask("handover", seat=2)["code"] == "nobody"
    assert host.ask("kick", seat=6)["code"] == "no_seat"
    assert host.ask("replace", seat=0, level="nobody-knows")["code"] == "no_level"
    assert host.ask("rematch")["code"] == "is_playing"
    assert evening.stranger.ask("sit", seat=0, name="Eve")["code"] == "is_playing"
    assert evening.stored() == before


def test_a_token_is_worth_nothing_at_another_table_or_with_one_letter_changed(server: Server, evening: Evening) -> None:
    other = server.make("lanternes", ("Cleo",), "spark", start=True)
    token = evening.made["tokens"]["0"]
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    with Person(server, other["table"], token, evening.made["host"]) as visitor:
        assert visitor.said[0]["seats"] == []
        assert not visitor.said[0]["host"]
    with Person(server, evening.table, wrong, other["tokens"]["0"], other["host"]) as visitor:
        assert visitor.said[0]["seats"] == []
        assert not visitor.said[0]["host"]
        assert "moves" not in visitor.view


def test_messages_of_the_past_are_stale_when_they_are_sent_again(evening: Evening) -> None:
    ann = evening.ann
    sent = {"seat": 0, "seq": ann.seq, "move": ann.view["moves"][0]}
    assert ann.ask("move", **sent)["say"] == "done"
    while ann.view.get("moves"):
        ann.move()
    before = evening.stored()
    assert ann.ask("move", **sent)["code"] == "stale"
    assert ann.ask("undo", seat=0, seq=sent["seq"])["code"] == "stale"
    assert ann.ask("move", **sent | {"seq": ann.seq + 1})["code"] == "stale"
    assert evening.stored() == before


def test_a_greeting_of_another_does_not_make_a_move_old(evening: Evening) -> None:
    ann = evening.ann
    move = {"seat": 0, "seq": ann.seq, "move": ann.view["moves"][0]}
    assert evening.bob.ask("greet", seat=1, emoji="👋")["say"] == "done"
    assert ann.ask("move", **move)["say"] == "done"


def test_greetings_of_one_seat_are_few(evening: Evening) -> None:
    answers = [evening.bob.ask("greet", seat=1, emoji="🎉") for _ in range(12)]
    assert [answer["say"] for answer in answers[:5]] == ["done"] * 5
    assert answers[-1]["code"] == "too_fast"
    assert evening.ann.ask("greet", seat=0, emoji="🎉")["say"] == "done"


def test_who_is_kicked_has_lost_the_seat_for_good(server: Server, evening: Evening) -> None:
    host, bob = evening.host, evening.bob
    code = bob.ask("handover", seat=1)["code"]
    assert bob.ask("stand", seat=1, level="spark")["say"] == "done"  # away already
    assert host.ask("kick", seat=1, level="spark")["say"] == "done"
    assert bob.until(lambda word: word["say"] == "lost")["seat"] == 1
    assert bob.ask("return", seat=1)["code"] == "not_yours"
    assert bob.ask("claim", code=code)["code"] == "bad_code"
    with Person(server, evening.table, evening.made["tokens"]["1"]) as again:
        assert "seat" not in again.view
    assert host.ask("kick", seat=1)["code"] == "nobody"
    assert host.ask("handover", seat=1)["code"] == "holder_only"


def test_a_one_time_code_dies_of_age() -> None:
    table = Table("old")
    game = registry.game("lumens")
    table.fold(stored_events.Made(0, version=1, game="lumens", rules=1, players=2, options=game.read_options(2, None),
                           components=dict(standard("lumens").data), secret="00" * 32, host=""))  # fmt: skip
    table.fold(stored_events.Sat(0, seat=0, name="Ann", token=hashed("a")))
    table.fold(stored_events.CodeMade(1000, seat=0, code=hashed("code")))
    assert table.decide_claim(1000 + CODE_LIVES, "code", "b")
    with pytest.raises(Refused, match="too old"):
        table.decide_claim(1001 + CODE_LIVES, "code", "b")


def test_a_closed_table_takes_nothing_more(evening: Evening) -> None:
    ann, host = evening.ann, evening.host
    code = ann.ask("handover", seat=0)["code"]
    assert host.ask("close")["say"] == "done"
    before = evening.stored()
    for person, do, more in (
        (evening.stranger, "claim", {"code": code}), (ann, "handover", {"seat": 0}), (host, "close", {}),
        (ann, "greet", {"seat": 0, "emoji": "👋"}), (ann, "move", {"seat": 0, "seq": len(before), "move": {}}),
        (ann, "undo", {"seat": 0, "seq": len(before)}), (host, "kick", {"seat": 1}), (ann, "rematch", {}),
    ):  # fmt: skip
        assert person.ask(do, **more)["code"] == "is_closed", do
    assert evening.stored() == before


def test_a_step_back_needs_those_too_who_are_away_for_a_while(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), start=True, options={"first": 0})
    with (
        Person(server, made["table"], made["tokens"]["0"]) as ann,
        Person(server, made["table"], made["tokens"]["1"], made["host"]) as bob,
    ):
        while ann.view.get("moves"):
            ann.move()
        assert bob.ask("stand", seat=1, level="spark")["say"] == "done"
        ann.until(lambda word: word["say"] == "update" and bool(word["view"].get("moves")))
        assert ann.ask("undo", seat=0, seq=ann.seq)["say"] == "done"
        assert ann.latest["table"]["undo"]["waits_for"] == [1]
        assert bob.ask("kick", seat=1)["say"] == "done"
        assert "undo" not in bob.latest["table"]


@pytest.mark.parametrize(
    "name", ["\u0001", "A\u202enn", "\u200b", "A\u200bnn", " ", "\u200d", "A\nB", "\u3164", "x" * 25, "", "\ud83d"]
)
def test_names_of_unseen_letters_are_refused(server: Server, name: str) -> None:
    made = server.make("lumens", "open", "open")
    with Person(server, made["table"]) as eve:
        eve._id += 1
        eve.send(json.dumps({"do": "sit", "id": 1, "seat": 0, "name": name}))
        answer = eve.until(lambda word: word["say"] == "no")
        assert answer["code"] in ("bad_message", "not_json")
        assert eve.ask("ping")["say"] == "pong"


def test_two_names_that_look_alike_are_one(server: Server) -> None:
    made = server.make("lumens", ("Ann Onyme",), "open")
    with Person(server, made["table"]) as eve:
        for name in ("ann onyme", "Ａnn Onyme", "Ann \u00a0 Onyme", "An\u200dn Onyme"):
            assert eve.ask("sit", seat=1, name=name)["code"] == "name_taken", name


def test_a_refused_message_has_its_id_back_and_a_reason_in_the_language_of_the_page(server: Server) -> None:
    made = server.make("lumens", "open", "open")
    with Person(server, made["table"]) as eve:
        eve.ask("speak", language="fr")
        for wish in (
            {"do": "sit", "seat": 9, "name": "Eve"}, {"do": "sit", "seat": -1, "name": "Eve"},
            {"do": "sit", "seat": 0, "name": ""}, {"do": "sit", "seat": 0, "name": "x" * 99},
            {"do": "sit", "seat": 0, "name": "\u0007"}, {"do": "sit", "seat": 0}, {"do": "nothing"},
            {"do": "sit", "seat": "0", "name": "Eve"}, {"do": 5}, {"do": "start", "more": 1}, {},
            {"do": "hello", "version": 2}, {"do": "preview", "seat": 0, "moves": []}, {"do": "start", "x" * 5000: 1},
        ):  # fmt: skip
            answer = (
                eve.ask(str(wish["do"]), **{name: value for name, value in wish.items() if name != "do"})
                if "do" in wish
                else None
            )
            if answer is None:
                eve._id += 1
                eve.send(json.dumps({"id": eve._id}))
                answer = eve.until(lambda word: word.get("id") == eve._id)
            assert answer["say"] == "no"
            assert len(answer["reason"]) < 300
            assert not any(word in answer["reason"] for word in ("Expected", "Object", "Invalid", "`")), answer
