"""1001 Îles tells its story: words instead of notation, cards that explain, unknown tiles, and what others laid."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect
from server.people import Server

from browser.guests import guest
from browser.iles_hands import asked, choose, commit, commit_button, spots, table, tap
from browser.positions import anything, play_until

PHONE = (375, 667)
TOP = "() => document.querySelector('[data-mine] [data-cell]').getBoundingClientRect().top"
NOTATION = r"slot \d|emplacement \d|column 0|colonne 0|\d@\d|\b[pblrom]{3,4}\b"


@pytest.mark.deep
def test_a_face_down_tile_is_a_question_with_what_it_could_be(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-hidden"), (0,))
    asked(page)
    hidden = page.locator("[data-slot]").filter(has_text="?")
    expect(hidden).to_have_count(1)
    hidden.get_by_role("button").click()
    preview = page.locator("[data-preview]:visible")
    expect(preview.locator('[data-category="all"]')).to_contain_text("?")
    unseen = page.locator(".unseen-tiles:visible li")
    count = unseen.count()
    assert count > 1
    expect(page.get_by_text(f"It is one of these {count}.")).to_be_visible()
    page.mouse.move(0, 0)
    hidden.hover()
    expect(page.locator("[data-explanation]")).to_contain_text(f"One of the {count} tiles that you have not seen.")


@pytest.mark.deep
def test_things_tell_what_they_are_when_touched(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-snakes"), (0,), size=PHONE, touch=True)
    asked(page)
    card = page.locator("[data-explanation]")
    dreams = page.locator("[data-mine] .few li")
    names = []
    for dream in dreams.all():
        if dream.locator("svg").count():
            dream.tap()
            names.append(card.inner_text())
            page.keyboard.press("Escape")
    assert any("Dream of snakes" in name and "A snake: 10 points." in name for name in names), names
    assert all(re.search(r"That makes -?\d+ points?", name) for name in names), names
    page.locator("[data-mine] svg.tile").first.tap()
    expect(card.locator("p").first).to_be_visible()
    card.get_by_role("button", name="In the rules").tap()
    expect(page.locator(".sheet")).to_be_visible()


@pytest.mark.deep
def test_the_log_speaks_in_words_and_draws_tiles(browser: Browser, server: Server) -> None:
    for language in ("en", "fr"):
        page = guest(browser, server, server.open("iles-places"), (0,), language=language)
        asked(page)
        log = page.locator("aside .log")
        expect(log.locator("svg.tile").first).to_be_visible()
        assert re.search(NOTATION, log.inner_text()) is None, log.inner_text()
        assert re.search(r"column [1-4]|colonne [1-4]", log.inner_text())


@pytest.mark.deep
def test_what_another_laid_is_shown_large_on_a_phone_until_the_person_acts(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-places"), (0,), size=PHONE, touch=True)
    while not page.locator("[data-again]").is_visible():
        choose(page, tap, spots(page, asked(page)).first)
        commit(page, tap)
        asked(page)
    told = page.locator("[data-told]")
    expect(told).to_have_count(0)
    page.locator("[data-again]").tap()
    expect(told.locator("[data-last]")).to_have_count(1)
    page.locator("[data-skip]").tap()
    expect(told).to_have_count(0)


@pytest.mark.deep
def test_no_card_opens_for_what_appears_under_a_pointer_at_rest(browser: Browser, server: Server) -> None:
    """A mouse that comes to a tile asks; a tile that comes to it does not. The card has a cross."""
    page = guest(browser, server, table(server, "spark"), (0,), size=PHONE, touch=True)
    asked(page)
    page.clock.install()
    choose(page, tap, spots(page, "pile").first)
    commit(page, tap)
    assert asked(page) == "slot"
    card = page.locator("[data-explanation]")
    page.locator('[data-slot="2"]').hover()
    page.clock.run_for(1000)
    expect(card).to_be_visible()
    for _ in range(4):
        choose(page, tap, spots(page, asked(page)).first)
        commit(page, tap)
        asked(page)
        page.clock.run_for(1000)
        expect(card).to_have_count(0)
    page.locator(".strip [data-seat='1']").dispatch_event("pointerdown", {"pointerType": "touch"})
    page.clock.run_for(1000)
    card.get_by_role("button", name="Close").tap()
    expect(card).to_have_count(0)


def test_on_a_phone_the_island_stays_where_it_is_and_a_wrong_square_says_why(browser: Browser, server: Server) -> None:
    """Whatever the step, whatever is read; nothing lies over the tiles one chooses from."""
    page = guest(browser, server, table(server, "spark", "spark"), (0,), size=PHONE, touch=True)
    asked(page)
    top = page.evaluate(TOP)
    choose(page, tap, page.locator('[data-spot="pile:top"]'))
    commit(page, tap)
    asked(page)
    spots(page, "slot").first.tap()
    page.locator('[data-cell="1,0"]').tap()
    line = page.locator("[data-mine] .line")
    expect(line).to_have_text("Tiles from this pile go in the top row.")
    page.locator('[data-cell="0,2"]').tap()
    expect(line).to_contain_text("in the first column")
    assert abs(page.evaluate(TOP) - top) < 1
    page.locator(".why-not").tap()
    expect(page.locator("button.why").first).to_be_visible()
    assert abs(page.evaluate(TOP) - top) < 1
    choose(page, tap, spots(page, "slot").first)
    assert abs(page.evaluate(TOP) - top) < 1
    expect(commit_button(page)).to_be_enabled()


@pytest.mark.deep
def test_a_replay_shows_the_island_of_whoever_moved(browser: Browser, server: Server) -> None:
    made = table(server, "spark")
    play_until(server, made, lambda view, ply: False, anything)
    page = guest(browser, server, made, (0,))
    steps = server.get(f"/api/tables/{made['table']}/replay")["steps"]
    mine = page.locator("[data-mine] h2")
    for seat, name in ((0, "Aline"), (1, "Spark")):
        ply = next(
            i for i, step in enumerate(steps) if step["seat"] == seat and (step["move"] or {}).get("kind") == "take"
        )
        page.goto(f"{page.url.partition('#')[0]}#replay/{made['table']}/{ply + 1}")
        expect(mine).to_have_text(name)
