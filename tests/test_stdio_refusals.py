"""What `lampion stdio` refuses, and its process, which nothing brings down."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import Caller, play_on, two_players
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lampion.adapters import stdio_requests
from lampion.adapters.stdio import CODES, LONGEST, OVER_CODE, serve
from lampion.games.registry import games
from lampion.locale import LANGUAGES, speaking

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "lampion", "stdio"]
GAMES = tuple(games())


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with speaking("en"):
        yield


@pytest.fixture
def ask() -> Caller:
    return two_players()


NO_GAME_NEEDED = {"games", "new", "set", "load"}
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("bad_request", {}),
    ("bad_request", {"do": None}),
    ("bad_request", {"do": ["play"]}),
    ("bad_request", {"do": "dance"}),
    ("bad_request", {"do": "games", "please": True}),
    ("bad_request", {"do": "play"}),
    ("bad_request", {"do": "play", "move": None}),
    ("bad_request", {"do": "play", "move": 1.5}),
    ("bad_request", {"do": "play", "move": True}),
    ("bad_request", {"do": "play", "move": 0, "seat": -1}),
    ("bad_request", {"do": "play", "move": 0, "seat": 2}),
    ("bad_request", {"do": "play", "move": 0, "seat": 10**40}),
    ("bad_request", {"do": "play", "move": 0, "seat": "nobody"}),
    ("bad_request", {"do": "play", "move": 0, "viewer": 7}),
    ("bad_request", {"do": "play", "move": 0, "viewer": "chance"}),
    ("bad_request", {"do": "view", "seat": -2}),
    ("bad_request", {"do": "view", "seat": 0, "everything": True}),
    ("bad_request", {"do": "legal", "seat": 9}),
    ("bad_request", {"do": "undo", "count": 2}),
    ("bad_request", {"do": "games", "id": 1.5}),
    ("bad_request", {"do": "new", "game": "lanternes", "players": 2, "seed": 1, "chance": "manual"}),
    ("bad_request", {"do": "new", "game": "lanternes", "players": 2, "chance": "loaded dice"}),
    ("bad_request", {"do": "new", "game": "lanternes", "players": "2"}),
    ("bad_request", {"do": "new", "game": "lanternes"}),
    ("bad_setup", {"do": "new", "game": "chess", "players": 2}),
    ("bad_setup", {"do": "new", "game": "", "players": 2}),
    ("bad_setup", {"do": "new", "game": "lanternes", "players": 5}),
    ("bad_setup", {"do": "new", "game": "lanternes", "players": -(10**30)}),
    ("bad_setup", {"do": "new", "game": "lanternes", "players": 2, "options": {"first": 2}}),
    ("bad_setup", {"do": "new", "game": "lanternes", "players": 2, "options": {"first": False}}),
    ("bad_setup", {"do": "new", "game": "lanternes", "players": 2, "options": {"first": [0]}}),
    ("bad_setup", {"do": "new", "game": "lanternes", "players": 2, "options": {"last": 0}}),
    ("bad_setup", {"do": "new", "game": "lanternes", "players": 2, "seed": -1}),
    ("bad_setup", {"do": "new", "game": "lanternes", "players": 2, "seed": 2**64}),
    ("bad_components", {"do": "new", "game": "lanternes", "players": 2, "components": {"tiles": 3}}),
    ("bad_record", {"do": "load", "record": {}}),
    ("bad_record", {"do": "load", "record": {"format": "lampion", "version": 99}}),
    ("bad_record", {"do": "load", "record": {"format": "lampion", "version": 1}}),
    ("unreadable_move", {"do": "play", "move": "e2e4"}),
    ("unreadable_move", {"do": "play", "move": ""}),
    ("unreadable_move", {"do": "play", "move": {}}),
    ("unreadable_move", {"do": "play", "move": {"kind": "castle"}}),
    ("unreadable_move", {"do": "play", "move": {"kind": "place", "tile": "1", "x": 0, "y": 1, "turn": 0}}),
    ("illegal_move", {"do": "play", "move": {"kind": "place", "tile": 1, "x": 10**30, "y": 1, "turn": 0}}),
    ("illegal_move", {"do": "play", "move": "pass"}),
    ("illegal_move", {"do": "play", "move": -1}),
    ("illegal_move", {"do": "play", "move": 10**40}),
    ("out_of_turn", {"do": "play", "move": "pass", "seat": 0}),
    ("out_of_turn", {"do": "play", "move": "+3", "seat": "chance"}),
]


@pytest.mark.parametrize(("error", "request_"), REFUSED, ids=lambda value: str(value)[:60])
def test_what_cannot_be_done_is_refused_and_changes_nothing(error: str, request_: dict[str, Any], ask: Caller) -> None:
    before = ask("record")["record"]["moves"], ask.everything()
    reasons = set()
    for language in LANGUAGES:
        with speaking(language):
            answer = ask.send(json.dumps(request_))
        assert (answer["ok"], answer["error"]) == (False, error), answer
        reasons.add(answer["reason"])
    assert len(reasons) == len(LANGUAGES)
    assert (ask("record")["record"]["moves"], ask.everything()) == before


@pytest.mark.parametrize(
    ("fields", "english", "french"),
    [
        ({"players": 2}, '"game" is missing.', "Il manque «\u00a0game\u00a0»."),
        (
            {"game": 3, "players": 2},
            "game: a text is expected",
            "game\u00a0: un texte est attendu, pas un nombre entier.",
        ),
        ({"game": "dice", "players": []}, "not a list.", "players\u00a0: un nombre entier est attendu, pas une liste."),
        (
            {"game": "dice", "players": 2, "luck": 1},
            '"luck" means nothing here.',
            "«\u00a0luck\u00a0» ne veut rien dire ici.",
        ),
        ({"game": "dice", "players": 2, "chance": "bad"}, "is not a value we know.", "n’est pas une valeur connue."),
        (
            {"game": "dice", "players": 2, "options": None},
            "options: an object is",
            "options\u00a0: un objet est attendu",
        ),
    ],
)
def test_a_reason_names_what_is_wrong_in_the_language_of_the_reader(
    fields: dict[str, Any], english: str, french: str
) -> None:
    for language, told in (("en", english), ("fr", french)):
        with speaking(language):
            assert told in Caller().send(json.dumps({"do": "new", **fields}))["reason"]


def test_without_a_game_there_is_nothing_to_ask_about() -> None:
    fields: dict[str, dict[str, Any]] = {"play": {"move": 0}, "bot": {"level": "random"}, "preview": {"moves": []}}
    for request in stdio_requests.REQUESTS:
        do = str(request.__struct_config__.tag)
        if do not in NO_GAME_NEEDED:
            assert Caller().refused(do, **fields.get(do, {})) == "no_game"


def test_a_record_that_was_tampered_with_is_refused(ask: Caller) -> None:
    record = ask("record")["record"]
    changes: tuple[dict[str, Any], ...] = (
        {"players": 3},
        {"game": "chess"},
        {"options": {"first": 5}},
        {"rules": 99},
        {"moves": [[0, {"kind": "pass"}]]},
        {"chance": {"kind": "seeded", "seed": -1}},
        {"seats": []},
        {"start": {}},
        {"result": {}},
        {"surprise": 1},
    )
    for change in changes:
        assert ask.refused("load", record={**record, **change}) == "bad_record"
    assert ask("record")["record"] | {"date": ""} == record | {"date": ""}  # the clock goes on


@pytest.mark.parametrize("seat", [2, 10**30, -1])
def test_a_record_with_seats_that_are_not_there_is_refused(seat: int, ask: Caller) -> None:
    record = ask("record")["record"]
    moves = [[seat, {"kind": "draw", "tile": 1}]]
    assert ask.refused("load", record={**record, "moves": moves}) == "bad_record"


def test_the_id_of_a_request_comes_back_also_with_a_refusal(ask: Caller) -> None:
    for id in ("a", "", 0, -5, 10**30, "é\n"):
        assert ask("legal", id=id)["id"] == id
        assert ask.send(json.dumps({"do": "dance", "id": id}))["id"] == id
    assert "id" not in ask("legal", id=None)
    assert "id" not in ask("legal")


NONSENSE: list[tuple[str, bytes]] = [
    ("bad_json", b""),
    ("bad_json", b"\n"),
    ("bad_json", b"hello"),
    ("bad_json", b'{"do": "games"'),
    ("bad_json", b'{"do": "games"} {"do": "games"}'),
    ("bad_json", b"{'do': 'games'}"),
    ("bad_json", b'{"do": NaN}'),
    ("bad_json", b'{"do": -Infinity}'),
    ("bad_json", b'{"do": "games", "id": 1e999}'),
    ("bad_json", b'{"do": "games", "id": ' + b"9" * 5000 + b"}"),
    ("bad_json", b"[" * 100_000),
    ("bad_json", b'{"do": "play", "move": {"kind": ' + b"[" * 500 + b"]" * 500 + b"}}"),
    ("bad_json", b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
    ("bad_json", b"\xff\xfe{}"),
    ("bad_json", b'{"do": "g\xe9mes"}'),
    ("bad_json", b'{"do": "\\ud800"}'),
    ("bad_json", b'{"do": "\xed\xa0\x80"}'),
    ("bad_json", b'{"do": "games\x00"}'),
    ("bad_json", b'{"do": "games", "id": "' + b"x" * LONGEST + b'"}'),
    ("bad_request", b"null"),
    ("bad_request", b"[]"),
    ("bad_request", b'"games"'),
    ("bad_request", b"3"),
    ("bad_request", b'{"do": "games", "do": "games"}'),
    ("bad_request", b'{"do": "new", "game": "lanternes", "players": 2, "options": {"first": 0, "first": 1}}'),
]


@pytest.mark.parametrize(("error", "line"), NONSENSE, ids=lambda value: repr(value)[:40])
def test_nonsense_is_refused_and_changes_nothing(error: str, line: bytes, ask: Caller) -> None:
    before = ask.everything()
    answer = ask.send(line)
    assert (answer["ok"], answer["error"]) == (False, error), answer
    assert ask.everything() == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["chance", "pass"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
TAGS = [str(request.__struct_config__.tag) for request in stdio_requests.REQUESTS]
FIELDS = sorted({field for request in stdio_requests.REQUESTS for field in request.__struct_fields__})
ODD_REQUESTS = st.builds(
    lambda do, fields: {"do": do, **fields},
    st.sampled_from(TAGS),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4),
)
ODD_GAMES = st.builds(
    lambda do, game, players, fields: {"do": do, "game": game, "players": players, **fields},
    st.sampled_from(["new", "set"]),
    st.sampled_from(GAMES),
    st.integers(0, 6),
    st.fixed_dictionaries(
        {},
        optional={
            "options": st.dictionaries(
                st.sampled_from(["first", "distribution", "fireworks", "sides", "sheets"]), JSON
            ),
            "components": st.dictionaries(st.text(max_size=5), JSON, max_size=2),
            "seed": st.integers(-1, 2**65),
            "position": JSON,
        },
    ),
)


@pytest.fixture(scope="module")
def table() -> Caller:
    """One game that all the garbage is thrown at."""
    caller = Caller()
    caller("new", game="lanternes", players=3, chance="manual")
    play_on(caller, random.Random(4), most=40)
    return caller


def check_that_a_refusal_changes_nothing(table: Caller, line: str | bytes) -> None:
    before = table.everything(), table("record")["record"]["moves"]
    answer = table.send(line)
    assert answer["ok"] in (True, False)
    if not answer["ok"]:
        assert answer["error"] in {*CODES.values(), OVER_CODE} - {"fault"}, (line, answer)
        assert (table.everything(), table("record")["record"]["moves"]) == before


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=st.binary(max_size=60) | st.text(max_size=60))
def test_random_bytes_are_refused(table: Caller, line: str | bytes) -> None:
    check_that_a_refusal_changes_nothing(table, line)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(request=ODD_REQUESTS | ODD_GAMES)
def test_odd_requests_are_answered_or_refused(table: Caller, request: dict[str, Any]) -> None:
    check_that_a_refusal_changes_nothing(table, json.dumps(request))


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_position_with_anything_changed_is_taken_or_refused(table: Caller, data: st.DataObject) -> None:
    """Any one value, however deep inside, replaced by anything."""
    name = data.draw(st.sampled_from(GAMES))
    other = Caller()
    players = games()[name].players[0]
    other("new", game=name, players=players, seed=1)
    play_on(other, random.Random(1), most=data.draw(st.integers(0, 5)))
    position = other.everything()
    inside: Any = position
    while True:
        at = data.draw(st.sampled_from(sorted(inside) if isinstance(inside, dict) else range(len(inside))))
        if not isinstance(inside[at], dict | list) or not inside[at] or data.draw(st.integers(0, 5)) == 0:
            break
        inside = inside[at]
    inside[at] = data.draw(st.integers(-3, 40) | JSON)
    line = json.dumps({"do": "set", "game": name, "players": players, "position": position, "seed": 1})
    check_that_a_refusal_changes_nothing(other, line)


def test_a_mistake_of_ours_is_told_and_undone(ask: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ask.everything()
    listed = ask.legal()[0]["id"]
    with monkeypatch.context() as patched:
        patched.setattr("lampion.adapters.stdio.deal", lambda *args: 1 / 0)
        assert ask.refused("play", move=listed) == "fault"
        assert ask.refused("new", game="lanternes", players=2) == "fault"
    assert ask.everything() == before


def test_serve_answers_lines_of_text_and_stops_with_them() -> None:
    answers: list[str] = []
    serve(['{"do": "games"}', "nonsense", '{"do": "legal", "id": 3}'], answers.append, "fr")
    assert [json.loads(answer)["ok"] for answer in answers] == [True, False, False]
    assert json.loads(answers[2])["reason"].startswith("Aucune partie")


class Process:
    """The real thing, over pipes."""

    def __init__(self) -> None:
        # As most callers start it: what it does not flush stays in its buffer.
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.running = subprocess.Popen(COMMAND, **pipes, cwd=ROOT, env=buffered)

    def send(self, line: bytes) -> dict[str, Any]:
        assert self.running.stdin
        assert self.running.stdout
        self.running.stdin.write(line + b"\n")
        self.running.stdin.flush()
        return dict(json.loads(self.running.stdout.readline()))

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        return self.send(json.dumps({"do": do, **fields}).encode())


@pytest.fixture
def process() -> Iterator[Process]:
    process = Process()
    # Should an answer never come, the test fails instead of waiting for it.
    patience = threading.Timer(300, process.running.kill)
    patience.start()
    try:
        yield process
    finally:
        patience.cancel()
        process.running.kill()
        process.running.communicate()


def test_a_process_answers_line_by_line_survives_nonsense_and_ends_with_its_input(process: Process) -> None:
    assert process.ask("new", game="lanternes", players=2, seed=1)["ok"]
    for error, line in NONSENSE:
        if b"\n" not in line:
            assert process.send(line)["error"] == error
    assert process.send(b'{"do": "games", "id": "' + b"x" * 3 * LONGEST)["error"] == "bad_json"
    listed = process.ask("legal", id="still here")
    assert listed["id"] == "still here"
    assert process.ask("play", move=listed["moves"][0]["id"])["ok"]
    # The last line may lack its end; a file with a byte order mark is fine too.
    out, err = process.running.communicate('\ufeff{"do": "result"}'.encode())
    assert json.loads(out) == {"ok": True, "result": None}
    assert (process.running.returncode, err) == (0, b"")


def test_a_process_whose_reader_went_away_ends_quietly(process: Process) -> None:
    running = process.running
    assert running.stdin
    assert running.stdout
    assert running.stderr
    running.stdout.close()
    try:
        for _ in range(100):
            running.stdin.write(b"nonsense\n")
            running.stdin.flush()
    except BrokenPipeError:
        pass
    assert running.wait(60) == 0
    assert running.stderr.read() == b""


def test_a_process_speaks_the_language_it_is_asked_to() -> None:
    done = subprocess.run([*COMMAND, "--lang", "fr"], input=b"{}\n", capture_output=True, cwd=ROOT, check=True)
    assert "Il n’y a pas de demande" in json.loads(done.stdout)["reason"]


def test_the_example_client_plays_a_game() -> None:
    command = [sys.executable, "examples/stdio_client.py", "lanternes", "2", "--seed", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "won" in done.stdout
