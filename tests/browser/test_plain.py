"""A game that no board of ours draws is played through its picture and the list of its moves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from .guests import guest, watch
from .plain_hands import MOVE, asked, play_by_keyboard, play_by_mouse, play_by_touch

GAME = "fireflies"


def over(page: Page, won: str) -> None:
    """The game has ended, with its own words."""
    expect(page.locator(".end h1")).to_have_text(re.compile(won))
    expect(page.locator(".end thead")).not_to_contain_text(GAME)


def test_a_whole_game_from_the_door_by_mouse(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    complaints = watch(page)
    page.get_by_role("button", name="Play Fireflies", exact=True).click()
    page.get_by_role("button", name="Start").click()
    picture = page.get_by_alt_text("The position")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 100
    play_by_mouse(page)
    over(page, "wins?|shared victory")
    assert complaints == []


@pytest.mark.deep
def test_a_whole_game_by_keyboard_alone(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.make(GAME, ("Aline",), "spark", start=True), (0,), language="fr")
    play_by_keyboard(page)
    over(page, "gagne|partagée")
    expect(page.locator(".end .picture")).to_contain_text("Aline")


def test_a_rule_variant_stands_in_the_menu(browser: Browser, server: Server) -> None:
    made = server.make(GAME, ("Aline",), ("Lola",), start=True, options={"equal": "everybody"})
    page = guest(browser, server, made, (0,))
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("[data-variant]")).to_have_text("Equally bright fireflies score for: everybody who shows one")


@pytest.mark.deep
def test_a_whole_game_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    made = server.make(GAME, ("Aline",), "spark", "spark", start=True)
    page = guest(browser, server, made, (0,), size=(375, 667), touch=True, theme="day")
    asked(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375
    play_by_touch(page)
    over(page, "wins?|shared victory")


@pytest.mark.parametrize("confirm", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_every_move_says_what_it_would_do_and_the_picture_follows(
    browser: Browser, server: Server, confirm: bool
) -> None:
    made = server.make(GAME, ("Aline",), ("Lola",), start=True, options={"first": 0})
    page = guest(browser, server, made, (0,), confirm=confirm)
    ply = asked(page)
    shows = page.locator(MOVE).filter(has_text="shows")
    expect(shows).to_have_text(re.compile(r"^Aline shows a firefly of brightness \W?\d"))
    picture = page.get_by_alt_text("The position")
    before = str(picture.get_attribute("src"))
    shows.click()
    if confirm:
        expect(shows).to_have_attribute("aria-pressed", "true")
        assert asked(page) == ply
        page.locator("[data-go]").click()
    expect(picture).not_to_have_attribute("src", before)
