"""How much script the pages load. How fast they are is measured by benchmarks/test_page_speed.py."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[2] / "src" / "lampion" / "server" / "pages"
SCRIPT_BYTES = 170_000
"""Of all that the room and a table load, with the boards of all games."""
ON_DEMAND = {
    "Rules": 3_000,
    "RulesPage": 1_000,
    "TableMenu": 4_000,
    "Puzzles": 12_000,
    "Exercises": 6_000,
    "Analysis": 16_000,
    "AnalysisBoard": 14_000,
    "Replay": 8_000,
    "PlayOn": 3_000,
    "Admin": 5_000,
    "FairPlay": 4_000,
    "Guide": 3_000,
    "Hints": 4_000,
    "Settings": 3_000,
    "sharedPicture": 3_000,
    "inPage": 3_000,
    "SiteNote": 3_000,
    "Progress": 2_000,
    "update": 1_000,
    "gameFiles": 2_000,
}
"""The parts that are loaded when somebody asks for them, by the name of their file, and how much each may bring."""

IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'`]\./([\w.-]+\.js)["'`]""")


def reached(start: str, left_out: frozenset[str] = frozenset()) -> set[str]:
    """Return the names of all files that a file loads, at once or later, but not those that are left out."""
    found, waiting = {start}, [start]
    while waiting:
        text = (PAGES / "assets" / waiting.pop()).read_text(encoding="utf-8")
        new = set(IMPORTED.findall(text)) - found - left_out
        found |= new
        waiting += new
    return found


def size(names: set[str]) -> int:
    """Return how many bytes files have on their way."""
    return sum(len(gzip.compress((PAGES / "assets" / name).read_bytes())) for name in names)


def entries() -> dict[str, str]:
    """Return the file of each part that is loaded on demand."""
    names = [path.name for path in (PAGES / "assets").glob("*.js")]
    return {part: next(name for name in names if name.startswith(f"{part}-")) for part in ON_DEMAND}


def usual() -> set[str]:
    """Return the files that the room and a table load."""
    start = re.search(r'src="\./assets/([\w.-]+\.js)"', (PAGES / "index.html").read_text(encoding="utf-8"))
    assert start is not None
    return reached(start[1], frozenset(entries().values()))


def test_the_room_and_its_tables_fit_in_170_kilobytes() -> None:
    assert 30_000 < size(usual()) <= SCRIPT_BYTES


@pytest.mark.parametrize("part", ON_DEMAND)
def test_what_is_loaded_on_demand_is_small(part: str) -> None:
    others = frozenset(name for other, name in entries().items() if other != part)
    assert 0 < size(reached(entries()[part], others) - usual()) <= ON_DEMAND[part]


def test_no_file_is_left_out_of_the_count() -> None:
    everything = usual().union(*(reached(name) for name in entries().values()))
    workers = {path.name for path in (PAGES / "assets").glob("*Worker-*.js")}  # of a room in the page
    assert everything | workers == {path.name for path in (PAGES / "assets").glob("*.js")}
    assert size(workers) <= 6_000
