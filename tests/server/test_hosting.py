"""The server as the one who runs it knows it: doors, proxies, the office, logs, figures, finished games."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from commands import in_a_process, lampion
from waiting import until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from lampion.server.http.guard import addresses
from lampion.server.routes.admin_routes import AdminRoutes
from lampion.server.routes.exchange import Request, Response
from lampion.server.routes.in_process_router import PlainRequest

from .people import ConnectionClosed, Person, Server
from .test_tables import play_out

ADMIN = "a-token-that-nobody-guesses"
SVG = "{http://www.w3.org/2000/svg}svg"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Below a path, behind a proxy that is trusted, with an admin and a log for machines."""
    folder = tmp_path_factory.mktemp("hosting")
    os.environ["LAMPION_ADMIN"] = ADMIN
    os.environ["LAMPION_BASE_PATH"] = "/games/"
    os.environ["BROWSER"] = f"{sys.executable} {folder / 'browser.py'} {folder / 'opened'} %s"
    (folder / "browser.py").write_text("import sys; open(sys.argv[1], 'a').write(sys.argv[2] + '\\n')\n")
    try:
        one = Server(
            folder / "lampion.db", "--trust-proxy", "--name", "play.example.org", "--log", "json", "--open",
            errors=folder / "errors",
        )  # fmt: skip
    finally:
        del os.environ["LAMPION_ADMIN"], os.environ["LAMPION_BASE_PATH"], os.environ["BROWSER"]
    yield one
    one.stop()


