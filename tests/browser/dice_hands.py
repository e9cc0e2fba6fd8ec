"""Hands that play Lanternes Dice on an open page to its end, by mouse, keyboard or touch; whatever the language."""

from __future__ import annotations

from itertools import count

from playwright.sync_api import Page, expect

LEGAL = "[data-zone].legal"
BOARD = "[data-board=dice]"
# A point well inside a zone: all around it is inside too.
INSIDE = """path => {
    const near = [[0, 0], [3, 0], [-3, 0], [0, 3], [0, -3]];
    const [x, y] = [[27, 27], [55, 55], [55, 27], [27, 55]].find(
        ([x, y]) => near.every(([dx, dy]) => path.isPointInFill(new DOMPoint(x + dx, y + dy))));
    const on = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
    return [on.x, on.y];
}"""
ASKED = f"""() => {{
    const board = document.querySelector('{BOARD}');
    return board === null ? document.querySelector('.end') !== null : board.dataset.asked !== '';
}}"""
MADE = f"made => {{ const b = document.querySelector('{BOARD}'); return b === null || b.dataset.made !== made; }}"


def asked(page: Page) -> str:
    """Wait until something is asked: what it is, or nothing where the game is over."""
    page.wait_for_function(ASKED)
    return page.evaluate(f"() => document.querySelector('{BOARD}')?.dataset.asked ?? ''")


def made(page: Page) -> str:
    """How many moves this page has made."""
    return page.evaluate(f"() => document.querySelector('{BOARD}')?.dataset.made ?? ''")


def inside(page: Page, zone: str) -> tuple[float, float]:
    """A point of the zone that a selector finds first."""
    x, y = page.locator(zone).first.evaluate(INSIDE)
    return x, y


def go(page: Page) -> None:
    """Make the chosen move."""
    before = made(page)
    page.locator("[data-act=go]").click()
    page.wait_for_function(MADE, arg=before)


def play_by_mouse(page: Page, most: int | None = None) -> None:
    """Click the first thing that lights up, then the button; to the end, or for so many moves."""
    for _ in count() if most is None else range(most):
        task = asked(page)
        if not task:
            break
        if task == "turn":
            page.locator("[data-turn=left]:visible").first.click()
        elif task == "emperor":
            page.locator("[data-emperor].legal:visible").first.click()
        elif task == "launch":
            page.locator("[data-stack].fits:visible").first.click()
            page.mouse.move(*spot(page))
            page.mouse.wheel(0, 100)
            page.mouse.click(*spot(page))
        else:
            page.mouse.click(*inside(page, LEGAL))
        go(page)


def spot(page: Page) -> tuple[float, float]:
    """The middle of the first pond of the first place where the firework in hand fits."""
    page.locator("[data-spot]").first.wait_for(state="attached")
    box = page.locator("[data-spot] rect").first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the keyboard is where it shall be."""
    for _ in range(150):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def play_by_keyboard(page: Page) -> set[str]:
    """Tab, arrows, Space, R and Enter alone; return what was asked."""
    tasks = set()
    while task := asked(page):
        tasks.add(task)
        before = made(page)
        if task == "turn":
            button = page.locator("[data-act=go]")
            keep = button.inner_text()
            page.keyboard.press("r")
            expect(button).not_to_have_text(keep, use_inner_text=True)
            if page.evaluate("() => document.activeElement.matches('button')"):
                tab_to(page, "[data-act=go]")
        elif task == "emperor":
            tab_to(page, "[data-emperor].legal")
            page.keyboard.press("Space")
        elif task == "launch":
            if page.locator("[data-spot]").count() == 0:
                tab_to(page, "[data-stack].fits")
                page.keyboard.press("Space")
            tab_to(page, "[data-spot][tabindex='0']")
            page.keyboard.press("r")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Space")
        else:
            tab_to(page, "[data-zone][tabindex='0']")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Space")
        page.keyboard.press("Enter")
        page.wait_for_function(MADE, arg=before)
    return tasks


def play_by_touch(page: Page) -> set[str]:
    """Tap, then tap again or tap the button, in turns; return what was asked."""
    number, tasks = 0, set()
    while task := asked(page):
        tasks.add(task)
        before = made(page)
        number += 1
        if task == "turn":
            page.locator("[data-turn=right]:visible").first.tap()
        elif task == "emperor":
            page.locator("[data-emperor].legal:visible").first.tap()
        elif task == "launch":
            page.locator("[data-stack].fits:visible").first.tap()
            page.touchscreen.tap(*spot(page))
            page.locator("[data-act=flip]").tap()
        else:
            page.touchscreen.tap(*inside(page, LEGAL))
            page.locator("[data-act=go]:enabled").wait_for()
            if number % 2:
                page.touchscreen.tap(*inside(page, "[data-zone][aria-selected=true]"))
                page.wait_for_function(MADE, arg=before)
                continue
        page.locator("[data-act=go]").tap()
        page.wait_for_function(MADE, arg=before)
    return tasks
