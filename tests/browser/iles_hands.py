"""Tables of 1001 Îles, and hands that play them on an open page by mouse, keyboard or touch, whatever the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect
from server.people import Server

BOARD = "[data-ply]"
SPOT = "[data-spot]:visible"
ASKED = f"""() => document.querySelector('{BOARD}') === null
    ? document.querySelector('.end') !== null
    : [...document.querySelectorAll('[data-spot]')].some(one => one.offsetParent !== null)"""
MADE = f"ply => (document.querySelector('{BOARD}')?.dataset.ply ?? '') !== ply"
FOCUSED = "() => document.activeElement.dataset.{}"

Press = Callable[[Locator], None]


def table(server: Server, *bots: str, first: int | None = 0) -> dict[str, Any]:
    """A table where Aline plays with bots and is, if nothing else is said, the first lookout."""
    return server.make("iles", ("Aline",), *bots, start=True, options={"first": first})


def asked(page: Page) -> str:
    """Wait until the page may move, and for what: a pile, a slot, a cell or a seat; nothing where the game is over."""
    page.wait_for_function(ASKED)
    if page.locator(BOARD).count() == 0:
        return ""
    return (page.locator(SPOT).first.get_attribute("data-spot") or "").partition(":")[0]


def spots(page: Page, kind: str) -> Locator:
    """The places of one kind that can be chosen now."""
    return page.locator(f'[data-spot^="{kind}:"]:visible')


def commit_button(page: Page) -> Locator:
    """The one that commits."""
    return page.locator("[data-commit]")


def ply(page: Page) -> str:
    """How many moves the page has seen."""
    return page.locator(BOARD).get_attribute("data-ply") or ""


def made(page: Page, before: str) -> None:
    """Wait until the move is made."""
    page.wait_for_function(MADE, arg=before)


def choose(page: Page, press: Press, place: Locator) -> None:
    """Choose a place, and for a tile that may lie on several cells the first of them; do not commit."""
    press(place)
    if commit_button(page).is_disabled():
        press(spots(page, "cell").first)
    expect(commit_button(page)).to_be_enabled()


def commit(page: Page, press: Press) -> None:
    """Make the chosen move."""
    before = ply(page)
    press(commit_button(page))
    made(page, before)


def click(place: Locator) -> None:
    """By mouse."""
    place.click()


def tap(place: Locator) -> None:
    """By finger."""
    place.tap()


def play_to_the_end(page: Page, press: Press) -> None:
    """Always the last thing there is."""
    while kind := asked(page):
        choose(page, press, spots(page, kind).last)
        commit(page, press)


def play_by_mouse(page: Page) -> None:
    """Click a tile, a cell and the button."""
    play_to_the_end(page, click)


def play_by_touch(page: Page) -> None:
    """Tap them."""
    play_to_the_end(page, tap)


def to_the_board(page: Page) -> None:
    """Tab to the one stop of the board."""
    for _ in range(40):
        if page.evaluate(FOCUSED.format("spot")):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead to the board")


def play_by_keyboard(page: Page) -> None:
    """An arrow to a place, Enter until it is chosen, Enter; no pointer at all."""
    turn = 0
    while asked(page):
        to_the_board(page)
        before = ply(page)
        page.keyboard.press(("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")[turn % 4])
        for _ in range(3):
            if page.evaluate(FOCUSED.format("chosen")) is None:
                page.keyboard.press("Enter" if turn % 2 else "Space")
        expect(commit_button(page)).to_be_enabled()
        page.keyboard.press("Enter")
        made(page, before)
        turn += 1
