"""The arena from the command line, and on a local Ray."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import lampion

from lampion.cli import main, result_tables
from lampion.locale import say

PAIR = {"a", "b", "games", "win_share_a", "low", "high"}


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main([*words, "--lang", "en"])
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([*words, "--lang", "en"])
    assert stopped.value.code == 2
    return capsys.readouterr().err


def test_a_tournament_as_json_has_the_promised_names(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "lumens", "--bots", "random,spark", "--bots", "candle", "--games", "4", "--processes", "1"]
    found = json.loads(run(capsys, *words, "--json"))
    assert [pair.keys() >= PAIR for pair in found["pairs"]] == [True] * 3
    assert set(found["elo"]) == {"random", "spark", "candle"}
    told = run(capsys, *words)
    assert "random – spark" in told
    assert "Elo ladder" in told


def test_simulate_with_bots_keeps_the_names_of_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.loads(run(capsys, "simulate", "lumens", "--games", "20", "--json"))
    words = ["simulate", "lumens", "--bots", "random,candle", "--games", "20", "--threads", "1"]
    found = json.loads(run(capsys, *words, "--json"))
    assert found.keys() >= plain.keys()
    assert found["bots"] == ["random", "candle"]
    assert sum(found["wins_by_seat"]) == pytest.approx(20)
    assert found["win_share_by_seat"][1] > 0.5
    assert "candle" in run(capsys, *words)
    assert json.loads(run(capsys, *words, "--json"))["mean_scores"] == found["mean_scores"]


def test_a_name_with_square_brackets_is_shown_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--bots", "random,cmd:./[red]no[/b] program", "--games", "2"]
    assert "[red]no[/b]" in lampion("tournament", "lumens", *words, "--processes", "1").stdout
    assert "[red]no[/b]" in run(capsys, "simulate", "lumens", *words, "--threads", "1")


def test_a_page_that_cannot_be_written_is_told_before_a_game_is_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["report", "lumens", "--bots", "sun", "--games", "1000000", "--out"]
    for out in (tmp_path, tmp_path / "nowhere" / "page.html"):
        assert "cannot be written" in refused(capsys, *words, str(out))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--games", "abc"], "--games demande un nombre entier à partir de 1, et non «\xa0abc\xa0»."),
        (["--processes", "0"], "--processes demande un nombre entier de 1 à 1024"),
        (["--save", "/"], "c’est un dossier"),
        (["--components", "rien.toml"], "ce fichier ou ce dossier n’existe pas"),
        (["plus"], "Il n’y a rien à faire de"),
    ],
)
def test_french_refusals_are_french(capsys: pytest.CaptureFixture[str], words: list[str], reason: str) -> None:
    with pytest.raises(SystemExit):
        main(["tournament", "lumens", "--bots", "random,spark", *words, "--lang", "fr"])
    assert reason in capsys.readouterr().err


def test_a_report_is_one_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    words = ["report", "lumens", "--bots", "random", "--games", "5", "--processes", "1", "--out", str(out)]
    found = json.loads(run(capsys, *words, "--json"))
    assert [one["games"] for one in found] == [5]
    assert "lampion report lumens --bots random" in out.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["tournament", "lumens"], "missing"),
        (["tournament", "lumens", "--bots", "random"], "at least two"),
        (["tournament", "lumens", "--bots", "random,random"], "named twice"),
        (["tournament", "lumens", "--bots", "random,moon"], "No bot is called moon"),
        (["tournament", "lumens", "--bots", "random,spark", "--until", "0.3"], "from 0.5 to 1.0"),
        (["tournament", "lumens", "--bots", "random,spark", "--patience", "nan"], "from 0.01 to 86400.0, not “nan”"),
        (["tournament", "lumens", "--bots", "random,spark", "--games", "0"], "whole number from 1 on, not “0”"),
        (["tournament", "lumens", "--bots", "random,spark", "--json=3"], "--json takes no value"),
        (["tournament", "lumens", "--bots"], "--bots needs a value"),
        (["tournament", "lumens", "--bots", "random,,spark"], "a comma too many"),
        (["tournament", "lumens", "--bots", "random,spark", "more", "words"], "nothing to do with: more words"),
        (["simulate", "lumens", "--bots", "random", "--check"], "not with --bots"),
        (["simulate", "lumens", "--option", "first=" + "[" * 100_000], "cannot be"),
        (["tournament", "lumens", "--bots", "random,spark", "--players", "9"], "not 9"),
        (["tournament", "lumens", "--bots", "random,spark", "--save", "/"], "cannot be read or written"),
        (["simulate", "lumens", "--bots", "random,spark", "--players", "3"], "one for each seat"),
        (["report", "lumens", "--components", "nowhere.toml"], "nowhere.toml"),
        (
            ["report", "lumens", "--bots", "random", "--games", "1", "--processes", "1", "--out", "/"],
            "cannot be written",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(
    capsys: pytest.CaptureFixture[str], words: list[str], reason: str
) -> None:
    assert reason in refused(capsys, *words)


@pytest.mark.deep
def test_a_local_ray_gives_the_same_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is the extra `cluster`")
    words = ["tournament", "lumens", "--bots", "random,candle", "--games", "6", "--json"]
    here = json.loads(run(capsys, *words, "--processes", "1"))
    there = json.loads(run(capsys, *words, "--ray", "local", "--save", str(tmp_path / "results.jsonl")))
    assert {**there, "seconds": 0} == {**here, "seconds": 0}
    assert len((tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()) == 7


def test_a_cluster_that_is_not_there_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray", reason="Ray is the extra `cluster`")
    for words in (["tournament", "lumens", "--bots", "random,candle"], ["simulate", "lumens"], ["report", "lumens"]):
        assert "no Ray cluster at 127.0.0.1:1" in refused(capsys, *words, "--games", "2", "--ray", "127.0.0.1:1")


def test_a_tournament_in_which_a_bot_always_fails_exits_with_1() -> None:
    done = lampion("tournament", "lumens", "--bots", "random,cmd:false", "--games", "2", "--processes", "1")
    assert done.returncode == 1
    assert "cmd:false" in done.stdout


def test_compiling_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_tables, "marker", lambda name: tmp_path / name)
    words = ("simulate", "lumens", "--games", "1", "--threads", "1")
    told = say("cli.compiling", game="Lumens")
    assert told in " ".join(lampion(*words).stderr.split())
    assert told not in " ".join(lampion(*words).stderr.split())
    (tmp_path / "dice-search").touch()  # a server has compiled it
    done = lampion("simulate", "dice", "--games", "1", "--threads", "1")
    assert done.returncode == 0
    assert "Compiling" not in done.stderr
