"""How fast the pages are: python -m pytest -n0 benchmarks/test_page_speed.py, on a machine without other work.

A table is painted within a second of its link, a preview within 50 ms of pointing, and no task of the page takes more
than 50 ms while a piece is carried. The best of a few tries counts. Needs what the browser tests need.
"""

from __future__ import annotations

import json
import math
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from browser.dice_hands import inside, spot
from browser.guests import guest
from browser.lanternes_hands import place_in_reach
from browser.positions import come_to, kinds, rich
from server.people import Server

pytest_plugins = ["browser.conftest"]  # `browser` and `server`

GAMES = ("lanternes", "dice", "lumens", "iles")
TRIES = 5
FIRST_TABLE_MS = 1000
PREVIEW_MS = 50
TASK_MS = 50
DRAG_S = 2.0

each_game = pytest.mark.parametrize("game", GAMES)
Tables = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def tables(server: Server) -> Tables:
    """A table of each game in the middle of it; the tests only look and point."""
    made: dict[str, dict[str, Any]] = {}

    def table(game: str) -> dict[str, Any]:
        if game not in made:
            if game == "dice, shading":
                made[game] = come_to(server, "dice", 1, lambda view, ply: ply > 20 and "shade" in kinds(view))
            else:
                made[game] = rich(server, game)
        return made[game]

    return table


# From a link to a table that can be seen

BOARDS = {
    "lanternes": "[data-tile]",
    "dice": "svg[data-sheet] [data-zone]",
    "lumens": "[role=grid] [data-token]",
    "iles": "[data-mine] svg",
}
"""What is drawn on a board that is there."""
PAINTED = """selector => {
    const painted = () => {
        const after = new MessageChannel();
        after.port1.onmessage = () => (window.painted ??= performance.now());
        requestAnimationFrame(() => after.port2.postMessage(null));
    };
    const watch = new MutationObserver(() => {
        if (document.querySelector(selector) === null) return;
        watch.disconnect();
        painted();
    });
    watch.observe(document, { childList: true, subtree: true });
}"""
FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@each_game
def test_a_table_is_painted_within_a_second_of_its_link(
    browser: Browser, server: Server, tables: Tables, game: str
) -> None:
    """From the start of the navigation, with nothing in the browser's cache, until the frame with the board is done."""
    made = tables(game)
    found = []
    for _ in range(TRIES):
        page = guest(browser, server)
        link = f"{page.url.partition('#')[0]}#t/{made['table']}"
        page.goto("about:blank")
        page.context.add_init_script(f"({PAINTED})({json.dumps(BOARDS[game])})")
        page.goto(link)
        page.wait_for_function("() => window.painted")
        found.append((page.evaluate("() => window.painted"), page.evaluate(FIRST_PAINT)))
        page.context.close()
        if found[-1][0] < FIRST_TABLE_MS:
            break
    assert min(board for board, _ in found) < FIRST_TABLE_MS, found
    assert all(0 < first <= board for board, first in found), found


# From pointing to the preview

POINTED = """selector => {
    const found = (window.pointed = {});
    const painted = () => {
        const after = new MessageChannel();
        after.port1.onmessage = () => (found.took = performance.now() - found.from);
        after.port2.postMessage(null);
    };
    const look = () => {
        if (found.seen || found.from === undefined || document.querySelector(selector) === null) return;
        found.seen = true;
        watch.disconnect();
        requestAnimationFrame(painted);
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    addEventListener("pointermove", (event) => {
        found.from = event.timeStamp;
        setTimeout(look);
    }, { once: true, capture: true });
}"""
AWAY = (2, 2)


def pointing(page: Page, at: tuple[float, float], preview: str) -> float:
    """Milliseconds from the pointer's move to the frame that shows the preview."""
    page.mouse.move(*AWAY)
    page.wait_for_function("selector => document.querySelector(selector) === null", arg=preview)
    page.evaluate(POINTED, preview)
    page.mouse.move(*at)
    return float(page.wait_for_function("() => window.pointed.took").json_value())


def middles(page: Page, selector: str) -> list[tuple[float, float]]:
    """The middles of what is there, before any of it is pointed at and changes."""
    page.mouse.move(*AWAY)
    boxes = page.locator(selector).evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes[:9]]


def previews_of_lanternes(page: Page) -> list[float]:
    place_in_reach(page)
    took = []
    for x, y in middles(page, "[data-place]"):
        if page.evaluate("at => document.elementFromPoint(...at)?.closest('.frame > svg') !== null", [x, y]):
            took.append(pointing(page, (x, y), "[data-gift]"))
    return took


