"""The way back of a phone closes what is open before it leaves the page, and leaves nothing open behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from .guests import guest

TABLE = ".layout"


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """Aline's phone at a table of Lanternes, to which she came from the room."""
    made = server.make("lanternes", ("Aline",), "spark", start=True, options={"first": 0})
    page = guest(browser, server, made, (0,), size=(375, 667), touch=True)
    page.locator(TABLE).wait_for()
    page.goto(page.url.partition("#")[0] + "#/")
    page.locator(".list a.button").first.click()
    page.locator(TABLE).wait_for()
    yield page
    page.context.close()


def settled(page: Page, depth: int) -> None:
    """Wait until the history knows that so many things are open."""
    page.wait_for_function("depth => (history.state?.open ?? 0) === depth", arg=depth)


def test_back_closes_a_sheet_a_menu_a_part_of_it_and_an_explanation_and_then_leaves(page: Page) -> None:
    log = page.get_by_role("navigation", name="Parts of the table").get_by_role("button", name="Log")
    for open_it, seen in (
        (lambda: log.click(), page.locator(".sheet .log")),
        (lambda: page.get_by_role("button", name="Menu").click(), page.locator("dialog")),
        (lambda: page.locator(".strip .seat").last.tap(), page.locator("[data-explanation]")),
    ):
        open_it()
        expect(seen).to_be_visible()
        settled(page, 1)
        page.go_back()
        expect(seen).to_have_count(0)
        expect(page.locator(TABLE)).to_be_visible()
        settled(page, 0)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings", exact=True).click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    settled(page, 1)
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    settled(page, 0)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Games of light, one table.")


@pytest.mark.deep
def test_what_is_closed_by_other_means_takes_its_entry_back(page: Page) -> None:
    tabs = page.get_by_role("navigation", name="Parts of the table")
    tabs.get_by_role("button", name="Log").click()
    tabs.get_by_role("button", name="Rules").click()
    page.get_by_role("button", name="Menu").click()
    settled(page, 2)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    settled(page, 1)
    expect(page.locator(".sheet .rules")).to_be_visible()
    tabs.get_by_role("button", name="Board").click()
    settled(page, 0)
    page.go_back()
    expect(page.locator(TABLE)).to_have_count(0)


def test_a_link_in_what_is_open_leads_away_and_back_leads_to_the_table_with_nothing_open(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    settled(page, 1)
    page.locator('dialog a[href="#/"]').click()
    expect(page.locator(TABLE)).to_have_count(0)
    page.go_back()
    expect(page.locator(TABLE)).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    settled(page, 0)


@pytest.mark.deep
def test_in_the_room_back_closes_what_asks_for_a_new_game(page: Page) -> None:
    page.go_back()
    page.get_by_role("button", name="Play Lanternes", exact=True).click()
    settled(page, 1)
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="Play Lanternes", exact=True).click()
    page.get_by_role("button", name="Start").click()
    page.locator(TABLE).wait_for()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Games of light, one table.")
    expect(page.locator("dialog")).to_have_count(0)
