"""Lanternes in a real browser: whole games by mouse, keyboard and touch, and what its board promises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from server.people import Server

from browser.guests import guest, held
from browser.lanternes_hands import (
    PHONE,
    SMALL,
    area,
    four_hands,
    moved,
    place_in_reach,
    play_by_keyboard,
    play_by_touch,
    ply,
)
from browser.positions import anything, play_until

TAP = 44
LETTERS = "WORPBGK"
AT = """([place, x, y]) => document.elementFromPoint(x, y)?.closest('[data-place]')?.dataset.place === place"""
WIDER = "width => document.querySelector('[data-tile]').getBoundingClientRect().width > width"


def is_over(server: Server, made: dict[str, Any]) -> bool:
    """The server says so."""
    return bool(server.get(f"/api/tables/{made['table']}")["status"] == "over")


def number(counter: Locator) -> int:
    """What a counter shows."""
    return int(counter.locator("b").first.inner_text())


def counters(page: Page, players: int) -> dict[str, int]:
    """The lantern cards of everybody and of the supply, as the page shows them."""
    wanted = [f"{of}{letter}" for of in [*range(players), "supply"] for letter in LETTERS]
    return {name: number(page.locator(f"[data-count='{name}']:visible")) for name in wanted}


def pills(page: Page) -> dict[str, int]:
    """How the page says that counters will change."""
    found = page.locator("[data-count]:visible:has(em)")
    return {
        found.nth(i).get_attribute("data-count") or "": int(
            found.nth(i).locator("em").inner_text().replace("−", "-").replace("+", "")
        )
        for i in range(found.count())
    }


def place_one(page: Page) -> str:
    """Choose a place; its name."""
    place = place_in_reach(page)
    name = place.get_attribute("data-place")
    place.click()
    expect(page.locator("[data-go]")).to_be_enabled()
    return str(name)


@pytest.mark.deep
def test_a_whole_game_by_keyboard_alone(browser: Browser, server: Server) -> None:
    """Against two bots, in French."""
    made = server.make("lanternes", "spark", ("Aline",), "spark", start=True)
    page = guest(browser, server, made, (1,), language="fr")
    play_by_keyboard(page)
    assert is_over(server, made)


def test_a_whole_game_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    """Against three bots, by day; nothing scrolls sideways."""
    made = server.make("lanternes", "spark", "spark", "spark", ("Aline",), start=True)
    page = guest(browser, server, made, (3,), size=PHONE, touch=True, theme="day", language="fr")
    play_by_touch(page)
    assert is_over(server, made)


@pytest.mark.parametrize(
    ("players", "seat"),
    [pytest.param(2, 1, marks=pytest.mark.deep), pytest.param(3, 2, marks=pytest.mark.deep), (4, 1)],
)
def test_what_is_previewed_is_what_happens_to_every_seat(
    browser: Browser, server: Server, players: int, seat: int
) -> None:
    """Cards by counter, and the chips at the borders by seat, from any side of the lake."""
    page = guest(browser, server, four_hands(server, players, seat), (seat,))
    before = counters(page, players)
    place_one(page)
    page.mouse.move(2, 2)
    expect(page.locator("[data-gift]")).to_have_count(players)
    gifts = {str(page.locator("[data-gift]").nth(i).get_attribute("data-gift")) for i in range(players)}
    foreseen = {name: by for name, by in pills(page).items() if name in before}
    assert gifts <= {f"{of}{letter}" for of in range(players) for letter in LETTERS}
    assert all(foreseen[gift] >= 1 for gift in gifts)
    assert sum(by for name, by in foreseen.items() if not name.startswith("supply")) >= players
    last = ply(page)
    page.locator("[data-go]").click()
    moved(page, last)
    expect(page.locator("[data-gift]")).to_have_count(0)
    assert counters(page, players) == {name: count + foreseen.get(name, 0) for name, count in before.items()}


@pytest.mark.deep
def test_cards_fly_to_their_seats_and_count_when_they_land(browser: Browser, server: Server) -> None:
    """In the air they count for nobody; the tile is there already, and the table goes on."""
    page = guest(browser, server, four_hands(server, 4), (0,), speed="slow")
    expect(page.locator("[data-place]")).to_have_count(4)
    before = counters(page, 4)
    place_one(page)
    page.mouse.move(2, 2)
    expect(page.locator("[data-gift]")).to_have_count(4)
    foreseen = pills(page)
    with held(page):
        page.locator("[data-go]").click()
        expect(page.locator(".sky svg")).not_to_have_count(0)
        expect(page.locator("[data-tile]")).to_have_count(2)
        assert counters(page, 4) == before
    expect(page.locator(".sky svg")).to_have_count(0)
    assert counters(page, 4) == {name: count + foreseen.get(name, 0) for name, count in before.items()}


@pytest.mark.deep
def test_the_own_side_is_down_and_lanterns_stay_upright(browser: Browser, server: Server) -> None:
    """Whoever is first sees the red side of the start tile at the bottom, from wherever they sit."""
    for seat in range(4):
        page = guest(browser, server, four_hands(server, 4, seat), (seat,))
        tile = page.locator("[data-tile='0,0']")
        expect(tile).to_be_visible()
        (x, y, width, height), (red_x, red_y, red_width, red_height) = area(tile), area(tile.locator("use[href='#nR']"))
        assert red_y + red_height / 2 > y + 0.7 * height
        assert abs(red_x + red_width / 2 - x - width / 2) < 2
        assert tile.locator("use[href='#nR']").get_attribute("transform") is None
        page.context.close()


def test_a_tile_turns_by_key_wheel_tap_and_button(browser: Browser, server: Server) -> None:
    """The ghost and the tile in hand turn together; Escape lets go."""
    page = guest(browser, server, four_hands(server, 2), (0,))
    place = place_in_reach(page)
    ghost = page.locator("[data-ghost]")
    place.hover()
    expect(ghost).to_have_count(1)
    turning: list[Callable[[], object]] = [
        lambda: page.keyboard.press("r"),
        lambda: page.mouse.wheel(0, 100),
        lambda: place.click(),
        lambda: page.locator("[data-turn-it]").click(),
    ]
    for turn in turning:
        before = str(ghost.get_attribute("data-turn"))
        turn()
        expect(ghost).not_to_have_attribute("data-turn", before)
        if turn is turning[1]:
            place.click()
            expect(page.locator("[data-go]")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(page.locator("[data-go]")).to_be_disabled()


def ask_far_away(page: Page) -> None:
    """Click on a cell of the lake that touches no tile."""
    x, y, width, height = area(page.locator("[data-tile='0,0']"))
    page.mouse.click(x + 2.5 * width, y + height / 2)


@pytest.mark.parametrize(
    ("language", "reason"),
    [pytest.param("en", "touch the lake", marks=pytest.mark.deep), ("fr", "toucher le lac")],
)
def test_why_not_is_told_on_request(browser: Browser, server: Server, language: str, reason: str) -> None:
    """In the words of the server, with a cross on the place; a tile that lies there says what it is."""
    page = guest(browser, server, four_hands(server, 2), (0,), language=language)
    ask_far_away(page)
    expect(page.locator("[data-preview]")).to_contain_text(reason)
    expect(page.locator("[data-refused]")).to_have_count(1)
    page.locator("[data-tile='0,0']").click()
    expect(page.locator("[data-explanation]")).to_be_visible()
    expect(page.locator(".lit")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)
    place_one(page)
    expect(page.locator("[data-refused]")).to_have_count(0)


@pytest.mark.deep
def test_a_reason_is_told_in_the_language_that_was_just_chosen(browser: Browser, server: Server) -> None:
    """Also one that was told before."""
    page = guest(browser, server, four_hands(server, 2), (0,), language="fr")
    ask_far_away(page)
    expect(page.locator("[data-preview]")).to_contain_text("toucher le lac")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Réglages").click()
    page.get_by_label("Langue").select_option("en")
    page.keyboard.press("Escape")
    expect(page.get_by_text("The game begins.")).to_be_visible()  # the server has heard of it
    ask_far_away(page)
    expect(page.locator("[data-preview]")).to_contain_text("touch the lake")


@pytest.mark.deep
def test_why_not_is_told_to_who_plays_by_keys(browser: Browser, server: Server) -> None:
    """Shift and an arrow go to any cell; an arrow alone goes back to where a tile may lie."""
    page = guest(browser, server, four_hands(server, 2), (0,))
    page.locator("[data-place='0,1'], [data-place='0,-1']").first.focus()
    for way in ("ArrowUp", "ArrowDown"):
        page.keyboard.press(f"Shift+{way}")
        if page.locator("[data-elsewhere='0,0']").count() > 0:
            break
    expect(page.locator("[data-elsewhere='0,0']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-preview]")).to_contain_text("already a tile")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-place='1,0'], [data-place='-1,0']").locator(":scope:focus")).to_have_count(1)
    expect(page.locator("[data-refused]")).to_have_count(0)


@pytest.mark.deep
def test_the_last_move_is_outlined_and_lit_by_the_log(browser: Browser, server: Server) -> None:
    """With the mover's ribbon; pointing at its line in the log lights the tile up."""
    page = guest(browser, server, four_hands(server, 2), (0,))
    name = place_one(page)
    before = ply(page)
    page.locator("[data-go]").click()
    moved(page, before)
    expect(page.locator(f"[data-last='{name}']")).to_have_count(1)
    page.reload()
    expect(page.locator(f"[data-last='{name}']")).to_have_count(1)
    page.get_by_role("button", name="You place").hover()
    expect(page.locator(".lit")).to_have_count(1)
    page.get_by_role("button", name="You draw").last.click()
    expect(page.locator("[data-tile]")).to_have_count(1)
    expect(page.locator("[data-last], [data-place]")).to_have_count(0)


