"""Lanternes: its cards and rewards are what one acts with, say what they are, and are met by a finger at every size."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server
from tiers import daily

from browser.guests import guest, held
from browser.lanternes_hands import PHONE, SMALL, area, four_hands, moved, place_in_reach, ply

COVERED = """() => {
  const boxes = [...document.querySelectorAll('.zoom')].map((one) => one.getBoundingClientRect());
  const water = document.querySelector('.water').getBoundingClientRect();
  return [...document.querySelectorAll('[data-place]')].filter((place) => {
    const { left, right, ...high } = place.getBoundingClientRect().toJSON();
    const box = { left, right, top: high.top, bottom: Math.min(high.bottom, water.bottom) };
    return boxes.some((zoom) => box.left < zoom.right && zoom.left < box.right
      && box.top < zoom.bottom && zoom.top < box.bottom && zoom.width > 0);
  }).length;
}"""
CUT = """() => {
  const water = document.querySelector('.water').getBoundingClientRect();
  return [...document.querySelectorAll('[data-tile], [data-place]')].map((one) => one.getBoundingClientRect())
    .filter((box) => box.left < water.left - 1 || box.right > water.right + 1
      || box.top < water.top - 1 || box.bottom > water.bottom + 1).length;
}"""
READ = """() => [document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title]')]
  .flatMap((one) => [one.getAttribute('aria-label'), one.getAttribute('title')])].join('\\n')"""
NOTATION = re.compile(r"\b[WORPBGK]{4,7}\b|\d+@|-?\d+, ?-?\d+/\d|(at|en) -?\d+, ?-?\d+")


def test_a_lit_reward_is_taken_by_a_click_on_it_and_lies_on_a_pile_that_opens(browser: Browser, server: Server) -> None:
    """The card in the rail and the own cards choose as the chooser does; the pile says what lies on it."""
    page = guest(browser, server, server.open("lanternes-reward"), (0,))
    reward = page.locator("[data-reward].payable:visible").first
    points = reward.locator(".num").inner_text()
    reward.click()
    expect(reward).to_have_attribute("aria-pressed", "true")
    while not page.locator("[data-go]").is_enabled():
        page.locator("[data-own-card].usable[aria-pressed='false']").first.click()
    last = ply(page)
    page.locator("[data-go]").click()
    moved(page, last)
    pile = page.locator("[data-rewards='0']:visible")
    expect(pile.locator("b")).to_have_text(points)
    pile.click()
    expect(page.locator("[data-explanation]")).to_contain_text(f"{points} points in all.")


@pytest.mark.deep
def test_a_reward_flies_and_counts_when_it_lands(browser: Browser, server: Server) -> None:
    """In the air it is nobody's; then it lies on the pile."""
    page = guest(browser, server, server.open("lanternes-reward"), (0,), speed="slow")
    pile = page.locator("[data-rewards='0']:visible")
    before = pile.inner_text()
    page.locator("[data-reward].payable:visible").first.click()
    while not page.locator("[data-go]").is_enabled():
        page.locator("[data-own-card].usable[aria-pressed='false']").first.click()
    with held(page):
        page.locator("[data-go]").click()
        expect(page.locator(".sky .reward-card")).to_have_count(1)
        assert pile.inner_text() == before
    expect(page.locator(".sky svg")).to_have_count(0)
    expect(pile).not_to_have_text(before)


@pytest.mark.deep
def test_the_lake_stays_under_a_place_that_is_aimed_at(browser: Browser, server: Server) -> None:
    """Also where the window leaves less room for it; let go of, it shows all of itself again."""
    page = guest(browser, server, four_hands(server, 2), (0,))
    place = page.locator("[data-place='0,1']")
    expect(place).to_be_visible()
    place.click()
    before = area(place)
    page.set_viewport_size({"width": 1440, "height": 640})
    page.wait_for_function("() => document.querySelector('.water').clientHeight < 460")
    assert area(place) == pytest.approx(before, abs=1)
    page.keyboard.press("Escape")
    page.mouse.move(2, 2)
    page.wait_for_function(
        "width => document.querySelector('[data-place]').getBoundingClientRect().width < width - 5", arg=before[2]
    )


@pytest.mark.deep
def test_own_cards_are_given_in_an_exchange_by_a_click_on_them(browser: Browser, server: Server) -> None:
    """The card that is taken comes from the chooser; Escape lets go of both."""
    page = guest(browser, server, server.open("lanternes-exchange"), (0,))
    given = page.locator("[data-own-card].usable").first
    letter = given.get_attribute("data-own-card")
    given.click()
    expect(page.locator(f"[data-choice='give-{letter}']")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-choice^='take-']:enabled").first.click()
    expect(page.locator("[data-go]")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(given).to_have_attribute("aria-pressed", "false")


@pytest.mark.deep
def test_a_tap_on_anything_that_does_nothing_else_explains_it(browser: Browser, server: Server) -> None:
    """On a phone: a seat, a card of one's own, the boats; in the sheet of supplies the rewards and the pile."""
    page = guest(browser, server, four_hands(server, 3), (0,), size=PHONE, touch=True)
    card = page.locator("[data-explanation]")
    place_in_reach(page)
    for thing, words in (
        (".strip [data-seat='1']", "0 points"),
        ("[data-own-card='R']", "The supply has"),
        (".boat-card button", "2 boats pay for an exchange"),
    ):
        page.locator(f"{thing}:visible").first.tap(force=True)  # what has nothing to do is disabled
        expect(card).to_contain_text(words)
    page.locator(".tabs button").nth(1).tap()
    for thing, words in (("[data-reward='seven']", "Under it lie: 9, 8, 8"), (".pile.muted", "one last turn")):
        page.locator(f".sheet {thing}").first.tap(force=True)
        expect(card).to_contain_text(words)
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)


