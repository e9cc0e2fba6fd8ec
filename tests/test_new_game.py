"""`lampion new-game` writes a game that is found, checked, played and shown like any other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIFTH

from lampion.locale import Problem, say, speaking
from lampion.new_game import TEMPLATE, write_game

NAME = "moth_hunt"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new") / NAME
    write_game(NAME, folder)
    return folder


def test_no_name_of_the_sample_is_left(written: Path) -> None:
    files = [file for file in written.rglob("*") if file.is_file()]
    assert len(files) == len([file for file in TEMPLATE.rglob("*") if file.is_file() and file.suffix != ".pyc"])
    for file in files:
        text = file.read_text(encoding="utf-8")
        left = re.findall(r"Fireflies|Lucioles|fireflies[.:]\w|[\"'`/]fireflies|import fireflies|from fireflies", text)
        assert not left, f"{file}: {left}"
        assert "fireflies" not in str(file.relative_to(written))
    assert (written / "src" / NAME / "rules.en.md").read_text(encoding="utf-8").startswith("# Moth Hunt\n")


def test_every_file_says_what_to_change(written: Path) -> None:
    guide = (written / "README.md").read_text(encoding="utf-8")
    for file in (*(written / "src" / NAME).iterdir(), *(written / "tests").iterdir(), written / "pyproject.toml"):
        said = file.name in guide or "In a game of your own" in file.read_text(encoding="utf-8")
        assert said, f"{file.name} does not say what to change"


def test_the_guide_shows_every_line_of_the_option(written: Path) -> None:
    guide = (Path(__file__).parent.parent / "docs" / "new-game.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\+(.*)$", guide, re.MULTILINE)
    texts = [file.read_text(encoding="utf-8") for file in (written / "src" / NAME).iterdir() if file.is_file()]
    for line in lines:
        assert any(line.strip() in text for text in texts), f"this line of the guide is not in the game: {line}"
    for file in ("__init__.py", "rules.py", "view.py", "en.json"):
        for line in (written / "src" / NAME / file).read_text(encoding="utf-8").splitlines():
            if (
                re.search(r"\bequal\b(?!ly)|EQUALS =|FOR_EVERYBODY", line)
                and "import" not in line
                and '"""' not in line
            ):
                assert any(one.strip() in line for one in lines), f"the guide does not show this line: {line}"


@pytest.mark.deep
def test_it_is_installed_and_passes_its_own_tests(written: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    install = ["pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--target", str(site), str(written)]
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path not in FIFTH]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(site), *paths]), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    for words in (
        install,
        ["pytest", "-q", "-p", "no:cacheprovider", str(written / "tests")],
        ["lampion", "simulate", NAME, "--players", "3", "--games", "500", "--check"],
        ["lampion", "rules", NAME, "--lang", "fr"],
        ["lampion", "play", NAME, "--seats", "greedy,random", "--seed", "1"],
    ):
        done = subprocess.run([sys.executable, "-m", *words], cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize(
    ("name", "key"),
    [("Moths", "name"), ("2moths", "name"), ("moth-hunt", "name"), ("class", "keyword"), ("m" * 31, "name"),
     ("", "name"), ("lumens", "taken"), ("json", "taken"), ("numpy", "taken")],
)  # fmt: skip
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(tmp_path: Path, name: str, key: str) -> None:
    with speaking("en"), pytest.raises(Problem) as refused:
        write_game(name, tmp_path / "new")
    assert str(refused.value) == say(f"new_game.{key}", name=name)
    assert not (tmp_path / "new").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Problem):
        write_game(NAME, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]
