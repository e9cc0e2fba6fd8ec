"""Hands that play Lumens on an open page to its end, by mouse, keyboard or touch; whatever the language."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

BOARD = "[role=grid][data-ply]"
ASKED = f"""() => {{
    const board = document.querySelector('{BOARD}');
    return board === null ? document.querySelector('.end') !== null : board.dataset.asked === 'true';
}}"""
MADE = f"ply => {{ const b = document.querySelector('{BOARD}'); return b === null || b.dataset.ply !== ply; }}"
GHOST = "place => document.querySelector('[data-ghost]')?.dataset.ghost === place"
ON_A_PLACE = "() => document.activeElement.matches('.legal[data-place]')"


def asked(page: Page) -> str | None:
    """Wait until the page may move: how many moves were made then, or nothing where the board is gone."""
    page.wait_for_function(ASKED)
    board = page.locator(BOARD)
    return board.get_attribute("data-ply") if board.count() else None


def opened(page: Page) -> Page:
    """Wait until the board is there."""
    page.wait_for_selector(BOARD)
    return page


def made(page: Page, ply: str) -> None:
    """Wait until the move is made."""
    page.wait_for_function(MADE, arg=ply)


def cell(page: Page, place: str) -> Locator:
    """The cell of a place: "3,7"."""
    return page.locator(f'[data-place="{place}"]')


def places(page: Page) -> list[str]:
    """Where the token may go; nothing where there is no choice but the face."""
    return page.eval_on_selector_all("[data-legal]", "all => all.map(one => one.dataset.legal)")


def play_a_move(page: Page) -> None:
    """Place a token on the first legal place; where there is only one, it is chosen already."""
    ply = asked(page)
    assert ply is not None
    for place in places(page)[:1]:
        cell(page, place).click()
    page.locator("[data-commit]").click()
    made(page, ply)


def play_by_mouse(page: Page) -> None:
    """Click the first place and the button; in every other turn the token is turned before."""
    opened(page)
    turn = 0
    while ply := asked(page):
        for place in places(page)[:1]:
            cell(page, place).click()
            page.wait_for_function(GHOST, arg=place)
        if turn % 2:
            page.mouse.wheel(0, 100)
        page.locator("[data-commit]").click()
        made(page, ply)
        turn += 1


def to_the_board(page: Page) -> None:
    """Tab to the one stop of the board."""
    for _ in range(40):
        if page.evaluate("() => document.activeElement.matches('[data-place]')"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead to the board")


def play_by_keyboard(page: Page) -> None:
    """Arrows to a place, R, and Enter twice; no pointer at all."""
    opened(page)
    turn = 0
    while ply := asked(page):
        to_the_board(page)
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")[turn % 4 :] + (
            "ArrowRight",
            "ArrowDown",
            "ArrowLeft",
        ):
            page.keyboard.press(key)
            if page.evaluate(ON_A_PLACE):
                break
        assert page.evaluate(ON_A_PLACE)
        place = page.evaluate("() => document.activeElement.dataset.place")
        if turn % 2:
            page.keyboard.press("r")
        if places(page):
            page.keyboard.press("Enter")
            page.wait_for_function(GHOST, arg=place)
        page.keyboard.press("Enter")
        made(page, ply)
        turn += 1


def play_by_touch(page: Page) -> None:
    """Tap the last place, then tap it again, or the button."""
    opened(page)
    turn = 0
    while ply := asked(page):
        chosen = places(page)[-1:]
        for place in chosen:
            cell(page, place).tap()
            page.wait_for_function(GHOST, arg=place)
        if chosen and turn % 2:
            cell(page, chosen[0]).tap()
        else:
            page.locator("[data-commit]").tap()
        made(page, ply)
        turn += 1
