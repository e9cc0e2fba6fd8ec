"""1001 Îles tells its story: words instead of notation, cards that explain, unknown tiles, and what others laid."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect
from server.people import Person, Server

from browser.guests import guest
from browser.iles_hands import asked, choose, commit, position, spots, tap
from browser.positions import rich

PHONE = (375, 667)
NOTATION = r"slot \d|emplacement \d|column 0|colonne 0|\d@\d|\b[pblrom]{3,4}\b"


def has_hidden_tile(aline: Person) -> bool:
    """Aline may take a tile that only the lookout has seen."""
    view = aline.view["view"]
    return view["step"] == "take" and any(slot is not None and slot["tile"] is None for slot in view["table"])


def test_a_face_down_tile_is_a_question_with_what_it_could_be(browser: Browser, server: Server) -> None:
    made = position(server, "spark", wanted=has_hidden_tile)
    page = guest(browser, server, made, (0,))
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


def test_things_tell_what_they_are_when_touched(browser: Browser, server: Server) -> None:
    made = position(server, "spark", "spark", wanted=lambda aline: "snake" in aline.view["view"]["seats"][0]["dreams"])
    page = guest(browser, server, made, (0,), size=PHONE, touch=True)
    asked(page)
    card = page.locator("[data-explanation]")
    dreams = page.locator("[data-mine] .few li")
    names = []
    for dream in dreams.all():
        if dream.locator("svg").count():
            dream.tap()
            names.append(card.inner_text())
    assert any("Dream of snakes" in name and "Exactly 1 in sight: 10 points." in name for name in names), names
    assert all(re.search(r"Worth -?\d+ points? now", name) for name in names), names
    page.locator("[data-mine] svg.tile").first.tap()
    expect(card.locator("p").first).to_be_visible()
    card.get_by_role("button", name="In the rules").tap()
    expect(page.locator(".sheet")).to_be_visible()


def test_the_log_speaks_in_words_and_draws_tiles(browser: Browser, server: Server) -> None:
    for language in ("en", "fr"):
        page = guest(browser, server, rich(server, "iles"), (0,), language=language)
        asked(page)
        log = page.locator("aside .log")
        expect(log.locator("svg.tile").first).to_be_visible()
        assert re.search(NOTATION, log.inner_text()) is None, log.inner_text()
        assert re.search(r"column [1-4]|colonne [1-4]", log.inner_text())


def test_what_another_laid_is_shown_large_on_a_phone_until_the_person_acts(browser: Browser, server: Server) -> None:
    page = guest(browser, server, rich(server, "iles"), (0,), size=PHONE, touch=True)
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
