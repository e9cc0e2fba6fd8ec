"""Turns that tell a story: what others do is told and can be skipped and shown again; the log has a line a turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Person, Server

from .guests import guest
from .lanternes_hands import place_in_reach

TELLING = "[data-telling]"


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """Aline's page at a table of Lanternes with two bots, where things move slowly; her turn."""
    made = server.make("lanternes", ("Aline",), "spark", "spark", start=True, options={"first": 0})
    page = guest(browser, server, made, (0,), speed="slow")
    page.locator(".layout").wait_for()
    yield page
    page.context.close()


def place(page: Page) -> None:
    """Place a tile; Lanternes draws one afterwards, so this cannot be taken back."""
    place_in_reach(page).click()
    page.locator("[data-go]").click()


@pytest.mark.deep
def test_what_others_do_is_told_and_can_be_skipped_and_shown_again(page: Page) -> None:
    place(page)
    telling = page.locator(TELLING)
    expect(telling).to_contain_text("Spark 1 places")
    expect(telling.locator("svg").nth(1)).to_be_attached()
    page.locator("[data-skip]").click()
    expect(page.locator(".say")).to_contain_text("Your turn", timeout=60_000)
    ply = page.locator("[data-ply]").get_attribute("data-ply")
    page.locator("[data-again]").click()
    expect(telling).to_contain_text("Spark 1 places")
    expect(telling).to_contain_text("Spark 2 places", timeout=60_000)
    page.keyboard.press("Escape")
    expect(telling).to_have_count(0)
    expect(page.locator(".say")).to_contain_text("Your turn")
    expect(page.locator("[data-ply]")).to_have_attribute("data-ply", str(ply))
    expect(place_in_reach(page)).to_be_visible()


@pytest.mark.deep
def test_the_log_has_a_line_a_turn_and_unfolds(page: Page) -> None:
    place(page)
    expect(page.locator("[data-again]")).to_be_visible(timeout=60_000)
    turns = page.locator(".rail .log li:has(.turn)")
    expect(turns.nth(0)).to_contain_text("Spark 2 places")
    expect(turns.nth(1)).to_contain_text("Spark 1 places")
    expect(turns.nth(2)).to_contain_text("You place")
    own = turns.nth(2)
    expect(own.locator("button.jump")).to_have_count(1)
    own.get_by_role("button", name="All that it brought").click()
    expect(own).to_contain_text("You draw")
    own.get_by_role("button", name="All that it brought").click()
    expect(own.locator("button.jump")).to_have_count(1)


def test_what_was_taken_back_is_struck_through_and_the_answer_is_said(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), ("Lola",), start=True, options={"first": 0})
    page = guest(browser, server, made, (0,))
    with Person(server, made["table"], made["tokens"]["1"]) as lola:
        page.locator("[data-commit]").click()
        while not lola.view.get("moves"):
            lola.hear()
        lola.move()
        before = page.locator(".layout").bounding_box()
        page.get_by_role("button", name="Ask to go back").click()
        page.get_by_text("would like to go back").wait_for()
        assert page.locator(".layout").bounding_box() == before, "a notice moves the board"
        lola.until(lambda word: word["say"] == "update" and word["table"].get("undo"))
        assert lola.ask("answer", seat=1, agrees=True)["say"] == "done"
        expect(page.locator(".log")).to_contain_text("Lola agrees to go back.")
        expect(page.locator(".log .undone").first).to_be_visible()


@pytest.mark.deep
def test_the_lake_does_not_move_under_a_finger(browser: Browser, server: Server) -> None:
    made = server.make("lanternes", ("Aline",), ("Paul",), start=True, options={"first": 1})
    page = guest(browser, server, made, (0,), size=(390, 844), touch=True)
    tile = page.locator('[data-tile="0,0"]')
    tile.wait_for()
    with Person(server, made["table"], made["tokens"]["1"]) as paul:
        while not paul.view.get("moves"):
            paul.hear()
        box = tile.bounding_box()
        assert box is not None
        tools = page.context.new_cdp_session(page)
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        tools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        before = tile.bounding_box()
        while paul.latest["table"]["pending"] == [1]:
            paul.hear_until(paul.move()["seq"])
        expect(page.locator("[data-ply]")).to_have_attribute("data-ply", str(paul.latest["table"]["ply"]))
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert tile.bounding_box() == pytest.approx(before, abs=1.5)
        tools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
