"""Every command that the documentation prints is run here, or there is a reason why it is not."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import lampion
from test_site import DOCS, FENCE, ROOT, commands_of

from lampion.games.registry import game
from lampion.play import Record
from lampion.testing import wander

LESS = {
    "analyse": ["--simulations", "8"],
    "report": ["--games", "3", "--processes", "1"],
    "simulate": ["--games", "40"],
    "tournament": ["--games", "2", "--processes", "1"],
}
"""What is added to commands that would take long: of an option that stands twice the last one counts."""
NAMES = {"moth_hunt": "fireflies"}
"""The game that `lampion new-game` writes under another name is here by its own."""
AT_ONCE = {"components", "replay", "rules", *LESS}
"""The commands that run here. A line with a word in capitals says what to put in, and cannot run as it is."""
ELSEWHERE = {
    "backup": "server/test_store.py",
    "check": "server/test_fair.py",
    "new-game": "test_new_game.py",
    "play": "bots/test_terminal.py",
    "puzzles": "insight/test_puzzles.py",
    "records": "server/test_hosting.py",
    "serve": "server/test_start_and_stop.py",
    "site": "browser/test_own_room.py",
    "stdio": "test_stdio_docs.py",
    "train": "learning/test_training.py",
}
"""The tests that run what waits for people, serves, or takes minutes."""
OF_THE_SYSTEM = ("cp", "du", "rm", "systemctl", "LAMPION_ADMIN=", "XDG_CACHE_HOME=")
"""What changes a machine or measures it: not run."""
INDENTED = re.compile(r"(?:^|\n\n)((?: {4}\S[^\n]*(?:\n|$))+)")
FOREIGN = re.compile(r"^(?:\S+/bin/)?(pip|python3?|uvx|pipx) .*$")


def lines_of(page: Path) -> Iterator[str]:
    """Yield the lines of a page that are for a terminal."""
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        if block["kind"] in ("", "sh") and block["why"] is None:
            yield from re.sub(
                r'(python -c) "\n.*?"$', r"\1 ''", block["text"], flags=re.DOTALL | re.MULTILINE
            ).splitlines()
    for found in INDENTED.findall(FENCE.sub("", text)):
        for line in found.splitlines():
            if line.split()[0].rpartition("/")[2] in ("lampion", "pip", "python", "python3", "systemctl"):
                yield line.strip()


PAGES = [page for page in DOCS if any(lines_of(page))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_line_for_a_terminal_is_of_a_known_kind(page: Path) -> None:
    for line in lines_of(page):
        words = shlex.split(line, comments=True)
        if not words or line.startswith(OF_THE_SYSTEM) or line.startswith("python3 run.py"):
            continue
        if words[0].rpartition("/")[2] == "lampion":
            assert words[1] in AT_ONCE | ELSEWHERE.keys(), line
        else:
            assert FOREIGN.match(line), f"{page.name}: is this run anywhere? {line}"


def test_what_is_said_to_be_tested_elsewhere_is() -> None:
    for command, file in ELSEWHERE.items():
        assert (ROOT / "tests" / file).exists(), command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_installed_and_started_is_there(page: Path) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for line in lines_of(page):
        for names in re.findall(r"lampion\[([\w,]+)\]", line):
            assert set(names.split(",")) <= extras.keys(), line
        for module in re.findall(r"-m (benchmarks[\w.]*)", line):
            path = ROOT / module.replace(".", "/")
            assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), line
        for file in re.findall(r"\b(?:examples|benchmarks|requirements)/[\w./]+\w", line):
            assert (ROOT / file).exists(), line
        if found := re.search(r"-m (benchmarks[\w.]*)", line):
            path = ROOT / found[1].replace(".", "/")
            sources = [path.with_suffix(".py")] if path.with_suffix(".py").exists() else list(path.glob("*.py"))
            text = "".join(source.read_text(encoding="utf-8") for source in sources)
            for option in re.findall(r"--[a-z-]+", line):
                assert f'"{option}"' in text, line


def to_run(page: Path) -> list[list[str]]:
    """Return the commands of a page that run as they are."""
    found = [
        *commands_of(page),
        *(shlex.split(line, comments=True)[1:] for line in lines_of(page) if line[:8] == "lampion "),
    ]
    plain = [words for words in found if words[0] in AT_ONCE and not any(word.strip("[.]").isupper() for word in words)]
    return list(map(list, dict.fromkeys(map(tuple, plain))))


@pytest.mark.parametrize("page", [page for page in PAGES if to_run(page)], ids=lambda page: page.name)
def test_commands_on_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    *_, position = wander(game("lumens"), 2, None, 4)
    Record.of(position).save(tmp_path / "game.json")
    for name in ("mine.toml", "yours.toml"):
        (tmp_path / name).write_text(lampion("components", "lumens").stdout, encoding="utf-8")
    for words in to_run(page):
        at = words.index(">") if ">" in words else len(words)
        words, target = [NAMES.get(word, word) for word in words[:at] if word not in ("--lang", "fr")], words[at + 1 :]
        done = lampion(*words, *LESS.get(words[0], []))
        assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
        if target:
            (tmp_path / target[0]).write_text(done.stdout, encoding="utf-8")


def test_no_block_is_of_a_kind_that_nothing_checks() -> None:
    checked = {"", "sh", "python", "json", "toml", "yaml", "ini", "diff"}
    for page in DOCS:
        for block in FENCE.finditer(page.read_text(encoding="utf-8")):
            by_hand = block["kind"] == "nginx" and "tried with nginx" in page.read_text(encoding="utf-8")
            assert block["kind"] in checked | {"text"} or by_hand, f"{page.name}: {block['kind']}"


def test_players_read_the_same_in_french() -> None:
    english, french = (ROOT / "docs" / name for name in ("play.md", "play.fr.md"))

    def shape(page: Path) -> list[str]:
        return [re.match(r"#*|- \*\*|```", line)[0] for line in page.read_text("utf-8").splitlines()]  # type: ignore[index]

    def links(page: Path) -> list[str]:
        return [link.replace(".fr.", ".en.") for link in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8"))]

    assert shape(english) == shape(french)
    assert links(english) == links(french)
    assert [words[:2] for words in commands_of(english)] == [words[:2] for words in commands_of(french)]
