"""Tables through real sockets: making, sitting, playing, taking back, leaving, coming back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lampion.games import lumens
from lampion.play import Record

from .people import Person, Server

GAMES = ("lanternes", "dice", "lumens", "iles")


def play_out(*people: Person) -> dict[str, Any]:
    """Everybody plays first moves until the game is over; the result."""
    while True:
        for person in people:
            while person.latest["table"]["status"] == "playing" and person.view.get("moves"):
                answer = person.move(lambda moves: moves[len(moves) // 2])
                assert answer["say"] == "done" or answer["code"] == "stale", answer
                if person.latest["seq"] < answer.get("seq", 0):
                    person.hear_until(answer["seq"])
            if person.latest["table"]["status"] == "over":
                return dict(person.latest["table"]["result"])
            person.until(lambda word: word["say"] == "update")


def play_to_an_undoable_move(ann: Person) -> dict[str, Any]:
    """Play until Ann could take back a move that the bot has to answer; what she saw before it."""
    before = ann.view
    while ann.latest["table"]["pending"] == [0] or not ann.view.get("can_undo"):
        if ann.view.get("moves"):
            before = ann.view
            ann.hear_until(ann.move()["seq"])
        else:
            ann.hear()
    return before


def let_bots_think(server: Server) -> None:
    """Wait until bots that were asked before have found their moves: a whole game against another one is played."""
    made = server.make("lumens", ("Bob",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as bob:
        play_out(bob)


def test_a_bot_that_leaves_time_answers_also_whoever_comes_back_meanwhile(tmp_path: Path) -> None:
    server = Server(tmp_path / "lampion.db", time_to_undo=6)
    try:
        made = server.make("iles", ("Ann",), "spark", start=True, options={"first": 0})
        with Person(server, made["table"], made["tokens"]["0"]) as ann:
            play_to_an_undoable_move(ann)
            let_bots_think(server)
        with Person(server, made["table"], made["tokens"]["0"]) as ann:
            while ann.latest["table"]["pending"] != [0]:
                ann.hear()
    finally:
        server.stop()


def test_a_bot_leaves_time_to_take_back_a_move_that_can_be_taken_back(tmp_path: Path) -> None:
    server = Server(tmp_path / "lampion.db", time_to_undo=float("inf"))
    try:
        made = server.make("iles", ("Ann",), "spark", start=True, options={"first": 0})
        with Person(server, made["table"], made["tokens"]["0"]) as ann:
            before = play_to_an_undoable_move(ann)
            let_bots_think(server)
            ann.hear_until(ann.ask("undo", seat=0, seq=ann.seq)["seq"])
            assert ann.view["moves"] == before["moves"]
    finally:
        server.stop()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_against_a_bot_is_played_to_its_end_and_its_record_checks(server: Server, game: str) -> None:
    made = server.make(game, ("Ann",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        result = play_out(ann)
        assert sum(result["shares"]) == pytest.approx(1)
        assert ann.latest["table"]["secret"]
    status, _ = server.request(f"/api/tables/{made['table']}/record")
    assert status == 200
    record = Record.from_data(server.get(f"/api/tables/{made['table']}/record"))
    record.check()
    assert record.chance.kind == "promised"
    assert record.chance.promise == made["promise"]


def test_friends_meet_by_a_link_and_the_host_starts(server: Server) -> None:
    made = server.make("lumens", "open", "open")
    with Person(server, made["table"], made["host"]) as host, Person(server, made["table"]) as guest:
        assert host.ask("sit", seat=0, name="Ann")["say"] == "yours"
        assert guest.ask("sit", seat=0, name="Bob")["code"] == "taken"
        assert guest.ask("sit", seat=1, name="ann")["code"] == "name_taken"
        assert host.ask("start")["code"] == "not_full"
        assert guest.ask("sit", seat=1, name="Bob")["say"] == "yours"
        assert guest.ask("start")["code"] == "host_only"
        assert host.ask("start")["say"] == "done"
        guest.until(lambda word: word["say"] == "update" and word["table"]["status"] == "playing")
        assert {host.view["seat"], guest.view["seat"]} == {0, 1}


def test_an_answer_to_an_old_position_is_stale_and_changes_nothing(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    with (
        Person(server, made["table"], made["tokens"]["0"]) as ann,
        Person(server, made["table"], made["tokens"]["1"]) as bob,
    ):
        mover = ann if ann.view.get("moves") else bob
        old, move = mover.seq, mover.view["moves"][0]
        assert mover.move()["say"] == "done"
        answer = mover.ask("move", seat=mover.view["seat"], seq=old, move=move)
        assert (answer["say"], answer["code"], answer["seq"]) == ("no", "stale", mover.seq)


def test_nobody_moves_for_another_seat(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert ann.ask("move", seat=1, seq=ann.seq, move={"kind": "place"})["code"] == "not_yours"
    with Person(server, made["table"]) as stranger:
        assert stranger.ask("move", seat=0, seq=stranger.seq, move={"kind": "place"})["code"] == "not_yours"
        assert "moves" not in stranger.view


def test_who_comes_back_gets_exactly_the_rest(server: Server) -> None:
    made = server.make("iles", ("Ann",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        play = 0
        while play < 3 and ann.latest["table"]["status"] == "playing":
            if ann.view.get("moves"):
                ann.move()
                play += 1
            else:
                ann.until(lambda word: word["say"] == "update")
        seen = ann.seq
    with Person(server, made["table"], made["tokens"]["0"], since=seen - 2) as again:
        changes = again.latest["changes"]
        assert [change["seq"] for change in changes] == list(range(seen - 1, again.seq + 1))


def test_a_preview_tells_what_moves_would_do_and_makes_none(server: Server) -> None:
    made = server.make("lanternes", ("Ann",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        if not ann.view.get("moves"):
            ann.until(lambda word: word["say"] == "update" and bool(word["view"].get("moves")))
        moves = ann.view["moves"][:30]
        seq = ann.seq
        answer = ann.ask("preview", seat=0, moves=[*moves, {"kind": "nonsense"}])
        assert len(answer["outlooks"]) == len(moves) + 1
        assert all(outlook["events"] for outlook in answer["outlooks"][:-1])
        assert answer["outlooks"][-1]["reason"]
        assert ann.seq == seq


def test_a_seat_takes_its_move_back_while_nothing_new_is_known(server: Server) -> None:
    made = server.make("dice", ("Ann",), ("Bob",), start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert ann.view["moves"]
        before = ann.view["view"]
        ply = ann.latest["table"]["ply"]
        assert ann.move(lambda moves: moves[-1])["say"] == "done"
        assert ann.view["can_undo"]
        assert ann.ask("undo", seat=0, seq=ann.seq)["say"] == "done"
        assert ann.view["view"] == before
        assert ann.latest["table"]["ply"] == ply


def test_in_a_simultaneous_step_anothers_move_neither_stops_a_step_back_nor_is_lost(server: Server) -> None:
    made = server.make("dice", ("Ann",), ("Bob",), start=True)
    with (
        Person(server, made["table"], made["tokens"]["0"]) as ann,
        Person(server, made["table"], made["tokens"]["1"]) as bob,
    ):
        while ann.latest["table"]["pending"] != [0, 1]:
            mover, other = (ann, bob) if ann.view.get("moves") else (bob, ann)
            assert mover.move(lambda moves: moves[-1])["say"] == "done"
            other.hear_until(mover.seq)
        before, seen, ply = ann.view["moves"], ann.seq, ann.latest["table"]["ply"]
        chosen = before[-1]
        assert ann.ask("move", seat=0, seq=seen, move=chosen)["say"] == "done"
        own = bob.view["moves"][-1]
        assert bob.ask("move", seat=1, seq=seen, move=own)["say"] == "done"  # not stale: they decide at once
        ann.hear_until(bob.seq)
        assert ann.view["can_undo"]
        assert ann.ask("undo", seat=0, seq=ann.seq)["say"] == "done"
        assert ann.view["moves"] == before
        with Person(server, made["table"], made["host"]) as host:
            assert host.ask("close")["say"] == "done"
    record = server.get(f"/api/tables/{made['table']}/record")
    assert record["moves"][ply:] == [[1, own]]


def test_going_back_over_chance_needs_everybody(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    with (
        Person(server, made["table"], made["tokens"]["0"]) as ann,
        Person(server, made["table"], made["tokens"]["1"]) as bob,
    ):
        mover, other = (ann, bob) if ann.view.get("moves") else (bob, ann)
        ply = mover.latest["table"]["ply"]
        while mover.view.get("moves"):
            mover.move()
        other.until(lambda word: word["say"] == "update" and bool(word["view"].get("moves")))
        other.move()
        answer = mover.ask("undo", seat=mover.view["seat"], seq=other.seq)
        assert answer["say"] == "done", answer
        other.until(lambda word: word["say"] == "update" and "undo" in word["table"])
        assert other.latest["table"]["undo"]["waits_for"] == [other.view["seat"]]
        assert other.ask("answer", seat=other.view["seat"], agrees=True)["say"] == "done"
        assert other.latest["table"]["ply"] >= ply
        assert "undo" not in other.latest["table"]


def test_a_seat_moves_to_another_device_once(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as laptop, Person(server, made["table"]) as phone:
        code = laptop.ask("handover", seat=0)["code"]
        assert phone.ask("claim", code=code)["say"] == "yours"
        assert laptop.until(lambda word: word["say"] == "lost")["seat"] == 0
        assert phone.view["seat"] == 0
        assert laptop.ask("handover", seat=0)["code"] == "not_yours"
        assert phone.ask("claim", code=code)["code"] == "bad_code"
    with Person(server, made["table"], made["tokens"]["0"]) as old:
        assert "seat" not in old.view


def test_a_token_that_was_kept_first_holds_the_seat_although_the_answer_was_lost(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "open")
    token = "chosen-by-who-sits-down-at-random"
    with Person(server, made["table"]) as bob, Person(server, made["table"]) as watcher:
        assert bob.ask("sit", seat=1, name="Bob", token="too-short-to-be-secret")["code"] == "bad_message"
        bob.send({"do": "sit", "seat": 1, "name": "Bob", "token": token})
        bob.close()
        watcher.until(lambda word: word["say"] == "update" and word["table"]["seats"][1]["kind"] == "human")
    with Person(server, made["table"], token) as back, Person(server, made["table"]) as phone:
        assert back.view["seat"] == 1
        code = back.ask("handover", seat=1)["code"]
        assert phone.ask("claim", code=code, token=token)["code"] == "token_taken"
        phone.send({"do": "claim", "code": code, "token": token[::-1]})
        phone.close()
        assert back.until(lambda word: word["say"] == "lost")["seat"] == 1
    with Person(server, made["table"], token[::-1]) as again:
        assert again.view["seat"] == 1


def test_a_bot_plays_for_who_left_until_they_are_back(server: Server) -> None:
    made = server.make("iles", ("Ann",), ("Bob",), start=True)
    with (
        Person(server, made["table"], made["tokens"]["0"]) as ann,
        Person(server, made["table"], made["tokens"]["1"]) as bob,
    ):
        assert bob.ask("stand", seat=1, level="spark")["say"] == "done"
        ann.until(lambda word: word["say"] == "update" and word["table"]["seats"][1].get("level") == "spark")
        assert bob.ask("return", seat=1)["say"] == "done"
        assert "level" not in bob.latest["table"]["seats"][1]


def test_a_paused_game_waits_through_a_restart_and_goes_on_with_its_clocks(tmp_path: Path) -> None:
    server = Server(tmp_path / "lampion.db")
    try:
        clock = {"kind": "game", "seconds": 600}
        made = server.make("lumens", ("Ann",), ("Bob",), start=True, clock=clock)
        ann, bob = (Person(server, made["table"], made["tokens"][seat]) for seat in "01")
        mover, other = (ann, bob) if ann.view.get("moves") else (bob, ann)
        assert other.ask("pause", seat=other.view["seat"], on=True)["say"] == "done"
        mover.hear_until(other.seq)
        assert mover.move()["code"] == "paused"
        seat = mover.view["seat"]
        left = mover.latest["table"]["seats"][seat]["remaining"]
        server.stop()
        server.start(server.port)
        with Person(server, made["table"], made["tokens"][str(seat)]) as again:
            assert again.latest["table"]["paused"]
            assert again.latest["table"]["seats"][seat]["remaining"] >= left
            assert again.move()["code"] == "paused"
            assert again.ask("pause", seat=seat, on=False)["say"] == "done"
            assert again.move()["say"] == "done"
    finally:
        server.stop()


def test_the_host_fills_and_frees_seats_and_makes_a_new_link_for_a_lost_one(server: Server) -> None:
    made = server.make("dice", "open", "open", "open", absence=0)
    with (
        Person(server, made["table"], made["host"]) as host,
        Person(server, made["table"]) as ann,
        Person(server, made["table"]) as bob,
    ):
        lost = ann.ask("sit", seat=0, name="Ann")["token"]
        assert bob.ask("sit", seat=1, name="Bob")["say"] == "yours"
        assert bob.ask("stand", seat=1)["say"] == "done"
        host.hear_until(bob.seq)
        assert host.latest["table"]["seats"][1]["kind"] == "free"
        assert bob.ask("sit", seat=1, name="Bob")["say"] == "yours"
        assert host.ask("kick", seat=1)["say"] == "done"
        assert bob.until(lambda word: word["say"] == "lost")["seat"] == 1
        for seat in (1, 2):
            assert host.ask("put_bot", seat=seat, level="spark")["say"] == "done"
        assert host.ask("start")["say"] == "done"
        assert host.ask("replace", seat=0, level="spark")["code"] == "is_here"
        ann.close()
        host.until(lambda word: word["say"] == "presence" and word["here"] == [])
        assert host.ask("replace", seat=0, level="spark")["say"] == "done"
        with Person(server, made["table"], lost) as back:
            code = back.ask("handover", seat=0)["code"]
            assert bob.ask("claim", code=code)["seat"] == 0
            assert back.until(lambda word: word["say"] == "lost")["seat"] == 0
        with Person(server, made["table"], lost) as old:
            assert "seat" not in old.view
        bob.ask("return", seat=0)
        assert "level" not in bob.latest["table"]["seats"][0]


def test_a_table_is_made_with_an_edition_of_ones_own_and_its_record_has_it(server: Server) -> None:
    text = (Path(lumens.__file__).parent / "components.toml").read_text(encoding="utf-8")
    assert "[[1, 6, 8], [2, 5, 8], [3, 4, 8]]" in text
    mine = text.replace("[[1, 6, 8], [2, 5, 8], [3, 4, 8]]", "[[1, 6, 9], [2, 5, 8], [3, 4, 7]]")
    made = server.make("lumens", ("Ann",), "spark", start=True, edition=mine)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert not ann.latest["table"]["standard"]
        play_out(ann)
    assert server.get(f"/api/tables/{made['table']}/components")["tokens"]["each_colour"][0] == [1, 6, 9]
    record = Record.from_data(server.get(f"/api/tables/{made['table']}/record"))
    record.check()
    assert record.edition.components["tokens"]["each_colour"][0] == [1, 6, 9]
    plans = [{"kind": "bot"}] * 2
    status, told = server.request("/api/tables", {"game": "lumens", "seats": plans, "edition": "tokens = 7"})
    assert (status, told["say"]) == (400, "no")


def test_who_was_sent_away_leaves_a_free_seat_in_the_rematch(server: Server) -> None:
    made = server.make("iles", ("Ann",), ("Bob",), start=True)
    with Person(server, made["table"], made["host"], made["tokens"]["0"]) as ann:
        assert ann.ask("kick", seat=1, level="spark")["say"] == "done"
        play_out(ann)
        assert ann.ask("rematch")["say"] == "done"
        following = ann.latest["table"]["next"]
    with Person(server, following, made["host"], made["tokens"]["0"]) as again:
        assert [seat["kind"] for seat in again.latest["table"]["seats"]] == ["human", "free"]
        assert again.ask("put_bot", seat=1, level="spark")["say"] == "done"
        assert again.ask("start")["say"] == "done"


def test_a_room_full_of_people_behind_one_address_is_let_in(server: Server) -> None:
    made = server.make("lumens", "open", "open")
    for _ in range(100):
        assert server.request("/api/tables/look", {"tables": [made["table"]]})[0] == 200


def test_a_rematch_keeps_seats_and_tokens_and_the_next_one_begins(server: Server) -> None:
    made = server.make("iles", ("Ann",), "spark", start=True, options={"first": 1})
    with Person(server, made["table"], made["host"], made["tokens"]["0"]) as ann:
        play_out(ann)
        assert ann.ask("rematch")["say"] == "done"
        following = ann.latest["table"]["next"]
    with Person(server, following, made["host"], made["tokens"]["0"]) as again:
        assert again.view["seat"] == 0
        assert again.latest["table"]["options"]["first"] == 0
        assert again.latest["table"]["after"] == made["table"]
        assert again.ask("start")["say"] == "done"


def test_a_shared_screen_shows_a_private_view_only_behind_its_open_curtain(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    with Person(server, made["table"], *made["tokens"].values()) as both:
        assert "seat" not in both.view
        both.ask("curtain", seat=1)
        assert both.view["seat"] == 1
        both.ask("curtain")
        assert "seat" not in both.view
