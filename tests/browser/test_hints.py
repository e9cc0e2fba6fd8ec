"""Hints in the browser: asked for, shown on the board and followed in each game; seen by all, recorded, refused."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Person, Server
from tiers import daily

from .guests import guest, violations
from .journeys import GAMES

HINT, ROWS = "[data-hint]", "[data-hint-row]"
CHOICES = {"lanternes": "lanternes-late", "dice": "dice-turn", "lumens": "lumens-early", "iles": "iles-places"}
WAITED = 240_000
"""Milliseconds: on a machine that has compiled nothing yet the first hint of a game takes long."""


def at_a_choice(server: Server, game: str, hints: int) -> dict[str, Any]:
    """A table of Aline and bots at which she has several moves."""
    bots = ["spark"] * (2 if game == "iles" else 1)
    return server.open(CHOICES[game], ("Aline",), *bots, hints=hints)


def hinted(page: Page, first: str | None = None) -> list[str]:
    """Wait for the hints of a page; return what they say."""
    rows = page.locator(ROWS)
    rows.first.wait_for(timeout=WAITED)
    if first is not None:
        expect(rows.first).to_contain_text(first)
    return rows.all_inner_texts()


def ply(server: Server, made: dict[str, Any]) -> int:
    """How many moves were made."""
    return int(server.get(f"/api/tables/{made['table']}")["ply"])


def moved_on(page: Page, server: Server, made: dict[str, Any], before: int) -> None:
    """Wait until a move was made."""
    expect(page.locator("[data-hints]")).to_have_count(0)
    for _ in range(600):
        if ply(server, made) != before:
            return
        page.wait_for_timeout(50)
    raise AssertionError("no move was made")


@pytest.mark.parametrize("game", daily(GAMES, "lumens"))
def test_a_hint_is_asked_for_shown_and_followed(browser: Browser, server: Server, game: str) -> None:
    made = at_a_choice(server, game, 1000)
    page = guest(browser, server, made, (0,))
    page.locator(HINT).wait_for()
    page.locator("main.main").wait_for()
    before = page.locator("main.main").bounding_box()
    page.locator(HINT).click()
    texts = hinted(page, "in ten" if game != "lanternes" else None)
    assert 1 < len(texts) <= 3
    assert page.locator("main.main").bounding_box() == before, "nothing on the board moves"
    assert not violations(page)
    number = ply(server, made)
    second = page.locator(ROWS).nth(1)
    second.hover()
    page.mouse.move(5, 400)
    expect(page.locator(f"{ROWS}[aria-pressed=true]")).to_have_count(0)
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    assert ply(server, made) == number, "it is still to be confirmed"
    second.click()
    moved_on(page, server, made, number)


@pytest.mark.deep
def test_by_the_keyboard_in_french(browser: Browser, server: Server) -> None:
    made = at_a_choice(server, "lumens", 3)
    page = guest(browser, server, made, (0,), language="fr")
    expect(page.locator(HINT)).to_contain_text("Conseil 3")
    page.keyboard.press("t")
    texts = hinted(page)
    assert any("parties sur dix" in text or "presque" in text for text in texts)
    expect(page.locator(HINT)).to_contain_text("Conseil 2")
    expect(page.locator("[data-hints]")).to_contain_text("encore 2 conseils")
    expect(page.locator(f"{ROWS}").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-hints]")).to_have_count(0)
    expect(page.locator(HINT)).to_be_focused()
    page.keyboard.press("t")
    hinted(page)
    expect(page.locator(HINT)).to_contain_text("Conseil 2")  # in the same position it costs nothing
    number = ply(server, made)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(f"{ROWS}").nth(1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    moved_on(page, server, made, number)
    expect(page.locator(".log").first).to_contain_text("Vous demandez un conseil.")


@pytest.mark.deep
def test_enter_makes_the_move_that_a_hint_asked_for_by_the_mouse_has_chosen(browser: Browser, server: Server) -> None:
    made = at_a_choice(server, "iles", 1000)
    page = guest(browser, server, made, (0,))
    page.locator(HINT).click()
    hinted(page)
    number = ply(server, made)
    page.keyboard.press("Enter")
    moved_on(page, server, made, number)


@pytest.mark.parametrize("game", daily(("iles", "lumens"), "iles"))
def test_on_a_small_phone_the_board_stays_in_sight(browser: Browser, server: Server, game: str) -> None:
    made = at_a_choice(server, game, 1000)
    page = guest(browser, server, made, (0,), size=(375, 667), touch=True)
    sheet, numbers = page.locator("[data-hints]"), page.locator(ROWS)
    page.locator(HINT).tap()
    numbers.first.wait_for(timeout=WAITED)
    expect(numbers.first).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-hint-mark='1']")).to_be_visible()  # at the place or the piece itself
    assert not violations(page)
    box = sheet.bounding_box()
    assert box is not None
    assert box["height"] <= 667 / 3 + 1
    assert box["y"] + box["height"] == pytest.approx(667, abs=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    for one in page.locator("[data-hints] button").all():
        shown = one.bounding_box()
        assert shown is not None
        assert min(shown["width"], shown["height"]) >= 44
        assert 0 <= shown["x"] <= 375 - shown["width"]
    first = page.locator("[data-hint-words]").inner_text()
    numbers.nth(1).tap()
    expect(numbers.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-hint-words]")).not_to_have_text(first)
    number = ply(server, made)
    page.locator("[data-hint-make]").tap()
    moved_on(page, server, made, number)
    expect(page.locator(HINT)).to_be_enabled(timeout=60_000)
    expect(sheet).to_have_count(0)  # nobody asked for another one


@pytest.mark.deep
def test_a_touch_beside_them_escape_and_the_way_back_close_them(browser: Browser, server: Server) -> None:
    made = at_a_choice(server, "lumens", 1000)
    page = guest(browser, server, made, (0,), size=(375, 667), touch=True)
    sheet = page.locator("[data-hints]")
    for close in (lambda: page.touchscreen.tap(150, 20), lambda: page.keyboard.press("Escape"), page.go_back):
        page.locator(HINT).tap()
        hinted(page)
        close()
        expect(sheet).to_have_count(0)
    expect(page.locator(HINT)).to_be_visible()


def test_with_other_people_hints_are_agreed_on_and_everybody_sees_them(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), "open", options={"first": 0}, hints=3)
    friend = guest(browser, server, made, ())
    expect(friend.locator("main")).to_contain_text("with hints")
    with Person(server, made["table"]) as bea:
        bea.ask("sit", seat=1, name="Bea")
        page = guest(browser, server, made, (0,))
        page.get_by_role("button", name="Start").click()
        page.locator(HINT).click()
        hinted(page)
        expect(page.locator(".facts")).to_contain_text("with hints")
        expect(friend.locator(".facts")).to_contain_text("with hints")
        expect(friend.locator(".log").first).to_contain_text("Aline asks for a hint.")
        expect(friend.locator(HINT)).to_have_count(0)


def test_without_hints_there_is_no_button_and_no_key(browser: Browser, server: Server) -> None:
    made = at_a_choice(server, "lumens", 0)
    page = guest(browser, server, made, (0,))
    page.locator(".undo").wait_for()
    expect(page.locator(HINT)).to_have_count(0)
    page.keyboard.press("t")
    expect(page.locator("[data-hints]")).to_have_count(0)


def test_when_all_are_used_the_reason_is_said(browser: Browser, server: Server) -> None:
    made = at_a_choice(server, "lumens", 1)
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        assert aline.ask("hint", seat=0)["say"] == "hinted"
        moved = aline.seq
        while aline.seq == moved or len(aline.view.get("moves") or []) < 2:
            aline.hear_until(aline.move()["seq"]) if aline.view.get("moves") else aline.hear()
    page = guest(browser, server, made, (0,))
    page.locator(HINT).click()
    expect(page.get_by_role("alert")).to_contain_text("You have used the one hint of this game.")
    expect(page.locator("[data-hints]")).to_have_count(0)


def test_alone_against_bots_one_has_them_and_with_others_none(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    page.get_by_role("button", name="Play Lumens").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("summary").first.click()
    expect(dialog.locator("#hints")).to_have_value("1000")
    dialog.get_by_label("Who sits at seat 2").select_option("screen")
    expect(dialog.locator("#hints")).to_have_value("0")  # with others there are none unless they are chosen
    dialog.locator("#hints").select_option("3")
    expect(dialog).to_contain_text("who sits down agrees")
    dialog.get_by_label("Who sits at seat 2").select_option("bot")
    dialog.get_by_role("button", name="Start").click()
    page.locator(HINT).wait_for()
    table = page.url.rpartition("/")[2]
    assert server.get(f"/api/tables/{table}")["hints"] == 3
