"""The examples that people copy work as they are printed."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import lampion.play.position

ROOT = Path(__file__).resolve().parent.parent


def test_the_readme_tells_the_truth() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_the_example_of_positions_works() -> None:
    failed, tried = doctest.testmod(lampion.play.position)
    assert tried > 3
    assert failed == 0


def anchors(page: Path) -> set[str]:
    """What a link into a page may name: its headings, in small letters, without signs and with hyphens for spaces."""
    prose = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_link_leads_to_a_file_of_the_repository_and_a_heading_in_it() -> None:
    for page in (*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")):
        for path, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
            if "://" not in path:
                told = f"{page.relative_to(ROOT)} links to {path}#{anchor}"
                target = page.parent / path if path else page
                assert target.exists(), told
                assert not anchor or anchor in anchors(target), told


def test_the_readme_names_its_two_commands_and_no_dead_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "python3 run.py " in text
    assert "python3 run.py test" in text
    for page in (
        "docs/stdio.md",
        "docs/tools.md",
        "docs/record.md",
        "docs/speed.md",
        "docs/new-game.md",
        "docs/editions.md",
        "docs/index.md",
        "CONTRIBUTING.md",
        "LICENSE",
    ):
        assert page in text
        assert (ROOT / page).exists()
