"""Where several decide at once, nobody hears at a socket what another decided before all have: Lanternes Dice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .people import Person, Server

HELD = {"kind", "seq", "at", "seat", "by", "held", "events", "told"}
"""All that is said of a move that is held back."""


class Evening:
    """Three people at Dice and one who watches."""

    def __init__(self, server: Server, **more: Any) -> None:
        self.server = server
        self.made = server.make("dice", ("Ann",), ("Bob",), ("Cas",), start=True, **more)
        self.table = self.made["table"]
        self.people = [Person(server, self.table, self.made["tokens"][seat]) for seat in "012"]
        self.watcher = Person(server, self.table)

    @property
    def all(self) -> list[Person]:
        return [*self.people, self.watcher]

    def level(self, seq: int) -> None:
        """Everybody has heard that much."""
        for person in self.all:
            person.hear_until(seq)

    def move(self, seat: int, choose: Callable[[list[Any]], Any] = lambda moves: moves[0]) -> None:
        """Somebody moves, and all hear of it."""
        answer = self.people[seat].move(choose)
        assert answer["say"] == "done", answer
        self.level(answer["seq"])

    def to_a_step(self) -> int:
        """Play until two or more decide at once; the last number before."""
        while len(pending := self.pending) < 2:
            self.move(pending[0], lambda moves: next((one for one in moves if one["kind"] == "turn"), moves[-1]))
        return self.watcher.seq

    def pictures(self) -> list[str]:
        """The table as everybody gets it as a picture."""
        headers = [{"Authorization": f"Bearer {self.made['tokens'][seat]}"} for seat in "012"]
        return [
            self.server.answer(f"/api/tables/{self.table}/picture.svg", None, None, **one)[1] for one in [*headers, {}]
        ]

    @property
    def pending(self) -> list[int]:
        return list(self.watcher.latest["table"]["pending"])

    def close(self) -> None:
        for person in self.all:
            person.close()


def sheet(person: Person, seat: int) -> dict[str, Any]:
    """What somebody sees of a seat."""
    return dict(person.view["view"]["seats"][seat])


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    one = Evening(server)
    yield one
    one.close()


def shades(moves: list[Any]) -> Any:
    return next((one for one in moves if one["kind"] == "shade"), moves[0])


def test_nothing_that_was_decided_is_sent_before_all_have_decided(evening: Evening) -> None:
    for _ in range(4):
        begun = evening.to_a_step()
        heard = [len(person.raw) for person in evening.all]
        sheets = [sheet(evening.watcher, seat) for seat in range(3)]
        pictures = evening.pictures()
        *decided, last = evening.pending
        for seat in decided:
            while seat in evening.pending:
                evening.move(seat, shades)
        assert evening.pending == [last]
        for number, person in enumerate(evening.all):
            for raw in person.raw[heard[number] :]:
                word = json.loads(raw)
                for change in word.get("changes", []):
                    if change["seat"] != number:
                        assert set(change) == HELD
                        assert change["held"]
                        assert change["events"] == change["told"] == []
            for seat in range(3):
                assert (sheet(person, seat) != sheets[seat]) == (seat == number and seat in decided)
        for number, (before, now) in enumerate(zip(pictures, evening.pictures(), strict=True)):
            assert (before != now) == (number in decided)
        with Person(evening.server, evening.table) as late:
            assert late.view == evening.watcher.view
        while evening.watcher.latest["since"] != begun:
            evening.move(last, shades)
        for person in evening.all:
            assert person.latest["since"] == begun
            assert [change["seq"] for change in person.latest["changes"]] == list(range(begun + 1, person.seq + 1))
            assert not any(change.get("held") for change in person.latest["changes"])
            assert all(change["events"] for change in person.latest["changes"])
        for seat in decided:
            assert sheet(evening.watcher, seat) == sheet(evening.people[last], seat) != sheets[seat]


def test_who_comes_back_in_a_step_or_after_it_misses_nothing(evening: Evening) -> None:
    begun = evening.to_a_step()
    first, *rest = evening.pending
    while first in evening.pending:
        evening.move(first, shades)
    seen = evening.watcher.seq
    with Person(evening.server, evening.table, since=begun + 1) as late:
        assert late.latest["since"] == begun + 1
        assert all(change["held"] for change in late.latest["changes"])
        assert sheet(late, first) == sheet(evening.watcher, first)
    for seat in rest:
        while seat in evening.pending and evening.watcher.latest["since"] != begun:
            evening.move(seat, shades)
    assert evening.watcher.latest["since"] == begun
    for since in (begun + 1, seen):
        with Person(evening.server, evening.table, since=since) as late:
            assert late.latest["since"] == begun
            assert late.latest["changes"] == evening.watcher.latest["changes"]


def test_a_screen_that_several_share_shows_the_moves_of_all_its_seats(evening: Evening) -> None:
    evening.to_a_step()
    tokens = [evening.made["tokens"][seat] for seat in "01"]
    with Person(evening.server, evening.table, *tokens) as both:
        begun = [sheet(both, seat) for seat in range(3)]
        for seat in evening.pending[:2]:
            evening.move(seat, shades)
        both.hear_until(evening.watcher.seq)
        for seat in (0, 1):
            both.ask("curtain", seat=seat)
            assert sheet(both, 0) == sheet(evening.people[0], 0)
            assert sheet(both, 1) == sheet(evening.people[1], 1)
            assert sheet(both, 2) == begun[2]


def test_a_seat_that_is_handed_over_in_a_step_takes_its_moves_along(evening: Evening) -> None:
    begun = evening.to_a_step()
    seat = evening.pending[0]
    evening.move(seat, shades)
    code = evening.people[seat].ask("handover", seat=seat)["code"]
    with Person(evening.server, evening.table) as phone:
        before = sheet(phone, seat)
        assert phone.ask("claim", code=code)["say"] == "yours"
        assert sheet(phone, seat) != before
        update = next(word for word in reversed(phone.said) if word["say"] == "update")
        assert update["since"] == begun
        assert any(change.get("move") for change in update["changes"] if change.get("seat") == seat)


def test_a_step_goes_on_after_the_server_was_started_again(tmp_path: Path) -> None:
    server = Server(tmp_path / "lampion.db")
    try:
        evening = Evening(server)
        begun = evening.to_a_step()
        first, *_ = evening.pending
        evening.move(first, shades)
        views = [person.view for person in evening.all]
        seq = evening.watcher.seq
        evening.close()
        server.kill()
        server.start(server.port)
        tokens = [[evening.made["tokens"][seat]] for seat in "012"]
        evening.people = [Person(server, evening.table, *one, since=seq) for one in tokens]
        evening.watcher = Person(server, evening.table, since=seq)
        assert [person.view for person in evening.all] == views
        while evening.watcher.latest["since"] != begun:
            evening.move(evening.pending[0], shades)
        assert not any(change.get("held") for change in evening.watcher.latest["changes"])
        evening.close()
    finally:
        server.stop()


def test_a_table_closed_in_a_step_shows_what_was_decided(evening: Evening) -> None:
    begun = evening.to_a_step()
    seat = evening.pending[0]
    evening.move(seat, shades)
    with Person(evening.server, evening.table, evening.made["host"]) as host:
        assert host.ask("close")["say"] == "done"
        assert host.latest["since"] == begun
        assert any(change.get("move") for change in host.latest["changes"])
        assert sheet(host, seat) == sheet(evening.people[seat], seat)
