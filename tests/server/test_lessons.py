"""Guided games at real tables: played through, left and taken up again; nothing of them at ordinary tables."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lampion.play import Record

from .people import Person, Server

GAMES = ("lanternes", "dice", "lumens", "iles")


def lesson(server: Server, game: str) -> dict[str, Any]:
    status, made = server.request(f"/api/tutorials/{game}", {"name": "Aline"})
    assert status == 201, made
    return dict(made)


def advance(aline: Person) -> None:
    """Read on, or make the move that is shown."""
    guide = aline.latest["table"]["guide"]
    if "ask" in guide:
        answer = aline.ask("move", seat=guide["seat"], seq=aline.seq, move=guide["move"])
    else:
        answer = aline.ask("go_on", seat=guide["seat"], step=guide["step"])
    assert answer["say"] == "done", answer
    aline.hear_until(answer["seq"])


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_played_through_and_goes_on_as_a_game(server: Server, game: str) -> None:
    made = lesson(server, game)
    token = made["tokens"]["0"]
    with Person(server, made["table"], token) as aline:
        seen: list[str] = []
        while guide := aline.latest["table"].get("guide"):
            assert guide["step"] == len(seen)
            seen.append(guide["say"])
            assert bool(aline.view.get("moves")) == ("ask" in guide)
            advance(aline)
        assert len(set(seen)) == len(seen)
        while not aline.view.get("moves"):  # the others play on by themselves
            aline.hear()
        assert aline.latest["table"]["tutorial"] is True
        assert aline.move()["say"] == "done"


def test_a_wrong_try_changes_nothing_and_is_answered_in_the_language_of_the_learner(server: Server) -> None:
    made = lesson(server, "lumens")
    with Person(server, made["table"], made["tokens"]["0"], language="fr") as aline:
        refused = aline.ask("move", seat=0, seq=aline.seq, move={"kind": "face", "face": 4})
        assert refused["code"] == "guide_reads"
        assert aline.ask("undo", seat=0, seq=aline.seq)["code"] == "guided"
        advance(aline)
        before = aline.seq
        answer = aline.ask("move", seat=0, seq=aline.seq, move={"kind": "face", "face": 3})
        assert (answer["say"], answer["code"]) == ("no", "guide_says")
        assert "Montrez le 4" in answer["reason"]
        assert aline.ask("go_on", seat=0, step=1)["code"] == "guide_asks"
        assert aline.ask("go_on", seat=0, step=0)["code"] == "stale"
        assert aline.seq == before


def test_a_lesson_is_left_and_taken_up_again_after_a_restart(server: Server) -> None:
    made = lesson(server, "iles")
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        for _ in range(5):
            advance(aline)
        before = aline.latest["table"]["guide"]
    server.kill()
    server.start(server.port)
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        assert aline.latest["table"]["guide"] == before
        advance(aline)
        assert aline.latest["table"]["guide"]["step"] == before["step"] + 1


def test_an_ordinary_table_takes_no_script_and_no_seed(server: Server) -> None:
    seats = [{"kind": "screen", "name": "Aline"}, {"kind": "bot", "level": "spark"}]
    for more in ({"tutorial": "x"}, {"seed": 1}, {"script": "lumens"}, {"draws": ["+0"]}):
        status, answer = server.request("/api/tables", {"game": "lumens", "seats": seats, **more})
        assert status == 400, answer
    assert server.request("/api/tutorials/lumens", {"seed": 1})[0] == 400
    assert server.request("/api/tutorials/fireflies", {})[0] == 400
    made = server.make("lumens", ("Aline",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        assert "guide" not in aline.latest["table"]
        assert aline.ask("go_on", seat=0, step=0)["code"] == "not_guided"


def test_the_record_of_a_lesson_says_that_its_chance_was_set(server: Server) -> None:
    made = lesson(server, "lumens")
    with Person(server, made["table"], made["tokens"]["0"], made["host"]) as aline:
        for _ in range(4):
            advance(aline)
        assert aline.ask("close")["say"] == "done"
    text = json.dumps(server.get(f"/api/tables/{made['table']}/record"))
    record = Record.from_json(text)
    assert record.chance.kind == "manual"
    record.check()
