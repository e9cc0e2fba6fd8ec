"""Hints at a table: given to the seat that decides, counted, seen by all, recorded, refused where they are not due."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lampion.play import Record
from lampion.server.tables.record_import import events_of_record
from lampion.server.tables.table import rebuild

from .people import Person, Server
from .test_tables import play_out


def told(person: Person) -> list[tuple[str, int]]:
    """All hints that somebody has heard of: what happened, and at which seat."""
    changes = [change for word in person.said if word["say"] == "update" for change in word["changes"]]
    return [(change["what"], change["seat"]) for change in changes if change.get("what") == "hinted"]


def on_turn(*people: Person) -> tuple[Person, Person]:
    """Of two people, the one who decides and the other."""
    return people if people[0].view.get("moves") else people[::-1]  # type: ignore[return-value]


def test_a_hint_is_given_counted_and_seen_by_all(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bea",), start=True, hints=3)
    tokens = made["tokens"]
    with (
        Person(server, made["table"], tokens["0"]) as ann,
        Person(server, made["table"], tokens["1"]) as bea,
        Person(server, made["table"]) as watcher,
    ):
        assert watcher.latest["table"]["hints"] == 3, "everybody sees that there are hints"
        first, other = on_turn(ann, bea)
        seat = first.view["seat"]
        hinted = first.ask("hint", seat=seat)
        assert (hinted["say"], hinted["seat"], hinted["used"]) == ("hinted", seat, 1), hinted
        assert 1 < len(hinted["hints"]) <= 3
        assert all(hint["move"] in first.view["moves"] for hint in hinted["hints"])
        assert all(hint["promise"] and hint["told"] and hint["why"] for hint in hinted["hints"])
        for person in (other, watcher):
            person.hear_until(hinted["seq"])
            assert told(person) == [("hinted", seat)]
            assert person.latest["table"]["seats"][seat]["hints"] == 1
            assert "promise" not in json.dumps(person.said[-1]["changes"]), "what it says is for the asker alone"
        again = first.ask("hint", seat=seat)
        assert (again["hints"], again["used"]) == (hinted["hints"], 1), "in the same position it costs nothing"
        first.ask("speak", language="fr")
        french = first.ask("hint", seat=seat)
        assert french["used"] == 1
        assert [hint["move"] for hint in french["hints"]] == [hint["move"] for hint in hinted["hints"]]
        assert french["hints"][0]["promise"] != hinted["hints"][0]["promise"]
        move = {"seat": seat, "seq": hinted["seq"] - 1, "move": hinted["hints"][0]["move"]}
        assert first.ask("move", **move)["say"] == "done", "a move from before the hint is not stale"


def test_hints_are_in_the_record_and_in_the_replay(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True, hints=1000)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        while not ann.view.get("moves"):
            ann.hear()
        assert ann.ask("hint", seat=0)["say"] == "hinted"
        play_out(ann)
        assert ann.ask("hint", seat=0)["code"] == "is_over"
    text = server.answer(f"/api/tables/{made['table']}/record")[1]
    record = Record.from_json(text)
    assert record.hints is not None
    assert (record.hints.allowed, record.hints.used) == (1000, [1, 0])
    assert record.check().is_over
    assert server.get(f"/api/tables/{made['table']}/replay")["hints"] == [1, 0]
    status, story = server.request("/api/replay", text.encode())
    assert (status, story["hints"]) == (200, [1, 0])
    assert rebuild("imported", events_of_record(record, 0, "host")).record().hints == record.hints


def refusal(person: Person, **wish: Any) -> str:
    """The code with which a hint is refused."""
    answer = person.ask("hint", **wish)
    assert answer["say"] == "no", answer
    assert answer["reason"]
    return str(answer["code"])


def test_a_hint_is_refused_wherever_it_is_not_due(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bea",), start=True, hints=1)
    tokens = made["tokens"]
    with (
        Person(server, made["table"], tokens["0"], language="fr") as ann,
        Person(server, made["table"], tokens["1"], language="fr") as bea,
        Person(server, made["table"]) as watcher,
    ):
        first, other = on_turn(ann, bea)
        mine, theirs = first.view["seat"], other.view["seat"]
        assert refusal(watcher, seat=mine) == "not_yours"
        assert refusal(other, seat=mine) == "not_yours"
        assert refusal(other, seat=theirs) == "out_of_turn"
        assert refusal(first, seat=7) == "no_seat"
        first.ask("pause", seat=mine, on=True)
        assert refusal(first, seat=mine) == "paused"
        first.ask("pause", seat=mine, on=False)
        assert told(first) == [], "what was refused is not counted"
        assert first.ask("hint", seat=mine)["used"] == 1
        while True:  # the next decision of the same seat
            first.hear_until(first.move()["seq"])
            other.hear_until(first.seq)
            while other.view.get("moves"):
                other.hear_until(other.move()["seq"])
            first.hear_until(other.seq)
            if first.view.get("moves"):
                break
        assert refusal(first, seat=mine) == "hints_used"
        assert "conseil" in first.said[-1]["reason"]


def test_a_table_without_hints_gives_none(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert "hints" not in ann.latest["table"]
        assert refusal(ann, seat=0) == "no_hints"
    waiting = server.make("lumens", ("Ann",), "open", hints=3)
    with Person(server, waiting["table"], waiting["tokens"]["0"]) as ann:
        assert refusal(ann, seat=0) == "is_open"
    lesson = server.request("/api/tutorials/lumens", {"name": "Ann"})[1]
    with Person(server, lesson["table"], *lesson["tokens"].values()) as ann:
        seat = int(next(iter(lesson["tokens"])))
        assert refusal(ann, seat=seat) in ("hint_guided", "out_of_turn")
    status, answer = server.request(
        "/api/tables", {"game": "lumens", "seats": [{}, {"kind": "bot"}], "start": False, "hints": 1001}
    )
    assert status == 400, answer


@pytest.mark.parametrize("game", ["lanternes", "dice"])
def test_a_move_made_meanwhile_drops_the_hint_and_another_cannot_be_asked_for_beside_it(
    server: Server, game: str
) -> None:
    made = server.make(game, ("Ann",), "spark", start=True, hints=3)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        while len(ann.view.get("moves", [])) < 2:
            ann.hear() if not ann.view.get("moves") else ann.hear_until(ann.move()["seq"])
        ann.send({"do": "hint", "id": 901, "seat": 0})
        ann.send({"do": "hint", "id": 902, "seat": 0})
        ann.send({"do": "move", "id": 903, "seat": 0, "seq": ann.seq, "move": ann.view["moves"][0]})
        answers: dict[int, dict[str, Any]] = {}
        while len(answers) < 3:
            word = ann.hear()
            if word.get("id") in (901, 902, 903):
                answers[word["id"]] = word
        assert answers[903]["say"] == "done", "a hint that is looked for keeps nobody waiting"
        assert answers[902]["code"] == "hint_asked"
        assert answers[901]["code"] == "stale"
        assert ann.latest["table"]["seats"][0].get("hints", 0) == 0, "what was not given is not counted"
