"""The documentation builds without a warning, and what people copy from it works as it is printed."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from lampion.cli.entry import lampion
from lampion.games.registry import game
from lampion.play import Record
from lampion.testing import wander

ROOT = Path(__file__).resolve().parent.parent
DOCS = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
]
FENCE = re.compile(r"(?:<!-- not run: (?P<why>[^\n]+) -->\n)?^```(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^```$", re.M | re.S)
COMPOSE = "deploy/compose.yaml"
WORDS = ("lampion", "python3 run.py")


def blocks(page: Path, *kinds: str) -> list[re.Match[str]]:
    """The blocks of code of a page, without those that say why they are not run."""
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [
        block for block in found if block["kind"] in kinds and block["why"] is None and "--8<--" not in block["text"]
    ]


def pages_with(*kinds: str) -> list[Any]:
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in DOCS if blocks(page, *kinds)]


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    assert "{#" not in (tmp_path / "rules" / "lanternes.en" / "index.html").read_text(encoding="utf-8")
    assert "push_chances" in (tmp_path / "reference" / "play" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", pages_with("python"))
def test_python_on_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, position = wander(game("lumens"), 2, None, 4)
    Record.of(position).save(tmp_path / "game.json")
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {"text": (tmp_path / "game.json").read_text(), "components": {"nights": 4}}
    for block in blocks(page, "python"):
        if not block["text"].startswith(">>>"):  # those are run by test_docs
            exec(compile(block["text"], str(page), "exec"), space)


@pytest.mark.parametrize("page", pages_with("json", "toml", "yaml"))
def test_data_on_a_page_can_be_read(page: Path) -> None:
    for block in blocks(page, "json", "toml", "yaml"):
        if "…" in block["text"]:  # something is left out
            continue
        if block["kind"] == "json":
            rest, decoder = block["text"].strip(), json.JSONDecoder()
            while rest:
                _, end = decoder.raw_decode(rest)
                rest = rest[end:].lstrip()
        elif block["kind"] == "toml":
            tomllib.loads(block["text"])
        else:
            yaml.safe_load(block["text"])


def commands_of(page: Path) -> list[list[str]]:
    """The lines of a page that call our command, as lists of words without it."""
    found = []
    for block in blocks(page, "", "sh"):
        for line in block["text"].splitlines():
            for start in WORDS:
                if line.startswith(f"{start} "):
                    found.append(shlex.split(line.removeprefix(start), comments=True))
    return [words for words in found if words and words[0] not in ("test", "docs", "release")]


@pytest.mark.parametrize("page", [page for page in DOCS if commands_of(page)], ids=lambda page: page.name)
def test_commands_on_a_page_have_these_options(page: Path) -> None:
    for words in commands_of(page):
        name = next(word for word in words if not word.startswith("-") and word not in ("en", "fr"))
        command = lampion.commands.get(name)
        assert isinstance(command, click.Command), f"there is no lampion {name}"
        known = {text for part in command.params for text in part.opts} | {"--lang", "--help", "--version"}
        for word in words:
            if word.startswith("--") and word != "--":
                assert word.partition("=")[0] in known, f"lampion {name} has no {word}"


def test_the_container_is_as_its_linter_wants_it() -> None:
    done = subprocess.run(
        ["hadolint", "--no-color", "--failure-threshold", "info", str(ROOT / "deploy" / "Containerfile")],
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (ROOT / ".containerignore").read_bytes() == (ROOT / ".dockerignore").read_bytes()


def test_the_service_is_the_one_of_the_manual() -> None:
    (block,) = blocks(ROOT / "docs" / "hosting.md", "ini")
    assert (ROOT / "deploy" / "lampion.service").read_text(encoding="utf-8") == block["text"]


@pytest.mark.parametrize(
    "file", [".github/workflows/test.yml", "deploy/compose.yaml", ".github/ISSUE_TEMPLATE/fault.yml"]
)
def test_files_of_forges_and_containers_can_be_read(file: str) -> None:
    assert yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))
