"""Training gives the same net for the same seed, a better one than it began with, and refuses what it cannot do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from lampion.bots import net_files
from lampion.bots.learned import Learned
from lampion.bots.searcher import Search
from lampion.cli import main
from lampion.engine.network import new_net
from lampion.games.editions import standard
from lampion.games.registry import game
from lampion.learning import checkpoints, selfplay, training
from lampion.learning.curve import Point, drawn
from lampion.learning.gradient import Arrays, Learner
from lampion.learning.play_threads import SelfPlay
from lampion.play import Position, Seeded
from lampion.play.sight import sights

COURSE = training.Course(players=(2, 3), rounds=3, pieces=2, batch=512, memory=5000, seed=4)


def train(out: Path, course: training.Course = COURSE) -> bytes:
    training.train(standard("iles"), course, out, start=None, tell=lambda progress: None)
    return out.read_bytes()


@pytest.mark.deep
def test_the_same_seed_gives_the_same_net(tmp_path: Path) -> None:
    assert train(tmp_path / "a.net") == train(tmp_path / "b.net")


def test_what_a_game_teaches_does_not_depend_on_the_threads() -> None:
    iles = game("iles")
    net = new_net(iles.items, iles.inputs, 8, (16, 8))
    plan = np.array([(0, 0.03, 0.005, 0.85, 0.5)], dtype=selfplay.PLAN)
    lessons = []
    for threads in (1, 3):
        with ThreadPoolExecutor(threads) as pool:
            school = SelfPlay(standard("iles"), 1, pool)
            lessons.append([piece.result() for piece in school.begin(net, [2, 3], 0, 3, plan)])
    for one, other in zip(*lessons, strict=True):
        assert np.array_equal(one.inputs, other.inputs)
        assert np.array_equal(one.targets, other.targets)


def test_a_position_at_the_end_is_worth_the_result() -> None:
    iles = game("iles")
    net = new_net(iles.items, iles.inputs, 8, (16, 8))
    plan = np.array([(0, 0.0, 0.0, 1.0, 1.0)], dtype=selfplay.PLAN)  # all that counts is the result
    with ThreadPoolExecutor(1) as pool:
        lesson = SelfPlay(standard("iles"), 1, pool).play(net, 2, 0, plan)
    assert set(np.unique(lesson.targets[:, 0])) <= {0.0, 0.5, 1.0}
    assert lesson.targets[:, 0].mean() == pytest.approx(0.5)
    assert lesson.targets[:, 1].mean() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("name", ["lanternes", "dice", "lumens", "iles"])
def test_a_bot_on_a_net_plays_a_whole_game(name: str, tmp_path: Path) -> None:
    played = game(name)
    net = new_net(played.items, played.inputs, 8, (8, 8))
    path = tmp_path / "a.net"
    net_files.write(path, net_files.about(standard(name), [2], net), net)
    position, chance = Position(name, 2), Seeded(1)
    seats = sights(position)
    makers = (Learned(effort=Search(sims=sims), net=str(path)) for sims in (3, 1))
    bots = [maker.sit(sight, 7) for maker, sight in zip(makers, seats, strict=True)]
    position.push_chances(chance)
    while not position.is_over:
        for seat in position.pending:
            position.push_rows(bots[seat].choose(seats[seat]), seat)
        position.push_chances(chance)
    assert position.count().winners


def test_the_command_trains_and_says_how_strong_the_net_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "iles.net"
    main(["--lang", "en", "train", "iles", "--players", "2", "--rounds", "1", "--width", "40", "--out", str(out)])
    assert "One step ahead against greedy" in capsys.readouterr().err
    about = net_files.read(out).about
    assert about.command == "lampion train iles --players 2 --rounds 1 --seed 1 --device cpu --width 40"
    assert [shape[1] for shape in about.shapes[::2]] == [20, 40, 32, 2]
    assert list(about.strength) == ["one step ahead against greedy that weighs the others, 2 players"]
    assert " % of 128 games" in about.strength.popitem()[1]
    assert ElementTree.parse(tmp_path / "iles.net.svg").getroot().tag.endswith("svg")


def test_the_curve_has_a_line_and_a_name_for_each_number_of_players() -> None:
    points = [Point(5000, {"2": (0.5, 0.1), "3": (0.41, 0.1)}), Point(20_000, {"2": (0.52, 0.1), "3": (0.5, 0.1)})]
    root = ElementTree.fromstring(drawn(points, "Training"))
    lines = [line.get("points", "").split() for line in root.iter("{http://www.w3.org/2000/svg}polyline")]
    assert [len(line) for line in lines] == [2, 2]
    names = {
        words.text: float(words.get("y", 0))
        for words in root.iter("{http://www.w3.org/2000/svg}text")
        if "players" in str(words.text)
    }
    assert list(names) == ["2 players: 52 %", "3 players: 50 %"]
    top, below = names.values()
    assert below - top >= 15


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    course, out, rounds = replace(COURSE, players=(2,), rounds=4), tmp_path / "a.net", []
    points: list[int] = []

    def stop(progress: training.Progress) -> None:
        rounds.append(progress.round)
        points[:] = [point.games for point in progress.history]
        if rounds == [1, 2]:
            raise KeyboardInterrupt

    for _ in range(2):
        with suppress(KeyboardInterrupt):
            training.train(standard("iles"), course, out, start=None, tell=stop, command="lampion train iles")
    assert rounds == [1, 2, 3, 4]
    assert points == [64, 128, 192, 256]
    assert [path.name for path in tmp_path.iterdir()] == ["a.net"]


def test_a_checkpoint_of_another_run_is_not_gone_on_with(tmp_path: Path) -> None:
    iles = game("iles")
    learner = Learner(new_net(iles.items, iles.inputs, 8, (8, 8)), Arrays())
    points = [Point(96, {"2": (0.5, 0.1)})]
    checkpoints.save(tmp_path / "a.net", "one", learner, 3, points)
    assert checkpoints.load(tmp_path / "a.net", "other", learner) == (0, [])
    assert checkpoints.load(tmp_path / "a.net", "one", learner) == (3, points)
    wider = Learner(new_net(iles.items, iles.inputs, 8, (16, 8)), Arrays())
    assert checkpoints.load(tmp_path / "a.net", "one", wider) == (0, [])
    checkpoints.path_of(tmp_path / "a.net").write_bytes(b"broken")
    assert checkpoints.load(tmp_path / "a.net", "one", learner) == (0, [])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--device", "abacus"], "abacus"),
        (["--players", "9"], "9"),
        (["--players", "0"], "0"),
        (["--seed", "-1"], "-1"),
        (["--out", "nowhere/a.net"], "nowhere"),
        (["--rounds", "0"], "--rounds"),
        (["--from", "nowhere.net"], "nowhere.net"),
        (["--option", "first=1"], "--option"),
        (["--width", "8"], "--width"),
        (["--width", "32", "--from", str(game("iles").folder / "nets" / "all.net")], "64"),
    ],
)
def test_what_cannot_be_trained_is_refused(
    words: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "en", "train", "iles", *words])
    assert ended.value.code != 0
    assert reason in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed here")
def test_without_pytorch_a_card_is_refused_before_anything_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--lang", "en", "train", "iles", "--device", "cuda", "--out", "nowhere.net"])
    assert "PyTorch" in capsys.readouterr().err


def test_the_net_of_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = str(game("dice").folder / "nets" / "all.net")
    with pytest.raises(SystemExit):
        main(["--lang", "en", "train", "iles", "--from", net, "--out", str(tmp_path / "a.net")])
    assert "dice" in capsys.readouterr().err


def test_positions_are_remembered_within_the_memory_of_a_machine() -> None:
    course = training.Course(players=(2,), rounds=1)
    assert course.memory_for(2545) * 2545 * 2 <= 2 << 30
    assert training.Course(players=(2,), rounds=1, device="cuda").memory_for(2545) == course.memory
