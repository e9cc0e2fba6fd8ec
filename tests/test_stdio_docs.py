"""What docs/stdio.md and docs/record.md say is so: every example in them is run, every name in them exists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from asking import Caller

from lampion.adapters import stdio_requests
from lampion.adapters.stdio import CODES, LONGEST, OVER_CODE
from lampion.games.move_types import Event, notation, read_move
from lampion.games.registry import games
from lampion.locale import speaking
from lampion.play import Outcome, Position, Record, SeatInfo, Seeded
from lampion.play.record import ChanceInfo, EditionInfo

DOCS = Path(__file__).parents[1] / "docs"
STDIO = (DOCS / "stdio.md").read_text(encoding="utf-8")
RECORD = (DOCS / "record.md").read_text(encoding="utf-8")
LEFT_OUT = "…"
OURS = [name for name, game in games().items() if game.rules[0].__name__.startswith("lampion.")]
"""The games that the manual is about; whoever brings another brings its own."""


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with speaking("en"):
        yield


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of that language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def section(text: str, title: str) -> str:
    """What stands under a heading."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#|\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[2]


def below_heading(table: str) -> str:
    """A table without the names of its columns."""
    return table.partition("\n|---")[2]


def first_column(table: str) -> list[str]:
    """The names in the first column of a table."""
    return re.findall(r"^\| `([^`]*)` \|", below_heading(table), re.MULTILINE)


def fits(told: Any, found: Any) -> bool:
    """Whether what the document shows is what was answered, but for what it leaves out."""
    if told == LEFT_OUT:
        return True
    if isinstance(told, dict) and isinstance(found, dict):
        shown = {name: value for name, value in told.items() if name != LEFT_OUT}
        complete = LEFT_OUT in told or shown.keys() == found.keys()
        return complete and all(name in found and fits(value, found[name]) for name, value in shown.items())
    if isinstance(told, list) and isinstance(found, list):
        if not told or not found:
            return not found and all(item == LEFT_OUT for item in told)
        if told[0] == LEFT_OUT and (fits(told[1:], found) or fits(told, found[1:])):
            return True
        return told[0] != LEFT_OUT and fits(told[0], found[0]) and fits(told[1:], found[1:])
    return type(told) is type(found) and bool(told == found)


def test_every_answer_in_the_manual_is_what_is_answered() -> None:
    lines = [line for block in blocks(STDIO, "text") for line in block.splitlines()]
    assert len(lines) >= 40
    ask = Caller()
    for request, told in zip(lines[::2], lines[1::2], strict=True):
        assert request.startswith("> ")
        assert told.startswith("< ")
        answer = ask.send(request[2:])
        assert fits(json.loads(told[2:]), answer), f"{request}\ntold  {told}\nfound {json.dumps(answer)}"


def test_what_is_left_out_of_an_example_is_all_that_may_differ() -> None:
    found = {"a": 1, "b": [1, 2, {"c": None}]}
    assert fits(found, found)
    assert fits({"a": 1, "…": "…"}, found)
    assert fits({"a": "…", "b": [1, "…"]}, found)
    assert fits({"a": 1, "b": ["…", 2, "…"]}, found)
    assert fits({"a": 1, "b": ["…", 1, 2, "…", {"c": "…"}]}, found)
    assert not fits({"a": 1, "b": ["…", 2]}, found)
    assert not fits({"a": 1, "b": [2, "…"]}, found)
    assert not fits({"a": 1}, found)
    assert not fits({"a": True, "b": "…"}, found)
    assert not fits({"a": 1, "b": [1, 2]}, found)
    assert not fits({"a": 1, "b": [1, 2, {"c": None}, "x"]}, found)
    assert not fits({"a": 1, "d": "…", "…": "…"}, found)


