"""Tournaments: the schedule, the file they go on from, bots that fail, and the same figures from any crew."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from bad_bots import Failing, Plain
from waiting import PATIENCE, until

from lampion.arena import tournament as meeting
from lampion.arena.figures import Share
from lampion.arena.match import Conditions, Result, lineups
from lampion.arena.tournament import BadResults, BadTournament, Pair, Tournament, decides, figures, tournament, useless
from lampion.arena.workers import Crew, InlineExecutor, WorkerLost, crew
from lampion.bots import Maker, named
from lampion.games.editions import standard

HERE = Crew(InlineExecutor(), 1)


def conditions(players: int = 2, seed: int = 1, **settings: Any) -> Conditions:
    return Conditions.of(standard("lumens"), players, seed=seed, **settings)


def bots(text: str) -> list[Maker]:
    return [named(name) for name in text.split(",")]


def plain(result: Tournament) -> dict[str, Any]:
    """The figures without the time they took."""
    return {**msgspec.to_builtins(result), "seconds": 0}


@pytest.fixture(scope="module")
def two() -> Iterator[Crew]:
    """Two processes, started once."""
    with crew(2) as workers:
        yield workers


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """A small tournament, played in one go by this process."""
    return plain(tournament(conditions(), bots("random,spark,candle"), 12, HERE))


def test_every_pair_meets_and_the_better_bot_is_higher(whole: dict[str, Any]) -> None:
    assert [(pair["a"], pair["b"], pair["games"]) for pair in whole["pairs"]] == [
        ("random", "spark", 12),
        ("random", "candle", 12),
        ("spark", "candle", 12),
    ]
    assert whole["elo"]["random"] == 0
    assert whole["elo"]["candle"] > 0
    assert whole["games"] == 36
    assert whole["failures"] == []
    for pair in whole["pairs"]:
        assert 0 <= pair["low"] <= pair["win_share_a"] <= pair["high"] <= 1


def test_two_processes_give_the_same_figures(whole: dict[str, Any], two: Crew) -> None:
    assert plain(tournament(conditions(), bots("random,spark,candle"), 12, two)) == whole


def test_a_ladder_lets_only_neighbours_meet() -> None:
    result = tournament(conditions(), bots("random,spark,candle"), 2, HERE, ladder=True)
    assert [(pair.a, pair.b) for pair in result.pairs] == [("random", "spark"), ("spark", "candle")]
    assert set(result.elo) == {"random", "spark", "candle"}


def test_games_are_played_in_whole_deals() -> None:
    heard: list[int] = []
    result = tournament(conditions(3), [Plain("one"), Plain("two")], 7, HERE, progress=heard.append)
    assert result.pairs[0].games == 12
    assert sum(heard) == 12 == meeting.games_in_all(2, 3, 7, ladder=False)
    assert result.pairs[0].win_share_a == pytest.approx(0.5)  # equal bots on the same deals from every seat


def test_figures_of_a_pair_by_hand() -> None:
    pair = Pair(0, 1, 3, most=1)
    wins = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]
    for lineup, shares in enumerate(wins):
        pair.add(0, lineup, Result([9, 6, 3], shares, 10, 5))
    pair.settle(None)
    result = figures(conditions(3), [Plain("a"), Plain("b")], [pair], 0.0).pairs[0]
    assert lineups(3)[:4] == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0)]
    assert result.one_a == pytest.approx((1 + 0.5 + 1) / 3)
    assert result.one_b == pytest.approx((0 + 1 + 0.5) / 3)
    scaled_a, scaled_b = 2 * (5 / 6) / (2 * (5 / 6) + 1 / 6), 1 / (1 + 0.5)
    assert result.win_share_a == pytest.approx((scaled_a + 1 - scaled_b) / 2)
    assert (result.score_a, result.score_b, result.score_lead_a) == (6, 6, 0)


def test_a_pair_is_decided_when_its_interval_touches_no_bar() -> None:
    def between(low: float, high: float) -> bool:
        return decides(Share((low + high) / 2, low, high, 0.5, 1.0), 0.65)

    assert between(0.66, 0.8)
    assert between(0.1, 0.34)
    assert between(0.4, 0.6)
    assert not between(0.6, 0.7)
    assert not between(0.3, 0.5)


def test_a_decided_pair_stops_early_and_the_same_however_it_is_played(two: Crew) -> None:
    settings: dict[str, Any] = {"until": 0.65}
    alone = tournament(conditions(), bots("random,candle"), 400, HERE, **settings)
    assert 40 <= alone.pairs[0].games < 400
    assert alone.pairs[0].high <= 0.35
    assert plain(tournament(conditions(), bots("random,candle"), 400, two, **settings)) == plain(alone)


def test_a_failing_bot_loses_every_game_and_is_reported() -> None:
    result = tournament(conditions(3), [Plain(), Failing("crash"), Failing("nonsense")], 6, HERE)
    found = {(pair.a, pair.b): pair for pair in result.pairs}
    for bot in ("crash", "nonsense"):
        pair = found["plain", bot]
        assert (pair.one_a, pair.one_b) == (1.0, 0.0)  # beside one that fails, another of its kind wins nothing
        assert pair.win_share_a == 1.0
        assert pair.score_a is None
    assert {failure.bot for failure in result.failures} == {"crash", "nonsense"}
    for failure in result.failures:
        assert sum(failure.reasons.values()) == failure.games > 0
    assert result.elo["crash"] < result.elo["plain"]
    assert useless(result) == ["crash", "nonsense"]


def test_a_stalling_bot_does_not_hang_the_processes(two: Crew) -> None:
    honest = named("random")  # nobody looks at the clock for it, however slow the machine is
    result = tournament(conditions(patience=0.2), [honest, Failing("stall")], 4, two)
    assert result.pairs[0].win_share_a == 1.0
    assert result.failures[0].games == 4


def test_bots_are_at_least_two_and_different() -> None:
    with pytest.raises(BadTournament, match="two"):
        tournament(conditions(), bots("random"), 2, HERE)
    with pytest.raises(BadTournament, match="twice"):
        tournament(conditions(), bots("random,spark,random"), 2, HERE)


def test_a_tournament_goes_on_from_its_file_and_drops_half_a_line(whole: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    makers = bots("random,spark,candle")
    tournament(conditions(), makers, 4, HERE, save=path)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 12
    path.write_bytes(b"".join(lines[:8]) + lines[8][:20] + b"," * 100_000)
    played: list[int] = []
    assert plain(tournament(conditions(), makers, 12, HERE, save=path, progress=played.append)) == whole
    assert len(path.read_bytes().splitlines()) == 1 + 36
    before = path.read_bytes()
    assert plain(tournament(conditions(), makers, 12, HERE, save=path)) == whole
    assert path.read_bytes() == before


def test_a_file_of_other_settings_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    makers = [Plain("one"), Plain("two")]
    tournament(conditions(), makers, 2, HERE, save=path)
    before = path.read_bytes()
    for other, given, named_there in (
        (conditions(seed=2), makers, "seed"),
        (conditions(3), makers, "players"),
        (conditions(), makers[::-1], "bots"),
        (Conditions.of(standard("lumens"), 2, {"first": 0}, seed=1), makers, "options"),
    ):
        with pytest.raises(BadResults, match=f"its {named_there} is"):
            tournament(other, given, 2, HERE, save=path)
    assert path.read_bytes() == before
    for text in ("a shopping list\n", "no line end", '{"format": 3}\n'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadResults, match="no results of a tournament"):
            tournament(conditions(), makers, 2, HERE, save=path)
        assert path.read_text(encoding="utf-8") == text
    path.write_bytes(before.splitlines(keepends=True)[0] + b"nonsense\n")
    with pytest.raises(BadResults, match="line 2"):
        tournament(conditions(), makers, 2, HERE, save=path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"shares": [1.0]},
        {"shares": [500.0, -499.0]},
        {"shares": [1.0, 1.0]},
        {"scores": [1, 2, 3]},
        {"failed": 7},
        {"a": 9},
        {"b": 0},
        {"deal": -1},
        {"lineup": 2},
    ],
)
def test_a_game_that_there_cannot_be_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    path, makers = tmp_path / "results.jsonl", [Plain("one"), Plain("two")]
    tournament(conditions(), makers, 2, HERE, save=path)
    first, line, *_ = path.read_text(encoding="utf-8").splitlines()
    game = json.loads(line)
    for name, value in wrong.items():
        (game["result"] if name in ("shares", "scores", "failed") else game)[name] = value
    text = f"{first}\n{json.dumps(game)}\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadResults, match="line 2"):
        tournament(conditions(), makers, 2, HERE, save=path)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.skipif(os.name == "nt", reason="this system has no locks of this kind")
def test_a_file_that_another_tournament_writes_is_refused_until_that_has_ended(tmp_path: Path) -> None:
    path, makers = tmp_path / "results.jsonl", [Plain("one"), Plain("two")]
    settings = meeting.settings_of(conditions(), makers)
    book = meeting.ResultsFile(path, settings)
    with pytest.raises(BadResults, match="Another tournament"):
        meeting.ResultsFile(path, settings)
    book.close()
    meeting.ResultsFile(path, settings).close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_what_is_no_plain_file_is_refused_and_a_full_disk_is_told(tmp_path: Path) -> None:
    makers = [Plain("one"), Plain("two")]
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/null"), Path("/dev/full"), tmp_path / "pipe"):
        with pytest.raises(BadResults, match="not a plain file"):
            tournament(conditions(), makers, 2, HERE, save=path)
    for path in (tmp_path, Path("a\0b")):
        with pytest.raises(BadResults, match="cannot be read or written"):
            tournament(conditions(), makers, 2, HERE, save=path)
    book = meeting.ResultsFile(tmp_path / "results.jsonl", meeting.settings_of(conditions(), makers))
    book.file.close()
    book.file = Path("/dev/full").open("ab")  # noqa: SIM115
    with pytest.raises(BadResults, match="no space left"):
        book.add(meeting.Line(0, 1, 0, 0, Result([1, 2], [0.0, 1.0], 3, 3)))
    book.close()


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.deep
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills otherwise")
def test_a_tournament_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    words = ["tournament", "lumens", "--bots", "candle,lighthouse:sims=20", "--games", "30", "--seed", "1"]
    command = [sys.executable, "-m", "lampion", *words, "--processes", "2", "--save", str(path), "--json"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: lines_in(path) >= 2 or running.poll() is not None, "two games are played")
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    before = path.read_bytes()
    kept = before[: before.rindex(b"\n") + 1]
    assert 2 <= kept.count(b"\n") < 31
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert path.read_bytes().startswith(kept)
    assert lines_in(path) == 31
    result = json.loads(done.stdout)
    fresh = tournament(conditions(), bots("candle,lighthouse:sims=20"), 30, HERE)
    assert {**result, "seconds": 0} == json.loads(json.dumps(plain(fresh)))


def is_gone(pid: int) -> bool:
    """Return whether a process has ended, even if nobody has asked for its status yet."""
    try:
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        os.kill(pid, 0)
    except (ProcessLookupError, FileNotFoundError):
        return True
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at through /proc")
@pytest.mark.parametrize(
    ("number", "processes"),
    [
        (signal.SIGINT, 1),
        pytest.param(signal.SIGINT, 2, marks=pytest.mark.deep),
        pytest.param(signal.SIGTERM, 1, marks=pytest.mark.deep),
        (signal.SIGTERM, 2),
        (signal.SIGKILL, 2),
    ],
)
def test_whatever_ends_a_tournament_ends_the_programs_that_play(
    tmp_path: Path, number: signal.Signals, processes: int
) -> None:
    """Killed alone, without workers, nobody is left who could."""
    bot, born = tmp_path / "bot.py", tmp_path / "born"
    bot.write_text(
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"print(os.getpid(), file=open({str(born)!r}, 'a'), flush=True)\n"
        "time.sleep(600)\n"
    )
    words = ["--bots", f"random,cmd:{sys.executable} -S {bot}:ms=600000", "--processes", str(processes)]
    command = [sys.executable, "-m", "lampion", "tournament", "lumens", *words]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    until(lambda: lines_in(born) >= processes or running.poll() is not None, "the programs are started")
    pids = [int(line) for line in born.read_text().splitlines()]
    assert len(pids) >= processes
    if number == signal.SIGINT:
        os.killpg(running.pid, number)  # as a terminal does
    else:
        os.kill(running.pid, number)
    running.wait(PATIENCE)
    until(lambda: all(is_gone(int(line)) for line in born.read_text().splitlines()), "the programs end")


def vanish() -> None:
    """What a bot can do at worst to the process it plays in."""
    os._exit(3)


def test_a_worker_that_vanishes_is_told_of() -> None:
    with crew(2) as lost, pytest.raises(WorkerLost, match="went away"):
        list(lost.results(iter([("", vanish, ())])))
