"""A real server and a real Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from server.people import Server

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium() -> str | None:
    """The Chromium of this machine."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all; each test opens pages of its own."""
    found = chromium()
    assert found, "no Chromium on this machine: install `chromium`, or say where it is in $CHROMIUM"
    with sync_playwright() as tools:
        # Root has no sandbox of its own; the pages are ours.
        launched = tools.chromium.launch(executable_path=found, args=["--no-sandbox"] if os.name != "nt" else [])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all."""
    folder: Path = tmp_path_factory.mktemp("browser")
    served = Server(folder / "lampion.db")
    yield served
    served.stop()
