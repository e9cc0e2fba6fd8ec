"""Guided games in the browser: played to their end by mouse, touch and keyboard, left and taken up again."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server
from tiers import daily

from .guests import guest, violations
from .pages import TIGHT, WIDE, layout_faults

GAMES = ("lanternes", "dice", "lumens", "iles")
GUIDE = "[data-guide]"
IN_SIGHT = """which => {
  const one = document.querySelector(which).getBoundingClientRect();
  const guide = document.querySelector("[data-guide]").getBoundingClientRect();
  return one.top >= guide.top && one.bottom <= guide.bottom + 1;
}"""
CUT = """() => [...document.querySelectorAll("[data-guide] .words p")]
  .filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)"""
RINGS_OUTSIDE = """() => [...document.querySelectorAll("[data-ring]")].map(one => one.getBoundingClientRect())
  .filter(one => one.left < 3 || one.top < 3 || one.right > innerWidth - 3 || one.bottom > innerHeight - 3).length"""
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


@pytest.mark.parametrize("touch", daily((False, True), True))
@pytest.mark.parametrize("game", daily(GAMES, "dice"))
def test_a_lesson_is_played_to_its_end(browser: Browser, server: Server, game: str, touch: bool) -> None:
    made = server.request(f"/api/tutorials/{game}", {"name": "Aline"})[1]
    more: dict[str, Any] = {"size": (375, 667), "touch": True, "language": "fr"} if touch else {}
    page = guest(browser, server, made, (0,), **more)
    page.locator(GUIDE).wait_for(timeout=60_000)
    page.locator(".layout").wait_for()
    tops: set[float] = set()
    while step(page) is not None:
        guide, board = page.locator(GUIDE).bounding_box(), page.locator(".layout").bounding_box()
        assert guide is not None
        assert board is not None
        assert guide["y"] + guide["height"] <= board["y"] + 1, "the guide covers the board"
        assert board["height"] >= 300 or not touch
        if touch:
            tops.add(board["y"])
            ask = page.locator("[data-ask]")
            assert ask.count() == 0 or page.evaluate(IN_SIGHT, "[data-ask]"), "what is asked cannot be read"
            assert page.evaluate(IN_SIGHT, "[data-go-on], [data-show]"), "what must be pressed is out of reach"
            assert page.evaluate(CUT) == [], "a sentence of the guide is cut"
            assert page.evaluate(RINGS_OUTSIDE) == 0, "a ring runs along an edge"
        advance(page, touch)
    assert len(tops) < 2, "the board jumps between steps"
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


@pytest.mark.deep
def test_a_lesson_that_was_left_says_so_in_the_room_and_can_be_removed(browser: Browser, server: Server) -> None:
    page = guest(browser, server, known="")
    learn(page, "Lumens")
    page.get_by_role("link", name="Leave").click()
    lesson = page.get_by_role("listitem").filter(has_text="a lesson you have begun")
    expect(lesson).to_contain_text("Lumens")
    expect(lesson.get_by_role("link", name="Continue")).to_be_visible()
    assert violations(page) == []
    lesson.get_by_role("button", name="Remove from this list").click()
    expect(lesson).to_have_count(0)
    page.context.close()


@pytest.mark.deep
def test_a_lesson_that_is_played_on_is_a_game_like_any_other(browser: Browser, server: Server) -> None:
    page = guest(browser, server, known="", size=(375, 667), touch=True)
    learn(page, "Lumens")
    expect(page.get_by_role("link", name="Lampion")).to_have_count(0)  # where the way to take back will be
    while step(page) is not None:
        advance(page)
    expect(page.locator("[data-undo]")).to_be_visible()
    page.goto(f"{page.url.partition('#')[0]}#/")
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
    expect(page.get_by_text("a lesson you have begun")).to_have_count(0)


@pytest.mark.deep
def test_a_ring_is_around_what_is_meant_alone(browser: Browser, server: Server) -> None:
    made = server.request("/api/tutorials/lumens", {})[1]
    page = guest(browser, server, made, (0,))
    page.locator(GUIDE).wait_for(timeout=60_000)
    while step(page) != "8":  # with a 4 in the hand and others on the board
        advance(page)
    face = page.locator("button[data-face='4']").bounding_box()
    assert face is not None
    page.wait_for_function(
        "([x, y]) => [...document.querySelectorAll('[data-ring]')].map(one => one.getBoundingClientRect())"
        ".some(box => Math.abs(box.left + box.width / 2 - x) < 3 && Math.abs(box.top + box.height / 2 - y) < 3)",
        arg=[face["x"] + face["width"] / 2, face["y"] + face["height"] / 2],
    )
    page.context.close()
