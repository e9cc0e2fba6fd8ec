"""Positions explored, set up, judged and kept over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lampion.games.editions import standard
from lampion.play import Position, Record, Seeded

from .people import Server


@pytest.fixture(scope="module")
def record(server: Server) -> dict[str, Any]:
    """A game of Lumens that has begun."""
    status, found = server.request("/api/explore/new", {"game": "lumens", "players": 2})
    assert status == 200, found
    drawn = ask(server, "", record=found, since=0, draw="all")
    moves = [["chance", step["move"]] for step in drawn["steps"] if step["seat"] < 0]
    assert moves
    return {**found, "moves": moves}


def ask(server: Server, path: str, **asked: Any) -> Any:
    """Return the answer to a question that is answered."""
    status, found = server.request(f"/api/explore{path}", asked)
    assert status in (200, 201), found
    return found


def test_a_line_is_played_with_all_seats(server: Server, record: dict[str, Any]) -> None:
    line = dict(record)
    for _ in range(4):
        found = ask(server, "", record=line)
        assert found["turn"] == "seat"
        line = {**line, "moves": [*line["moves"], [found["seat"], found["moves"][0]]]}
        found = ask(server, "", record=line, since=len(line["moves"]) - 1, draw="all")
        assert found["steps"][0]["told"]
        drawn = [["chance", step["move"]] for step in found["steps"][1:]]
        line = {**line, "moves": [*line["moves"], *drawn]}
    assert Record.from_data(line).replay().ply == len(line["moves"])


def test_moves_are_previewed_and_refused_in_words(server: Server, record: dict[str, Any]) -> None:
    found = ask(server, "", record=record)
    moves = [found["moves"][0], {"kind": "place", "x": 50, "y": 50, "face": 1}]
    good, bad = ask(server, "/preview", record=record, moves=moves, views=True)["outlooks"]
    assert good["view"]
    assert good["told"]
    assert bad["reason"]


def test_the_same_worth_twice_has_the_same_bytes(server: Server, record: dict[str, Any]) -> None:
    seat = ask(server, "", record=record)["seat"]
    first, second = (server.answer("/api/explore/worth", {"record": record, "seat": seat}) for _ in range(2))
    assert first[0] == 200, first
    assert first == second
    found = ask(server, "/worth", record=record)
    assert found["mover"] == seat
    assert found["moves"][0]["told"]


def test_a_position_is_set_up_and_what_cannot_be_is_refused_with_the_fact(server: Server) -> None:
    position = Position("lanternes", 2)
    position.push_chances(Seeded(1))
    record = data_of(position)
    found = ask(server, "/setup", record=record)
    names = [control["name"] for control in found["controls"]]
    assert "boats:0" in names
    after = ask(server, "/setup", record=record, name="boats:0", value=5)
    assert after["view"]["seats"][0]["boats"] == 5
    assert after["record"]["moves"] == []
    assert ask(server, "", record=after["record"])["view"]["seats"][0]["boats"] == 5
    view = after["view"]
    view["seats"][0]["boats"] = -1
    status, refused = server.request("/api/explore/setup?lang=fr", {"record": record, "view": view})
    assert (status, refused["code"]) == (400, "counts")
    assert server.request("/api/explore/setup", {"record": record, "name": "boats:0", "value": 999})[0] == 400
    refused = server.request("/api/explore/setup", {"record": record, "name": "step", "value": "reward"})[1]
    assert refused["code"] == "step"


def data_of(position: Position) -> dict[str, Any]:
    """Return the record of a position as data."""
    return dict(json.loads(Record.of(position).to_json()))


def test_a_tree_is_kept_and_found_again(server: Server, record: dict[str, Any]) -> None:
    bare = {**record, "moves": []}
    nodes = [{"parent": i - 1, "seat": -1, "move": move} for i, (_, move) in enumerate(record["moves"])]
    tree = {"record": bare, "nodes": nodes, "at": 0}
    kept = ask(server, "/saved", **tree)
    assert server.get(f"/api/explore/saved/{kept['board']}") == tree
    assert server.request("/api/explore/saved/nothing")[0] == 404
    for wrong in (
        {**tree, "record": record},
        {**tree, "at": len(nodes)},
        {**tree, "nodes": [{**nodes[0], "parent": 0}]},
    ):
        assert server.request("/api/explore/saved", wrong)[1]["code"] == "no_tree"
    for wrong_node in ({"move": {"kind": "x", "y": "z" * 900}}, {"seat": 0}):
        status, answer = server.request("/api/explore/saved", {**tree, "nodes": [{**nodes[0], **wrong_node}]})
        assert (status, bool(answer["reason"])) == (400, True), answer


@pytest.mark.parametrize("path", ["", "/preview", "/setup", "/worth", "/saved", "/new"])
@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b'{"record": {}}', b'{"record": []}', b"\xff\xfe", b"[" * 100_000,
        b'{"record": {}, "record": {}}',
        b'{"record": {"format": "lampion", "version": 1}, "seat": 99999999999999999999}',
        b'{"game": "../x", "players": 2}',
        b'{"game": "lumens", "players": 7}',
    ],
    ids=lambda body: repr(body)[:40],
)  # fmt: skip
def test_nonsense_is_refused(server: Server, path: str, body: bytes) -> None:
    status, found = server.request(f"/api/explore{path}", body, "POST")
    assert 400 <= status < 500, found
    assert found["reason"]


def test_what_is_too_large_is_refused(server: Server, record: dict[str, Any]) -> None:
    status, found = server.request("/api/explore", b" " * 600_000, "POST")
    assert (status, found["code"]) == (413, "too_long")
    many = {**record, "moves": [["chance", {"kind": "x"}]] * 20_001}
    assert server.request("/api/explore", {"record": many})[0] in (400, 413)
    nodes = [{"parent": -1, "seat": 0, "move": {"kind": "x"}}] * 4001
    assert server.request("/api/explore/saved", {"record": record, "nodes": nodes, "at": -1})[0] == 400
    assert server.request("/api/explore", {"record": record, "seat": 5})[1]["code"] == "no_seat"
    illegal = {**record, "moves": [*record["moves"], [0, {"kind": "place", "x": 0, "y": 0, "face": 9}]]}
    assert server.request("/api/explore", {"record": illegal})[1]["code"] == "move"
    assert server.request("/api/explore/worth", {"record": illegal})[1]["code"] == "move"


def test_an_edition_of_ones_own_is_explored(server: Server) -> None:
    data = standard("lanternes").data
    setup = {**data["setup"], "2": {**data["setup"]["2"], "cards_per_colour": 6}}
    position = Position("lanternes", 2, components={**data, "setup": setup})
    position.push_chances(Seeded(2))
    found = ask(server, "", record=data_of(position))
    assert found["standard"] is False
    assert ask(server, "/worth", record=data_of(position))["source"] == "estimate"
    broken = data_of(position)
    broken["edition"]["components"]["setup"]["2"]["cards_per_colour"] = 7
    assert server.request("/api/explore", {"record": broken})[1]["code"] == "edition"


def test_who_asks_too_often_waits(server: Server) -> None:
    """The last test of this file: it uses up what an address may keep."""
    codes = [server.request("/api/explore/saved", b"{}", "POST")[1]["code"] for _ in range(25)]
    assert codes[-1] == "busy"
    assert server.request("/api/explore", b"{}", "POST")[1]["code"] == "bad_message", "questions go on"
