"""Exercises in the browser: answered wrong and right by mouse, touch and keyboard, and the ways to them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from lampion.play.exercises import exercises

from .dice_hands import inside
from .guests import guest, violations, watch
from .iles_hands import to_the_board
from .pages import WIDE, layout_faults
from .test_lessons import GUIDE, advance, step
from .test_puzzles import RIGHT, TURNED, WRONG, place_token

GAMES = ("lanternes", "dice", "lumens", "iles")
PHONE = (375, 667)
IN_SIGHT = """which => {
  const one = document.querySelector(which).getBoundingClientRect();
  return one.top >= 0 && one.left >= 0 && one.bottom <= innerHeight && one.right <= innerWidth;
}"""


def opened(page: Page, game: str, id: str) -> Page:
    """Go to an exercise and wait for its board."""
    page.goto(f"{page.url.partition('#')[0]}#exercises/{game}/{id}")
    page.locator(".layout").wait_for()
    return page


def test_a_wrong_answer_is_told_why_and_the_right_one_leads_to_the_next(browser: Browser, server: Server) -> None:
    page = opened(guest(browser, server), "lumens", "second_place")
    heard = watch(page)
    expect(page.locator("[data-question]")).to_contain_text("In the sun room Basile has 10, Clara has 4")
    place_token(page, 1, 3, 3)
    expect(page.locator(WRONG)).to_contain_text("Not yet. Now you and Clara both have 4")
    expect(page.locator("[data-question]")).to_be_visible()
    page.context.set_offline(True)  # all that is needed is there
    place_token(page, 6, 3, 3)
    expect(page.locator(RIGHT)).to_contain_text("Right! 10, 9 and 4")
    before = page.get_by_role("button", name="Before")
    before.click()
    expect(before).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="After the move").click()
    page.context.set_offline(False)
    assert not violations(page)
    page.locator("[data-next]").click()
    expect(page.get_by_role("heading", name="2. Level at the top")).to_be_visible()
    page.get_by_role("link", name="All exercises").click()
    expect(page.locator("[data-exercise=second_place]")).to_have_attribute("data-result", "later")
    expect(page.locator("[data-exercise]")).to_have_count(len(exercises("lumens")))
    kept = json.loads(page.evaluate("localStorage.getItem('lampion.puzzles')"))
    assert kept == {"results": {"lumens/second_place": "later"}, "days": []}
    assert not heard


@pytest.mark.deep
def test_an_exercise_of_lanternes_is_done_by_touch_on_a_phone_in_french(browser: Browser, server: Server) -> None:
    page = guest(browser, server, size=PHONE, touch=True, theme="day", language="fr")
    opened(page, "lanternes", "match_and_face")
    assert page.evaluate(IN_SIGHT, "[data-question]")
    page.locator("[data-hand='16']").first.tap()
    page.locator('[data-place="0,1"]').tap()
    page.locator("[data-ghost]").wait_for(state="attached")
    for _ in range(4):
        if page.evaluate(TURNED, "1"):
            break
        page.locator("[data-turn-it]").tap()
    page.wait_for_function(TURNED, arg="1")
    page.locator("[data-go]").tap()
    expect(page.locator(RIGHT)).to_contain_text("Juste")
    assert page.evaluate(IN_SIGHT, "[data-next]")
    assert page.evaluate(IN_SIGHT, "[data-own]"), "the cards of which the reasons speak"
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE[0]


def test_an_exercise_of_1001_iles_is_done_by_keyboard(browser: Browser, server: Server) -> None:
    page = opened(guest(browser, server), "iles", "pair")
    to_the_board(page)
    walk(page, lambda: page.evaluate("() => document.activeElement.dataset.spot") == "slot:0")
    page.keyboard.press("Enter")
    expect(page.locator("[data-commit]")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator(RIGHT)).to_contain_text("A rokh and an egg make a pair")


def walk(page: Page, is_there: Callable[[], bool]) -> None:
    """Go along the spots of a board until the wanted one has the focus."""
    for _ in range(12):
        if is_there():
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError("a spot cannot be reached")


@pytest.mark.deep
def test_who_does_not_find_the_answer_is_shown_it(browser: Browser, server: Server) -> None:
    page = opened(guest(browser, server), "dice", "second_group")
    zone = "[data-large] [data-zone='26']"  # of a pond beside the larger group
    page.locator(zone).wait_for()
    page.mouse.click(*inside(page, zone))
    page.locator("[data-act=go]").click()
    expect(page.locator(WRONG)).to_contain_text("13 instead of 12")
    page.locator("[data-show]").click()
    expect(page.get_by_text("15, 10 and 8 make 33")).to_be_visible()
    page.locator("[data-next]").click()
    expect(page.locator("[data-exercise=second_group]")).to_have_attribute("data-result", "shown")


@pytest.mark.deep
def test_exercises_are_found_at_the_end_of_a_lesson_in_its_menu_and_on_the_page_of_the_rules(
    browser: Browser, server: Server
) -> None:
    made = server.request("/api/tutorials/lumens", {})[1]
    page = guest(browser, server, made, (0,), size=PHONE, touch=True)
    page.locator(GUIDE).wait_for()
    page.get_by_role("button", name="Menu").tap()
    link = page.get_by_role("dialog").get_by_role("link", name="Exercises")
    expect(link).to_have_attribute("href", "#exercises/lumens")
    page.keyboard.press("Escape")
    progress = page.locator(f"{GUIDE} progress")
    while step(page) != str(int(progress.get_attribute("max") or 0) - 1):
        advance(page)
    assert page.evaluate(IN_SIGHT, f"{GUIDE} a[href='#exercises/lumens']")
    page.locator(GUIDE).get_by_role("link", name="Exercises").tap()
    expect(page.locator("[data-exercise]")).to_have_count(len(exercises("lumens")))
    page.get_by_role("link", name="Rules").tap()
    page.get_by_role("link", name="Exercises").tap()
    page.locator("[data-exercise=cover]").tap()
    expect(page.locator("[data-question]")).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_wrong_with_the_pages_of_exercises(browser: Browser, server: Server, game: str) -> None:
    page = guest(browser, server, language="fr", theme="day")
    page.goto(f"{page.url.partition('#')[0]}#exercises/{game}")
    page.locator("[data-exercise]").first.wait_for()
    found = violations(page) + layout_faults(page, (WIDE, PHONE))
    opened(page, game, exercises(game)[-1].id)
    found += violations(page) + layout_faults(page, (WIDE, PHONE))
    assert not found, "\n".join(found)
