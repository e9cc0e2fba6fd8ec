"""Hands that play any game through its picture and the list of its moves, by mouse, keyboard or touch."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

BOARD = "[data-plain]"
MOVE = "[data-move]"
ASKED = f"() => document.querySelector('{MOVE}') !== null || document.querySelector('.end') !== null"
MADE = f"ply => document.querySelector('{BOARD}')?.dataset.ply !== ply"


def asked(page: Page) -> str | None:
    """Wait until the page may move: how many moves were made then, or nothing where the game is over."""
    page.wait_for_function(ASKED)
    return page.locator(BOARD).get_attribute("data-ply") if page.locator(BOARD).count() else None


def play_on(page: Page, turn: Callable[[int], None]) -> None:
    """Answer whatever is asked until the board is gone."""
    count = 0
    while ply := asked(page):
        turn(count)
        page.wait_for_function(MADE, arg=ply)
        count += 1
    assert count > 0


def play_by(page: Page, press: Callable[[Locator], None]) -> None:
    """The last move of the list, then the button."""

    def turn(_: int) -> None:
        press(page.locator(MOVE).last)
        expect(page.locator("[data-go]")).to_be_enabled()
        press(page.locator("[data-go]"))

    play_on(page, turn)


def play_by_mouse(page: Page) -> None:
    """Click them."""
    play_by(page, lambda button: button.click())


def play_by_touch(page: Page) -> None:
    """Tap them."""
    play_by(page, lambda button: button.tap())


def play_by_keyboard(page: Page) -> None:
    """Tab to the list, arrows in it, Enter twice; no pointer at all."""

    def turn(count: int) -> None:
        for _ in range(40):
            if page.locator(f"{MOVE}:focus").count() > 0:
                break
            page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown" if count % 2 else "ArrowUp")
        page.keyboard.press("Enter" if count % 2 else "Space")
        expect(page.locator(f"{MOVE}:focus")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Enter")

    play_on(page, turn)