def test_without_confirmation_a_click_places(browser: Browser, server: Server) -> None:
    """At once."""
    page = guest(browser, server, four_hands(server, 2), (0,), confirm=False)
    expect(page.locator("[data-place]")).to_have_count(4)
    before = ply(page)
    place_in_reach(page).click()
    moved(page, before)
    expect(page.locator("[data-tile]")).to_have_count(2)


def test_the_lake_pans_zooms_and_comes_back(browser: Browser, server: Server) -> None:
    """By dragging, the wheel, the buttons; one button shows all of it again."""
    page = guest(browser, server, four_hands(server, 2), (0,))
    tile = page.locator("[data-tile='0,0']")
    expect(tile).to_be_visible()
    x, y, width, _ = area(tile)
    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.move(340, 360, steps=4)
    page.mouse.up()
    assert area(tile)[:2] == pytest.approx((x + 40, y + 60), abs=2)
    assert page.locator("[data-refused]").count() == 0, "a drag is no click"
    page.mouse.wheel(30, 0)
    page.get_by_role("button", name="Closer").click()
    page.wait_for_function(WIDER, arg=1.1 * width)
    page.get_by_role("button", name="whole lake").click()
    assert area(tile)[:3] == pytest.approx((x, y, width), abs=1)


def test_an_exchange_is_shown_made_and_taken_back(browser: Browser, server: Server) -> None:
    """What is given, what is taken, two boats; undo brings all of it back."""
    page = guest(browser, server, server.open("lanternes-exchange", ("Aline",), ("Lola",)), (0,))
    expect(page.locator("[data-chooser]")).to_be_visible()
    before = counters(page, 2)
    page.locator("[data-choice^='give-']:enabled").first.click()
    expect(page.locator("[data-go]")).to_be_disabled()
    page.locator("[data-choice^='take-']:enabled").first.click()
    expect(page.locator("[data-go]")).to_be_enabled()
    expect(page.locator("[data-chooser]")).to_contain_text("You pay 2 boats and swap")
    expect(page.locator("[data-count='0boats']:visible em")).to_be_visible()
    foreseen = pills(page)
    assert foreseen.pop("0boats") == -2
    assert sorted(by for name, by in foreseen.items() if name.startswith("0")) == [-1, 1]
    count = ply(page)
    page.keyboard.press("Enter")
    moved(page, count)
    assert counters(page, 2) == {name: number + foreseen.get(name, 0) for name, number in before.items()}
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-choice^='give-']").first).to_be_visible()
    assert counters(page, 2) == before
    page.keyboard.press("n")
    expect(page.locator("[data-choice^='give-']")).to_have_count(0)


