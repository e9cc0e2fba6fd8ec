"""A finished game looked at again: notes at moments, links through anybody's eyes, the game as a file that plays."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Person, Server

from .guests import guest, violations
from .positions import anything, play_until

SHARE = "Share and write"


@pytest.fixture(scope="module")
def finished(server: Server) -> dict[str, Any]:
    """A finished game in which a hint was asked for."""
    made = server.make("iles", ("Aline",), "spark", start=True, hints=10, options={"first": 0})
    play_until(server, made, lambda view, _: len(view["moves"]) > 1, anything)
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        assert aline.ask("hint", seat=0)["say"] == "hinted"
    play_until(server, made, lambda *_: False, anything)
    return made


def replay(page: Page, made: dict[str, Any], rest: str) -> None:
    """Go to a moment of the replay."""
    page.goto(page.url.partition("#")[0] + f"#replay/{made['table']}/{rest}")
    page.locator("main.main").wait_for()


@pytest.mark.deep
def test_a_player_writes_a_note_and_others_see_it_at_its_moment(
    browser: Browser, server: Server, finished: dict[str, Any]
) -> None:
    page = guest(browser, server, finished, (0,))
    expect(page.locator("[data-hints-used]")).to_have_text("Hints asked for: Aline 1")
    replay(page, finished, "20")
    before = page.locator("main.main").bounding_box()
    page.get_by_role("button", name=SHARE).click()
    page.get_by_label("Your note about this moment").fill("Here I should\nhave waited")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.get_by_text("It is kept with the game.")).to_be_visible()
    assert not violations(page)
    page.keyboard.press("Escape")
    expect(page.locator("[data-notes]")).to_have_text("Aline Here I should have waited")
    assert page.locator("main.main").bounding_box() == before, "the board does not move for it"
    friend = guest(browser, server, language="fr", size=(375, 667), touch=True)
    replay(friend, finished, "0")
    expect(friend.locator("[data-hints-used]")).to_contain_text("Conseils demandés")
    expect(friend.locator("[data-notes]")).to_have_count(0)
    friend.get_by_role("button", name="Partager, annoter").tap()
    expect(friend.locator("textarea")).to_have_count(0)
    friend.get_by_role("button", name="Aline: Here I should have waited").tap()
    expect(friend.locator("[data-notes]")).to_contain_text("Here I should have waited")
    assert not violations(friend)
    assert friend.evaluate("document.documentElement.scrollWidth") <= 375


def test_a_link_opens_at_its_moment_through_the_eyes_it_names(
    browser: Browser, server: Server, finished: dict[str, Any]
) -> None:
    page = guest(browser, server)
    replay(page, finished, "30/1")
    eyes = page.get_by_label("Through whose eyes")
    expect(eyes).to_have_value("1")
    expect(page).to_have_url(page.url.partition("#")[0] + f"#replay/{finished['table']}/30/1")
    eyes.select_option("all")
    expect(page).to_have_url(page.url.partition("#")[0] + f"#replay/{finished['table']}/30")
    page.get_by_role("button", name=SHARE).click()
    expect(page.get_by_role("dialog").locator("input")).to_have_value(re.compile(r"/30$"))


@pytest.mark.deep
def test_the_game_is_taken_away_as_a_picture_and_as_a_page(
    browser: Browser, server: Server, finished: dict[str, Any], tmp_path: Path
) -> None:
    page = guest(browser, server, finished, (0,))
    replay(page, finished, "20")
    page.get_by_role("button", name=SHARE).click()
    files = {}
    for name, ending in (("A moving picture", "svg"), ("A page with a slider", "html")):
        with page.expect_download(timeout=60_000) as found:
            page.get_by_role("link", name=name).click()
        files[ending] = tmp_path / f"game.{ending}"
        found.value.save_as(files[ending])
        assert found.value.suggested_filename == f"iles-{finished['table']}.{ending}"
    shown = browser.new_context().new_page()
    shown.goto(f"file://{files['html']}#20")
    way = shown.locator("input[type=range]")
    assert int(way.input_value()) > 0
    told = shown.locator("[data-caption]:visible")
    expect(told).to_have_count(1)
    before = told.inner_text()
    way.press("ArrowRight")
    assert told.inner_text() != before
    shown.goto(f"file://{files['svg']}")
    visible = (
        "[...document.querySelectorAll('.s')].filter(one => getComputedStyle(one).visibility === 'visible').length"
    )
    assert shown.evaluate(visible) > 10
