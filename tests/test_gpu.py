"""The benchmark on a graphics card: every game ends there as on a core, and where there is no card it says why."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tiers import daily

from lampion.games import registry

ROOT = Path(__file__).parents[1]


def benchmark(game: str, games: int, **environment: str) -> dict[str, Any]:
    """What `python -m benchmarks.gpu` finds."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.gpu", "--game", game, "--games", str(games), "--json"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("game", registry.games())
def test_a_card_ends_every_game_in_the_same_bytes(game: str) -> None:
    found = benchmark(game, 4096)
    if "skipped" in found:
        pytest.skip(found["skipped"])
    assert found["different"] == 0


@pytest.mark.deep
@pytest.mark.parametrize("game", daily(registry.games(), "iles"))
def test_so_does_the_kernel_in_the_simulator(game: str) -> None:
    found = benchmark(game, 2, NUMBA_ENABLE_CUDASIM="1")
    assert found["different"] == 0
    assert found["bytes"] == 2 * registry.game(game).state.itemsize
