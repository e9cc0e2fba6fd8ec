"""A real server and a real Chromium."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from conftest import compile_games
from playwright.sync_api import Browser, Playwright, expect, sync_playwright
from server.people import Server

from .journeys import House, opened_house
from .moved_tables import OwnRooms
from .own_room import IN_PAGE

FOLDER = Path(__file__).parent
NAMES = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
)  # fmt: skip
"""The first is Chromium without the windows and menus around the pages, which cost a second for every page."""

AN_HOUR: dict[str, Any] = {"time_to_greet": 3600, "time_to_read": 3600, "time_to_reveal": 3600}
"""How long the server waits for pages: beside other work they may need longer than its few seconds."""


expect.set_options(timeout=60_000)  # against hanging alone: beside other work everything takes several times as long


def chromium() -> str | None:
    """The Chromium of this machine."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def launch(tools: Playwright) -> Browser:
    """Start it."""
    found = chromium()
    assert found, "no Chromium on this machine: install `chromium`, or say where it is in $CHROMIUM"
    # Root has no sandbox of its own; the pages are ours.
    return tools.chromium.launch(executable_path=found, args=["--no-sandbox"] if os.name != "nt" else [])


_open = ExitStack()
_browsers: list[Browser] = []
"""The browser that is open, if one is."""


@pytest.fixture(scope="module")
def browser() -> Browser:
    """One browser for the files of this folder that come one after another; each test opens pages of its own."""
    if not (_browsers and _browsers[0].is_connected()):
        _open.close()
        with ExitStack() as opening:
            launched = launch(opening.enter_context(sync_playwright()))
            opening.callback(_browsers.clear)
            opening.callback(launched.close)
            _browsers.append(launched)
            _open.push(opening.pop_all())
    return _browsers[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser before tests of another kind: while Playwright is there, no other event loop can run."""
    try:
        yield
    finally:
        if nextitem is None or (nextitem.path != item.path and FOLDER not in nextitem.path.parents):
            _open.close()


@pytest.fixture(autouse=True)
def nothing_left_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the pages of a test when it is over: a page that is open goes on moving, and takes time from the others."""
    opened: Browser | None = request.getfixturevalue("browser") if "browser" in request.fixturenames else None
    yield
    for context in [] if opened is None else opened.contexts:
        context.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all, its games and bots compiled; tests play faster than people do, and pages have an hour.

    Where `LAMPION_ROOM=page` asks for it, its tables move into the pages that open them.
    """
    compile_games()
    folder: Path = tmp_path_factory.mktemp("browser")
    if IN_PAGE:
        served: Server = OwnRooms(folder, **AN_HOUR)
    else:
        served = Server(folder / "lampion.db", unlimited=True, loads_all=True, **AN_HOUR)
    deadline = time.monotonic() + 600
    while not all(game["ready"] for game in served.get("/api/games")):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    yield served
    served.stop()


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house for the journeys of a file."""
    with opened_house(browser, tmp_path_factory.mktemp("house")) as house:
        yield house
