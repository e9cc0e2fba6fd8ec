"""Servers of one PostgreSQL know who is at their tables, also at the others, and at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from .people import ConnectionClosed, Person, Server
from .postgresql import Postgresql, two_servers


@pytest.fixture(scope="module")
def servers(postgresql: Postgresql, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two that share it; nobody learns anything by waiting for what they report again and again."""
    errors = tmp_path_factory.mktemp("servers") / "errors"
    with two_servers(postgresql.new("lampion"), errors, time_to_report=3600) as two:
        yield two


def crowd(word: dict[str, Any]) -> tuple[list[int], int] | None:
    """Who is here, where a word says so: the seats, and how many look on."""
    if word["say"] == "presence":
        return word["here"], word["watchers"]
    if word["say"] == "update":
        seats = [number for number, seat in enumerate(word["table"]["seats"]) if seat.get("here")]
        return seats, word["table"].get("watchers", 0)
    return None


def sees(person: Person, *here: int, watchers: int = 0) -> None:
    """Once they were told that these are here."""
    wanted = list(here), watchers
    told = [found for word in person.said if (found := crowd(word)) is not None]
    if not told or told[-1] != wanted:
        person.until(lambda word: crowd(word) == wanted)


def test_who_is_here_is_told_across_servers(servers: tuple[Server, Server]) -> None:
    here, there = servers
    made = here.make("lumens", ("Ann",), ("Bob",), "open")
    with Person(here, made["table"], made["tokens"]["0"]) as ann:
        sees(ann, 0)
        with Person(there, made["table"], made["tokens"]["1"]) as bob:
            sees(ann, 0, 1)
            sees(bob, 0, 1)
            with Person(there, made["table"]) as watcher:
                sees(ann, 0, 1, watchers=1)
                sees(watcher, 0, 1, watchers=1)
                assert here.get(f"/api/tables/{made['table']}")["watchers"] == 1
                watcher.ask("sit", seat=2, name="Cid")
                sees(ann, 0, 1, 2)
            sees(ann, 0, 1)
            with Person(here, made["table"], made["tokens"]["1"]) as bob_too:
                sees(bob_too, 0, 1)
            bob.ask("ping")
            sees(bob, 0, 1)
        sees(ann, 0)


def test_who_comes_learns_at_once_who_is_at_the_other_server(servers: tuple[Server, Server]) -> None:
    """The next report of all tables is an hour away."""
    here, there = servers
    made = here.make("lumens", ("Ann",), ("Bob",), start=True)
    with (
        Person(here, made["table"], made["tokens"]["0"]),
        Person(there, made["table"], made["tokens"]["1"]) as bob,
    ):
        sees(bob, 0, 1)


@pytest.mark.parametrize("end", [Server.stop, Server.kill])
def test_nobody_is_thought_to_be_at_a_server_that_is_gone(
    postgresql: Postgresql, end: Callable[[Server], None], tmp_path: Path
) -> None:
    with two_servers(postgresql.new(end.__name__), tmp_path / "errors") as (here, doomed):
        made = here.make("lumens", ("Ann",), ("Bob",), start=True)
        with (
            Person(here, made["table"], made["tokens"]["0"]) as ann,
            suppress(ConnectionClosed),
            Person(doomed, made["table"], made["tokens"]["1"]),
        ):
            sees(ann, 0, 1)
            end(doomed)
            sees(ann, 0)


def test_who_is_at_the_other_server_is_not_replaced(servers: tuple[Server, Server]) -> None:
    here, there = servers
    made = here.make("lumens", ("Ann",), ("Bob",), start=True, absence=0)
    with (
        Person(there, made["table"], made["tokens"]["1"]),
        Person(here, made["table"], made["host"], made["tokens"]["0"]) as ann,
    ):
        sees(ann, 0, 1)
        assert ann.ask("replace", seat=1, level="spark")["code"] == "is_here"
