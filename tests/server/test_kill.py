"""Killed with -9: what was acknowledged is there, and everybody plays on."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.server.kill import survive

from .people import Person, Server


@pytest.mark.deep
def test_no_acknowledged_move_is_lost_by_five_kills_under_load(tmp_path: Path) -> None:
    """`python -m benchmarks.server kill` does it fifty times with more tables."""
    found = survive(tmp_path, kills=5, tables=12)
    assert found.acknowledged > 5 * 12
    assert found.broken >= 5 * 12
    assert (found.missing, found.stuck, found.faults) == (0, 0, [])


def has_the_turn(person: Person) -> None:
    """Wait for it."""
    if not person.view.get("moves"):
        person.until(lambda word: word["say"] == "update" and bool(word["view"].get("moves")))


def test_after_a_kill_bots_think_again_clocks_stood_still_and_nothing_is_told_twice(tmp_path: Path) -> None:
    server = Server(tmp_path / "lampion.db")
    try:
        made = server.make("lumens", ("Ann",), "sun", start=True, clock={"kind": "game", "seconds": 600})
        with Person(server, made["table"], made["tokens"]["0"]) as ann:
            has_the_turn(ann)
            done = ann.move()
            while ann.view.get("moves"):
                done = ann.move()
            remaining = ann.latest["table"]["seats"][0]["remaining"]
            server.kill()  # the bot is at work
        server.start(server.port)
        with Person(server, made["table"], made["tokens"]["0"], since=done["seq"] - 1) as again:
            first = again.said[1]
            assert first["say"] == "update"
            assert [change["seq"] for change in first["changes"]] == list(range(done["seq"], first["seq"] + 1))
            assert first["table"]["seats"][0]["remaining"] >= remaining
            has_the_turn(again)
            assert any(change.get("by") == "bot" for word in again.said for change in word.get("changes", []))
            assert again.move()["say"] == "done"
    finally:
        server.stop()
