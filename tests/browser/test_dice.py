"""Lanternes Dice in a real browser: whole games, and what its board alone can do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from server.people import Server

from browser.dice_hands import (
    BOARD,
    LEGAL,
    asked,
    go,
    inside,
    play_by_keyboard,
    play_by_touch,
    spot,
    tab_to,
)
from browser.dice_tables import Two, seated, tables
from browser.guests import guest, held
from browser.own_room import IN_PAGE
from browser.positions import completing, kinds, tidy, two_ways

TASKS = {"turn", "action", "launch", "emperor"}


@pytest.fixture
def two(server: Server) -> Iterator[Callable[[str], Two]]:
    """Opens tables at positions."""
    yield from tables(server)


def alone(browser: Browser, server: Server, made: dict[str, Any] | None = None, **settings: Any) -> Page:
    """Aline's page at a table with a bot."""
    made = made or server.make("dice", ("Aline",), "spark", start=True)
    page = guest(browser, server, made, (0,), **settings)
    page.locator(BOARD).wait_for()
    return page


def points(page: Page, category: str = "total") -> int:
    """The points at the foot of the sheet."""
    return int(page.locator(f"[data-points={category}]").inner_text())


@pytest.mark.deep
def test_a_game_is_played_to_its_end_by_keyboard_alone(browser: Browser, server: Server) -> None:
    page = alone(browser, server, server.open("dice-near-the-end"), language="fr")
    assert play_by_keyboard(page) >= TASKS
    expect(page.locator(BOARD)).to_have_count(0)


def test_a_game_is_played_to_its_end_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    page = alone(browser, server, server.open("dice-near-the-end"), language="fr", size=(375, 667), touch=True)
    assert play_by_touch(page) >= TASKS
    expect(page.locator(BOARD)).to_have_count(0)


@pytest.mark.deep
def test_the_tray_shows_who_would_face_which_die_before_it_is_turned(
    browser: Browser, two: Callable[[str], Two]
) -> None:
    page = seated(browser, two("dice-turn"))
    tray = page.get_by_role("img", name="Aline:")
    labels = [str(tray.get_attribute("aria-label"))]
    for _ in range(3):
        page.get_by_role("button", name="Turn the dice to the left").first.click()
        labels.append(str(tray.get_attribute("aria-label")))
    assert len(set(labels)) > 1
    go(page)
    expect(tray).to_have_attribute("aria-label", labels[-1])