def fingers(page: Page) -> Callable[..., None]:
    """Touches the screen: what happens, and where each finger is."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    return touch


@pytest.mark.deep
def test_on_a_phone_all_fits_and_can_be_touched(browser: Browser, server: Server) -> None:
    """Nothing scrolls sideways, buttons of the board are 44 px, a tile can be dragged with a finger."""
    page = guest(browser, server, four_hands(server, 4), (0,), size=PHONE, touch=True)
    place = place_in_reach(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    small = page.evaluate(SMALL)
    assert small == []
    hand, target = area(page.locator("[data-hand]").nth(1)), area(place)
    touch = fingers(page)
    # The tile is carried above the finger.
    end = (target[0] + target[2] / 2, target[1] + target[3] / 2 + 46)
    touch("touchStart", (hand[0] + 30, hand[1] + 30))
    touch("touchMove", (hand[0] + 30, hand[1] - 30))
    touch("touchMove", end)
    expect(page.locator("[data-ghost]")).to_have_count(1)
    # Lifted while it moves, a finger flings, and the browser takes a tap soon after for the end of that.
    for frame in range(10):
        page.evaluate("() => new Promise(requestAnimationFrame)")
        touch("touchMove", (end[0] + frame % 2, end[1]))
    touch("touchEnd")
    expect(place).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-hand]").nth(1)).to_have_attribute("aria-pressed", "true")
    before = ply(page)
    page.locator("[data-go]").tap()
    moved(page, before)


def with_much_to_say(page: Page) -> Locator:
    """A place of which so much is told that it takes room from the lake; nothing is chosen after.

    In the left half: the buttons of the lake are in the other.
    """
    water = page.locator(".water")
    before = area(water)[3]
    for place in page.locator("[data-place]").all():
        if area(place)[0] > PHONE[0] / 2 - TAP:
            continue
        place.dispatch_event("click")
        expect(place).to_have_attribute("aria-pressed", "true")
        if area(water)[3] < before - 12:
            page.keyboard.press("Escape")
            expect(page.locator("[data-go]")).to_be_disabled()
            return place
    raise AssertionError("of no place much is told")


def test_a_tap_at_the_edge_of_the_lake_is_not_lost(browser: Browser, server: Server) -> None:
    """What a place would bring takes room from the lake, but not before the finger is up."""
    page = guest(browser, server, server.open("lanternes-four"), (0,), size=PHONE, touch=True, language="fr")
    place_in_reach(page)
    place = with_much_to_say(page)
    water, spot = area(page.locator(".water")), area(place)
    tapped = (spot[0] + spot[2] / 2, water[1] + water[3] - 6)
    page.locator("[data-tile='0,0']").hover()
    page.mouse.wheel(0, spot[1] + spot[3] / 2 - tapped[1])
    page.wait_for_function(AT, arg=[place.get_attribute("data-place"), *tapped])
    page.touchscreen.tap(*tapped)
    expect(place).to_have_attribute("aria-pressed", "true")


@pytest.mark.deep
def test_two_fingers_zoom_the_lake(browser: Browser, server: Server) -> None:
    """Apart: closer."""
    page = guest(browser, server, four_hands(server, 2), (0,), size=PHONE, touch=True)
    tile = page.locator("[data-tile='0,0']")
    expect(tile).to_be_visible()
    width = area(tile)[2]
    touch = fingers(page)
    touch("touchStart", (150, 260))
    touch("touchStart", (150, 260), (220, 260))
    touch("touchMove", (120, 260), (250, 260))
    touch("touchEnd")
    page.wait_for_function(WIDER, arg=1.3 * width)
    assert page.locator("[data-refused]").count() == 0


@pytest.mark.deep
def test_who_watches_sees_no_hand_and_is_asked_nothing(browser: Browser, server: Server) -> None:
    """The board only shows."""
    page = guest(browser, server, four_hands(server, 3))
    expect(page.locator("[data-tile='0,0']")).to_be_visible()
    expect(page.locator("[data-hand], [data-place], [data-go]")).to_have_count(0)


@pytest.mark.deep
def test_the_turning_points_are_told_by_the_events_that_brought_the_points(browser: Browser, server: Server) -> None:
    """Of a reward the sentence with its points is shown, not those of the cards that were paid."""
    made = server.make("lanternes", ("Aline",), "spark", start=True, options={"first": 0})
    play_until(server, made, lambda view, ply: False, anything)
    page = guest(browser, server, made, (0,))
    turns = page.locator(".turns li")
    expect(turns.first).to_be_visible()
    steps = server.get(f"/api/tables/{made['table']}/replay")["steps"]
    for turn in turns.all():
        ply_shown = int((turn.locator("a").get_attribute("href") or "").rpartition("/")[2])
        step = steps[ply_shown - 1]
        told = step["told"][step["gains"].index(max(step["gains"]))]
        expect(turn.locator(".muted")).to_have_text(told.replace("\u2068", "").replace("\u2069", ""))
