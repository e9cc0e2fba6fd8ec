"""Journeys over the boards: every step of every game, and its end, each state with its name."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import expect

from . import dice_hands, iles_hands, lanternes_hands, lumens_hands
from .journeys import NAMES, NARROW, House, State
from .pages import WIDE


def lanternes(house: House) -> Iterator[State]:
    _, page = house.table("lanternes", "spark", "spark", options={"first": 0})
    lanternes_hands.place_in_reach(page)
    yield "to place", page
    x, y, width, height = lanternes_hands.area(page.locator("[data-tile='0,0']"))
    page.mouse.click(x + 2.5 * width, y + height / 2)  # it touches no tile
    page.locator("[data-refused]").wait_for()
    yield "why not", page
    lanternes_hands.place_in_reach(page).click()
    page.locator("[data-gift]").first.wait_for()
    yield "about to place", page
    for step in ("exchange", "reward"):
        page = house.guest(house.server.open(f"lanternes-{step}"), (0,))
        page.locator("[data-chooser]").wait_for()
        yield f"to {step}", page
        lanternes_hands.choose(page, lambda button: button.click())
        yield f"about to {step}", page


def dice(house: House) -> Iterator[State]:
    for step in ("turn", "zone", "launch", "emperor"):
        page = house.guest(house.server.open(f"dice-{step}", ("Aline",), "spark"), (0,))
        dice_hands.asked(page)
        yield f"to {step}", page
        if step == "turn":
            page.locator("[data-turn=left]:visible").first.click()
        elif step == "zone":
            page.mouse.click(*dice_hands.inside(page, "[data-zone]:not(.legal):not(.shaded)"))
            page.locator(".pill.bad").wait_for()
            yield "why not", page
            page.mouse.click(*dice_hands.inside(page, dice_hands.LEGAL))
        elif step == "launch":
            page.locator("[data-stack].fits:visible").first.click()
            yield "a firework in hand", page, WIDE
            page.mouse.click(*dice_hands.spot(page))
        else:
            page.locator("[data-emperor].legal:visible").first.click()
        expect(page.locator("[data-act=go]")).to_be_enabled()
        yield f"about to {step}", page
    page.locator("[data-other='1']").click()
    page.locator("[data-act=back]").wait_for()
    yield "another's sheet", page


def lumens(house: House) -> Iterator[State]:
    _, page = house.table("lumens", options={"first": 0})
    lumens_hands.asked(page)
    yield "the first face", page
    page = house.guest(house.server.open("lumens-full"), (0,))
    lumens_hands.asked(page)
    yield "to place", page
    lumens_hands.cell(page, "0,0").click()
    yield "why not", page
    page.keyboard.press("Escape")
    lumens_hands.cell(page, lumens_hands.places(page)[0]).click()
    page.locator("[data-preview].lit .words").wait_for()
    yield "about to place", page
    page.keyboard.press("Escape")
    page.locator("[data-room]").first.click()
    page.locator("[data-majority]").first.wait_for()
    yield "a room", page
    page.keyboard.press("c")
    page.locator("[data-lift][aria-pressed=true]").first.wait_for(state="attached")
    yield "covered tokens", page


def iles(house: House) -> Iterator[State]:
    _, page = house.table("iles", "spark", "spark", options={"first": 0})
    for _ in range(3):
        step = iles_hands.asked(page)
        yield f"a {step}", page
        iles_hands.choose(page, iles_hands.click, iles_hands.spots(page, step).first)
        yield f"about to choose a {step}", page
        iles_hands.commit(page, iles_hands.click)
    page = house.guest(house.server.open("iles-places"), (0,))
    iles_hands.asked(page)
    page.get_by_role("button", name="Why not there?").click()
    page.locator("[data-cell] button:not(.legal)").first.hover()
    yield "why not", page
    made, page = house.table("iles", ("Lola",), options={"first": 0})
    for _ in range(2):
        step = iles_hands.asked(page)
        iles_hands.choose(page, iles_hands.click, iles_hands.spots(page, step).first)
        yield f"of two, about to choose a {step}", page
        iles_hands.commit(page, iles_hands.click)
    lola = house.guest(made, (1,))
    iles_hands.asked(lola)
    iles_hands.choose(lola, iles_hands.click, lola.locator('[data-spot="slot:0"]'))
    yield "of two, about to take what is hidden", lola
    iles_hands.commit(lola, iles_hands.click)
    expect(lola.locator('[data-spot="slot:0"]')).to_have_count(0)
    yield "of two, what was hidden lies in its only place", lola


def fireflies(house: House) -> Iterator[State]:
    _, page = house.table("fireflies")
    page.locator("[data-move]").first.wait_for()
    yield "to choose", page
    page.locator("[data-move]").first.click()
    expect(page.locator("[data-go]")).to_be_enabled()
    yield "chosen", page


def endings(house: House) -> Iterator[State]:
    for game in NAMES:
        page = house.guest(house.over(game), (0,))
        expect(page.get_by_text("Points over the game")).to_be_visible()
        yield f"{game} is over", page
        page.get_by_role("button", name="Look at the board").click()
        page.locator(".layout").wait_for()
        yield f"the board of {game}", page
        page.get_by_role("button", name="Back to the result").click()
        page.get_by_role("link", name="Watch again").click()
        moment = page.get_by_label("Moment of the game")
        page.locator(".layout").wait_for()
        yield f"{game} again", page
        moment.press("End")
        page.get_by_label("Through whose eyes").select_option("1")
        page.locator(".layout").wait_for()
        yield f"{game} through others' eyes", page, NARROW
    page = house.guest(house.over("iles"), (0,))
    page.get_by_role("button", name="Rematch").click()
    page.locator(".layout").wait_for()
    page.go_back()
    page.get_by_role("link", name="Join the rematch").wait_for()
    yield "a rematch", page


BOARDS = (lanternes, dice, lumens, iles, fireflies, endings)
