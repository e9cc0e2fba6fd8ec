"""The analysis board in the browser: a position is set up, explored with all seats, shared, or comes from a replay."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from .guests import guest, violations, watch
from .lanternes_hands import place_in_reach
from .pages import TABLETS, WIDE, layout_faults, speak
from .positions import anything, play_until

PHONE = (375, 667)


def begin(page: Page, server: Server, game: str, players: int = 2) -> Page:
    """Begin a new board and wait until it is judged."""
    page.goto(f"http://localhost:{server.port}/#board")
    page.locator("#board-game").select_option(game)
    page.locator("#board-players").select_option(str(players))
    page.locator("main .button.go").click()
    return judged(page)


def judged(page: Page) -> Page:
    """Wait until the position that is shown is judged."""
    page.locator(".layout").wait_for()
    page.locator("[data-worth]").wait_for(state="attached", timeout=240_000)
    return page


def ply(page: Page) -> int:
    """Return how many moves were made on the line that is shown."""
    return int(page.locator(".explore").get_attribute("data-ply") or -1)


def test_a_position_is_set_up_explored_and_shared(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    heard = watch(page)
    begin(page, server, "lanternes")
    page.locator("[data-setup]").click()
    boats = page.locator("details[open] [data-control^='boats:']")
    boats.get_by_role("button", name="Boats: one more").click()
    expect(boats.locator("output")).to_have_text("1")
    boats.get_by_role("button", name="Boats: one more").click()
    expect(boats.locator("output")).to_have_text("2")
    page.get_by_role("button", name="Undo the change").click()
    expect(boats.locator("output")).to_have_text("1")
    page.get_by_role("button", name="Done").click()
    start = ply(judged(page))
    assert start == 0, "the board begins anew where it was set up"
    page.locator("[data-best='0']").click()
    expect(page.locator(".explore")).to_have_attribute("data-turn", "chance")
    page.get_by_role("button", name="Let chance decide").click()
    expect(page.locator(".explore")).to_have_attribute("data-turn", "seat")
    assert ply(page) == start + 2
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".explore")).to_have_attribute("data-ply", str(start))
    page.locator("[data-best='1']").click()
    expect(page.locator("[data-depth='1']")).to_have_count(1)
    page.get_by_role("button", name="Make it the main line").click()
    expect(page.locator("[data-depth='1']")).to_have_count(2)  # the other branch, with its draw
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("dialog").get_by_label("Link").input_value()
    friend = guest(browser, server, language="fr", theme="day", size=PHONE, touch=True)
    friend.goto(link)
    judged(friend)
    friend.get_by_role("button", name="Chances et variantes").tap()
    expect(friend.locator("[data-depth='1']")).to_have_count(2)
    expect(friend.locator("[data-depth='1']").first).to_contain_text("pose une tuile")
    assert heard == []


def test_what_cannot_be_set_up_is_refused_with_the_reason_and_what_can_is_played_on_by_hand(
    browser: Browser, server: Server
) -> None:
    page = begin(guest(browser, server, language="fr"), server, "lanternes")
    before = ply(page)
    page.locator("[data-setup]").click()
    step = page.locator("[data-control='step'] select")
    value = step.input_value()
    step.select_option("reward")
    expect(page.locator("[data-set-up] [role=alert]")).to_contain_text("étape")
    expect(step).to_have_value(value)
    assert ply(page) == before
    page.get_by_text("La position comme texte").click()
    text = page.get_by_label("La position comme texte")
    whole = text.input_value()
    text.fill(whole.replace('"boats": 0', '"boats": -3', 1))
    page.get_by_role("button", name="Utiliser ce texte").click()
    expect(page.locator("[data-set-up] [role=alert]").first).to_be_visible()
    assert ply(page) == before
    text.fill("{")
    page.get_by_role("button", name="Utiliser ce texte").click()
    expect(page.get_by_text("Ce texte ne se lit pas")).to_be_visible()
    text.fill(whole.replace('"boats": 0', '"boats": 3', 1))
    page.get_by_role("button", name="Utiliser ce texte").click()
    expect(page.locator(".explore")).to_have_attribute("data-ply", "0")
    speak(page, "en")
    expect(page.locator("[data-control='step']")).to_contain_text("Step of the turn")
    page.get_by_role("button", name="Done").click()
    place_in_reach(page).click()
    page.locator("[data-go]").click()
    expect(page.locator(".explore")).to_have_attribute("data-ply", "1")


def placed(page: Page, name: str, *values: str) -> None:
    """Make the choices of a placing, and put the thing there."""
    control = page.locator(f"[data-control='{name}']")
    for place, value in enumerate(values):
        control.locator("select").nth(place).select_option(value)
    control.get_by_role("button").click()


PLACED = {
    "lanternes": ("lay", ("0", "-1", "0"), ("1", "1", "0"), "The lake is not one piece"),
    "lumens": ("put", ("0", "5", "7", "5"), ("0", "6", "7", "6"), "The tokens placed do not fit the turns played."),
    "iles": ("lay:0", ("top-4", "0"), ("top-5", "3"), "An island is not laid in its rows and columns"),
}
"""By game: a placing, values that make a position, others that then do not, and the fact that they would break."""


@pytest.mark.deep
@pytest.mark.parametrize("game", PLACED)
def test_a_thing_is_put_where_one_likes_and_refused_where_it_cannot_be(
    browser: Browser, server: Server, game: str
) -> None:
    name, good, bad, fact = PLACED[game]
    page = guest(browser, server, size=PHONE, touch=True)
    begin_set_up(page, server, game)
    if game == "lanternes":
        tiles = page.locator("[data-control=lay] select").first.locator("option")
        first, second = (str(tiles.nth(place).get_attribute("value")) for place in (0, 1))
        good, bad = (first, *good), (second, *bad)
    before = shown(page)
    placed(page, name, *good)
    expect(page.get_by_role("button", name="Undo the change")).to_be_visible()
    after = shown(page)
    assert after != before
    placed(page, name, *bad)
    expect(page.locator("[data-set-up] [role=alert]")).to_contain_text(fact)
    expect(page.locator("[data-set-up] [role=alert]")).to_be_in_viewport()
    assert shown(page) == after
    assert not violations(page)
    assert layout_faults(page, (PHONE,)) == []


def begin_set_up(page: Page, server: Server, game: str) -> None:
    """Begin a new board and open what can be changed of it."""
    page.goto(f"http://localhost:{server.port}/#board")
    page.locator("#board-game").select_option(game)
    page.locator("main .button.go").click()
    page.locator(".layout").wait_for()
    if page.locator(".opener").is_visible():
        page.locator(".opener").click()
    page.locator("[data-setup]").click()
    page.locator("[data-set-up]").wait_for()
    page.locator("[data-set-up] details").evaluate_all("all => all.forEach(one => (one.open = true))")


def shown(page: Page) -> str:
    """Return the position as text."""
    return page.get_by_label("The position as text").input_value()


@pytest.mark.deep
def test_a_firework_is_laid_by_keyboard_on_ponds_that_were_shaded(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    begin_set_up(page, server, "dice")
    turn = page.locator("[data-control=turn]")
    for count in (2, 3):
        turn.get_by_role("button").last.press("Enter")
        expect(turn.locator("output")).to_have_text(str(count))
    for count, zone in enumerate(("0", "1", "2", "3", "18", "19"), start=1):
        page.locator("[data-control='shade:0'] select").select_option(zone)
        expect(page.locator("[data-control='clear:0'] option")).to_have_count(count + 1)
    launch = page.locator("[data-control='launch:0'] select")
    launch.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-control='douse:0'] option")).to_have_count(2)
    assert "an angled firework: row 1 column 1" in str(page.locator("[data-control='douse:0']").text_content())


@pytest.mark.deep
def test_a_board_is_played_by_keyboard_alone(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    page.goto(f"http://localhost:{server.port}/#board")
    page.locator("#board-game").focus()
    page.locator("#board-game").press("1")  # 1001 Îles
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    judged(page)
    at = ply(page)
    page.get_by_role("button", name="A move back").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".explore")).to_have_attribute("data-ply", str(at - 1))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".explore")).to_have_attribute("data-ply", str(at))
    page.locator("[data-best='0']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".explore")).not_to_have_attribute("data-ply", str(at))
    page.locator("select[aria-label='Through whose eyes']").select_option("1")
    page.get_by_role("button", name="Take back").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".explore")).to_have_attribute("data-ply", str(at))


@pytest.mark.deep
def test_a_moment_of_a_replay_is_explored(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), "spark", start=True)
    play_until(server, made, lambda *_: False, anything)
    note = f"/api/tables/{made['table']}/replay/30/note"
    assert server.request(note, {"text": "Late"}, authorization=f"Bearer {made['tokens']['0']}")[0] == 200
    page = guest(browser, server, size=PHONE, touch=True)
    page.goto(f"http://localhost:{server.port}/#replay/{made['table']}/20")
    page.get_by_role("link", name="Explore from here").tap()
    judged(page)
    assert ply(page) == 20, "a later note of the game is no part of the line"
    page.get_by_role("link", name="Back to the game that this comes from").tap()
    page.get_by_role("link", name="Explore from here").tap()
    judged(page)
    page.get_by_role("button", name="Chances and variations").tap()
    expect(page.locator("[aria-current=step]")).to_be_visible()
    if page.locator(".explore").get_attribute("data-turn") == "chance":
        page.get_by_role("button", name="Let chance decide").tap()
        expect(page.locator(".explore")).to_have_attribute("data-turn", "seat")
    there = ply(page) + 1
    page.locator("[data-best='0']").tap()
    expect(page.locator(".explore")).to_have_attribute("data-ply", str(there))
    page.goto(f"http://localhost:{server.port}/#board")
    judged(page)
    assert ply(page) == there, "the tab remembers the board that it showed last"


@pytest.mark.deep
def test_nothing_is_wrong_with_the_board(browser: Browser, server: Server) -> None:
    page = guest(browser, server, language="fr", theme="day")
    page.goto(f"http://localhost:{server.port}/#board")
    page.locator("#board-game option").first.wait_for(state="attached")
    found = violations(page) + layout_faults(page, (PHONE,))
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    begin(page, server, "lanternes", 4)
    found += violations(page) + layout_faults(page, (WIDE, PHONE, TABLETS[0]))
    page.locator(".opener").click()
    found += layout_faults(page, (PHONE, (667, 375)))
    page.locator("[data-setup]").click()
    page.locator("[data-set-up]").wait_for()
    page.evaluate("() => (document.documentElement.dataset.theme = 'night')")
    found += violations(page) + layout_faults(page, (PHONE,))
    assert not found, "\n".join(found)
