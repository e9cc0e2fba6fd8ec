"""One server, and one PostgreSQL, for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .people import Server
from .postgresql import Postgresql


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a database of its own, which waits for an hour wherever it waits for people."""
    folder: Path = tmp_path_factory.mktemp("server")
    one = Server(folder / "lampion.db", time_to_greet=3600, time_to_read=3600, time_to_reveal=3600)
    yield one
    one.stop()


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Postgresql]:
    """A PostgreSQL without databases yet."""
    one = Postgresql()
    yield one
    one.remove()
