"""Reasons are for people: whatever is given, no refusal shows Python, and none repeats more than a little of it."""

from __future__ import annotations

import datetime
import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asking import Caller
from mutations import paths, replaced

from lampion.cli import main
from lampion.games.core import EVERYTHING, BadComponents
from lampion.games.editions import edition, load, parsed, standard
from lampion.games.move_types import notation
from lampion.games.registry import game, games
from lampion.locale import LANGUAGES, Problem, short, speaking, written
from lampion.play import Position, Record, SeatInfo, Seeded
from lampion.testing import choose

NAMES = sorted(games())
GAMES = pytest.mark.parametrize("name", NAMES)
LONG = "x" * 5000
ODD: tuple[Any, ...] = (
    True, False, None, 1.5, -1, 99, 10**30, "", "it's", "a\nb\u202e", LONG, [], ["A", "B"], [True, None],
    {}, {"a": [None, {"b": False}]}, [[[["x"]]]], [LONG], {LONG: 1},
)  # fmt: skip
"""Values of every type that JSON knows."""
ODDER = (*ODD, float("inf"), float("nan"), datetime.date(2001, 1, 1))
"""What TOML knows besides."""
PYTHON = re.compile(r"(?<!\")\b(?:None|True|False)\b|\b(?:nan|inf|datetime)\b|(?<!\w)'[^']*'|\w\(\w+=")
MOST = 1000
"""Most characters of a reason; the longest list all names that are known."""


def check_reason(error: Problem, given: Any) -> None:
    """A reason is a short line in every language, with nothing of Python in it."""
    for language in LANGUAGES:
        with speaking(language):
            check_text(str(error), given)


def check_text(reason: str, given: Any) -> None:
    shown = str(given)[:200]
    assert re.sub("[\xa0\u202f]", " ", reason).isprintable(), (reason, shown)
    assert not PYTHON.search(reason.replace("it's", "")), (reason, shown)
    assert 0 < len(reason) < MOST, (reason, shown)
    assert LONG[:100] not in reason, (reason, shown)


def spoilt(data: Any, values: tuple[Any, ...], ways: int, each: int = len(ODDER)) -> list[Any]:
    """The data with some of its entries replaced by some of the values, always the same, and with a name too many."""
    found, dice = paths(data), random.Random(1)
    if len(found) > ways:
        found = dice.sample(found, ways)
    changed = [replaced(data, way, value) for way in found for value in dice.sample(values, min(each, len(values)))]
    return [*changed, {**data, LONG: 1}, {**data, "a\0b": True}]


@cache
def middle(name: str) -> Position:
    """A game half played."""
    position, dice = Position(name, game(name).players[0]), random.Random(2)
    position.push_chances(Seeded(2))
    for _ in range(40):
        if not position.is_over:
            position.push_rows(choose(position, position.actor, dice))
            position.push_chances(Seeded(2))
    return position


@GAMES
def test_a_wrong_option_is_told_in_words(name: str) -> None:
    played, refused = game(name), 0
    given: list[Any] = [{option.name: value} for option in played.options for value in ODDER]
    given += [{key: 1} for key in (LONG, "", "it's", "a\nb")]
    for options in given:
        try:
            Position(name, played.players[0], options)
        except Problem as error:
            refused += 1
            check_reason(error, options)
    assert refused >= len(given) - 1
    for players in ODDER:
        if players is not None:
            with pytest.raises(Problem) as caught:
                Position(name, players)
            check_reason(caught.value, players)


def test_a_wrong_option_is_shown_as_json() -> None:
    with speaking("en"):
        for value, shown in ((True, "true"), ("1", '"1"'), (None, "null"), (["A", "B"], '["A", "B"]')):
            with pytest.raises(Problem) as caught:
                Position("lanternes", 2, {"first": value})
            assert str(caught.value) == f'The option first cannot be {shown}. It can be "drawn", 0, 1.'
        with pytest.raises(Problem, match=r'It can be "first_game", "random", \["bar", "corner", "tee", "hook"\], '):
            Position("dice", 2, {"fireworks": ["bar"]})


@GAMES
def test_wrong_components_are_told_in_words(name: str) -> None:
    for data in spoilt(dict(standard(name).data), ODDER, 60, each=2):
        try:
            edition(game(name), data)
        except BadComponents as error:
            check_reason(error, data)


def test_a_file_that_is_not_toml_is_told_in_words(tmp_path: Path) -> None:
    lanternes = game("lanternes")
    for text in ("a = 'b", "[a", "a = \x00", "a = 1\na = 2", "= 3", 'a = "\\q"', "a = [1,\n", "é = 1", "a = {b = 1"):
        with pytest.raises(BadComponents) as caught:
            parsed(lanternes, text, "lake.toml")
        check_reason(caught.value, text)
    with speaking("en"), pytest.raises(BadComponents, match=r"lake\.toml is not TOML: line 2, column 3"):
        parsed(lanternes, "a = 1\nb ? 2", "lake.toml")
    path = tmp_path / "latin.toml"
    path.write_bytes(b"\xe9")
    with pytest.raises(BadComponents) as caught:
        load(lanternes, path)
    check_reason(caught.value, "latin-1")


@GAMES
def test_a_wrong_position_is_told_in_words(name: str) -> None:
    position = middle(name)
    for data in spoilt(msgspec.to_builtins(position.view(EVERYTHING)), ODD, 60, each=8):
        try:
            Position.from_view(name, position.players, None, data)
        except Problem as error:
            check_reason(error, data)


