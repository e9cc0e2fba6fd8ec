"""Notes about moments of a finished game, written by its players; and the game as a file that plays."""

from __future__ import annotations

from typing import Any

import pytest

from lampion import bounds
from lampion.play import Position, Record, Seeded
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.record_import import events_of_record
from lampion.server.tables.table import rebuild

from .people import Person, Server
from .test_tables import play_out


@pytest.fixture(scope="module")
def made(server: Server) -> dict[str, Any]:
    """A finished game of Ann against a bot."""
    found = server.make("lumens", ("Ann",), "spark", start=True)
    with Person(server, found["table"], found["tokens"]["0"]) as ann:
        play_out(ann)
    return found


def write(server: Server, made: dict[str, Any], ply: object, body: Any, token: str | None = None) -> tuple[int, Any]:
    """Write a note, as Ann or with another token."""
    given = made["tokens"]["0"] if token is None else token
    path = f"/api/tables/{made['table']}/replay/{ply}/note"
    return server.request(path, body, authorization=f"Bearer {given}")


def test_a_player_writes_changes_and_takes_back_a_note(server: Server, made: dict[str, Any]) -> None:
    story = f"/api/tables/{made['table']}/replay"
    assert write(server, made, 10, {"text": " Too   early "}) == (200, [{"ply": 10, "seat": 0, "text": "Too early"}])
    assert write(server, made, 0, {"text": "Off we go"})[0] == 200
    assert [note["ply"] for note in server.get(story)["notes"]] == [0, 10]
    write(server, made, 10, {"text": "Much too early"})
    text = server.answer(f"/api/tables/{made['table']}/record")[1]
    record = Record.from_json(text)
    assert [(note.ply, note.text) for note in record.notes] == [(0, "Off we go"), (10, "Much too early")]
    assert record.check().is_over
    assert rebuild("imported", events_of_record(record, 0, "host")).record().notes == record.notes
    assert server.request("/api/replay", text.encode())[1]["notes"] == server.get(story)["notes"]
    film = server.answer(f"/api/tables/{made['table']}/film.html?lang=fr")
    assert film[0] == 200
    assert "Note de Ann\u00a0: Much too early" in film[1]
    for nothing in ("", "\u200b\u2060 \u3164", "\u0301"):
        write(server, made, 10, {"text": "Much too early"})
        assert write(server, made, 10, {"text": nothing}) == (200, [{"ply": 0, "seat": 0, "text": "Off we go"}])


@pytest.mark.parametrize(
    ("ply", "body", "token", "code"),
    [
        (10, {"text": "x"}, "somebody-elses-token-1234", "no_seat_token"),
        (10, {"text": "x"}, "", "no_seat_token"),
        (10_000, {"text": "x"}, None, "no_moment"),
        ("x", {"text": "x"}, None, "no_page"),
        (10, {"text": "x" * 401}, None, "bad_message"),
        (10, {"text": "two\nlines"}, None, "bad_message"),
        (10, {"text": "x", "seat": 1}, None, "bad_message"),
        (10, b"{", None, "not_json"),
    ],
)
def test_what_is_no_note_of_a_player_is_refused(
    server: Server, made: dict[str, Any], ply: object, body: Any, token: str | None, code: str
) -> None:
    before = server.get(f"/api/tables/{made['table']}/replay").get("notes")
    status, answer = write(server, made, ply, body, token)
    assert (status >= 400, answer["code"]) == (True, code)
    assert server.get(f"/api/tables/{made['table']}/replay").get("notes") == before


def test_notes_leave_room_for_those_of_others_and_for_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat has its part of the notes and of their bytes; what it wrote can be shortened and taken back."""
    position, chance = Position("lumens", 2), Seeded(3)
    position.push_chances(chance)
    while not position.is_over:
        position.push_rows(int(position.legal_ids()[0]))
        position.push_chances(chance)
    table = rebuild("full", events_of_record(Record.of(position), 0, "host"))
    monkeypatch.setattr(bounds, "MOST_NOTES", 6)
    monkeypatch.setattr(bounds, "MOST_NOTES_BYTES", 2 * 50)
    for ply, text in ((1, "\U0001f3ee" * 10), (2, "short")):  # 40 bytes and 5
        for event in table.decide_note(0, 0, ply, text):
            table.fold(event)
    with pytest.raises(Refused, match="fit") as caught:
        table.decide_note(0, 0, 3, "longer")
    assert caught.value.code == "full_of_notes"
    assert table.decide_note(0, 0, 3, "five5")
    assert table.decide_note(0, 0, 1, "instead of the long one, this")
    assert table.decide_note(0, 1, 3, "mine fits")
    for event in table.decide_note(0, 0, 3, "five5"):
        table.fold(event)
    with pytest.raises(Refused):
        table.decide_note(0, 0, 4, "x")


def test_a_host_does_not_write_in_the_name_of_others(server: Server) -> None:
    """After the game as during it a seat is moved by its holder alone; a code from before is worth nothing."""
    made = server.make("lumens", ("Ann",), ("Bob",))
    with Person(server, made["table"], made["host"]) as host:
        early = host.ask("handover", seat=1)["code"]
        assert host.ask("start")["say"] == "done"
        with Person(server, made["table"], *made["tokens"].values()) as players:
            while players.latest["table"]["status"] == "playing":
                seat = players.latest["table"]["pending"][0]
                players.ask("curtain", seat=seat)
                players.move(lambda moves: moves[0])
        assert host.ask("handover", seat=1)["code"] == "holder_only"
        assert host.ask("claim", code=early)["code"] == "holder_only"
    assert write(server, made, 3, {"text": "Mine"}, made["tokens"]["1"])[0] == 200


def test_a_game_that_goes_on_has_neither_notes_nor_a_film(server: Server) -> None:
    going = server.make("lumens", ("Ann",), "spark", start=True)
    assert write(server, going, 0, {"text": "x"})[1]["code"] == "is_playing"
    for kind in ("svg", "html"):
        assert server.request(f"/api/tables/{going['table']}/film.{kind}")[1]["code"] == "unfinished"


def test_a_film_is_a_file_through_the_eyes_that_were_asked_for(server: Server, made: dict[str, Any]) -> None:
    path = f"/api/tables/{made['table']}/film"
    status, picture = server.answer(f"{path}.svg")
    assert status == 200
    assert picture.startswith("<svg")
    assert server.answer(f"{path}.svg?seat=0")[1] != picture
    assert server.request(f"{path}.png")[1]["code"] == "no_page"
    assert server.request(f"{path}.svg?seat=9")[1]["code"] == "no_seat"