def test_the_manual_has_every_request_with_its_fields_and_no_other() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|([^|]*)\|", below_heading(section(STDIO, "The requests")), re.MULTILINE))
    by_tag = {str(request.__struct_config__.tag): request for request in stdio_requests.REQUESTS}
    assert rows.keys() == by_tag.keys()
    for name, fields in rows.items():
        told = set(re.findall(r"`(\w+)`", fields.replace("as `new`", "")))
        if name == "set":
            told |= set(by_tag["new"].__struct_fields__)
        assert told | {"id"} == set(by_tag[name].__struct_fields__), name
    assert f"{LONGEST:,}" in STDIO


def test_the_manual_has_every_error_and_no_other() -> None:
    assert sorted(first_column(section(STDIO, "Refusals"))) == sorted({*CODES.values(), OVER_CODE})


@pytest.mark.parametrize("name", OURS)
def test_the_manual_has_every_kind_of_move_in_both_ways_to_write_it(name: str) -> None:
    rows = re.findall(r"^\| `(\{.*\})` \| `(.*?)` \|", section(STDIO, name), re.MULTILINE)
    game = games()[name]
    for data, text in rows:
        move = read_move(game, json.loads(data))
        assert json.loads(msgspec.json.encode(move)) == json.loads(data)
        assert notation(move) == text
        assert read_move(game, text) == move
    kinds = {kind.__struct_config__.tag for kind in get_args(game.notation.Move)}
    assert {json.loads(data)["kind"] for data, _ in rows} == kinds


@pytest.mark.parametrize("name", OURS)
def test_the_manual_has_every_field_of_an_event(name: str) -> None:
    told = re.search(rf"^\| `{name}` \| (.*) \|$", section(STDIO, "play"), re.MULTILINE)
    assert told
    events = games()[name].events
    own = set(events.Event.__struct_fields__) - set(Event.__struct_fields__)
    assert own
    kinds = {kind.name for kind in events.EVENTS}
    named = set(re.findall(r"`(\w+)`", told[1]))
    assert own <= named <= own | kinds


@pytest.mark.parametrize("name", OURS)
def test_the_manual_has_every_field_of_a_view(name: str) -> None:
    position = Position(name, games()[name].players[0])
    position.push_chances(Seeded(1))
    view = json.loads(msgspec.json.encode(position.view(0)))
    told = set(re.findall(r"`(\w+)`", section(STDIO, name)))
    assert set(view) | set(view["seats"][0]) <= told


def test_the_record_in_the_document_is_the_one_that_this_game_gives() -> None:
    told = json.loads(blocks(RECORD, "json")[0])
    position = Position("lanternes", 2, {"first": 0})
    position.push_chances(Seeded(1))
    position.push("3@0,-1/1")
    position.push_chances(Seeded(1))
    seats = [SeatInfo("Aline"), SeatInfo("Lampion", "bot", "strong", "1")]
    record = Record.of(position, seats, chance=ChanceInfo("seeded", 1), date="2025-12-24T18:00:00+00:00")
    assert fits(told, json.loads(record.to_json()))
    # The layout too: one move a line.
    assert blocks(RECORD, "json")[0].split('"moves"')[1] == record.to_json().split('"moves"')[1]


def test_the_document_has_every_field_of_a_record() -> None:
    assert first_column(section(RECORD, "Its fields")) == list(Record.__struct_fields__)
    told = set(re.findall(r"`(\w+)`", section(RECORD, "Its fields")))
    for part in (SeatInfo, EditionInfo, ChanceInfo, Outcome):
        assert set(part.__struct_fields__) <= told


def test_the_code_in_the_document_does_what_it_says() -> None:
    position = Position("lanternes", 2)
    position.push_chances(Seeded(3))
    position.push(position.legal_moves[0])
    names: dict[str, Any] = {"text": Record.of(position).to_json(), "components": position.edition.data}
    for code in blocks(RECORD, "python"):
        exec(code, names)
    assert names["position"] == position.at(7)
    assert names["hash"] == position.edition.hash