@GAMES
def test_a_wrong_move_is_told_in_words(name: str) -> None:
    position = middle(name).copy()
    moves = [msgspec.to_builtins(move) for _, move in position.moves[:40:3]]
    given = [*ODD, *(data for move in moves for data in spoilt(move, ODD, 6))]
    for move in given:
        try:
            position.preview(move)
        except Problem as error:
            check_reason(error, move)


def reasons_against(position: Position, move: Any) -> list[str]:
    """Return why a move cannot be made, in every language; nothing where it can."""
    try:
        position.preview(msgspec.to_builtins(move))
    except Problem as error:
        said = []
        for language in LANGUAGES:
            with speaking(language):
                said.append(str(error))
        return said
    return []


@GAMES
def test_a_refusal_never_names_a_move_by_its_notation(name: str) -> None:
    """Whatever is touched at whatever step: moves of other steps are tried at each step of a game."""
    position, dice, chance = Position(name, game(name).players[-1]), random.Random(3), Seeded(3)
    position.push_chances(chance)
    met: dict[str, Any] = {}
    refused: list[tuple[str, str]] = []
    for _ in range(60):
        if position.is_over:
            break
        now = {notation(move): move for move in position.legal_moves}
        for text, move in met.items():
            if text in now or not re.search(r"\w\W|\d\w|\W\w", text):
                continue
            refused += [(text, said) for said in reasons_against(position, move)]
        met |= dict(dice.sample(sorted(now.items()), min(len(now), 6)))
        position.push_rows(choose(position, position.actor, dice))
        position.push_chances(chance)
    assert refused
    for text, said in refused:
        assert not re.search(rf"(?<!\w){re.escape(text)}(?!\w)|\d@|\d,\d", said), (text, said)


@GAMES
def test_a_wrong_record_is_told_in_words(name: str) -> None:
    record = json.loads(Record.of(middle(name)).to_json())
    record["moves"] = record["moves"][:4]
    record["edition"]["components"] = {}
    for data in spoilt(record, ODD, 40):
        with pytest.raises(Problem) as caught:
            Record.from_data(data).check()
        check_reason(caught.value, data)


def test_a_wrong_request_is_told_in_words() -> None:
    ask = Caller()
    ask("new", game="lanternes", players=2, seed=1)
    requests: list[dict[str, Any]] = [
        {"do": "new", "game": "lanternes", "players": 2, "options": {}, "seed": 1, "viewer": 0, "chance": "manual"},
        {"do": "legal", "seat": 0, "ids": True},
        {"do": "play", "move": "pass", "seat": 0, "viewer": 0},
        {"do": "bot", "level": "spark", "ms": 1, "sims": 1, "seat": 0, "play": True},
        {"do": "preview", "moves": ["pass"]},
        {"do": "view", "seat": 0, "everything": True},
        {"do": "record", "seats": [{"name": "Ana", "kind": "human", "level": None}, {"name": "Bob"}]},
        {"do": "load", "record": {"format": "lampion", "version": 1}},
    ]
    for language in LANGUAGES:
        with speaking(language):
            for request in requests:
                for data in spoilt(request, ODD, 40):
                    answer = ask.send(json.dumps(data))
                    if not answer["ok"]:
                        assert answer["error"] != "fault", answer
                        check_text(answer["reason"], data)


def test_what_is_shown_of_a_value_is_json_and_short() -> None:
    assert [written(value) for value in (True, None, ["A", "B"], {"a": 1}, "x")] == [
        "true", "null", '["A", "B"]', '{"a": 1}', '"x"',
    ]  # fmt: skip
    assert written("a\nb\u202e\x7f") == '"a\\nb\\u202e\\u007f"'
    assert written("\udc80") == '"\\udc80"'
    assert short("y" * 81) == "y" * 79 + "…"
    assert len(written(10**4000)) == 80
    for value in (10**6000, {(1, 2): 3}, ODD):
        assert written(value)
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    assert written(nested) == "…"


def test_a_seat_without_a_name_is_refused() -> None:
    for name in ("", " ", "\t\n"):
        with speaking("en"), pytest.raises(Problem, match=r"A seat has no name\."):
            SeatInfo(name)
    ask = Caller()
    ask("new", game="lanternes", players=2, seed=1)
    record = ask("record")["record"]
    record["seats"][1]["name"] = " "
    with speaking("en"), pytest.raises(Problem, match=r"seats\[1\]: A seat has no name\."):
        Record.from_data(record)
    assert ask.refused("record", seats=[{"name": "Ana"}, {"name": ""}]) == "bad_request"
    assert ask.refused("load", record=record) == "bad_record"


WORDS = [
    ["simulate", "lanternes", "--option", "first=true", "--games", "1"],
    ["simulate", "lanternes", "--option", "first=[1, null]", "--games", "1"],
    ["simulate", "dice", "--option", "fireworks=bar,tee", "--games", "1"],
    ["simulate", "lanternes", "--option", f"{LONG}=1", "--games", "1"],
    ["simulate", "lanternes", "--option", LONG, "--games", "1"],
    ["simulate", "lanternes", "--players", "two"],
    ["simulate", LONG],
    [LONG],
    ["rules", "dice", LONG],
    ["play", "lumens", "--seats", "Ana,"],
    ["games", "--lang", LONG],
]


@pytest.mark.parametrize("words", WORDS, ids=range(len(WORDS)))
def test_a_wrong_command_is_told_in_words(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    for language in [] if "--lang" in words else LANGUAGES:
        with pytest.raises(SystemExit):
            main([*words, "--lang", language])
        check_text(" ".join(capsys.readouterr().err.split()), words)
    if "--lang" in words:
        with pytest.raises(SystemExit):
            main(words)
        check_text(" ".join(capsys.readouterr().err.split()), words)
