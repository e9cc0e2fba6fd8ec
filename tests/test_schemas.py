"""The JSON Schemas that are shipped say what is really sent."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asking import Caller
from jsonschema import Draft202012Validator

from lampion.adapters import schemas, stdio_requests
from lampion.adapters.schemas import FOLDER, OURS
from lampion.bots import program_messages
from lampion.games.registry import games
from lampion.play import Position, Seeded, Sight

CHECKED = 0.15
"""Part of a game's decisions that are held against the schemas, which takes longer than to play them."""


def validator(name: str) -> Draft202012Validator:
    """For the schema in a file."""
    schema = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_files_are_what_the_types_say_now() -> None:
    told = {name: schemas.text(schema) for name, schema in schemas.schemas().items()}
    found = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.json")}
    assert found.keys() == told.keys(), "python -m lampion.adapters.schemas"
    for name, text in told.items():
        assert found[name] == text, f"{name} is out of date: python -m lampion.adapters.schemas"


def test_the_command_writes_them(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "lampion.adapters.schemas", str(tmp_path / "new")], check=True)
    assert {file.name for file in (tmp_path / "new").iterdir()} == schemas.schemas().keys()


class Checked(Caller):
    """A caller whose every line and answer is held against the schemas."""

    def __init__(self) -> None:
        super().__init__()
        self.requests, self.answers = validator("stdio.request.json"), validator("stdio.answer.json")
        self.done: set[str] = set()

    def send(self, line: str | bytes) -> dict[str, Any]:
        request, answer = json.loads(line), super().send(line)
        self.answers.validate(answer)
        if answer["ok"]:
            self.requests.validate(request)
            self.done.add(request["do"])
        elif answer["error"] == "bad_request":
            assert not self.requests.is_valid(request) or "seat" in line
        return answer


@pytest.mark.parametrize("name", games())
def test_real_requests_and_answers_are_as_the_schemas_say(name: str) -> None:
    ask, picks = Checked(), random.Random(1)
    players = games()[name].players[0]
    ask("games")
    ask.refused("legal")
    ask.refused("dance")
    ask("new", game=name, players=players, chance="manual", id=5)
    ask("legal", seat="chance")
    ask("new", game=name, players=players, seed=4)
    ask.refused("undo")
    while (listed := Caller.send(ask, '{"do": "legal", "ids": true}'))["actor"] is not None:
        if picks.random() > CHECKED:
            Caller.send(ask, '{"do": "bot", "level": "random"}')
            continue
        seat = picks.choice(listed["pending"])
        moves = ask.legal(seat=seat)
        ask("preview", moves=[moves[0]["id"]], seat=seat, viewer=seat)
        ask("bot", level="random", seat=seat, play=False)
        ask("view", seat=seat)
        ask("legal", ids=True)
        ask("bot", level="random", seat=seat, viewer=None)
        if (listed := ask("legal"))["actor"] is not None:
            ask("play", move=picks.choice(listed["moves"])["move"], id="x")
    ask.refused("play", move=0)
    ask.refused("view", seat=99)
    ask("picture")
    ask("result")
    view = ask("view", everything=True)["view"]
    record = ask("record")["record"]
    ask("undo")
    ask("load", record=record)
    ask("set", game=name, players=players, position=view, seed=1)
    assert ask.done == {str(request.__struct_config__.tag) for request in stdio_requests.REQUESTS}


@pytest.mark.parametrize("name", games())
def test_what_a_bot_is_asked_is_as_the_schemas_say(name: str) -> None:
    def own(kind: str) -> Draft202012Validator:
        if name in OURS:
            return validator(f"{name}.{kind}.json")
        return Draft202012Validator(schemas.schemas_of(games()[name])[f"{name}.{kind}.json"])

    checks = [validator("bot.ask.json"), own("ask")]
    views, moves, answers = own("view"), own("move"), validator("bot.answer.json")
    position, chance, picks = Position(name, games()[name].players[-1]), Seeded(1), random.Random(2)
    position.push_chances(chance)
    asks: list[program_messages.Ask] = [program_messages.AskNew(), program_messages.AskEnd(None)]
    since = 0
    while not position.is_over:
        seat = picks.choice(position.pending)
        asks.append(program_messages.question(Sight(position, seat), since, 1000))
        since = position.ply
        position.push(int(picks.choice(position.legal_ids(seat))), seat)
        position.push_chances(chance)
    asks.append(program_messages.AskEnd(position.outcome()))
    for ask in picks.sample(asks, min(len(asks), 25)):
        data = json.loads(program_messages.line(ask))
        for check in checks:
            check.validate(data)
        if data["ask"] == "move":
            views.validate(data["view"])
            listed = picks.choice(data["moves"])
            moves.validate(listed["move"])
            for answer in listed.values():
                answers.validate({"move": answer, "comment": "hello"})
            wrong = {**data, "view": {**data["view"], "secret": 1}}
            assert not checks[1].is_valid(wrong)
    assert not answers.is_valid({"mvoe": 1})
    assert not checks[0].is_valid({"ask": "money"})