def previews_of_dice(page: Page) -> list[float]:
    page.locator("[data-zone].legal").first.wait_for()
    zones = [one.get_attribute("data-zone") for one in page.locator("[data-zone].legal").all()[:9]]
    return [pointing(page, inside(page, f'[data-zone="{zone}"]'), ".pill.there :first-child") for zone in zones]


def previews_of_fireworks(page: Page) -> list[float]:
    page.locator("[data-stack].fits:visible").first.click()
    there = spot(page)
    return [pointing(page, there, ".pill.there :first-child") for _ in range(9)]


def previews_of_lumens(page: Page) -> list[float]:
    page.locator("[data-legal]").first.wait_for()
    return [pointing(page, at, "[data-preview].lit .words") for at in middles(page, "[data-legal]")]


def previews_of_iles(page: Page) -> list[float]:
    page.locator("[data-spot^='slot:']:visible").first.wait_for()
    for slot in page.locator("[data-spot^='slot:']:visible").all():
        slot.click()
        if page.locator("[data-spot^='cell:']").count() > 1:
            break
    page.keyboard.press("Escape")
    slot.click()
    page.locator("[data-spot^='cell:']").first.wait_for()
    return [pointing(page, at, "[data-mine] .ghost svg") for at in middles(page, "[data-spot^='cell:']") for _ in "123"]


PREVIEWS: dict[str, Callable[[Page], list[float]]] = {
    "lanternes": previews_of_lanternes,
    "dice": previews_of_fireworks,
    "dice, shading": previews_of_dice,
    "lumens": previews_of_lumens,
    "iles": previews_of_iles,
}


@pytest.mark.parametrize("game", PREVIEWS)
def test_what_a_move_would_do_is_painted_within_50_ms_of_pointing_at_it(
    browser: Browser, server: Server, tables: Tables, game: str
) -> None:
    """The median of the places: the server was asked before, for all that can be pointed at."""
    page = guest(browser, server, tables(game), (0,))
    found = []
    for _ in range(TRIES):
        took = sorted(PREVIEWS[game](page))
        assert len(took) > 2
        found.append(took[len(took) // 2])
        if found[-1] < PREVIEW_MS:
            break
    page.context.close()
    assert min(found) < PREVIEW_MS, found


# Carrying a piece

PIECES = {
    "lanternes": ("[data-hand]", ".frame"),
    "dice": ("[data-stack].fits:visible", "svg[data-sheet='0']"),
    "lumens": ("button[data-face]", "[role=grid]"),
    "iles": ("[data-spot^='slot:']:visible", "[data-mine]"),
}
GHOST = "[data-ghost], [data-mine] .ghost svg"
CARRIED = """selector => {
    const look = () => (window.carried ||= document.querySelector(selector) !== null);
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
}"""
CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline"]


def tasks(browser: Browser, page: Page, carry: Callable[[], None]) -> list[tuple[float, float]]:
    """The tasks of the page's main thread meanwhile, in milliseconds: by the clock, and of the processor."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    carry()
    traced = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {
        (one["pid"], one["tid"]) for one in traced
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }  # fmt: skip
    return [
        (one["dur"] / 1000, one["tdur"] / 1000) for one in traced
        if re.fullmatch("RunTask|.*::RunTask", one["name"]) and (one["pid"], one["tid"]) in threads and "tdur" in one
    ]  # fmt: skip


@each_game
def test_no_task_is_over_50_ms_while_a_piece_is_carried_for_two_seconds(
    browser: Browser, server: Server, tables: Tables, game: str
) -> None:
    """Of the processor's time never; by the clock not in one try of five, as others use the machine too."""
    page = guest(browser, server, tables(game), (0,), speed="normal")
    piece, board = (page.locator(selector).last for selector in PIECES[game])
    piece.wait_for()
    at, over = piece.bounding_box(), board.bounding_box()
    assert at is not None
    assert over is not None
    page.evaluate(CARRIED, GHOST)

    def carry() -> None:
        page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
        page.mouse.down()
        began = time.monotonic()
        while (passed := time.monotonic() - began) < DRAG_S:
            across, down = math.sin(7 * passed), math.sin(12 * passed)
            page.mouse.move(
                over["x"] + over["width"] * (0.5 + 0.42 * across), over["y"] + over["height"] * (0.5 + 0.42 * down)
            )
        page.mouse.move(*AWAY)
        page.mouse.up()

    found = []
    for _ in range(TRIES):
        all = tasks(browser, page, carry)
        assert len(all) > 50
        found.append((max(clock for clock, _ in all), max(processor for _, processor in all)))
        if found[-1][0] <= TASK_MS:
            break
    assert page.evaluate("() => window.carried")
    page.context.close()
    assert max(processor for _, processor in found) <= TASK_MS, found
    assert min(clock for clock, _ in found) <= TASK_MS, found
