"""A game of another package is found, played, recorded and driven like ours, from Python and from the command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import commands
import fireflies
import pytest
from conftest import FIFTH

from lampion.games.core import CHANCE, EVERYTHING, BadComponents
from lampion.games.editions import components_file, edition, standard
from lampion.games.registry import game, games
from lampion.locale import speaking
from lampion.play import Position, Record, Seeded
from lampion.testing import check_options, wander


def lampion(*words: str, said: str | None = None) -> str:
    """What the command answers; to something said, in a process of its own."""
    command = [sys.executable, "-m", "lampion", "--lang", "en", *words]
    done = (
        commands.lampion(*words)
        if said is None
        else subprocess.run(command, input=said, capture_output=True, text=True, encoding="utf-8", timeout=300)
    )
    assert done.returncode == 0, f"lampion {' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A finished game as a file."""
    *_, position = wander(game("fireflies"), 3, None, 4)
    Record.of(position).save(tmp_path / "fireflies.json")
    return tmp_path / "fireflies.json"


def test_it_comes_from_its_own_package() -> None:
    assert games()["fireflies"] is fireflies.GAME
    assert Path(str(fireflies.__file__)).is_relative_to(FIFTH[1])
    assert distribution("fireflies").version == "1.0"
    ours = game("lanternes").folder.parents[1]
    files = [path for path in ours.rglob("*") if path.suffix in (".py", ".json") and "new_game" not in path.parts]
    mentions = [path for path in files if "fireflies" in path.read_text(encoding="utf-8")]
    assert not mentions, f"our own sources know a game of another package: {mentions}"


def test_a_game_that_cannot_be_loaded_is_left_out_and_named(tmp_path: Path) -> None:
    broken = {"argument": "import math\n\nGAME = math.sqrt()", "typo": "GAME =", "words": "from fireflies import GAME"}
    for name, source in broken.items():
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        metadata = tmp_path / f"{name}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n", encoding="utf-8")
        (metadata / "entry_points.txt").write_text(f"[lampion.games]\n{name} = {name}:GAME\n", encoding="utf-8")
    shutil.copytree(FIFTH[1], tmp_path, dirs_exist_ok=True)
    (tmp_path / "fireflies" / "fr.json").write_text("{", encoding="utf-8")
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])}
    command = [sys.executable, "-m", "lampion", "games", "--lang", "en"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["dice", "iles", "lanternes", "lumens"]
    argument, fireflies_line, typo, words = done.stderr.splitlines()
    assert argument.startswith("argument cannot be loaded: TypeError: ")
    assert argument.endswith(f"({tmp_path / 'argument.py'}:3)")
    assert typo == f"typo cannot be loaded: SyntaxError: invalid syntax ({tmp_path / 'typo.py'}:1)"
    for line, name in ((fireflies_line, "fireflies"), (words, "words")):
        assert line.startswith(f"{name} cannot be loaded: ValueError: {tmp_path / 'fireflies' / 'fr.json'}: ")


def test_a_forgotten_option_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    fifth = game("fireflies")
    check_options(fifth, 2)
    monkeypatch.setattr(fifth.view, "options_of", lambda view: {} if view.first is None else {"first": view.first})
    with pytest.raises(AssertionError, match="options_of does not show it"):
        check_options(fifth, 2)
    monkeypatch.setattr(fifth.view, "options_of", lambda view: {"equal": "nobody"})
    with pytest.raises(AssertionError, match="options_of shows equal 'nobody' where 'everybody' was chosen"):
        check_options(fifth, 2)


def test_the_brightest_alone_scores() -> None:
    position = Position("fireflies", 3, {"first": 0})
    for move in ("+3", "+5", "+2", "*3", "*5", "go"):
        position.push(move)
    assert position.count().categories == [{"light": 0, "rest": 0}, {"light": 5, "rest": 0}, {"light": 0, "rest": 1}]


def test_two_that_are_equally_bright_score_nothing() -> None:
    position = Position("fireflies", 3, {"first": 0})
    for move in ("+5", "+5", "+2", "*5", "*5", "*2"):
        position.push(move)
    assert position.count().scores == [0, 0, 0]


def test_what_somebody_let_go_only_they_remember() -> None:
    position = Position("fireflies", 2, {"first": 0})
    for move in ("+5", "+1", "go", "go"):
        position.push(move)
    assert [seat.gone for seat in position.view(0).seats] == [[0, 0, 0, 0, 1], None]
    assert position.view(1).unseen == [3, 3, 3, 3, 2]


def test_its_box_is_checked_in_its_own_words() -> None:
    data = dict(standard("fireflies").data) | {"lights": [1, 1, 1, 1, 1]}
    with pytest.raises(BadComponents) as caught:
        edition(game("fireflies"), data)
    with speaking("en"):
        assert str(caught.value) == "lights: 5 fireflies are too few; 12 are drawn in a game."


def test_the_command_lists_it() -> None:
    assert {"game": "fireflies", "players": [2, 3]} in json.loads(lampion("games", "--json"))


def test_the_command_simulates_it_and_checks_its_facts() -> None:
    told = json.loads(lampion("simulate", "fireflies", "--players", "3", "--games", "2000", "--check", "--json"))
    assert told["game"] == "fireflies"
    assert told["games"] == 2000


def test_the_command_plays_it_from_the_first_move_to_the_last(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    moves = [line for _ in range(4) for line in ("?", "1")]
    told = lampion("play", "fireflies", "--seed", "7", "--save", str(path), said="\n".join(moves))
    assert "Night 4 of 4" in told
    record = Record.load(path)
    assert record.check().is_over
    assert record.chance.seed == 7


def test_the_command_replays_and_checks_a_record(saved: Path) -> None:
    assert "The game is over." in lampion("replay", str(saved))
    assert "Night 1 of 4" in lampion("replay", str(saved), "--at", "5", "--seat", "1")
    assert "Fireflies" in lampion("check", str(saved))


def test_the_command_shows_and_checks_its_components(tmp_path: Path) -> None:
    written = components_file(game("fireflies")).read_text(encoding="utf-8")
    assert lampion("components", "fireflies") == written
    path = tmp_path / "mine.toml"
    path.write_text(written.replace("nights = 4", "nights = 5"), encoding="utf-8")
    assert "Fireflies" in lampion("components", "fireflies", "--check", str(path))
    assert '"nights": 4' in lampion("components", "fireflies", "--json")


def test_any_program_can_play_it() -> None:
    requests = [
        {"do": "new", "game": "fireflies", "players": 2, "options": {"first": 1}, "seed": 3},
        {"do": "legal"},
        {"do": "play", "move": "go"},
        {"do": "view", "seat": 0},
    ]
    answers = [json.loads(line) for line in lampion("stdio", said="\n".join(map(json.dumps, requests))).splitlines()]
    assert [answer["ok"] for answer in answers] == [True] * 4
    assert answers[1]["moves"][0]["notation"] == "go"
    position = Position("fireflies", 2, {"first": 1})
    position.push_chances(Seeded(3))
    position.push("go")
    assert position.actor != CHANCE
    assert answers[3]["view"]["seats"][1]["went"] == position.view(EVERYTHING).seats[1].went == 1
    assert answers[3]["view"]["seats"][1]["gone"] is None
