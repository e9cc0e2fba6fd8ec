"""One server for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .people import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a database of its own."""
    folder: Path = tmp_path_factory.mktemp("server")
    one = Server(folder / "lampion.db")
    yield one
    one.stop()