def test_what_a_zone_would_do_is_what_it_does(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-pond")
    page = seated(browser, table)
    cell = f'[data-zone="{completing(table.people[0].view)[0]}"]'
    page.mouse.move(*inside(page, cell))
    pill = page.get_by_role("status").filter(has_text="the pond is complete")
    expect(pill).to_be_visible()
    page.mouse.click(*inside(page, cell))
    expect(page.locator(cell)).to_have_attribute("aria-selected", "true")
    after = page.locator(".total em")
    wanted = int(after.inner_text().split()[-1]) if after.count() else points(page)
    go(page)
    expect(page.locator(cell)).to_have_attribute("aria-label", re.compile("pond complete"))
    assert points(page) == wanted
    place = str(page.locator(cell).get_attribute("data-place"))
    expect(page.locator("[data-last]")).to_have_attribute("data-last", place[:2])


def test_a_firework_snaps_where_it_fits_and_earns_what_was_shown(browser: Browser, two: Callable[[str], Two]) -> None:
    page = seated(browser, two("dice-launch"))
    page.locator("[data-stack].fits:visible").first.click()
    page.mouse.move(*spot(page))
    ghost = page.locator("[data-ghost]")
    expect(ghost).to_have_count(1)
    first = ghost.get_attribute("data-ghost")
    page.mouse.click(*spot(page))
    expect(page.locator("[data-act=go]")).to_be_enabled()
    expect(ghost).to_have_attribute("data-ghost", str(first))
    wanted = int(page.locator(".total em").inner_text().split()[-1])
    before = page.locator("svg[data-sheet='0'] [data-firework]").count()
    go(page)
    expect(page.locator("svg[data-sheet='0'] [data-firework]")).to_have_count(before + 1)
    assert points(page) == wanted
    assert set(str(page.locator("[data-last]").get_attribute("data-last")).split()) == set(str(first).split())


@pytest.mark.deep
def test_the_key_r_lays_the_firework_in_hand_another_way(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-launch")
    page = seated(browser, table)
    page.locator(f"[data-stack={two_ways(table.people[0].view)[0]}].fits:visible").first.click()
    page.keyboard.press("r")
    ghost = page.locator("[data-ghost]")
    expect(ghost).to_have_count(1)
    first = str(ghost.get_attribute("data-ghost"))
    page.keyboard.press("r")
    expect(ghost).not_to_have_attribute("data-ghost", first)


@pytest.mark.deep
def test_a_firework_is_dragged_to_its_place(browser: Browser, two: Callable[[str], Two]) -> None:
    page = seated(browser, two("dice-launch"))
    stack = page.locator("[data-stack].fits:visible").first
    stack.click()
    there = spot(page)
    page.keyboard.press("Escape")
    stack.hover()
    page.mouse.down()
    page.mouse.move(*there, steps=5)
    expect(page.locator("[data-ghost]")).to_have_count(1)
    page.mouse.up()
    go(page)
    expect(page.locator("svg[data-sheet='0'] [data-firework]")).not_to_have_count(0)


def test_another_players_move_leaves_all_that_was_begun_alone(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-zone")
    page = seated(browser, table)
    expect(page.locator('[data-other="1"]')).to_contain_text("choosing")
    page.mouse.click(*inside(page, LEGAL))
    chosen = page.locator("[data-zone][aria-selected=true]")
    expect(chosen).to_have_count(1)
    place = str(chosen.get_attribute("data-place"))
    said = page.locator(".pill.there").inner_text()
    page.locator('[data-other="1"]').click()
    sheet = page.get_by_role("grid", name="Sheet B of Lola")
    expect(sheet).to_be_visible()
    lola = table.people[1]
    while lola.view.get("moves"):
        table.wait(lola.move(lambda moves: next((move for move in moves if move["kind"] == "pass"), moves[0])))
    told = page.get_by_text("Lola shades nothing for the die.")
    expect(sheet).to_be_visible()
    page.locator("[data-act=back]").click()
    expect(page.locator('[data-other="1"]')).to_contain_text("done")
    expect(chosen).to_have_attribute("data-place", place)
    expect(page.locator(".pill.there")).to_have_text(said)
    expect(told).to_have_count(0)  # until both have decided
    go(page)
    expect(page.locator(f"[data-place={place}]")).to_have_class(re.compile("shaded"))
    table.finish_the_turn()
    expect(told.first).to_be_visible()


def test_what_the_others_decided_is_drawn_when_all_have_decided(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-zone")
    page = seated(browser, table, speed="slow")
    lola = table.people[1]
    sheet = page.locator('[data-other="1"] svg[data-sheet]')
    before = sheet.inner_html()
    while lola.view.get("moves"):
        table.wait(lola.move(lambda moves: next((move for move in moves if move["kind"] == "shade"), moves[-1])))
    expect(page.locator('[data-other="1"]')).to_contain_text("done")
    assert sheet.inner_html() == before
    appearing = """() => document.querySelector('[data-other="1"] svg[data-sheet]').getAnimations({ subtree: true })
        .some((found) => found.playState === "running")"""
    with held(page):
        table.finish_the_turn()
        page.wait_for_function(appearing)
        assert sheet.inner_html() != before


def test_a_zone_can_be_taken_back(browser: Browser, two: Callable[[str], Two]) -> None:
    page = seated(browser, two("dice-zone"))
    page.mouse.click(*inside(page, LEGAL))
    cell = f"[data-place={page.locator('[data-zone][aria-selected=true]').get_attribute('data-place')}]"
    go(page)
    expect(page.locator(cell)).to_have_class(re.compile("shaded"))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(cell)).not_to_have_class(re.compile("shaded"))
    expect(page.locator(cell)).to_have_class(re.compile("legal"))


def test_the_page_says_why_a_zone_cannot_be_shaded(browser: Browser, two: Callable[[str], Two]) -> None:
    page = seated(browser, two("dice-zone"))
    page.mouse.click(*inside(page, "[data-zone]:not(.legal):not(.shaded)"))
    said = re.compile(r"^This is an? \w+ zone\. Shade one \w+ zone, or pass\.$")
    expect(page.locator(".pill.bad")).to_have_text(said)
    expect(page.locator("[data-act=go]")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.locator(".pill.bad")).to_have_count(0)
    page.locator("[data-zone].legal").first.focus()
    for way in ("ArrowRight", "ArrowDown", "ArrowRight"):
        if page.locator("[data-zone]:not(.legal):focus").count() == 0:
            page.keyboard.press(f"Shift+{way}")
    expect(page.locator("[data-zone]:not(.legal):focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".pill.bad")).to_contain_text("or pass.")


def test_an_emperor_card_says_what_it_costs_and_does(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-emperor")
    page = seated(browser, table, language="fr")
    card = page.locator("[data-emperor].legal:visible").first
    number = int(str(card.get_attribute("data-emperor")))
    expect(card).to_have_attribute("aria-label", re.compile(rf"Carte empereur, {number} cadeaux?, "))
    card.click()
    expect(page.locator(".pill.there")).to_contain_text(f"−{number}")
    gifts = table.people[0].view["view"]["seats"][0]["gifts"]
    go(page)
    expect(page.locator("[data-gifts] .count")).to_have_text(str(gifts - number))
    assert asked(page) == "action"


@pytest.mark.deep
def test_a_tray_that_somebody_else_turns_is_seen_turning(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-zone")
    page = seated(browser, table, speed="slow")
    aline, lola = table.people
    while "turn" not in (now := kinds(lola.view)):
        mover = lola if now else aline
        if mover.view.get("moves"):
            table.wait(mover.move(partial(tidy, mover.view)))
        else:
            lola.hear()
    asked_dice = "() => document.querySelectorAll('[data-die] use').length === 4"
    page.wait_for_function(asked_dice)
    turning = "() => document.querySelector('[data-tray]').getAnimations().some(found => found.playState === 'running')"
    with held(page):
        table.wait(lola.move(lambda moves: next(move for move in moves if move.get("r") == 1)))
        page.wait_for_function(turning)


def test_another_sheet_is_enlarged_and_left_again(browser: Browser, two: Callable[[str], Two]) -> None:
    page = seated(browser, two("dice-zone"))
    page.locator('[data-other="1"]').click()
    expect(page.get_by_role("grid", name="Sheet B of Lola")).to_be_visible()
    expect(page.locator(LEGAL)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid", name="Sheet A of Aline")).to_be_visible()
    expect(page.locator(LEGAL)).not_to_have_count(0)


@pytest.mark.deep
def test_without_a_confirmation_a_click_is_a_move(browser: Browser, two: Callable[[str], Two]) -> None:
    page = seated(browser, two("dice-zone"), confirm=False)
    place = page.locator(LEGAL).first.get_attribute("data-place")
    page.mouse.click(*inside(page, LEGAL))
    expect(page.locator(f"[data-place={place}]")).to_have_class(re.compile("shaded"))


@pytest.mark.deep
def test_the_second_click_of_a_double_click_does_not_commit(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-zone")
    page = seated(browser, table)
    made = page.locator(BOARD).get_attribute("data-made")
    page.mouse.dblclick(*inside(page, LEGAL))
    expect(page.locator("[data-zone][aria-selected=true]")).to_have_count(1)
    expect(page.locator("[data-act=go]")).to_be_enabled()
    assert page.locator(BOARD).get_attribute("data-made") == made


@pytest.mark.skipif(IN_PAGE, reason="what comes between is a socket, and a room in a page has none")
def test_what_moves_would_do_is_asked_again_where_somebody_moved_meanwhile(
    browser: Browser, two: Callable[[str], Two]
) -> None:
    page = seated(browser, two("dice-zone"))
    previews: list[dict[str, Any]] = []

    def meet(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(raw: str | bytes) -> None:
            wish = json.loads(raw)
            if wish["do"] != "preview":
                server.send(raw)
                return
            previews.append(wish)
            if len(previews) % 2:  # every other one comes too late
                socket.send(json.dumps({"say": "no", "id": wish["id"], "code": "stale", "reason": "Late"}))
            else:
                server.send(raw)

        socket.on_message(pass_on)

    page.route_web_socket(re.compile("/socket$"), meet)
    page.reload()
    page.locator(BOARD).wait_for()
    asked(page)
    page.mouse.click(*inside(page, LEGAL))
    expect(page.locator(".pill.there")).to_be_visible()
    assert previews[0]["moves"] == previews[1]["moves"]


@pytest.mark.deep
def test_a_spectator_sees_the_sheets_and_can_do_nothing(browser: Browser, two: Callable[[str], Two]) -> None:
    table = two("dice-zone")
    page = guest(browser, table.server, table.made)
    expect(page.get_by_role("gridcell")).to_have_count(108)
    expect(page.locator("[data-act]")).to_have_count(0)
    expect(page.locator(LEGAL)).to_have_count(0)
    tab_to(page, "[data-zone]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator('[data-other="1"]').click()
    expect(page.get_by_role("grid", name="of Lola")).to_be_visible()


@pytest.mark.deep
def test_nothing_is_too_wide_or_too_small_on_a_phone(browser: Browser, two: Callable[[str], Two]) -> None:
    page = seated(browser, two("dice-zone"), size=(375, 667), touch=True, language="fr")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375
    scroll = f"() => {{ const b = document.querySelector('{BOARD}'); return b.scrollHeight - b.clientHeight; }}"
    assert page.evaluate(scroll) <= 0
    for button in page.locator(".layout button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 43.9, button.evaluate("button => button.outerHTML")
    page.touchscreen.tap(*inside(page, LEGAL))
    expect(page.locator("[data-act=go]")).to_be_enabled()
