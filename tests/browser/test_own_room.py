"""The room in a page, from a static host that is switched off after the first visit.

What takes long is played where `LAMPION_ROOM=page` asks for it, on the compiled modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from lampion.page import site

from . import dice_hands, iles_hands, lanternes_hands, lumens_hands
from .guests import guest, watch
from .own_room import IN_PAGE, Host, ask, make_here, plan, ready

long = pytest.mark.skipif(not IN_PAGE, reason="takes long: LAMPION_ROOM=page asks for it")
HANDS: dict[str, Callable[[Page], None]] = {
    "lumens": lumens_hands.play_by_mouse,
    "iles": iles_hands.play_by_mouse,
    "dice": dice_hands.play_by_mouse,
    "lanternes": lanternes_hands.play_by_mouse,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site below a path of its host; without compiled modules unless all is asked for."""
    root: Path = tmp_path_factory.mktemp("host")
    with ThreadPoolExecutor(1) as pool:  # beside the event loop of the browser's tools
        pool.submit(site.write, root / "games" / "room", "/games/room/", None if IN_PAGE else ()).result()
    return root


@pytest.fixture(scope="module")
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    """Somebody's page, whose host is gone after the first visit."""
    host = Host(folder)
    host.address += "games/room/"
    page = guest(browser, host)  # type: ignore[arg-type]
    page.faults = watch(page)  # type: ignore[attr-defined]
    ready(page)
    host.stop()
    page.context.set_offline(True)
    page.set_default_timeout(120_000)  # Python starts anew with every page
    yield page
    page.context.close()


@pytest.fixture(autouse=True)
def nothing_left_open() -> None:
    """Keep the page for all tests of this file."""


def sit_down(page: Page, game: str, *others: Any) -> str:
    """Make a table in the page's own room, and go there."""
    seats = tuple(seat for seat, other in enumerate(((), *others)) if isinstance(other, tuple))
    return make_here(page, plan(game, ("Aline",), *others, start=True), seats)


def test_a_table_is_played_at_without_a_host_and_after_a_reload(page: Page) -> None:
    sit_down(page, "lumens", "spark")
    lumens_hands.opened(page)
    for _ in range(2):
        lumens_hands.play_a_move(page)
    before = lumens_hands.asked(page)
    page.reload()
    lumens_hands.opened(page)
    assert lumens_hands.asked(page) == before
    assert page.faults == []  # type: ignore[attr-defined]


@pytest.mark.deep
def test_a_damaged_memory_is_not_used_and_the_room_opens_all_the_same(page: Page) -> None:
    page.goto(page.url.partition("#")[0])
    ready(page)
    length = "async url => (await (await caches.match(url)).arrayBuffer()).byteLength"
    memory, whole = page.evaluate(
        """async () => {
          const cache = await caches.open(`lampion-runtime ${new URL("./", document.baseURI).pathname}`);
          const { url } = (await cache.keys()).find((one) => one.url.includes("/memory-"));
          const { headers } = await cache.match(url);
          const bytes = await (await cache.match(url)).arrayBuffer();
          await cache.put(url, new Response(bytes.slice(0, bytes.byteLength / 2), { headers }));
          return [url, bytes.byteLength];
        }"""
    )
    assert page.evaluate(length, memory) < whole
    page.reload()
    assert ask(page, "tables", plan("lumens", ("Aline",), "spark"))["table"]
    while page.evaluate(length, memory) < whole:  # and it is kept anew
        page.wait_for_timeout(50)
    assert page.faults == []  # type: ignore[attr-defined]


def test_nothing_leads_to_friends_who_cannot_come(page: Page) -> None:
    page.goto(page.url.partition("#")[0])
    expect(page.get_by_text("lampion serve --lan")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Invite"))).to_have_count(0)


@long
@pytest.mark.parametrize("game", HANDS)
def test_a_whole_game_against_a_bot_its_replay_and_its_record(page: Page, game: str) -> None:
    table = sit_down(page, game, "lantern")
    HANDS[game](page)
    page.locator(".end").wait_for()
    assert ask(page, f"tables/{table}")["status"] == "over"
    record = ask(page, f"tables/{table}/record")
    last = len(record["moves"])
    page.evaluate("([id, ply]) => { location.hash = `#replay/${id}/${ply}`; }", [table, last])
    expect(page.get_by_role("slider", name="Moment of the game")).to_have_value(str(last))
    again = ask(page, "records", record)["table"]
    assert ask(page, f"tables/{again}")["status"] == "over"


@long
def test_two_people_at_one_screen(page: Page) -> None:
    sit_down(page, "lumens", ("Lola",))
    for _ in range(2):
        page.get_by_role("button", name=re.compile("show my side")).click()
        ply = lumens_hands.asked(page)
        assert ply is not None
        page.locator("[data-commit]").click()
        lumens_hands.made(page, ply)


@long
def test_a_lesson_and_a_puzzle(page: Page) -> None:
    page.goto(page.url.partition("#")[0])
    page.get_by_role("button", name="Learn Lumens").click()
    guide = page.locator("[data-guide]")
    guide.wait_for(timeout=60_000)
    page.locator("[data-go-on]").click()
    expect(guide).to_have_attribute("data-guide", "1")
    puzzle = next(one for one in ask(page, "puzzles") if one["game"] == "iles")
    page.goto(f"{page.url.partition('#')[0]}#puzzles/iles/{puzzle['id']}")
    page.locator(".layout").wait_for(timeout=60_000)


@long
def test_what_decided_a_game_is_told(page: Page) -> None:
    table = sit_down(page, "iles", "spark")
    HANDS["iles"](page)
    page.locator(".end").wait_for()
    page.goto(f"{page.url.partition('#')[0]}#analysis/{table}")
    expect(page.locator("[data-graph] svg[role=img]")).to_be_visible(timeout=300_000)
