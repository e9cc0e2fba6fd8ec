"""Whole games in a real Chromium: python -m benchmarks.browser [--game GAME] [--way WAY] [--language LANGUAGE].

Four games, four ways (mouse, keyboard, touch on a phone, two browsers through a link), two languages: 32 games against
a real server, bots at small effort, without animation. Prints how long each took; fails where one does not end well.
Needs what the tests need.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from importlib import import_module
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from browser.conftest import launch
from browser.guests import guest, watch
from browser.test_friends import Friend
from server.people import Server

GAMES = ("lanternes", "dice", "lumens", "iles")
WAYS = ("mouse", "keyboard", "touch", "link")
LANGUAGES = ("en", "fr")
PATIENCE = 120_000


def play(browser: Browser, server: Server, game: str, way: str, language: str) -> list[str]:
    """One game to its end; what the pages complained of."""
    made = server.make(game, ("Aline",), "open" if way == "link" else "spark", start=way != "link")
    size = (375, 667) if way == "touch" else (1440, 900)
    page: Page = guest(browser, server, made, (0,), size=size, touch=way == "touch", language=language)
    page.set_default_timeout(PATIENCE)
    complaints = watch(page)
    friend = None
    if way == "link":
        friend = Friend(server, game, page.url)
        friend.start()
        page.locator("main .button.go:not([disabled])").click()
    hands = import_module(f"browser.{game}_hands")
    getattr(hands, f"play_by_{'mouse' if way == 'link' else way}")(page)
    page.locator(".end h1").wait_for()
    if friend is not None:
        friend.join(PATIENCE / 1000)
        complaints += friend.complaints + ([] if friend.failed is None else [str(friend.failed)])
    if server.request(f"/api/tables/{made['table']}/record")[0] != 200:
        complaints.append("the game has no record")
    page.context.close()
    return complaints


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--language", choices=LANGUAGES)
    asked = parser.parse_args()
    chosen = product(
        *(
            all if one is None else (one,)
            for one, all in ((asked.game, GAMES), (asked.way, WAYS), (asked.language, LANGUAGES))
        )
    )
    failed = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tools:
        server = Server(Path(folder) / "lampion.db")
        browser = launch(tools)
        try:
            for game, way, language in chosen:
                began = time.monotonic()
                try:
                    complaints = play(browser, server, game, way, language)
                except Exception as error:
                    complaints = [str(error).splitlines()[0]]
                failed += bool(complaints)
                told = "; ".join(complaints) or "ok"
                print(f"{game:<10} {way:<9} {language}  {time.monotonic() - began:6.1f} s  {told}", flush=True)
        finally:
            browser.close()
            server.stop()
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
