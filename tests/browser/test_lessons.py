"""Guided games in the browser: played to their end by mouse, touch and keyboard, left and taken up again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from .guests import guest, violations
from .pages import TIGHT, WIDE, layout_faults

GAMES = ("lanternes", "dice", "lumens", "iles")
GUIDE = "[data-guide]"
STEP = "step => document.querySelector('[data-guide]')?.dataset.guide !== step"


def learn(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Learn {name}").click()
    page.locator(GUIDE).wait_for(timeout=60_000)


def step(page: Page) -> str | None:
    guide = page.locator(GUIDE)
    return guide.get_attribute("data-guide") if guide.count() else None


def advance(page: Page, touch: bool = False) -> None:
    """Read on, or let the guide show and make the move."""
    before = step(page)
    go_on, show = page.locator("[data-go-on]"), page.locator("[data-show]")
    if go_on.count() == 0:
        (show.tap if touch else show.click)()
        expect(page.locator("[data-show=made]")).to_be_visible()
    button = go_on if go_on.count() else show
    (button.tap if touch else button.click)()
    page.wait_for_function(STEP, arg=before)


@pytest.mark.parametrize(("game", "touch"), [(game, touch) for game in GAMES for touch in (False, True)])
def test_a_lesson_is_played_to_its_end(browser: Browser, server: Server, game: str, touch: bool) -> None:
    made = server.request(f"/api/tutorials/{game}", {"name": "Aline"})[1]
    page = guest(browser, server, made, (0,), size=(375, 667) if touch else (1440, 900), touch=touch)
    page.locator(GUIDE).wait_for(timeout=60_000)
    page.locator(".layout").wait_for()
    while step(page) is not None:
        guide, board = page.locator(GUIDE).bounding_box(), page.locator(".layout").bounding_box()
        assert guide is not None
        assert board is not None
        assert guide["y"] + guide["height"] <= board["y"] + 1, "the guide covers the board"
        assert board["height"] >= 300 or not touch
        advance(page, touch)
    expect(page.locator(".layout")).to_be_visible()
    page.context.close()


def test_the_first_visit_offers_a_lesson_which_is_left_and_taken_up_again(browser: Browser, server: Server) -> None:
    page = guest(browser, server, known="")
    expect(page.locator("[data-new]")).to_contain_text("five minutes")
    learn(page, "Lumens")
    assert violations(page) == []
    assert layout_faults(page, (*TIGHT, WIDE)) == []
    for _ in range(3):
        advance(page)
    left = step(page)
    page.get_by_role("link", name="Leave").click()
    expect(page.locator("[data-new]")).to_have_count(0)
    learn(page, "Lumens")
    assert step(page) == left
    page.reload()
    page.locator(GUIDE).wait_for()
    assert step(page) == left
    page.context.close()


def test_a_wrong_try_is_answered_in_the_guide_by_keyboard(browser: Browser, server: Server) -> None:
    made = server.request("/api/tutorials/lumens", {})[1]
    page = guest(browser, server, made, (0,))
    page.locator("[data-go-on]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(GUIDE)).to_have_attribute("data-guide", "1")
    expect(page.locator(GUIDE)).to_be_focused()
    page.locator("[data-face='3']").press("Enter")
    page.locator("[data-commit]").press("Enter")
    expect(page.locator("[data-answer]")).to_contain_text("Show the 4")
    assert step(page) == "1"
    page.locator("[data-face='4']").press("Enter")
    page.locator("[data-commit]").press("Enter")
    expect(page.locator(GUIDE)).to_have_attribute("data-guide", "2")
    expect(page.locator("[data-answer]")).to_have_count(0)
    page.context.close()