@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    """A table whose game is over."""
    made = server.make("iles", ("<b>Ann</b>",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        play_out(ann)
    return str(made["table"])


def office(server: Server, path: str, body: Any = None, method: str | None = None) -> tuple[int, Any]:
    return server.request(f"/api/admin/{path}", body, method, Authorization=f"Bearer {ADMIN}")


def figures(server: Server) -> dict[str, float]:
    found = re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", server.answer("/metrics")[1], re.MULTILINE)
    return {name: float(value) for name, value in found}


# Doors


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--base-path", "/a?b"), "cannot be a path"),
        (("--base-path", "/a/../b"), "cannot be a path"),
        (("--name", "https://play.example.org"), "without http://"),
        (("--host", "203.0.113.9", "--name", "x"), "no address 203.0.113.9"),
        (("--host", "nowhere.invalid", "--name", "x"), "no address nowhere.invalid"),
        (("--db", "mysql://x"), "postgresql://"),
    ],
)
def test_a_server_that_cannot_be_started_says_why(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    done = in_a_process("serve", "--port", "0", "--db", str(tmp_path / "x.db"), *words)
    assert (done.returncode, told in done.stderr, done.stdout) == (2, True, ""), done.stderr


def test_a_port_in_use_is_named(server: Server, tmp_path: Path) -> None:
    done = in_a_process("serve", "--port", str(server.port), "--db", str(tmp_path / "x.db"))
    assert (done.returncode, str(server.port) in done.stderr) == (2, True)


def test_the_page_is_opened_at_its_address(server: Server) -> None:
    opened = Path(server.db).parent / "opened"
    until(lambda: opened.exists() and opened.read_text(), "the page is opened")
    assert opened.read_text() == f"http://localhost:{server.port}/games/\n"


def test_everything_is_below_the_path_and_what_is_not_says_so(server: Server) -> None:
    assert server.get("/api/server")["protocol"] == 2
    for path in ("/api/nothing", "/../api/games"):
        assert server.request(path)[0] == 404
    status, told = server.request("/api/nothing", accept_language="de, fr;q=0.8, en;q=0.3")
    assert (status, told["code"], told["reason"]) == (404, "no_page", "Il n’y a rien à cette adresse.")
    assert server.request("/api/games", method="PUT")[0] == 405
    status, page = server.answer("/nothing", accept="text/html,*/*;q=0.8", accept_language="fr")
    assert (status, "Il n’y a rien à cette adresse." in page, 'href="/games/"' in page) == (404, True, True)


def test_behind_a_proxy_the_address_is_the_one_people_came_by(server: Server) -> None:
    seen = server.get("/api/server", x_forwarded_proto="https", x_forwarded_host="play.example.org")
    assert (seen["address"], seen.get("alone", False)) == ("https://play.example.org/games/", False)
    seen = server.get("/api/server", x_forwarded_host="made.up, play.example.org", x_forwarded_proto="gopher")
    assert seen["address"] == "http://play.example.org/games/"
    here = server.get("/api/server")
    assert (here["address"], here["alone"]) == (f"http://localhost:{server.port}/games/", True)
    status, told = server.request("/api/server", x_forwarded_host="evil.example")
    assert (status, "--name evil.example" in told) == (403, True)


def test_a_socket_through_a_proxy_is_opened_for_its_own_page_alone(server: Server) -> None:
    made = server.make("lumens", "open", "open")
    address = f"ws://localhost:{server.port}/games/api/tables/{made['table']}/socket"
    forwarded = {"X-Forwarded-Host": "play.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    with connect(address, additional_headers=forwarded, origin=cast(Any, "https://play.example.org")) as socket:
        socket.send(json.dumps({"do": "hello", "version": 2}))
        assert json.loads(socket.recv())["say"] == "welcome"
    with pytest.raises(InvalidStatus):
        connect(address, additional_headers=forwarded, origin=cast(Any, "https://evil.example")).__enter__()


def test_on_the_network_the_address_and_a_code_are_shown_and_invitations_carry_it(tmp_path: Path) -> None:
    found = [address for address in addresses() if ":" not in address]
    if not found:
        pytest.skip("this machine is in no network")
    server = Server(tmp_path / "lan.db", "--lan")
    try:
        assert server.process.stdout is not None
        assert server.process.stdout.readline().strip() == f"On this network: http://{found[0]}:{server.port}/"
        assert "█" in server.process.stdout.readline()
        assert server.get("/api/server")["address"] == f"http://{found[0]}:{server.port}/"
        link = f"http://{found[0]}:{server.port}/#t/abc"
        status, drawn = server.answer(f"/api/qr.svg?text={link.replace('#', '%23')}")
        assert (status, ElementTree.fromstring(drawn).tag) == (200, SVG)
    finally:
        server.stop()


def test_codes_are_drawn_for_this_server_alone(server: Server) -> None:
    good = f"http://localhost:{server.port}/games/%23t/abc"
    assert server.answer(f"/api/qr.svg?text={good}")[0] == 200
    for text in ("", "http://evil.example/games/", f"http://localhost:{server.port}/other", "http://localhost:1/games/",
                 f"javascript://localhost:{server.port}/games/", f"http://x@localhost:{server.port}/games/",
                 "http://[/games/"):  # fmt: skip
        assert server.request(f"/api/qr.svg?text={text}")[1]["code"] == "not_ours", text
    assert server.request(f"/api/qr.svg?text={good + 'x' * 300}")[0] == 413


# ReplayRoutes at games


def test_a_finished_game_is_looked_at_whole_or_from_a_seat(server: Server, finished: str) -> None:
    story = server.get(f"/api/tables/{finished}/replay")
    record = server.get(f"/api/tables/{finished}/record")
    assert [[step["seat"], step["move"]] for step in story["steps"]] == [
        [-1 if who == "chance" else who, move] for who, move in record["moves"]
    ]
    assert story["steps"][-1]["scores"] == story["result"]["scores"] == record["result"]["scores"]
    assert all(len(step["told"]) == len(step["events"]) for step in story["steps"])
    seen = server.get(f"/api/tables/{finished}/replay?seat=0")
    hidden = [ply for ply, step in enumerate(seen["steps"]) if "move" not in step]
    assert hidden, "the other seat's hidden tiles stay hidden"
    ply = hidden[0] + 1
    whole, part = (server.get(f"/api/tables/{finished}/replay/{ply}{seat}") for seat in ("", "?seat=0"))
    assert whole["view"] != part["view"]
    assert (whole["ply"], part["seat"]) == (ply, 0)
    assert server.request(f"/api/tables/{finished}/replay/9999")[1]["code"] == "ply"
    assert server.request(f"/api/tables/{finished}/replay/1?seat=2")[1]["code"] == "no_seat"
    assert server.request(f"/api/tables/{finished}/replay/1?seat=-1")[1]["code"] == "no_seat"


def test_a_file_is_looked_at_as_a_table_is_and_not_kept(server: Server, finished: str) -> None:
    file = server.answer(f"/api/tables/{finished}/record")[1].encode()
    before = len(office(server, "tables")[1])
    for more in ("", "/7", "?seat=1", "/7/picture.txt", "/7/boards"):
        assert server.request(f"/api/replay{more}", file) == server.request(f"/api/tables/{finished}/replay{more}")
    assert len(office(server, "tables")[1]) == before
    forged = file.replace(b'"rules": 1', b'"rules": 99')
    assert server.request("/api/replay", forged)[1]["code"] == "rules_too_new"
    assert server.request("/api/replay", b"\xff")[1]["code"] == "foreign"


def test_a_game_that_goes_on_is_not_looked_at(server: Server) -> None:
    made = server.make("iles", ("Ann",), ("Ben",), start=True)
    for what in ("record", "replay", "replay/0", "replay/0/picture.svg", "replay/0/boards"):
        assert server.request(f"/api/tables/{made['table']}/{what}")[0] == 409


def test_a_picture_shows_what_the_token_may_see_and_names_are_only_text(server: Server) -> None:
    made = server.make("lanternes", ("<b>Ann</b>",), ("Ben",), start=True)
    place = f"/api/tables/{made['table']}/picture"
    drawn = {
        token: server.answer(f"{place}.svg", **({"Authorization": f"Bearer {token}"} if token else {}))
        for token in ("", made["tokens"]["0"], made["tokens"]["1"])
    }
    assert [status for status, _ in drawn.values()] == [200, 200, 200]
    assert len({text for _, text in drawn.values()}) == 3
    for _, text in drawn.values():
        assert ElementTree.fromstring(text).tag == SVG
        assert "<b>" not in text
    assert "Ann" in server.answer(f"{place}.txt")[1]
    assert server.request(f"{place}.svg", Authorization="Bearer " + "x" * 24)[0] == 403
    assert server.request(f"{place}.png")[0] == 404


def test_rules_are_told_where_they_are_written(server: Server) -> None:
    told = [server.answer("/api/rules/lumens", accept_language=language) for language in ("en", "fr", "de")]
    assert [status for status, _ in told] == [200, 200, 200]
    assert told[0] == told[2] != told[1]
    assert server.answer("/api/rules/fireflies", accept_language="fr")[1].startswith("# Lucioles"), "of its own package"
    assert server.request("/api/rules/chess")[1]["code"] == "game"
    for path in ("..%2f..%2fpyproject", "%2e%2e", "lumens%00", "lumens.en.md"):
        assert server.request(f"/api/rules/{path}")[0] == 404


# Lists


def test_tables_are_found_by_id_alone_and_told_at_a_glance(server: Server, finished: str) -> None:
    made = server.make("lumens", ("Ann",), ("Ben",), start=True)
    new = server.make("lumens", "open", "candle")
    asked = [finished, made["table"], new["table"], "no-such-table", finished]
    over, playing, waiting, gone = server.request("/api/tables/look", {"tables": asked})[1]
    assert (over["status"], over["seats"][0]["name"], "scores" in over["result"]) == ("over", "<b>Ann</b>", True)
    info = server.get(f"/api/tables/{made['table']}")
    assert (playing["pending"], playing["status"]) == (info["pending"], "playing")
    assert [seat["kind"] for seat in waiting["seats"]] == ["free", "bot"]
    assert gone == {"id": "no-such-table", "status": "gone"}
    assert server.request("/api/tables")[0] == 405
    assert server.request("/api/tables/look", {"tables": ["x"] * 51})[1]["code"] == "bad_message"
    assert server.request("/api/tables/look", b"{x")[1]["code"] == "not_json"


def test_a_glance_needs_no_table_in_memory_and_sees_what_is_new(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Ben",), start=True)
    server.stop()
    os.environ["LAMPION_ADMIN"] = ADMIN
    server.start(server.port)
    del os.environ["LAMPION_ADMIN"]

    def look() -> Any:
        return server.request("/api/tables/look", {"tables": [made["table"]]})[1][0]

    first = look()
    assert first == look()
    assert figures(server)["lampion_tables"] == 0
    with Person(server, made["table"], made["tokens"][str(first["pending"][0])]) as one:
        assert one.move()["say"] == "done"
        assert look()["seq"] > first["seq"]


# The office


def test_the_office_is_for_the_admin_alone_and_guessing_is_slow(server: Server) -> None:
    for words in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": ADMIN}, {"Authorization": f"Basic {ADMIN}"}):
        assert server.request("/api/admin/tables", x_forwarded_for="192.0.2.1", **words)[0] == 401
    assert server.request(f"/api/admin/tables?token={ADMIN}", x_forwarded_for="192.0.2.1")[0] == 401
    guesser = {"x_forwarded_for": "198.51.100.1, 192.0.2.66"}
    tried = [server.request("/api/admin/tables", **guesser, Authorization=f"Bearer {i}")[0] for i in range(12)]
    assert tried == [401] * 10 + [429] * 2
    status, told = server.request("/api/admin/tables", **guesser, Authorization="Bearer 13")
    assert (status, told["code"]) == (429, "too_many_tries")
    assert re.search(r"Too many wrong tries from this address: wait \d+ second", told["reason"])
    assert server.request("/api/admin/tables", **guesser, Authorization=f"Bearer {ADMIN}")[0] == 200
    assert office(server, "tables")[0] == 200


def test_a_page_of_another_site_does_not_use_up_the_admins_tries(server: Server) -> None:
    here = {"x_forwarded_for": "192.0.2.17"}
    for number in range(30):
        foreign = {"Origin": "https://example.org", "Sec-Fetch-Site": "cross-site"} if number % 2 else {}
        assert server.request("/api/admin/tables", **here, **foreign)[0] == 401
    assert server.request("/api/admin/tables", **here, Authorization="Bearer wrong")[0] == 401
    assert server.request("/api/admin/tables", **here, Authorization=f"Bearer {ADMIN}")[0] == 200


def test_a_short_token_waits_after_wrong_tries_so_that_it_is_not_found_by_trying() -> None:
    async def welcome(request: Request) -> Response:
        return Response(b"welcome")

    def enter(office: AdminRoutes, token: str) -> int:
        request = PlainRequest({"authorization": f"Bearer {token}"})

        async def answer() -> Response:
            return await office.only(welcome)(request)

        return asyncio.run(answer()).status_code

    for token, after in (("short", 429), ("long enough that nobody finds it", 200)):
        office = AdminRoutes(None, None, token)  # type: ignore[arg-type]
        assert enter(office, token) == 200
        assert [enter(office, "wrong") for _ in range(11)] == [401] * 10 + [429]
        assert enter(office, token) == after


def test_the_admin_sees_tables_closes_them_and_sends_people_away(server: Server) -> None:
    made = server.make("lumens", ("Ann",), ("Ben",), start=True)
    id = made["table"]
    with Person(server, id, made["tokens"]["1"]) as ben:
        listed = {one["id"]: one for one in office(server, "tables?status=playing")[1]}
        assert ([seat["name"] for seat in listed[id]["seats"]], listed[id]["sockets"]) == (["Ann", "Ben"], 1)
        status, told = office(server, f"tables/{id}/kick", {"seat": 1, "level": "spark"})
        assert (status, told["seats"][1]["level"]) == (200, "spark")
        assert ben.until(lambda word: word["say"] == "lost")["seat"] == 1
        assert office(server, f"tables/{id}/kick", {"seat": 5})[1]["code"] == "no_seat"
        assert office(server, f"tables/{id}/kick", {"chair": 1})[1]["code"] == "bad_message"
        assert office(server, f"tables/{id}", method="DELETE")[0] == 409
        assert office(server, f"tables/{id}/close", {})[1]["status"] == "closed"
        ben.until(lambda word: word["say"] == "update" and word["table"]["status"] == "closed")
        assert office(server, f"tables/{id}", method="DELETE")[0] == 204
    assert server.request(f"/api/tables/{id}")[0] == 404
    assert server.request("/api/tables/look", {"tables": [id]})[1][0]["status"] == "gone"
    assert office(server, "tables/none/close", {})[0] == 404
    assert office(server, "tables?status=lost")[1]["code"] == "no_status"
    assert office(server, "tables?limit=0")[1]["code"] == "no_limit"


def test_finished_games_are_exported_imported_and_deleted_alike(server: Server, finished: str, tmp_path: Path) -> None:
    file = server.answer(f"/api/tables/{finished}/record")[1]
    status, told = office(server, "records", file.encode())
    assert status == 201
    assert server.answer(f"/api/tables/{told['table']}/record")[1] == file
    assert office(server, "records", file.replace('"iles"', '"chess"').encode())[1]["code"] == "game"

    done = lampion("records", "export", str(tmp_path / "out"), finished, "--db", str(server.db))
    assert done.returncode == 0, done.stderr
    [path] = (tmp_path / "out").iterdir()
    assert path.read_text(encoding="utf-8") == file
    other = str(tmp_path / "other.db")
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    done = lampion("records", "import", str(path), str(bad), "--db", other)
    assert (done.returncode, str(bad) in done.stderr, Path(other).exists()) == (2, True, False)
    id = lampion("records", "import", str(path), "--db", other).stdout.strip()
    assert f"{id}  " in lampion("records", "list", "--db", other).stdout
    lampion("records", "export", str(tmp_path / "again"), "--db", other)
    assert (tmp_path / "again" / f"iles-{id}.json").read_text(encoding="utf-8") == file
    done = lampion("records", "delete", id, "nobody", "--db", other)
    assert (done.returncode, "nobody" in done.stderr) == (2, True)
    assert lampion("records", "delete", id, "--db", other).returncode == 0
    assert lampion("records", "list", "--db", other) == (0, "", "There is no finished game in this database.\n")


# Watching


def test_the_figures_tell_the_truth(server: Server) -> None:
    before = figures(server)
    made = server.make("iles", ("Ann",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert figures(server)["lampion_sockets"] == before["lampion_sockets"] + 1
        play_out(ann)
        assert ann.ask("move", seat=0, seq=ann.seq, move={})["say"] == "no"
        mine = sum(one["say"] == "done" and "id" in one for one in ann.said)
    record = server.get(f"/api/tables/{made['table']}/record")
    after = figures(server)
    rise = {name: after[name] - before[name] for name in before}
    assert rise["lampion_moves_total"] == len(record["moves"])
    assert rise["lampion_tables_made_total"] == rise["lampion_sockets_opened_total"] == 1
    assert rise["lampion_refusals_total"] == 1
    assert rise["lampion_messages_total"] == mine + 2, "hello and the move that was refused"
    assert rise["lampion_move_seconds_count"] == mine + 1
    assert rise["lampion_bot_seconds_count"] == sum(who == 1 for who, _ in record["moves"])
    assert 0 < rise["lampion_bot_seconds_sum"] < 60
    for name in ("move", "bot", "store"):
        buckets = [value for key, value in after.items() if key.startswith(f"lampion_{name}_seconds_bucket")]
        assert buckets == sorted(buckets)
        assert buckets[-1] == after[f"lampion_{name}_seconds_count"]
    assert server.get("/healthz") == {"ok": True, "version": server.get("/api/server")["version"]}


def test_the_log_is_json_and_has_no_token_in_it(server: Server, finished: str) -> None:
    server.request("/api/server", x_forwarded_host="stranger.example")
    server.request("/api/server", x_forwarded_host="stranger.example")
    with Person(server, server.make("lumens", "open", "open")["table"]) as stranger:
        stranger.socket.send(b"\xb2\xe0", text=True)
        with pytest.raises(ConnectionClosed):
            stranger.until(lambda word: False)
    text = (Path(server.db).parent / "errors").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert all({"at", "level", "what"} <= set(line) for line in lines)
    assert sum(line.get("host") == "stranger.example" for line in lines) == 1, "a name is told of once"
    assert any(line["what"] == "game over" and line["game"] == "iles" for line in lines)
    assert not any("trace" in line for line in lines), "strangers fill no log"
    assert ADMIN not in text
