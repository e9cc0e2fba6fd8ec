"""Lanternes Dice in a real browser: what is told, what is explained, and one screen for several people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect
from server.people import Server

from browser.dice_hands import LEGAL, asked, go, inside
from browser.dice_tables import Two, seated, tables
from browser.guests import guest

# Whose sheet is large while something is told of somebody, and what: noted while it happens.
NOTE_TELLING = """() => {
  globalThis.told = [];
  new MutationObserver(() => {
    const shown = document.querySelector("[data-shown]:has([data-large])")?.dataset.shown;
    const telling = document.querySelector("[data-telling='1']");
    if (telling) told.push([shown, telling.textContent]);
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""


@pytest.fixture
def two(server: Server) -> Iterator[Callable[[str], Two]]:
    """Opens tables at positions."""
    yield from tables(server)


@pytest.mark.deep
def test_what_another_player_did_is_told_on_their_sheet(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-zone")
    page = seated(browser, table, speed="slow")
    lola = table.people[1]
    while lola.view.get("moves"):
        table.wait(lola.move(lambda moves: next((move for move in moves if move["kind"] == "shade"), moves[-1])))
    expect(page.locator("[data-shown='0']")).to_be_visible()  # what she decided is not known yet
    page.evaluate(NOTE_TELLING)
    table.finish_the_turn()
    page.wait_for_function("() => told.some(([shown, text]) => shown === '1' && text.includes('Lola shades'))")
    expect(page.locator("[data-shown='0'] [data-large]")).to_be_visible()


def test_everybody_at_one_screen_acts_in_the_order_they_like(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-zone")
    page = guest(browser, table.server, table.made, (0, 1), confirm=False)
    strips = page.locator("[data-strip]:visible")
    expect(strips).to_have_count(2)
    expect(strips.nth(0)).to_have_class(re.compile("acts"))
    strips.nth(1).click()
    expect(page.get_by_role("grid", name="of Lola")).to_be_visible()
    expect(strips.nth(1)).to_have_class(re.compile("acts"))
    place = str(page.locator(LEGAL).first.get_attribute("data-zone"))
    page.mouse.click(*inside(page, LEGAL))
    lola = table.people[1]
    while int(place) not in lola.view["view"]["seats"][1]["shaded"]:
        lola.hear()
    page.locator('[data-other="0"]').click()
    expect(page.get_by_role("grid", name="of Aline")).to_be_visible()
    expect(page.locator(LEGAL)).not_to_have_count(0)


NOTATION = re.compile(r"\b[a-i][1-6][ab]?\b|@[a-i]|\b[123][AB]\b|turn:\d")


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_that_is_read_is_notation(browser: Browser, two: Callable[[str], Two], language: str) -> None:
    page = seated(browser, two("dice-launch"), language=language)
    for button in page.locator(".log .more").all():
        button.click()
    labels = "() => [...document.querySelectorAll('[aria-label]')].map(one => one.ariaLabel).join('\\n')"
    read = page.locator("body").inner_text() + page.evaluate(labels)
    assert len(read) > 5000
    assert not NOTATION.findall(read)


@pytest.mark.deep
def test_a_tap_says_what_a_thing_is_and_what_it_needs(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-zone")
    page = seated(browser, table, size=(390, 844), touch=True)
    card = page.locator("[data-explanation]")
    said = {
        "[data-emperor='3']": "Up to two zones of different colours",
        "[data-mark=boat]:not([data-active])": "more ponds? around it",
        ".bonuses": "one more zone",
        ".total": "Second-largest group",
    }
    for thing, words in said.items():
        page.locator(f"{thing}:visible").first.tap(force=True)
        expect(card).to_contain_text(re.compile(words))
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)
    page.get_by_role("button", name="Table").tap()
    page.locator("[data-stack]:visible").last.tap(force=True)
    expect(card).to_contain_text(re.compile("more complete pond|can be launched"))


@pytest.mark.deep
def test_no_bubble_is_left_after_an_emperor_card_and_a_turn_of_the_tray(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("dice-emperor", ("Aline",), "spark"), (0,))
    assert asked(page) == "emperor"
    bubble = page.locator(".pill.there")
    page.locator("[data-emperor].legal:visible").first.click()
    expect(bubble).to_be_visible()
    go(page)
    expect(bubble).to_have_count(0)
    while asked(page) != "turn":
        page.mouse.click(*inside(page, LEGAL))
        go(page)
    page.locator("[data-turn=left]:visible").first.click()
    expect(bubble).to_have_count(0)
    go(page)
    expect(bubble).to_have_count(0)
