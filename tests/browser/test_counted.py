"""How points are counted, told to whoever asks: on the board, before a choice, and at the end of a game."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server
from tiers import daily

from browser.guests import guest, violations
from browser.iles_hands import asked, choose, commit, spots, table, tap
from browser.positions import anything, play_until, taking

PHONE: dict[str, Any] = {"size": (375, 667), "touch": True}
CARD = "[data-explanation]"


def hold(page: Page, selector: str) -> None:
    """Touch something for so long that it is a question."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    finger = page.context.new_cdp_session(page)
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    expect(page.locator(CARD)).to_be_visible()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def hold_the_mouse(page: Page, selector: str) -> None:
    """Keep the button of a mouse down on something."""
    page.locator(selector).hover()
    page.mouse.down()
    expect(page.locator(f"{CARD}.pinned")).to_be_visible()
    page.mouse.up()


def hold_until_the_menu(page: Page, selector: str) -> None:
    """Touch something as on a phone that calls for its menu sooner than we count, and would show it."""
    told = page.locator(selector).evaluate(
        """touched => {
          const at = { bubbles: true, cancelable: true, button: 0 };
          touched.dispatchEvent(new PointerEvent("pointerdown", { ...at, pointerType: "touch" }));
          const menu = new MouseEvent("contextmenu", at);
          touched.dispatchEvent(menu);
          touched.dispatchEvent(new PointerEvent("pointercancel", { ...at, pointerType: "touch" }));
          return menu.defaultPrevented;
        }"""
    )
    assert told


@pytest.mark.deep
def test_dreams_are_read_before_one_is_hidden(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark"), (0,), **PHONE)
    asked(page)
    choose(page, tap, page.locator('[data-spot="pile:dream"]'))
    commit(page, tap)
    asked(page)
    line = page.locator("[data-mine] .line")
    expect(line).to_contain_text("Tap one to read it")
    told = set()
    for slot in spots(page, "slot").all():
        tap(slot)
        expect(line).to_contain_text("points")
        told.add(line.inner_text())
    assert len(told) > 1
    before = page.locator('[data-spot="slot:0"]').get_attribute("aria-pressed")
    for way in (hold, hold_the_mouse, hold_until_the_menu):
        way(page, '[data-spot="slot:0"]')
        expect(page.locator(CARD)).to_contain_text("Dream of")
        assert page.locator('[data-spot="slot:0"]').get_attribute("aria-pressed") == before
        page.keyboard.press("Escape")
        expect(page.locator(CARD)).to_have_count(0)
    assert "tile" not in page.locator(".say").inner_text()


@pytest.mark.parametrize("game", daily(("iles", "lumens"), "iles"))
def test_at_the_end_every_number_says_how_it_was_counted(browser: Browser, server: Server, game: str) -> None:
    made = server.make(game, ("Aline",), "spark", "spark", start=True)
    play_until(server, made, lambda *_: False, anything)
    result = server.get(f"/api/tables/{made['table']}/replay")["result"]
    page = guest(browser, server, made, (0,), **PHONE)
    page.locator("[data-why]").first.wait_for()
    for seat, categories in enumerate(result["categories"]):
        name, points = max(categories.items(), key=lambda one: one[1])
        page.locator(f'[data-why="{seat}:{name}"]').tap()
        expect(page.locator(CARD)).to_contain_text(f"{points} point")
        page.locator(CARD).get_by_role("button").first.tap()
    assert violations(page) == []


def test_the_line_of_a_phone_says_what_every_seat_gains_or_loses(browser: Browser, server: Server) -> None:
    made = server.open("lumens-two")
    move, changes = taking(server, made)
    page = guest(browser, server, made, (0,), **PHONE)
    page.locator(f".faces [data-face='{move['face']}']").first.tap()
    page.locator(f'[data-place="{move["x"]},{move["y"]}"]').tap()
    for seat, change in changes.items():
        expect(page.locator(f'[data-preview] [data-gain="{seat}"]')).to_contain_text(f"{change:+}".replace("-", "−"))


@pytest.mark.parametrize("size", daily(((390, 844), (375, 667)), (375, 667)))
def test_the_board_stays_where_it_is_when_the_goal_is_put_away(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    made = server.make("lumens", ("Aline",), "spark", start=True, options={"first": 0})
    page = guest(browser, server, made, (0,), size=size, touch=True, known="")
    goal, cell = page.locator("[data-goal]"), page.locator("[data-place='0,0'] .hit")
    goal.wait_for()
    before = cell.bounding_box()
    goal.get_by_role("button").first.tap()
    expect(goal).to_have_count(0)
    after = cell.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 2
