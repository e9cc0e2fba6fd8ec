"""docs/protocol.md says all there is, and nothing else: its examples are read by the server's own code, and a client
that was written from it alone plays."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from commands import lampion
from starlette.routing import Mount
from waiting import PATIENCE, until

from lampion.bots.levels import LEVELS
from lampion.games.core import MOST_SEATS
from lampion.games.editions import standard
from lampion.locale import catalogue
from lampion.play import recorded_chance
from lampion.play.fair import Promised, Terms, commitment, numbers, promise, seal_of
from lampion.server.http import app as application
from lampion.server.http import connection_limits, guard
from lampion.server.http.app import App
from lampion.server.protocol import http_types
from lampion.server.protocol import messages as wire
from lampion.server.protocol.table_info import SeatInfo, TableInfo, Wanted
from lampion.server.routes import dialogue
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.tables import hub, presence, presence_between_servers, seal_timer, wish_handlers
from lampion.server.tables.hub import Hub

from .people import Server

ROOT = Path(__file__).parents[2]
PROTOCOL, HOSTING, FAIR = ((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in
                           ("protocol", "hosting", "fair-play"))  # fmt: skip
WISHES = {str(one.__struct_config__.tag): one for one in get_args(wire.WISHES)}
WORDS = {str(one.__struct_config__.tag): one for one in get_args(wire.WORDS)}


def examples() -> list[dict[str, Any]]:
    """Every object in a block of JSON."""
    found: list[dict[str, Any]] = []
    for block in re.findall(r"^```json\n(.*?)^```", PROTOCOL, re.DOTALL | re.MULTILINE):
        at = 0
        while at < len(block):
            one, at = json.JSONDecoder().raw_decode(block, at)
            found.append(one)
            at += len(block[at:]) - len(block[at:].lstrip())
    return found


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PROTOCOL, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[1]


def test_every_wish_and_every_word_has_an_example_that_is_one() -> None:
    told = examples()
    for one in told:
        text = json.dumps(one).encode()
        if "do" in one:
            wire.decode(text)
        elif "say" in one:
            word = msgspec.json.decode(text, type=wire.WORDS, strict=True)
            unknown = {*one} - {"say", *word.__struct_fields__}
            assert not unknown, one
        else:
            msgspec.json.decode(text, type=http_types.MadeTable if "host" in one else http_types.NewTable)
    assert {one["do"] for one in told if "do" in one} == WISHES.keys()
    assert {one["say"] for one in told if "say" in one} == WORDS.keys()


@pytest.mark.parametrize(("title", "kinds"), [("Wishes", WISHES), ("Words", WORDS)])
def test_the_tables_have_every_one_with_its_fields_and_no_other(title: str, kinds: dict[str, Any]) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|([^|]*)\|", section(title).partition("### update")[0], re.MULTILINE))
    assert rows.keys() == kinds.keys()
    for tag, fields in rows.items():
        told = set(re.findall(r"`(\w+)`", fields))
        assert told - {"id"} == set(kinds[tag].__struct_fields__) - {"id"}, tag


def test_every_field_of_an_update_is_told() -> None:
    text = section("Words").partition("### update")[2]
    for kind in (TableInfo, SeatInfo, Wanted, wire.MovedChange, wire.TableChange, wire.SeatView):
        for field in kind.__struct_fields__:
            assert f"`{field}`" in text or f'"{field}"' in text, (kind, field)
    for what in get_args(wire.TableChange.__annotations__["what"]) or re.findall(
        r'"(\w+)"', inspect.getsource(wire.TableChange).partition("Literal[")[2].partition("]")[0]
    ):
        assert f"`{what}`" in text, what


def test_every_address_is_told_and_every_address_told_is_there(tmp_path: Path) -> None:
    app = App(Hub(SqliteStore(tmp_path / "x.db")), admin="x")
    routes = [route for route in app.guard.app.routes if not isinstance(route, Mount)]  # type: ignore[attr-defined]
    there = {re.sub(r":\w+}", "}", str(route.path)) for route in routes}
    told = set(re.findall(r"`(?:GET|POST|DELETE) ([^`]+)`", PROTOCOL + HOSTING)) | {"/api/tables/{table}/socket"}
    assert told == there
    assert "/api/tables/ID/socket" in PROTOCOL


def test_the_codes_levels_and_limits_are_those_of_the_server() -> None:
    keys = {re.sub(r"\.(one|other)$", "", key) for key in catalogue("en")}
    codes = {key.rpartition(".")[2] for key in keys if key.startswith(("table.", "server."))}
    told = set(re.findall(r"^\| `(\w+)` \|", section("Refusals"), re.MULTILINE))
    assert told <= codes
    assert all(f"`{level}`" in section("Wishes") for level in LEVELS)
    limits = section("Limits")
    assert f"{wire.LONGEST:,} bytes" in limits
    assert guard.MOST_BODY == 1 << 20
    assert f"{dialogue.RATE:.0f} messages a second, and {dialogue.BURST:.0f} at once" in limits
    assert f"at most {presence.MOST_PARTICIPANTS} sockets" in limits
    assert f"{wish_handlers.MOST_CHANGES:,} events that are no moves" in limits
    assert f"{presence.MOST_OF_ADDRESS} of each from one address" in limits
    assert f"does not read for {connection_limits.WRITE_SECONDS:.0f} seconds" in limits
    assert f"within {application.HELLO_SECONDS:.0f} seconds" in section("Wishes")
    seated, watching = hub.OF_SEATED[0], hub.OF_WATCHING[0]
    assert f"{seated} a second together where they hold a seat, and {watching} where they watch" in limits
    assert f"for longer than {presence_between_servers.SILENCE:.0f} seconds" in " ".join(HOSTING.split())


def test_the_example_of_fair_play_is_right() -> None:
    secret, nonces = "00" * 32, ["01" * 32, "02" * 32]
    place = ("first", "second", "third")[Promised(secret, nonces).draw(0, 0, [1, 2, 3])]
    number = next(numbers(secret, nonces, 0, 0, 0))
    terms = Terms("lumens", 1, 3, {"first": "drawn"}, standard("lumens").hash)
    seal = seal_of(promise(secret), terms, [*map(commitment, nonces), None])
    assert f'game `lumens` by rules 1, 3 players, options `{{"first":"drawn"}}`, edition\n`{terms.edition}`' in FAIR
    assert f"`{promise(secret)}`, the seal\n`{seal}`; the first number is {number}, the outcome the {place}." in FAIR
    assert f"at most {recorded_chance.MOST_UNDOS:,}" in FAIR
    assert recorded_chance.MOST_UNDOS >= MOST_SEATS * wish_handlers.MOST_CHANGES
    assert f"or {seal_timer.SEAL_SECONDS:.0f} seconds after the seal" in PROTOCOL


def test_every_option_of_serve_is_told_to_the_host() -> None:
    told = set(re.findall(r"^\| `(--[\w-]+)", HOSTING, re.MULTILINE))
    done = lampion("serve", "--help")
    assert told == set(re.findall(r"^  (--[\w-]+)", done.stdout, re.MULTILINE)) - {"--help"}


def test_a_client_written_from_the_manual_plays_a_whole_game_and_survives_a_restart(tmp_path: Path) -> None:
    server = Server(tmp_path / "lampion.db")
    try:
        playing = subprocess.Popen(
            [sys.executable, str(ROOT / "examples" / "client.py"), f"http://localhost:{server.port}/", "dice", "spark"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

        def has_moved() -> bool:
            return "lampion_move_seconds_count 0\n" not in server.answer("/metrics")[1] or playing.poll() is not None

        until(has_moved, "the client moves")
        server.kill()
        server.start(server.port)
        told, _ = playing.communicate(timeout=PATIENCE)
        table = told.split()[0]
        assert playing.returncode == 0
        assert server.get(f"/api/tables/{table}")["status"] == "over"
        assert "winners" in told
    finally:
        server.stop()


def test_the_client_uses_nothing_of_ours() -> None:
    text = (ROOT / "examples" / "client.py").read_text(encoding="utf-8")
    assert not re.search(r"^\s*(import|from) lampion", text, re.MULTILINE)
