"""The pictures of README and documentation, taken from the real pages.

    python tests/write_pictures.py [GAME ...]

writes docs/pictures anew after a change of the looks: each game at a full board, by night and by day, and a turn of
Lanternes as it moves.
"""

from __future__ import annotations

import base64
import struct
import sys
import tempfile
from pathlib import Path

import conftest
from browser.conftest import launch
from browser.guests import guest
from browser.lanternes_hands import place_in_reach
from browser.positions import rich
from playwright.sync_api import Browser, Page, sync_playwright
from server.people import Server

FOLDER = Path(conftest.__file__).resolve().parents[1] / "docs" / "pictures"
GAMES = ("lanternes", "dice", "lumens", "iles")
SIZE = (1200, 760)
FRAMES = 26
MILLISECONDS = 160
LAST = 1500
SLOWLY = 0.3
"""How fast things move while a turn is taken: a frame takes longer than it is shown."""
SCALE = 0.5


def taken(page: Page, quality: int, scale: float = 1) -> bytes:
    """Return what a page shows as WebP."""
    tools = page.context.new_cdp_session(page)
    size = page.viewport_size
    assert size is not None
    clip = {"x": 0, "y": 0, **size, "scale": scale}
    found = tools.send("Page.captureScreenshot", {"format": "webp", "quality": quality, "clip": clip})
    tools.detach()
    return base64.b64decode(found["data"])


def chunk(kind: bytes, body: bytes) -> bytes:
    """Return a chunk of a WebP file, padded to an even length."""
    return kind + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def three(number: int) -> bytes:
    """Return a number as three bytes."""
    return struct.pack("<I", number)[:3]


def animated(pictures: list[bytes], width: int, height: int) -> bytes:
    """Return WebP pictures of one size as a moving one that begins again for ever."""
    size = three(width - 1) + three(height - 1)
    parts = [chunk(b"VP8X", b"\x02\0\0\0" + size), chunk(b"ANIM", b"\0\0\0\xff\0\0")]
    for i, picture in enumerate(pictures):
        image = picture[picture.index(b"VP8 ") :]
        pause = LAST if i == len(pictures) - 1 else MILLISECONDS
        parts.append(chunk(b"ANMF", three(0) + three(0) + size + three(pause) + b"\0" + image))
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def ready(page: Page) -> None:
    """Wait until a board is there and at rest."""
    page.locator("main, .board").first.wait_for()
    page.wait_for_function("() => document.fonts.status === 'loaded' && document.querySelectorAll('svg').length > 8")
    page.mouse.move(2, 2)


def stills(browser: Browser, server: Server, game: str) -> None:
    """Take a game's pictures by night and by day."""
    made = rich(server, game)
    for theme in ("night", "day"):
        page = guest(browser, server, made, (0,), size=SIZE, theme=theme)
        ready(page)
        FOLDER.joinpath(f"{game}-{theme}.webp").write_bytes(taken(page, 88))
        page.context.close()


def turn(browser: Browser, server: Server) -> None:
    """Take a turn of Lanternes frame by frame: a tile is placed, and cards fly to everybody."""
    page = guest(browser, server, rich(server, "lanternes"), (0,), size=SIZE, speed="calm")
    ready(page)
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": SLOWLY})
    frames = [taken(page, 64, SCALE)] * 5
    place_in_reach(page).click()
    frames += [taken(page, 64, SCALE)] * 5
    page.locator("[data-go]").click()
    frames += [taken(page, 64, SCALE) for _ in range(FRAMES)]
    width, height = (round(SCALE * side) for side in SIZE)
    FOLDER.joinpath("turn.webp").write_bytes(animated(frames, width, height))
    page.context.close()


def main() -> None:
    """Take the pictures of the games that are named, or all."""
    asked = sys.argv[1:] or [*GAMES, "turn"]
    FOLDER.mkdir(exist_ok=True)
    conftest.RUNNING.write_text("pictures", encoding="utf-8")
    server = Server(Path(tempfile.mkdtemp()) / "pictures.db", unlimited=True)
    try:
        with sync_playwright() as tools:
            browser = launch(tools)
            for game in asked:
                turn(browser, server) if game == "turn" else stills(browser, server, game)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
