"""`lampion analyse`: sentences, figures or a page, in both languages, and a reason for what cannot be analysed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from commands import lampion
from games_played import random_game

from lampion.cli import main
from lampion.insight.analysis_types import Analysis
from lampion.play import Record

LITTLE = ("--simulations", "16")
NOTATION = re.compile(r"@|\b\d+,\d+\b|->|\{|\}|None|nan")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "game.json"
    random_game("iles", 2).save(path)
    return path


def test_a_game_is_told_in_plain_sentences(file: Path) -> None:
    done = lampion("analyse", str(file), *LITTLE)
    assert done.returncode == 0, done.stderr
    assert "Aline" in done.stdout
    assert "Turning points" in done.stdout
    assert "Accuracy" in done.stdout
    assert not NOTATION.search(done.stdout)


def test_it_is_told_in_french_too(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["analyse", str(file), *LITTLE, "--lang", "fr"])
    told = capsys.readouterr().out
    assert "Les moments clés" in told
    assert "Précision" in told
    assert "Turning" not in told


def test_the_figures_are_the_same_bytes_every_time(file: Path) -> None:
    first = lampion("analyse", str(file), "--json", *LITTLE)
    assert first.returncode == 0, first.stderr
    assert lampion("analyse", str(file), "--json", *LITTLE).stdout == first.stdout
    found = Analysis.from_json(first.stdout.encode())
    assert found.names == ["Aline", "Paul"]
    assert len(found.steps) == len(Record.load(file).moves)


class Tags(HTMLParser):
    """Counts tags, and what a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [str(value) for name, value in attrs if name in ("src", "href")]


def test_a_page_needs_nothing_else(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = lampion("analyse", str(file), "--out", str(page), *LITTLE)
    assert done.returncode == 0, done.stderr
    found = Tags()
    found.feed(page.read_text(encoding="utf-8"))
    assert found.tags.count("svg") == 1
    assert found.tags.count("polyline") == 2
    assert "table" in found.tags
    assert "script" not in found.tags
    assert not found.fetched


def test_what_cannot_be_analysed_is_refused_with_a_reason(file: Path, tmp_path: Path) -> None:
    record = random_game("iles", 2)
    begun = tmp_path / "begun.json"
    Record.of(record.replay(20), record.seats).save(begun)
    page = tmp_path / "page.html"
    odd = tmp_path / "odd.json"
    odd.write_text("[]", encoding="utf-8")
    for words, reason in (
        (("analyse", str(begun), "--out", str(page)), "not finished"),
        (("analyse", str(odd), "--out", str(page)), "record"),
        (("analyse", str(tmp_path / "none.json")), "none.json"),
        (("analyse", str(file), "--json", "--out", str(page)), "--json and --out"),
        (("analyse", str(file), "--simulations", "0"), "--simulations"),
        (("analyse", str(file), "--out", str(tmp_path / "no" / "page.html")), "page.html"),
    ):
        done = lampion(*words)
        assert done.returncode == 2
        assert reason in done.stderr
        assert not done.stdout
    assert not page.exists()


def test_names_beside_the_graph_do_not_overlap_and_stay_inside() -> None:
    from lampion.insight.graph import BOTTOM, HEIGHT, LINE, TOP, spread

    for heights in ([14.0, 310.0, 310.0, 310.0], [310.0, 310.0], [14.0, 14.0, 14.0, 14.0, 14.0], [100.0, 104.0, 300.0]):
        found = sorted(spread(heights))
        assert all(low - high >= LINE - 1e-9 for high, low in pairwise(found))
        assert found[0] >= TOP
        assert found[-1] <= HEIGHT - BOTTOM
