"""Attacks in their short form, with people who play beside them: `python -m benchmarks.attack` has the long one.

What depends on how fast this machine is today is not asserted: that every attack is refused or borne, that the server
answers afterwards, that its memory is bounded and that it stops, is.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.attack.ground import ATTACKS, Ground

MOST_MB = 750
MOST_MEDIAN_MS = 2_000
"""Far more than people should wait, and less than they do where an attack succeeds."""


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """A server and people at it."""
    one = Ground(tmp_path_factory.mktemp("attack"), tables=2, settle=False)
    yield one
    one.close()


@pytest.fixture(scope="module")
def narrow_ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """The same with a server that may open 1,024 files."""
    one = Ground(tmp_path_factory.mktemp("attack"), descriptors=1024, tables=2, settle=False)
    yield one
    one.close()


def attack(ground: Ground, name: str) -> None:
    """Run one attack; nothing is broken and nobody is shut out."""
    result = ground.run_here(name)
    told = f"{result}"
    assert not result.broken, told
    assert result.answers, told
    assert result.tracebacks == 0, told
    assert result.missed == 0, told
    assert result.memory_mb < MOST_MB, told
    assert not result.moves or result.median_ms < MOST_MEDIAN_MS, told


@pytest.mark.parametrize("name", [name for name, one in ATTACKS.items() if one.descriptors is None])
def test_people_play_on_beside(ground: Ground, name: str) -> None:
    attack(ground, name)


@pytest.mark.parametrize("name", [name for name, one in ATTACKS.items() if one.descriptors is not None])
def test_people_play_on_at_a_server_that_may_open_few_files_beside(narrow_ground: Ground, name: str) -> None:
    attack(narrow_ground, name)


def test_the_server_stops_in_ten_seconds_after_all_of_them(ground: Ground, narrow_ground: Ground) -> None:
    for one in (ground, narrow_ground):
        assert one.stop() < 10
