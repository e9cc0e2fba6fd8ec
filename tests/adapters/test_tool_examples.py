"""The examples for other people's tools run, and what they say they learn, they learn."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def told(*words: str) -> str:
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.deep
def test_the_vector_example_learns() -> None:
    lines = told("examples/train_vector.py", "--rounds", "40", "--rows", "128").splitlines()
    first, last = (int(re.search(r"won (\d+)%", line)[1]) for line in (lines[0], lines[-1]))  # type: ignore[index]
    assert first < 65
    assert last > first + 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("pettingzoo_loop.py --games 20 --trials 2", r"games against itself in .*\nthen won \d+% of 2 games"),
        pytest.param("gymnasium_learn.py --games 300", r"games: won \d+% of the last", marks=pytest.mark.deep),
        ("openspiel_ismcts.py --game iles --sims 3", r"its share of the victory: "),
    ],
)
def test_the_example_runs(words: str, said: str) -> None:
    name, *rest = words.split()
    assert re.search(said, told(f"examples/{name}", *rest))


def test_a_match_against_their_search_plays_every_deal_from_each_seat() -> None:
    words = "benchmarks/ismcts_match.py --game iles --games 3 --sims 4 --processes 1 --json"
    found = json.loads(told(*words.split()))
    assert found["games"] == 4
    assert 0 <= found["interval"][0] <= found["share"] <= found["interval"][1] <= 1
    assert found["scaled"] == pytest.approx(found["share"])
