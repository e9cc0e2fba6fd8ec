"""Lumens in a real browser: whole games, and what its board does with what one chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from browser.guests import guest, held
from browser.lumens_hands import (
    BOARD,
    asked,
    cell,
    made,
    places,
    play_by_keyboard,
    play_by_mouse,
    play_by_touch,
    to_the_board,
)
from browser.lumens_tables import OTHER_START, PHONE, START, Two, card, ghost, pairs, token
from lampion.locale import say, speaking

NOTE_FLASHES = """() => {
  globalThis.flashes = [];
  new MutationObserver((changes) => {
    for (const one of changes.flatMap((change) => [...change.addedNodes])) {
      const flash = one.matches?.("[data-flash]") ? one : one.querySelector?.("[data-flash]");
      if (flash) flashes.push(flash.getAttribute("stroke"));
    }
  }).observe(document.body, { subtree: true, childList: true });
}"""
RAY_FROM_TOKEN = """place => {
  const ray = document.querySelector('path.ray');
  const end = ray.getPointAtLength(ray.getTotalLength()).matrixTransform(ray.getScreenCTM());
  const token = document.querySelector(`[data-token="${place}"]`).getBoundingClientRect();
  return Math.hypot(token.x + token.width / 2 - end.x, token.y + token.height / 2 - end.y) / token.width;
}"""


@pytest.fixture
def two(browser: Browser, server: Server) -> Iterator[Two]:
    """Both at their second token."""
    yield from pairs(browser, server)


def over(page: Page) -> None:
    """The game has ended, and nothing went wrong on the way."""
    expect(page.locator(BOARD)).to_have_count(0)
    expect(page.locator(".end h1")).to_be_visible()


@pytest.mark.deep
def test_a_whole_game_by_mouse(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.make("lumens", ("Aline",), "spark", start=True), (0,))
    play_by_mouse(page)
    over(page)


def test_a_game_to_its_end_by_keyboard_alone(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("lumens-three-near-the-end"), (0,), language="fr")
    play_by_keyboard(page)
    over(page)


@pytest.mark.deep
def test_a_game_to_its_end_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("lumens-four-near-the-end"), (0,), theme="day", **PHONE)
    play_by_touch(page)
    over(page)


def test_what_the_preview_shows_is_what_then_happens(two: Two) -> None:
    page = two.page
    page.mouse.move(0, 0)
    cell(page, START).hover()
    expect(ghost(page)).to_have_attribute("data-ghost", START)
    cell(page, START).click()
    rows = card(page).locator("[data-majority] tbody tr")
    shown = [re.findall(r"\d+", row.inner_text().split("Aline")[-1].split("Lola")[-1]) for row in rows.all()]
    gain = page.locator("[data-points='0'] em")
    promised = int(gain.inner_text().replace("−", "-")) if gain.count() else 0
    before = page.locator("[data-points='0']:visible").inner_text().split()[0]
    ply = asked(page)
    assert ply
    page.locator("[data-commit]").click()
    made(page, ply)
    page.locator('[data-room="7"]').click()
    then = [re.findall(r"\d+", row.inner_text().split("Aline")[-1].split("Lola")[-1]) for row in rows.all()]
    # "3 → 5" and "4" before; "5" and "4" after.
    assert len(shown[0]) == 3
    assert then[0] == shown[0][1:]
    assert then[1] == shown[1]
    expect(page.locator("[data-points='0']:visible")).to_have_text(str(int(before) + promised))
    expect(page.locator("[data-covered]")).to_have_count(0)
    page.keyboard.press("c")
    expect(page.locator(f'[data-covered="{START}"]')).to_be_visible()


def test_the_token_turns_by_key_wheel_button_and_tap(two: Two) -> None:
    page = two.page
    place = places(page)[0]
    cell(page, place).click()
    up = ghost(page).get_attribute("data-face")
    assert up
    faces = [str(each.get_attribute("data-face")) for each in page.locator("button[data-face]").all()]
    down = next(face for face in faces if face != up)
    expect(page.locator(f'button[data-face="{up}"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("r")
    expect(ghost(page)).to_have_attribute("data-face", down)
    page.mouse.wheel(0, 120)
    expect(ghost(page)).to_have_attribute("data-face", up)
    page.get_by_role("button", name=say("lumens.web.turn")).click()
    expect(ghost(page)).to_have_attribute("data-face", down)
    page.locator(f'button[data-face="{up}"]').click()
    expect(ghost(page)).to_have_attribute("data-face", up)
    page.keyboard.press("Escape")
    expect(page.locator("[data-commit]")).to_be_disabled()


@pytest.mark.deep
def test_lines_lead_to_the_chosen_place_from_tokens_that_reach_it(two: Two) -> None:
    page = two.page
    face = int(token(page, START).get_attribute("data-face") or 0)
    up, right = f"0,{8 - face}", f"{face},8"
    assert {up, right} <= set(places(page))
    for place in (up, right):
        cell(page, place).click()
        expect(page.locator("[data-line]")).to_have_count(1)
        expect(page.locator("[data-line]")).to_have_attribute("data-line", START)


def test_a_token_is_dragged_from_the_hand_to_its_place(two: Two) -> None:
    page = two.page
    box, place = page.locator("button[data-face]").last.bounding_box(), places(page)[0]
    to = cell(page, place).bounding_box()
    assert box
    assert to
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=5)
    expect(ghost(page)).to_have_attribute("data-ghost", place)
    expect(page.locator("[data-commit]")).to_be_disabled()
    page.mouse.up()
    expect(page.locator("[data-commit]")).to_be_enabled()
    expect(cell(page, place)).to_have_attribute("aria-selected", "true")


@pytest.mark.deep
def test_a_finger_drags_the_token_and_holds_it_above_itself(browser: Browser, server: Server) -> None:
    pair = Two(browser, server, **PHONE)
    page = pair.page
    box, place = page.locator("button[data-face]").first.bounding_box(), places(page)[0]
    to = cell(page, place).bounding_box()
    assert box
    assert to
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (box["x"] + 20, box["y"] + 20))
    for part in (0.3, 0.6, 1.0):
        x, y = to["x"] + to["width"] / 2, to["y"] + to["height"] / 2 + 44
        touch("touchMove", (box["x"] + (x - box["x"]) * part, box["y"] + (y - box["y"]) * part))
    expect(ghost(page)).to_have_attribute("data-ghost", place)
    touch("touchEnd")
    expect(cell(page, place)).to_have_attribute("aria-selected", "true")
    pair.lola.close()


@pytest.mark.deep
def test_the_last_move_is_outlined_and_its_room_glows_for_the_leader(two: Two) -> None:
    page = two.page
    ply = asked(page)
    assert ply
    cell(page, START).click()
    page.locator("[data-commit]").click()
    made(page, ply)
    expect(page.locator("[data-last]")).to_have_attribute("data-last", START)
    expect(page.locator("[data-commit]")).to_be_disabled()
    expect(page.locator("[data-legal]")).to_have_count(0)
    two.lolas_turn()
    two.lola.move(lambda moves: next(move for move in moves if (move["x"], move["y"]) == (12, 0)))
    expect(page.locator("[data-last]")).to_have_attribute("data-last", OTHER_START)
    lights = page.locator(".room").evaluate_all("all => all.map(one => one.dataset.light)")
    assert sorted(lights) == ["none"] * 7 + ["var(--seat0)", "var(--seat1)"]
    # A line of the log lights its place up.
    page.get_by_role("region", name=say("web.log")).get_by_role(
        "button", name=re.compile("You put .* straight")
    ).hover()
    expect(page.locator("[data-told]")).to_have_attribute("data-told", START)


@pytest.mark.deep
def test_the_token_of_another_player_slides_along_its_line(browser: Browser, server: Server) -> None:
    two = Two(browser, server, speed="slow")
    page, ply = two.page, asked(two.page)
    assert ply
    cell(page, START).click()
    page.locator("[data-commit]").click()
    made(page, ply)
    two.lolas_turn()
    with held(page):
        two.lola.move(lambda moves: next(move for move in moves if (move["x"], move["y"]) != (12, 0)))
        page.locator("path.ray").wait_for(state="attached")
        assert 0.3 < page.evaluate(RAY_FROM_TOKEN, OTHER_START) < 0.8, "the ray begins at the rim of the token"
    two.lola.close()
    page.context.close()


@pytest.mark.deep
def test_a_room_that_changes_hands_flashes_for_its_new_leader(browser: Browser, server: Server) -> None:
    two = Two(browser, server, has_begun=False, speed="slow")
    two.page.evaluate(NOTE_FLASHES)
    two.page.locator("[data-commit]").click()
    two.page.wait_for_function("() => flashes.length > 0")
    assert two.page.evaluate("() => flashes") == ["var(--seat0)"]
    expect(two.page.locator("[data-flash]")).to_have_count(0)
    expect(two.page.locator('[data-sum="7,0"]')).to_be_visible()
    two.lola.close()


def test_the_first_face_is_chosen_and_stays_as_it_showed_the_token(browser: Browser, server: Server) -> None:
    pair = Two(browser, server, has_begun=False)
    page = pair.page
    expect(page.locator("li[aria-current=step]")).to_have_text(re.compile(say("lumens.web.step.face")))
    expect(ghost(page)).to_have_attribute("data-ghost", START)
    least = page.locator("button[data-face]").first
    face = str(least.get_attribute("data-face"))
    least.click()
    expect(ghost(page)).to_have_attribute("data-face", face)
    ply = asked(page)
    assert ply
    page.locator("[data-commit]").click()
    made(page, ply)
    expect(token(page, START)).to_have_attribute("data-face", face)
    expect(page.get_by_role("button", name=say("web.undo.ask"))).to_be_enabled()
    pair.lola.close()


@pytest.mark.deep
def test_without_confirmation_a_click_is_a_move(browser: Browser, server: Server) -> None:
    pair = Two(browser, server, confirm=False)
    ply, place = asked(pair.page), places(pair.page)[0]
    assert ply
    cell(pair.page, place).click()
    made(pair.page, ply)
    expect(token(pair.page, place)).to_have_attribute("data-seat", "0")
    pair.lola.close()


def test_the_second_click_of_a_double_click_does_not_commit(two: Two) -> None:
    page = two.page
    ply = asked(page)
    cell(page, places(page)[0]).dblclick()
    expect(page.locator("[data-commit]")).to_be_enabled()
    assert asked(page) == ply


def test_the_board_is_one_tab_stop_and_readable_cell_by_cell(two: Two) -> None:
    page = two.page
    expect(page.get_by_role("grid").get_by_role("row")).to_have_count(9)
    expect(page.get_by_role("gridcell")).to_have_count(9 * 13)
    expect(page.locator("[data-place][tabindex='0']")).to_have_count(1)
    face = int(token(page, OTHER_START).get_attribute("data-face") or 0)
    named = page.get_by_role("gridcell", name=say("lumens.web.token", who="Lola", number=face))
    expect(named).to_have_attribute("data-place", OTHER_START)
    to_the_board(page)
    # Shift and arrows: from cell to cell, also where nothing may be placed.
    cell(page, "6,4").focus()
    page.keyboard.press("Shift+ArrowLeft")
    expect(cell(page, "5,4")).to_be_focused()
    page.keyboard.press("m")
    expect(card(page).locator('[data-majority="5"]')).to_be_visible()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("() => document.activeElement.matches('.legal')")
    # What has the focus is shown with what it would do.
    expect(ghost(page)).to_have_attribute(
        "data-ghost", str(page.evaluate("() => document.activeElement.dataset.place"))
    )


@pytest.mark.deep
def test_who_watches_sees_the_board_and_can_do_nothing(browser: Browser, server: Server) -> None:
    pair = Two(browser, server)
    page = guest(browser, server, pair.table)
    expect(token(page, START)).to_be_visible()
    cell(page, "6,4").click()
    expect(card(page).locator('[data-majority="5"]')).to_be_visible()
    for nothing in ("[data-legal]", "[data-ghost]", "[data-commit]", "button[data-face]"):
        expect(page.locator(nothing)).to_have_count(0)
    pair.lola.close()


@pytest.mark.deep
def test_on_a_phone_nothing_lies_outside_and_a_finger_may_just_miss_a_place(browser: Browser, server: Server) -> None:
    pair = Two(browser, server, language="fr", **PHONE)
    page = pair.page
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375
    place = places(page)[0]
    small = cell(page, place).bounding_box()
    assert small
    assert small["width"] < 36
    beside = (small["x"] + small["width"] / 2, small["y"] + small["height"] + 4)
    page.touchscreen.tap(*beside)
    expect(cell(page, place)).to_have_attribute("aria-selected", "true")
    # Nothing lies over the other places, and beside the chosen one is no decision.
    ply = asked(page)
    page.touchscreen.tap(*beside)
    assert asked(page) == ply
    other = places(page)[0]
    cell(page, other).tap()
    expect(cell(page, other)).to_have_attribute("aria-selected", "true")
    # Where nothing can be placed the earlier choice is gone with its button.
    cell(page, OTHER_START).tap()
    with speaking("fr"):
        expect(card(page)).to_contain_text(say("lumens.illegal.marker"))
    expect(page.locator("[data-commit]")).to_be_disabled()
    for target in page.locator("[data-commit], button[data-face]").all():
        box = target.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert 0 <= box["x"] <= 375 - box["width"]
        assert box["y"] + box["height"] <= 667
    with speaking("fr"):
        page.get_by_role("button", name=say("lumens.web.tab"), exact=True).tap()
        expect(page.get_by_role("table", name=say("lumens.web.rooms")).get_by_role("row")).to_have_count(10)
        page.locator("[data-lift]:visible").tap()
    # The sheet gives way to the board, where covered tokens are shown now.
    expect(page.locator("[data-lift]:visible")).to_have_count(0)
    expect(page.locator("[data-lift]")).to_have_attribute("aria-pressed", "true")
    pair.lola.close()
