"""Hands that play Lanternes on an open page to its end, whatever its language: by mouse, keyboard or touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect
from server.people import Server

ASKED = "() => document.querySelector('[data-place], [data-chooser]') || !document.querySelector('[data-board]')"
MOVED = "ply => document.querySelector('[data-board]')?.dataset.ply !== ply"
IN_REACH = """() => { const names = [...document.querySelectorAll('[data-place]')].filter((place) => {
  const box = place.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return top?.closest('[data-place]') === place;
}).map((place) => place.dataset.place); return names.length > 0 && names[names.length >> 1]; }"""
MOST_MOVES = 200
NAMES = ("Aline", "Lola", "Elliot", "Corentin")
PHONE = (375, 667)
SMALL = """() => [...document.querySelectorAll('[data-board] button, [data-tile]')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width > 0 && Math.min(box.width, box.height) < 43.5 && !one.closest('.log');
}).map((one) => one.outerHTML)"""


def four_hands(server: Server, players: int, first: int = 0, **more: Any) -> dict[str, Any]:
    """A table of people who wait for each other."""
    people = [(name,) for name in NAMES[:players]]
    return server.make("lanternes", *people, start=True, options={"first": first}, **more)


def area(shown: Locator) -> tuple[float, float, float, float]:
    """Where something is: x, y, width, height."""
    box = shown.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]


def ply(page: Page) -> str | None:
    """How many moves the page shows."""
    return page.locator("[data-board]").get_attribute("data-ply")


def moved(page: Page, before: str | None) -> None:
    """Wait until the page shows another move."""
    page.wait_for_function(MOVED, arg=before)


def place_in_reach(page: Page) -> Locator:
    """A legal place that nothing covers."""
    name = page.wait_for_function(IN_REACH).json_value()
    return page.locator(f'[data-place="{name}"]')


def play_on(page: Page, turn: Callable[[Page], None]) -> None:
    """Answer whatever is asked until the board is gone."""
    page.wait_for_selector("[data-board]")
    for _ in range(MOST_MOVES):
        page.wait_for_function(ASKED)
        if page.locator("[data-board]").count() == 0:
            return
        before = ply(page)
        turn(page)
        moved(page, before)
    raise AssertionError("the game does not end")


def choose(page: Page, press: Callable[[Locator], None]) -> None:
    """Exchange, take a reward or put a card back: the first that can be chosen, until the move is whole."""
    for sort in ("give-", "take-", "reward-", "pay-"):
        choices = page.locator(f"[data-choice^='{sort}']:enabled")
        for i in range(choices.count()):
            if page.locator("[data-go]").is_enabled():
                return
            if choices.nth(i).get_attribute("aria-pressed") == "false":
                press(choices.nth(i))
            if sort != "pay-":
                break
    if not page.locator("[data-go]").is_enabled():
        press(page.locator("[data-choice^='discard-']:enabled").first)
    expect(page.locator("[data-go]")).to_be_enabled()


def play_by_mouse(page: Page) -> None:
    """Point, click, and drag every third tile."""
    count = 0

    def turn(page: Page) -> None:
        nonlocal count
        if page.locator("[data-place]").count() == 0:
            choose(page, lambda button: button.click())
        else:
            count += 1
            place = place_in_reach(page)
            if count % 3 == 0:
                page.locator("[data-hand]").last.drag_to(place)
            else:
                place.click()
                page.locator("[data-turn-it]").click()
        page.locator("[data-go]").click()

    play_on(page, turn)


def play_by_touch(page: Page) -> None:
    """Tap a place, tap it again to turn the tile, and tap the button."""

    def turn(page: Page) -> None:
        if page.locator("[data-place]").count() == 0:
            choose(page, lambda button: button.tap())
        else:
            place_in_reach(page).tap()
        page.locator("[data-go]").tap()

    play_on(page, turn)


def play_by_keyboard(page: Page) -> None:
    """Arrows, R, Space and Enter; N for no."""

    def turn(page: Page) -> None:
        keys = page.keyboard
        if page.locator("[data-place]").count() > 0:
            if page.locator("[data-place]:focus").count() == 0:
                keys.press("ArrowRight")
            keys.press("ArrowDown")
            keys.press("r")
            keys.press("Space")
            expect(page.locator("[data-go]")).to_be_enabled()
        elif page.locator("[data-choice^='reward-']:enabled").count() > 0:
            walk_to(page, "[data-choice^='reward-']")
            keys.press("Enter")
            while not page.locator("[data-go]").is_enabled():
                walk_to(page, "[data-choice^='pay-'][aria-pressed='false']")
                keys.press("Enter")
        elif page.locator("[data-choice^='discard-']").count() > 0:
            walk_to(page, "[data-choice^='discard-']")
            keys.press("Enter")
        else:
            keys.press("n")
            return
        expect(page.locator("[data-go]")).to_be_enabled()
        keys.press("Enter")

    play_on(page, turn)


def walk_to(page: Page, wanted: str) -> None:
    """Tab until something that can be chosen has the focus."""
    for _ in range(60):
        if page.locator(f"{wanted}:enabled:focus").count() > 0:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached by the keyboard")