SIZES = ((1440, 900), (1920, 1080), (834, 1194), (768, 1024), PHONE, (667, 375))


@pytest.mark.parametrize("size", daily(SIZES, PHONE))
def test_the_buttons_of_the_lake_cover_no_place(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """Also where the lake has grown, or was moved."""
    page = guest(browser, server, server.open("lanternes-late"), (0,), size=size, touch=size[0] < 1000)
    expect(page.locator("[data-place]").first).to_be_attached()
    assert page.evaluate(COVERED) == 0
    if size[0] >= 1000:
        page.mouse.move(size[0] / 3, size[1] / 2)
        page.mouse.wheel(-300, -200)
        page.wait_for_function(f"() => ({COVERED})() === 0")


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nobody_reads_notation(browser: Browser, server: Server, language: str) -> None:
    """Neither on the board, nor in its labels, nor in the log with all it has folded."""
    page = guest(browser, server, server.open("lanternes-full"), (0,), language=language)
    place_in_reach(page)
    for more in page.locator(".rail .more:visible").all():
        more.click()
    read = page.evaluate(READ)
    assert "Aline" in read
    assert NOTATION.findall(read) == []


@pytest.mark.deep
@pytest.mark.parametrize("size", [(360, 740), (667, 375), (768, 1024), (1024, 768), (1194, 834)])
def test_a_finger_meets_everything_on_phones_and_tablets(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    """In French, with four seats and all there is in sight; the button that commits is on the screen."""
    page = guest(browser, server, four_hands(server, 4), (0,), size=size, touch=True, language="fr")
    place_in_reach(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate(SMALL) == []
    _, y, _, height = area(page.locator("[data-go]"))
    assert y + height <= size[1]
    if page.locator(".tabs").is_visible():
        page.locator(".tabs button").nth(1).tap()
        expect(page.locator(".sheet [data-reward]").first).to_be_visible()
        assert page.evaluate(SMALL) == []


def hand(page: Page) -> list[str | None]:
    """The tiles in hand, in their order."""
    return [tile.get_attribute("data-hand") for tile in page.locator("[data-hand]").all()]


@pytest.mark.parametrize("what", daily(("late", "exchange", "reward"), "late"))
def test_a_phone_shows_all_of_the_lake_whatever_else_needs_room(browser: Browser, server: Server, what: str) -> None:
    """Late in a game, before and after a move: all tiles, and all places where one may be laid."""
    page = guest(browser, server, server.open(f"lanternes-{what}"), (0,), size=PHONE, touch=True)
    expect(page.locator("[data-place], [data-chooser]").first).to_be_attached()
    assert page.evaluate(CUT) == 0
    if what == "late":
        before = ply(page)
        place_in_reach(page).tap()
        page.locator("[data-go]").tap()
        moved(page, before)
        page.wait_for_function(f"() => ({CUT})() === 0")


@pytest.mark.deep
def test_a_tile_that_is_drawn_lies_where_the_last_one_was(browser: Browser, server: Server) -> None:
    """Taken back, all three lie as before, and nothing is chosen for a tile that is not taken up."""
    made = server.make("lanternes", ("Aline",), "spark", start=True, options={"first": 0})
    page = guest(browser, server, made, (0,))
    place_in_reach(page)
    first, tiles = hand(page), page.locator("[data-tile]").count()
    page.locator("[data-hand]").nth(1).click()
    place_in_reach(page).click()
    page.locator("[data-go]").click()
    expect(page.locator("[data-tile]")).to_have_count(tiles + 2)
    place_in_reach(page).click()
    then = hand(page)
    assert (then[0], then[2]) == (first[0], first[2])
    page.locator(".undo").click()
    expect(page.locator("[data-tile]")).to_have_count(tiles)
    assert hand(page) == first
    expect(page.locator("[data-ghost]")).to_have_count(0)


@pytest.mark.deep
@pytest.mark.parametrize("notation", [False, True])
def test_lanterns_have_letters_only_for_those_who_read_notation(
    browser: Browser, server: Server, notation: bool
) -> None:
    """They are initials of English words; shapes tell the colours apart."""
    page = guest(browser, server, four_hands(server, 2), (0,), language="fr", notation=notation)
    place_in_reach(page)
    assert (page.locator("[data-board] use[href^='#l'][href$='R']").count() > 0) is notation


@pytest.mark.deep
def test_the_next_rewards_are_in_sight_on_a_phone_from_the_first_turn(browser: Browser, server: Server) -> None:
    """With their points; a tap says what they cost."""
    page = guest(browser, server, four_hands(server, 2), (0,), size=(360, 740), touch=True)
    place_in_reach(page)
    rewards = page.get_by_role("list", name="Rewards").get_by_role("button")
    expect(rewards).to_have_count(3)
    for reward in rewards.all():
        expect(reward).to_be_in_viewport(ratio=1)
    rewards.first.tap(force=True)
    expect(page.locator("[data-explanation]")).to_contain_text("Costs 4 cards of one colour.")
    page.get_by_role("button", name="Close", exact=True).tap()
    expect(page.locator("[data-explanation]")).to_have_count(0)
