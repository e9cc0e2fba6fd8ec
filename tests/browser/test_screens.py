"""Every game on small screens: a phone upright and on its side, text at twice its size, motion that is not wanted."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from browser.guests import guest

BOARDS = {"lanternes": ".water", "dice": "[data-sheet]", "lumens": "svg.board", "iles": "[data-mine] .island"}
UPRIGHT, ASIDE, LONGER = (375, 667), (667, 375), (844, 390)
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"
MOVING = "() => document.getAnimations().filter((one) => one.effect.target.closest('.breathes')).length"


def at_table(browser: Browser, server: Server, game: str, **more: object) -> Page:
    """Somebody at a table against the weakest bot, its board drawn."""
    made = server.make(game, ("Aline",), "spark", start=True)
    page = guest(browser, server, made, (0,), **more)  # type: ignore[arg-type]
    expect(page.locator(BOARDS[game]).first).to_be_visible()
    return page


def is_whole(page: Page, selector: str, size: tuple[int, int], least: int) -> bool:
    """All of it is on the screen, and no smaller than that."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    inside = box["x"] >= -1 and box["y"] >= 0 and box["x"] + box["width"] <= size[0] + 1
    return inside and box["y"] + box["height"] <= size[1] + 1 and min(box["width"], box["height"]) >= least


@pytest.mark.parametrize("game", BOARDS)
def test_a_phone_shows_the_whole_board_upright_and_on_its_side(browser: Browser, server: Server, game: str) -> None:
    """In French, whose sentences are the longer ones; turned while the page is open."""
    page = at_table(browser, server, game, size=UPRIGHT, touch=True, language="fr")
    bars = page.locator(".bars").bounding_box()
    assert bars is not None
    assert bars["height"] <= 72
    for size in (UPRIGHT, ASIDE, LONGER):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function("width => innerWidth === width", arg=size[0])
        assert not page.evaluate(SIDEWAYS)
        assert is_whole(page, BOARDS[game], size, 120)
        assert is_whole(page, ".tabs", size, 40)


@pytest.mark.deep
@pytest.mark.parametrize("game", BOARDS)
def test_text_at_twice_its_size_leaves_what_commits_in_reach(browser: Browser, server: Server, game: str) -> None:
    """On a phone and on a desk."""
    for size in (UPRIGHT, (1440, 900)):
        page = at_table(browser, server, game, size=size, language="fr")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert not page.evaluate(SIDEWAYS)
        button = page.locator(".button.go:visible").first
        if button.count() > 0:
            button.scroll_into_view_if_needed()
            box = button.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= size[0] - box["width"] + 0.5
        page.context.close()


@pytest.mark.deep
@pytest.mark.parametrize("game", BOARDS)
def test_places_breathe_until_something_is_touched(browser: Browser, server: Server, game: str) -> None:
    """Anew with every question, and never where motion is not wanted."""
    page = at_table(browser, server, game, speed="normal")
    if game == "lumens":  # the first token goes to the own start: one place, already shown
        page.locator("[data-commit]").click()
    page.wait_for_function(MOVING)
    page.keyboard.press("Shift")
    page.wait_for_function(f"() => !({MOVING})()")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    expect(page.locator(".breathes").first).to_be_attached()
    assert page.evaluate(MOVING) == 0


def test_an_address_or_a_token_of_nonsense_gets_a_reason(browser: Browser, server: Server) -> None:
    """The page itself never breaks."""
    page = guest(browser, server)
    page.goto(f"http://localhost:{server.port}/#t/%E0%A4%A")
    expect(page.get_by_text("There is no such table.")).to_be_visible()
    page.goto(f"http://localhost:{server.port}/#host")
    page.locator("input").fill("n’importe quoi")
    page.locator(".go").click()
    expect(page.get_by_role("alert")).to_have_text("Only for whoever runs this server.")


PHONES = (360, 740), (375, 667), (390, 844), (412, 915), (844, 390)
TABLETS = (768, 1024), (834, 1194), (1024, 768), (1194, 834)
COVERED = """() => {
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const lanterns = [...document.querySelectorAll('.cord use')].map((one) => one.getBoundingClientRect());
    const parts = [...document.querySelectorAll('.hero :is(button, input)')];
    return parts.filter((one) => lanterns.some((it) => over(it, one.getBoundingClientRect()))).length;
}"""


def test_the_first_screen_of_a_phone_shows_a_game_and_the_ways_into_it(browser: Browser, server: Server) -> None:
    page = guest(browser, server, size=PHONES[0], touch=True, language="fr")
    expect(page.locator("article").nth(3)).to_be_visible()
    for size in PHONES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function("width => innerWidth === width", arg=size[0])
        for part in (".vignette", "h2", "p", ".go", ".buttons > :nth-child(2)", ".buttons > :nth-child(3)"):
            assert is_whole(page, f"article {part}", size, 15), (size, part)
        assert not page.evaluate(SIDEWAYS)


@pytest.mark.deep
def test_no_lantern_of_the_room_hangs_over_a_button(browser: Browser, server: Server) -> None:
    page = guest(browser, server, size=TABLETS[0], touch=True)
    expect(page.locator("article").nth(3)).to_be_visible()
    for size in (*TABLETS, *PHONES):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function("width => innerWidth === width", arg=size[0])
        page.wait_for_function(f"() => ({COVERED})() === 0")  # the garland follows the width a moment later


# What is on a page, or in what is open over it, beyond the right border.
BEYOND = """() => {
    const all = [...(document.querySelector('dialog') ?? document.body).querySelectorAll('*')];
    const wide = all.filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 0 && box.right > innerWidth + 1 && !one.closest('svg, .unseen');
    });
    return wide.slice(0, 3).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 30)}`);
}"""


def test_around_the_boards_large_letters_leave_nothing_beyond_the_border(browser: Browser, server: Server) -> None:
    """The room, a new game, its options, the waiting room, the menu, the settings and the rules, at twice the size."""
    page = guest(browser, server, size=(360, 740), touch=True, language="fr", name="W" * 24)

    def look(what: str) -> None:
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert not page.evaluate(SIDEWAYS), what
        assert page.evaluate(BEYOND) == [], what

    expect(page.locator("article").nth(3)).to_be_visible()
    look("the room")
    page.get_by_role("button", name="Inviter des amis à Lanternes Dice").click()
    look("a new game")
    for fold in page.locator("summary").all():
        fold.click()
    expect(page.locator(".shapes")).to_be_visible()
    look("its options")
    page.get_by_role("button", name="Ouvrir la table").click()
    expect(page.locator(".welcome")).to_be_visible()
    look("the waiting room")
    page.get_by_role("button", name="Menu").click()
    look("the menu")
    page.get_by_role("button", name="Inviter et partager").click()
    look("the link")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Réglages").click()
    look("the settings")
    page.goto(f"http://localhost:{server.port}/#rules/iles")
    expect(page.locator("h1")).to_have_text("1001 Îles")
    look("the rules")
    page.goto(f"http://localhost:{server.port}/#host")
    expect(page.locator("form")).to_be_visible()
    look("the administration")
