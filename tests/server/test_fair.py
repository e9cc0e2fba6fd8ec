"""Promised chance: what the server promises it keeps, and whoever doubts it can find out, with their own arithmetic."""

from __future__ import annotations

import hashlib
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lampion.games import core
from lampion.play import Position, Record
from lampion.play.record import BadRecord

from .people import Person, Server

CHECKER = Path(__file__).parents[2] / "examples" / "check_chance.py"
FORGERIES = ("drawn", "nonces", "secret", "epochs")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120)


def play_together(*people: Person) -> None:
    """To the end, each in turn; the people sit in this order."""
    while people[0].latest["table"]["status"] == "playing":
        answer = people[people[0].latest["table"]["pending"][0]].move()
        assert answer["say"] == "done", answer
        for one in people:
            one.hear_until(answer["seq"])


@pytest.fixture(scope="module")
def played(server: Server) -> tuple[str, dict[str, Any]]:
    """What was promised at a table of two people, one of whom went back over a draw; and its record."""
    made = server.make("lanternes", "open", "open")
    with Person(server, made["table"], made["host"]) as ann, Person(server, made["table"]) as ben:
        promise = ben.latest["table"]["promise"]
        assert promise == made["promise"]
        for seat, (one, nonce) in enumerate(((ann, "0a"), (ben, "0b"))):
            one.ask("sit", seat=seat, name=f"Nº {seat}")
            assert one.ask("add_nonce", seat=seat, nonce=nonce)["say"] == "done"
        assert ben.ask("add_nonce", seat=0, nonce="cc")["code"] == "not_yours"
        started = ann.ask("start")
        assert ben.ask("add_nonce", seat=1, nonce="cc")["code"] == "is_playing"
        ben.hear_until(started["seq"])
        mover, other = (ann, ben) if ann.view.get("moves") else (ben, ann)
        asked = mover.move()
        other.hear_until(asked["seq"])
        asked = mover.ask("undo", seat=mover.view["seat"], seq=mover.seq)
        other.hear_until(asked["seq"])
        agreed = other.ask("answer", seat=other.view["seat"], agrees=True)
        assert agreed["say"] == "done"
        mover.hear_until(agreed["seq"])
        assert "secret" not in mover.latest["table"]
        play_together(ann, ben)
        told = ann.latest["table"]
    record = server.get(f"/api/tables/{made['table']}/record")
    assert record["chance"]["secret"] == told["secret"]
    assert record["chance"]["nonces"] == told["nonces"] == ["0a", "0b"]
    return promise, record


def test_the_secret_is_the_one_that_was_promised_and_an_undo_over_a_draw_began_an_epoch(
    played: tuple[str, dict[str, Any]],
) -> None:
    promise, record = played
    assert hashlib.sha256(bytes.fromhex(record["chance"]["secret"])).hexdigest() == promise
    assert [epoch for _, epoch in record["chance"]["epochs"]] == [1]


def test_a_suspicious_player_finds_every_draw_as_promised(played: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    promise, record = played
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    done = run(str(CHECKER), str(file), promise)
    draws = sum(who == "chance" for who, _ in record["moves"])
    assert (done.returncode, done.stdout.strip()) == (0, f"All {draws} draws are as promised."), done.stderr
    done = run("-m", "lampion", "--lang", "en", "check", str(file))
    assert (done.returncode, promise in done.stdout) == (0, True)
    with pytest.raises(SystemExit, match="not the one that was promised"):
        runpy.run_path(str(CHECKER))["main"](str(file), "00" * 32)


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_record_is_found_by_both(played: tuple[str, dict[str, Any]], tmp_path: Path, what: str) -> None:
    record = json.loads(json.dumps(played[1]))
    chance = record["chance"]
    if what == "drawn":  # two tiles change places in the stack
        first, *_, second = [move for who, move in record["moves"] if who == "chance" and move["kind"] == "draw"]
        first["tile"], second["tile"] = second["tile"], first["tile"]
    elif what == "nonces":
        chance["nonces"] = ["0a", "0c"]
    elif what == "secret":
        chance["secret"] = "11" * 32
    else:
        chance["epochs"] = []
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(SystemExit, match="promised"):
        runpy.run_path(str(CHECKER))["main"](str(file))
    with pytest.raises(BadRecord) as found:
        Record.load(file).check()
    assert found.value.key in ("record.promise", "record.chance", "record.move")


def test_closing_a_table_tells_its_secret_and_gives_the_record_of_what_was_played(server: Server) -> None:
    made = server.make("iles", ("Ann",), ("Ben",), start=True)
    with Person(server, made["table"], made["host"], made["tokens"]["0"]) as ann:
        assert server.request(f"/api/tables/{made['table']}/record")[0] == 409
        assert ann.ask("close")["say"] == "done"
        secret = ann.latest["table"]["secret"]
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == made["promise"]
    status, record = server.request(f"/api/tables/{made['table']}/record")
    assert (status, record["chance"]["secret"], "result" in record) == (200, secret, False)


def test_chance_that_was_typed_in_says_so(tmp_path: Path) -> None:
    position = Position(core.game("lumens"))
    position.push(next(iter(position.legal_moves)))
    Record.of(position).save(tmp_path / "typed.json")
    done = run("-m", "lampion", "--lang", "en", "check", str(tmp_path / "typed.json"))
    assert (done.returncode, "typed in by hand" in done.stdout) == (0, True)
    with pytest.raises(SystemExit, match="Nothing to check: chance was manual"):
        runpy.run_path(str(CHECKER))["main"](str(tmp_path / "typed.json"))
