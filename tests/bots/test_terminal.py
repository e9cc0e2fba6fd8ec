"""Bots at a table in the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lampion.cli import main
from lampion.cli.terminal_play import OPPONENT
from lampion.games.registry import game
from lampion.locale import speaking
from lampion.play import Record

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody who always types the first move."""
    monkeypatch.setattr("builtins.input", lambda prompt="": "1")
    with speaking("en"):
        yield


def play(*words: str) -> None:
    main(["play", *words])


def test_bots_are_named_and_play_to_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    play("fireflies", "--seats", "Aline,sun:sims=30,spark", "--seed", "1", "--save", str(file), "--lang", "fr")
    told = capsys.readouterr().out
    assert "Soleil" in told
    assert "Étincelle" in told
    record = Record.load(file)
    assert record.result is not None
    assert [(seat.name, seat.kind, seat.level) for seat in record.seats] == [
        ("Aline", "human", None),
        ("Soleil", "bot", "sun:sims=30"),
        ("Étincelle", "bot", "spark"),
    ]


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    records = []
    for name in ("first", "second"):
        play("fireflies", "--seats", "greedy,lighthouse:sims=30", "--seed", "5", "--save", str(tmp_path / name))
        records.append(Record.load(tmp_path / name))
    assert records[0].moves == records[1].moves


def test_bots_that_are_alike_are_numbered_and_opponents_are_of_a_middle_level(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    play("fireflies", "--players", "3", "--seed", "1", "--save", str(file))
    assert [(seat.name, seat.level) for seat in Record.load(file).seats] == [
        ("Player 1", None), ("Torch 1", OPPONENT), ("Torch 2", OPPONENT),
    ]  # fmt: skip


def test_a_program_plays_at_the_table(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    command = f"cmd:{sys.executable} '{ROOT / 'examples/bot.py'}'"
    play("fireflies", "--seats", f"me,{command}", "--seed", "1", "--save", str(file))
    assert Record.load(file).result is not None
    assert Record.load(file).seats[1].level == command


def test_a_program_that_fails_ends_the_game_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    play("fireflies", "--seats", "me,cmd:./no-such-program", "--seed", "1")
    told = capsys.readouterr().out
    assert "no-such-program could not be started" in told


def test_no_file_starts_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    play("fireflies", "--seats", "me,greedy", "--seed", "1", "--save", str(file))
    data = json.loads(file.read_text(encoding="utf-8"))
    del data["result"]
    data["moves"] = data["moves"][:4]
    trap = tmp_path / "trap"
    data["seats"][1]["level"] = f"cmd:touch {trap}"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(SystemExit):
        play("fireflies", "--resume", str(file))
    assert "--seats" in capsys.readouterr().err
    assert not trap.exists()
    play("fireflies", "--resume", str(file), "--seats", "me,greedy")
    assert Record.load(file).result is not None


@pytest.mark.parametrize("seats", ["me,sun:ms=soon", "me,cmd:", "me,,sun", "me"])
def test_seats_that_cannot_be_set_are_refused(seats: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        play("fireflies", "--seats", seats)
    assert capsys.readouterr().err


def test_a_net_that_does_not_fit_is_refused_before_the_first_move(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        play("dice", "--seats", f"Aline,sun:net={game('iles').folder / 'nets' / 'all.net'}", "--seed", "1")
    told = capsys.readouterr()
    assert "was trained for iles" in told.err
    assert not told.out


def test_it_is_told_how_to_type_who_was_taken_for_a_person_and_where_the_game_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    said = iter("11q")
    monkeypatch.setattr("builtins.input", lambda prompt="": next(said))
    play("iles", "--seats", "Aline,lantrn", "--seed", "1", "--save", str(file))
    told = capsys.readouterr()
    assert told.err.splitlines()[-1] == "lantrn is a person; did you mean lantern?"
    assert told.out.count("p palm, b brigand") == 1
    assert f"lampion play iles --resume {file}" in told.out
    monkeypatch.setattr("builtins.input", lambda prompt="": "1")
    play("iles", "--resume", str(file))
    assert f"lampion replay {file}" in capsys.readouterr().out


def test_odd_keys_get_a_reason_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    said = iter(["²", "9" * 5000, "s a\0b", "s .."])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(said, "1"))
    play("fireflies", "--seats", "Aline,spark", "--seed", "1")
    told = capsys.readouterr().out
    assert told.count("is not a move") == 2
    assert told.count("cannot be written") >= 2
    assert list(tmp_path.iterdir()) == []
    assert "points" in told


def test_after_an_undo_a_bot_sits_down_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = iter(["1", "u", "2", "u", *["1", "u", "2"] * 400])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(said))
    file = tmp_path / "game.json"
    play("dice", "--seats", "me,lighthouse:sims=5", "--seed", "1", "--save", str(file))
    assert Record.from_data(json.loads(file.read_text(encoding="utf-8"))).check().is_over
