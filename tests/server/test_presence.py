"""Nobody takes an opponent's hand: a seat is given away by its holder, and a bot sits down for who has been away."""

from __future__ import annotations

import re

import pytest

from lampion.server.tables.presence import Absence

from .people import Person, Server


def test_how_long_somebody_is_away_counts_from_the_last_socket_that_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    absence = Absence()
    now = 110.0
    assert absence.seconds(0) == absence.seconds(1) == 10
    absence.notice({0, 1})
    now = 120.0
    assert absence.seconds(0) == 0
    absence.notice({1})
    now = 125.0
    assert (absence.seconds(0), absence.seconds(1)) == (5, 0)
    absence.notice({0, 1})
    now = 126.0
    absence.notice(set())
    now = 130.0
    assert absence.seconds(0) == absence.seconds(1) == 4


def test_a_table_from_the_store_of_several_servers_waits_for_what_they_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    absence = Absence()
    absence.wait(10)
    now = 105.0
    assert absence.seconds(0) == 0
    now = 112.0
    assert absence.seconds(0) == 2


def test_the_host_does_not_see_the_hand_of_somebody_who_is_away(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), start=True, absence=0)
    with Person(server, made["table"], made["host"], made["tokens"]["0"]) as ann:
        assert ann.latest["table"]["absence"] == 0
        assert ann.ask("handover", seat=1)["code"] == "holder_only"
        assert ann.ask("replace", seat=1, level="spark")["say"] == "done"
        assert ann.latest["table"]["seats"][1]["level"] == "spark"
        assert ann.ask("handover", seat=1)["code"] == "holder_only"
        assert ann.ask("kick", seat=1)["say"] == "done"
        assert ann.ask("handover", seat=1)["code"] == "holder_only"
        assert ann.ask("handover", seat=0)["say"] == "code"


def test_a_code_of_the_host_from_before_the_game_opens_no_hand_in_it(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), absence=0)
    with Person(server, made["table"], made["host"], made["tokens"]["0"]) as ann, Person(server, made["table"]) as eve:
        early = ann.ask("handover", seat=1)["code"]
        assert ann.ask("start")["say"] == "done"
        assert eve.ask("claim", code=early)["code"] == "holder_only"
        assert ann.ask("claim", code=early)["code"] == "holder_only"
        with Person(server, made["table"], made["tokens"]["1"]) as bob:
            assert bob.view["seat"] == 1
            own = bob.ask("handover", seat=1)["code"]
        assert eve.ask("claim", code=own)["say"] == "yours"


def test_the_host_moves_a_seat_before_the_game(server: Server) -> None:
    made = server.make("iles", ("Ann",), ("Bob",))
    with Person(server, made["table"], made["host"]) as host, Person(server, made["table"]) as phone:
        assert phone.ask("claim", code=host.ask("handover", seat=1)["code"])["seat"] == 1


def test_who_is_here_is_not_replaced_and_who_left_not_at_once(server: Server) -> None:
    made = server.make("iles", ("Ann",), ("Bob",), start=True, absence=86_400)
    with Person(server, made["table"], made["host"], made["tokens"]["0"]) as ann:
        with Person(server, made["table"], made["tokens"]["1"]) as bob:
            refusal = ann.ask("replace", seat=1, level="spark")
            assert refusal["code"] == "is_here"
            assert "86400 seconds" in refusal["reason"]
            with Person(server, made["table"], made["tokens"]["1"]):
                pass
            assert ann.ask("replace", seat=1, level="spark")["code"] == "is_here"  # the other socket is
            assert bob.view["seat"] == 1
        ann.until(lambda word: word["say"] == "presence" and word["here"] == [0])
        refusal = ann.ask("replace", seat=1, level="spark")
        assert refusal["code"] == "not_away_long"
        left = re.search(r"wait (\d+) more seconds", refusal["reason"])
        assert left
        assert 43_200 < int(left[1]) <= 86_400
        assert "level" not in ann.latest["table"]["seats"][1]


@pytest.mark.parametrize("game", ["dice", "lumens"])
def test_the_host_gives_no_seat_away_during_the_game_not_even_by_an_old_code(server: Server, game: str) -> None:
    made = server.make(game, ("Ann",), ("Bob",), absence=0)
    with (
        Person(server, made["table"], made["host"], made["tokens"]["0"]) as ann,
        Person(server, made["table"]) as cleo,
    ):
        code = ann.ask("handover", seat=1)["code"]
        assert ann.ask("start")["say"] == "done"
        assert ann.ask("handover", seat=1)["code"] == "holder_only"
        assert cleo.ask("claim", code=code)["code"] == "holder_only"
        with Person(server, made["table"], made["tokens"]["1"]) as bob:
            code = bob.ask("handover", seat=1)["code"]
        assert cleo.ask("claim", code=code)["say"] == "yours"


def test_the_time_of_absence_is_chosen_at_the_start_within_bounds(server: Server) -> None:
    seats = [{"kind": "screen", "name": "Ann"}, {"kind": "bot"}]
    for wrong in (-1, 86_401, "60", 1.5, None):
        status, told = server.request("/api/tables", {"game": "lumens", "seats": seats, "absence": wrong})
        assert (status, told["code"]) == (400, "bad_message")
    for wanted in (0, 86_400):
        made = server.make("lumens", ("Ann",), "spark", absence=wanted)
        assert server.get(f"/api/tables/{made['table']}")["absence"] == wanted
    made = server.make("lumens", ("Ann",), "spark")
    assert server.get(f"/api/tables/{made['table']}")["absence"] == 60
