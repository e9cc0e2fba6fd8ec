"""Attacks in their short form, with people who play beside them: `python -m benchmarks.attack` has the long one.

What depends on how fast this machine is today is not asserted: that every attack is refused or borne, that the server
answers afterwards, that its memory is bounded and that it stops, is. No clock on the wall is looked at. That an attack
makes the server slow is seen by its work, in processor time: how much of it people wait through for half of their
moves, in units of a known work done by the same machine at the same moment. Seconds are a matter of the benchmark.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from known_work import unit_ms
from tiers import daily
from waiting import PATIENCE

from benchmarks.attack.ground import ATTACKS, Ground

MOST_MB = 600
MOST_WORK = 20.0
"""Units that the server works while somebody waits: far more than it should, and less than where an attack succeeds.
The worst of the attacks makes it work for three or four."""


class Grounds:
    """Servers with people at them; one that an attack has ended is replaced, so that the next has a fair start."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self.folders = folders
        self.known: dict[int | None, Ground] = {}

    def get(self, descriptors: int | None) -> Ground:
        """Return a server that may open that many files."""
        if descriptors in self.known and self.known[descriptors].server.process.poll() is not None:
            self.known.pop(descriptors).close()
        if descriptors not in self.known:
            folder = self.folders.mktemp("attack")
            self.known[descriptors] = Ground(folder, descriptors, tables=2, settle=False, by_work=True)
        return self.known[descriptors]


@pytest.fixture(scope="module")
def grounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grounds]:
    """Servers, as they are needed."""
    found = Grounds(tmp_path_factory)
    yield found
    for one in found.known.values():
        one.close()


ANOTHER_WAY = {"half-sent", "half-sent-one", "preview-4", "qr-flood", "picture-flood", "look-flood", "slow-bodies"}
"""Attacks that come another way to what a different one attacks as well."""


@pytest.mark.parametrize("name", daily(ATTACKS, *ATTACKS.keys() - ANOTHER_WAY))
def test_people_play_on_beside(grounds: Grounds, name: str) -> None:
    result = grounds.get(ATTACKS[name].descriptors).run_here(name)
    told = f"{result}"
    assert not result.broken, told
    assert result.answers, told
    assert result.tracebacks == 0, told
    assert result.missed == 0, told
    assert result.memory_mb < MOST_MB, told
    assert not result.moves or result.median_ms < MOST_WORK * unit_ms(), told


def test_the_server_stops_by_itself_after_all_of_them(grounds: Grounds) -> None:
    """People are still connected; nobody kills it. How soon it stops is seen by the benchmark."""
    for one in [grounds.get(descriptors) for descriptors in grounds.known] or [grounds.get(None)]:
        one.watch.end()
        one.server.process.terminate()
        one.server.process.wait(PATIENCE)
        assert one.tracebacks() == 0
