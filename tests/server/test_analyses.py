"""Analyses of finished games: made once, stored, read in both languages; decisions tried again; games played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from waiting import until

from lampion.insight.analysis import analyse
from lampion.insight.settings import QUICK, STANDARD
from lampion.play import Record
from lampion.play.record import Continues
from lampion.server.tables import analyses

from .people import Person, Server
from .test_tables import play_out


def finished(server: Server, game: str, *bots: str) -> dict[str, Any]:
    """A finished game of Ann against bots."""
    made = server.make(game, ("Ann",), *bots, start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        play_out(ann)
    return made


@pytest.fixture(scope="module")
def table(server: Server) -> str:
    """A finished game of Lanternes."""
    return str(finished(server, "lanternes", "spark")["table"])


def analysed(server: Server, table: str) -> list[dict[str, Any]]:
    """Ask for an analysis and wait for it; return all that was said about how far it is."""
    path = f"/api/tables/{table}/analysis"
    status, state = server.request(path, b"", "POST")
    assert status in (200, 202), state
    said = [state]

    def is_done() -> bool:
        assert said[-1]["state"] in ("waiting", "making", "done"), said[-1]
        if said[-1]["state"] != "done":
            said.append(server.get(path))
        return bool(said[-1]["state"] == "done")

    until(is_done, "the analysis is made", every=0.1)
    return said


def test_a_server_makes_the_same_effort_as_the_command() -> None:
    assert analyses.SETTINGS is STANDARD


def test_an_analysis_is_made_once_and_has_the_bytes_of_the_command(server: Server, table: str) -> None:
    path = f"/api/tables/{table}/analysis"
    assert server.get(path) == {"state": "none"}
    assert server.request(f"{path}/figures")[0] == 404
    said = analysed(server, table)
    parts = [(state.get("done", 0), state["total"]) for state in said if state["state"] == "making"]
    assert parts == sorted(parts)
    assert all(done <= total for done, total in parts)
    assert server.request(path, b"", "POST") == (200, {"state": "done"})
    record = Record.from_json(server.answer(f"/api/tables/{table}/record")[1])
    assert server.answer(f"{path}/figures")[1].encode() == analyse(record, QUICK).to_json()


def test_a_report_is_in_the_readers_language_and_adds_up(server: Server, table: str) -> None:
    analysed(server, table)
    english, french = (server.get(f"/api/tables/{table}/analysis/report?lang={one}") for one in ("en", "fr"))
    assert english["shares"] == french["shares"]
    assert english["names"][0] == "Ann"
    assert english["names"][1] != "spark", "a bot has a name in the reader's language"
    told = [[moment["told"] for moment in report["turning_points"]] for report in (english, french)]
    assert told[0]
    assert told[0] != told[1]
    for player in english["players"]:
        parts = sum(player[part] for part in ("start", "luck", "cost", "gifts", "unforeseen"))
        assert parts == pytest.approx(player["end"], abs=1e-3)
        assert english["shares"][-1][player["seat"]] == player["end"]
    assert all(one["cost"] > 0 and one["better"] for one in english["decisions"])


def test_a_decision_is_shown_and_tried_again(server: Server, table: str) -> None:
    analysed(server, table)
    report = server.get(f"/api/tables/{table}/analysis/report")
    worst = max(report["decisions"], key=lambda one: one["cost"])
    path = f"/api/tables/{table}/analysis/{worst['ply']}"
    scenes = server.get(path)
    assert scenes["seat"] == worst["seat"]
    assert len(scenes["before"]["moves"]) == worst["options"]
    assert scenes["played"]["view"] != scenes["best"]["view"]
    figures = server.get(f"/api/tables/{table}/analysis/figures")
    decision = figures["steps"][worst["ply"] - 1]["decision"]
    best, played = decision["moves"][0]["move"], decision["moves"][decision["played"]]["move"]
    status, judged = server.request(f"{path}/try", {"move": best})
    assert (status, judged["is_good"]) == (200, True), judged
    _, judged = server.request(f"{path}/try", {"move": played})
    assert not judged["is_good"]
    assert judged["cost"] > 0
    previews = server.request(f"{path}/preview", {"moves": [best, {"kind": "fly"}], "views": True})[1]["outlooks"]
    assert previews[0]["view"] == scenes["best"]["view"]
    assert previews[1]["reason"]
    assert server.request(f"{path}/try", {"move": {"kind": "fly"}})[0] == 400
    draw = figures["steps"].index(next(step for step in figures["steps"] if step["seat"] is None)) + 1
    assert server.request(f"/api/tables/{table}/analysis/{draw}")[1]["code"] == "no_decision"


def test_a_game_that_goes_on_has_no_analysis(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True)
    path = f"/api/tables/{made['table']}/analysis"
    for method in ("GET", "POST", "DELETE"):
        assert server.request(path, None, method)[1]["code"] == "unfinished"
    for tail, body in (("figures", None), ("report", None), ("1", None), ("1/try", {"move": {}})):
        assert server.request(f"{path}/{tail}", body)[1]["code"] == "unfinished"
    wanted = {"seat": 0, "name": "Ann"}
    assert server.request(f"/api/tables/{made['table']}/replay/0/play", wanted)[1]["code"] == "unfinished"


def test_an_analysis_survives_the_server_and_goes_with_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = "a-long-token-of-the-admin"
    monkeypatch.setenv("LAMPION_ADMIN", admin)
    server = Server(tmp_path / "lampion.db")
    try:
        table = finished(server, "lumens", "spark")["table"]
        path = f"/api/tables/{table}/analysis"
        analysed(server, table)
        before = server.answer(f"{path}/figures")
        server.kill()
        server.start()
        assert server.get(path) == {"state": "done"}
        assert server.answer(f"{path}/figures") == before
        assert server.request(f"/api/admin/tables/{table}", None, "DELETE", authorization=f"Bearer {admin}")[0] == 204
        assert server.request(path)[1]["code"] == "no_table"
    finally:
        server.stop()


def test_who_asked_may_withdraw_and_the_work_stops(server: Server) -> None:
    table = finished(server, "iles", "spark", "spark")["table"]
    path = f"/api/tables/{table}/analysis"
    server.request(path, b"", "POST")
    assert server.request(path, None, "DELETE")[1] == {"state": "none"}
    assert server.get(path) == {"state": "none"}
    analysed(server, table)


@pytest.mark.parametrize("game", ["lanternes", "dice", "lumens", "iles"])
def test_a_game_is_played_on_from_a_moment(server: Server, game: str) -> None:
    first = (
        finished(server, game, "spark")["table"]
        if game != "iles"
        else finished(server, game, "spark", "spark")["table"]
    )
    story = server.get(f"/api/tables/{first}/replay")
    ply = story["last"] // 2
    wanted = {"seat": 1, "name": "Bea", "level": "spark"}
    status, made = server.request(f"/api/tables/{first}/replay/{ply}/play", wanted)
    assert status == 201, made
    with Person(server, made["table"], made["tokens"]["1"]) as bea:
        assert bea.latest["table"]["ply"] >= ply
        names = [seat["name"] for seat in bea.latest["table"]["seats"]]
        assert names[1] == "Bea"
        while (refused := bea.ask("undo", seat=1, seq=bea.seq)["code"]) == "stale":
            pass  # the bot moved in between
        assert refused == "before"
        play_out(bea)
    again = server.get(f"/api/tables/{made['table']}/replay")
    assert [step["notation"] for step in again["steps"][:ply]] == [step["notation"] for step in story["steps"][:ply]]
    record = Record.from_json(server.answer(f"/api/tables/{made['table']}/record")[1])
    assert record.check().is_over
    assert record.continues == Continues(first, ply)
    assert record.chance.kind == "entropy", "what was promised does not hold for the moves before"
    assert server.request(f"/api/tables/{first}/replay/{story['last']}/play", wanted)[1]["code"] == "is_over"
