"""1001 Îles on a real page: whole games, previews that keep their word, the secret tile, lamps that turn tiles over."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from server.people import Server

from browser.guests import guest
from browser.iles_hands import (
    asked,
    choose,
    click,
    commit,
    commit_button,
    play_by_keyboard,
    play_by_mouse,
    play_by_touch,
    ply,
    spots,
    table,
    tap,
    to_the_board,
)

PHONE = (375, 667)
# Phones on their side; the first is also a desk of 1280 × 720 at twice its size.
ASIDE = [(640, 360), (667, 375), (736, 414), (844, 390)]
OUTSIDE = """() => [...document.querySelectorAll('button:not(.unseen), li, section')]
    .map(one => one.getBoundingClientRect())
    .filter(at => at.width > 0 && (at.left < 0 || at.right > innerWidth))"""
SIDEWAYS = """() => [...document.querySelectorAll('[data-ply], [data-ply] > *')]
    .filter(one => one.scrollWidth > one.clientWidth).length"""
COUNT_CELLS = """() => {
  globalThis.cells = 0;
  const count = () => { cells += document.querySelectorAll('[data-spot^="cell:"]').length; };
  new MutationObserver(count).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
CELLS = """() => [...document.querySelectorAll('[data-mine] [data-cell]')]
    .map(one => one.getBoundingClientRect().toJSON())"""


def number(text: str) -> int:
    """A number with its sign; nothing is 0."""
    return int(text.replace("−", "-").replace("+", "") or 0)


def worth(page: Page) -> dict[str, tuple[int, int]]:
    """Of each category of the preview the points now, and what the move shown would change."""
    rows = page.locator("[data-preview] [data-category]:visible").all()
    found = {}
    for row in rows:
        now, change = (cell.inner_text() for cell in row.locator("td").all()[1:])
        found[row.get_attribute("data-category") or ""] = (number(now), number(change))
    return found


@pytest.mark.deep
def test_a_whole_game_by_mouse(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark", "spark"), (0,), theme="day")
    play_by_mouse(page)
    expect(page.locator(".end h1")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Aline")).to_be_visible()


@pytest.mark.deep
def test_a_game_to_its_end_by_keyboard_alone(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-three-near-the-end"), (0,), language="fr")
    play_by_keyboard(page)
    expect(page.locator(".end h1")).to_be_visible()


def test_a_game_of_two_to_its_end_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-two-near-the-end"), (0,), size=PHONE, touch=True)
    play_by_touch(page)
    expect(page.locator(".end h1")).to_be_visible()


def test_the_preview_is_what_then_happens_and_undo_takes_it_back(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark", "spark"), (0,))
    for _ in range(3):
        while asked(page) != "slot" or page.locator("[data-slot] .gone").count() > 1:
            choose(page, click, spots(page, asked(page)).first)
            commit(page, click)
        choose(page, click, spots(page, "slot").last)
        expect(page.locator("[data-preview]:visible")).to_contain_text("If you")
        before = worth(page)
        commit(page, click)
        assert asked(page) == "seat"
        after = worth(page)
        # A dream that was worth nothing before it was taken has a line only now.
        assert {name: points for name, (points, _) in after.items()} == {
            name: sum(before.get(name, (0, 0))) for name in after
        }
        assert all(change == 0 for _, change in after.values())
    taken = page.locator("[data-slot] .gone").count()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-slot] .gone")).to_have_count(taken - 1)
    assert {name: now for name, (now, _) in worth(page).items()} == {
        name: now for name, (now, _) in before.items() if name in worth(page)
    }


@pytest.mark.deep
def test_a_third_lamp_shows_the_tiles_that_turn_over_and_then_turns_them(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-third-lamp"), (0,))
    asked(page)
    turning = page.locator("[data-mine] [data-turns]")
    for slot in spots(page, "slot").all():
        choose(page, click, slot)
        page.mouse.move(0, 0)
        if turning.count():
            break
    expect(turning).to_have_count(2)
    expect(turning.first).to_contain_text("turns over")
    expect(page.locator("[data-preview]:visible")).to_contain_text("Third lamp")
    cells = [cell.get_attribute("data-cell") for cell in turning.all()]
    commit(page, click)
    for cell in cells:
        label = re.compile("turned over")
        expect(page.locator(f'[data-mine] [data-cell="{cell}"]')).to_have_attribute("aria-label", label)


@pytest.mark.deep
def test_a_tile_is_dragged_to_its_cell_and_elsewhere_comes_back(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark"), (0,))
    asked(page)
    choose(page, click, page.locator('[data-spot="pile:centre"]'))
    commit(page, click)
    tile = page.locator('[data-spot="slot:1"]')
    drag(page, tile, page.locator("[data-island]:visible").first)
    expect(commit_button(page)).to_be_disabled()
    drag(page, tile, page.locator('[data-cell="1,0"]'))
    expect(page.locator('[data-cell="1,0"] button')).to_have_attribute("aria-pressed", "true")
    expect(tile).to_have_attribute("aria-pressed", "true")
    commit(page, click)
    laid = page.locator('[data-mine] [data-cell="1,0"]')
    expect(laid).to_have_attribute("data-last", "true")
    expect(page.locator("[data-last]:visible")).to_have_count(1)


def drag(page: Page, piece: Locator, to: Locator) -> None:
    """Carry a piece with the mouse."""
    for place, then in ((piece, page.mouse.down), (to, page.mouse.up)):
        page.mouse.move(*middle(place), steps=4)
        then()


def middle(place: Locator) -> tuple[float, float]:
    """Where a place is on the page."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.deep
def test_a_tile_is_dragged_by_finger(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark"), (0,), size=PHONE, touch=True)
    asked(page)
    choose(page, tap, page.locator('[data-spot="pile:top"]'))
    commit(page, tap)
    asked(page)
    (x, y), (to_x, to_y) = (middle(page.locator(place)) for place in ('[data-spot="slot:2"]', '[data-cell="0,0"]'))
    finger = page.context.new_cdp_session(page)
    for kind, part in (("touchStart", 0.0), *(("touchMove", i / 8) for i in range(1, 9))):
        point = {"x": x + (to_x - x) * part, "y": y + (to_y - y) * part}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator('[data-cell="0,0"] button')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-spot="slot:2"]')).to_have_attribute("aria-pressed", "true")


def test_pointing_at_a_cell_shows_the_tile_there_and_what_it_would_give(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-places"), (0,))
    asked(page)
    spots(page, "slot").last.click()
    expect(page.locator("[data-mine] .ghost")).to_have_count(0)
    for cell in spots(page, "cell").all():
        cell.hover()
        expect(page.locator("[data-mine] .ghost svg")).to_be_visible()
        expect(page.locator("[data-preview]:visible")).to_contain_text("If you lay it here")
    page.mouse.move(0, 0)
    expect(page.locator("[data-mine] .ghost")).to_have_count(0)
    expect(commit_button(page)).to_be_disabled()


@pytest.mark.deep
def test_a_line_of_the_log_outlines_what_it_laid(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark"), (0,))
    mine = page.locator("[data-mine] [data-last]")
    laid = page.locator("aside button").filter(has_text=re.compile("You lay"))
    while laid.count() < 2:
        choose(page, click, spots(page, asked(page)).first)
        commit(page, click)
    cells = set()
    for line in laid.all():
        line.hover()
        expect(mine).to_have_count(1)
        cells.add(mine.get_attribute("data-cell"))
    assert len(cells) == 2


def test_why_not_there_is_answered_by_the_rule(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark"), (0,))
    asked(page)
    choose(page, click, page.locator('[data-spot="pile:top"]'))
    commit(page, click)
    page.get_by_role("button", name="Why not there?").click()
    page.locator('[data-cell="0,2"] button').click()
    expect(page.get_by_role("status").filter(has_text="in the first column")).to_be_visible()
    page.locator('[data-cell="2,0"] button').click()
    expect(page.get_by_role("status").filter(has_text="go in the top row")).to_be_visible()
    assert page.locator('[data-cell="0,0"] button.legal').count() == 1
    page.keyboard.press("Escape")
    expect(page.locator('[data-cell="2,0"] button')).to_have_count(0)


def test_of_two_players_the_other_sees_the_hidden_tile_only_after_taking_it(browser: Browser, server: Server) -> None:
    made = server.make("iles", ("Aline",), ("Bruno",), start=True, options={"first": 0})
    aline = guest(browser, server, made, (0,))
    bruno = guest(browser, server, made, (1,), language="fr")
    asked(aline)
    choose(aline, click, aline.locator('[data-spot="pile:bottom"]'))
    commit(aline, click)
    assert asked(aline) == "slot"
    expect(aline.locator("[data-slot]").filter(has_text="only you see it")).to_have_count(3)
    expect(bruno.get_by_role("img", name="face cachée")).to_have_count(3)
    choose(aline, click, aline.locator('[data-spot="slot:1"]'))
    commit(aline, click)
    secret = aline.locator('[data-slot="1"] [aria-label]').get_attribute("aria-label") or ""
    assert "only you see it" in secret
    assert asked(bruno) == "slot"
    hidden = bruno.locator('[data-spot="slot:1"]')
    expect(hidden).to_have_attribute("aria-label", re.compile("face cachée"))
    assert bruno.evaluate("document.body.innerHTML").count("data-chosen") == 0
    choose(bruno, click, hidden)
    expect(commit_button(bruno)).to_contain_text("La prendre")
    bruno.evaluate(COUNT_CELLS)
    commit(bruno, click)
    # It can go to one place only, and is laid there; nobody is asked for it meanwhile.
    expect(bruno.locator("[data-mine] [data-last]")).to_have_count(1)
    assert bruno.evaluate("() => cells") == 0
    expect(aline.locator('[data-slot="1"]')).to_contain_text("Bruno took it")


def test_the_next_player_is_named_by_their_island(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark", "spark"), (0,))
    while asked(page) != "seat":
        choose(page, click, spots(page, asked(page)).first)
        commit(page, click)
    expect(spots(page, "seat")).to_have_count(3)
    page.locator('[data-island="2"]').click(position={"x": 80, "y": 110})
    expect(commit_button(page)).to_contain_text("Spark 2 takes next")
    commit(page, click)
    own = page.locator("aside.right .log li", has_text="You ").first
    own.get_by_role("button", name="All that it brought").click()
    expect(page.locator("aside.right")).to_contain_text("Spark 2 takes next.")


@pytest.mark.deep
def test_a_long_touch_on_a_tile_asks_what_it_is_and_does_not_take_it(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark"), (0,), size=PHONE, touch=True)
    asked(page)
    choose(page, tap, page.locator('[data-spot="pile:top"]'))
    commit(page, tap)
    box = page.locator('[data-spot="slot:1"]').bounding_box()
    assert box
    finger = page.context.new_cdp_session(page)
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    expect(page.locator("[data-explanation]")).to_be_visible()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("[data-explanation]")).to_be_visible()
    expect(page.locator('[data-spot="slot:1"]')).to_have_attribute("aria-pressed", "false")


def test_the_only_thing_to_do_takes_one_tap(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-one-move"), (0,), size=PHONE, touch=True)
    asked(page)
    expect(commit_button(page)).to_be_enabled()
    commit(page, tap)


@pytest.mark.deep
def test_a_tapped_dream_says_its_rule_on_a_phone(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark"), (0,), size=PHONE, touch=True)
    asked(page)
    choose(page, tap, page.locator('[data-spot="pile:dream"]'))
    commit(page, tap)
    choose(page, tap, spots(page, "slot").first)
    expect(page.locator("[data-mine] .line")).to_contain_text("points")
    expect(commit_button(page)).to_contain_text("Take this dream")


@pytest.mark.deep
def test_the_last_tile_of_another_hides_neither_name_nor_points(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.open("iles-places"), (0,), size=PHONE, touch=True)
    asked(page)
    hidden = page.locator(".strip .last").evaluate_all(
        """all => all.filter(one => {
          const [tile, seat] = [one.getBoundingClientRect(), one.closest("button")];
          return [...seat.querySelectorAll(".name, .num")].some(text => {
            const box = text.getBoundingClientRect();
            return box.left < tile.right && tile.left < box.right && box.top < tile.bottom && tile.top < box.bottom;
          });
        }).length"""
    )
    assert page.locator(".strip .last").count() == 1
    assert hidden == 0


@pytest.mark.deep
def test_without_confirmation_a_click_is_a_move(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark"), (0,), confirm=False)
    asked(page)
    before = ply(page)
    page.locator('[data-spot="pile:dream"]').click()
    expect(page.locator('[data-spot="slot:2"]')).to_be_visible()
    assert ply(page) != before
    page.locator('[data-spot="slot:2"]').click()
    expect(page.locator("[data-mine] [data-dream]")).to_have_count(1)


@pytest.mark.deep
def test_the_board_is_one_stop_of_the_tab_key(browser: Browser, server: Server) -> None:
    page = guest(browser, server, table(server, "spark", "spark"), (0,))
    asked(page)
    to_the_board(page)
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.spot") == "pile:bottom"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.spot") is None


@pytest.mark.deep
@pytest.mark.parametrize("players", [2, 5])
def test_on_a_phone_nothing_scrolls_sideways_and_everything_can_be_hit(
    browser: Browser, server: Server, players: int
) -> None:
    page = guest(
        browser, server, table(server, *["spark"] * (players - 1)), (0,), size=PHONE, touch=True, language="fr"
    )
    for _ in range(4):
        kind = asked(page)
        assert page.evaluate(OUTSIDE) == []
        for place in spots(page, kind).all() + spots(page, "cell").all():
            assert min(place.evaluate("one => [one.offsetWidth, one.offsetHeight]")) >= 44, place
        choose(page, tap, spots(page, kind).first)
        expect(commit_button(page)).to_be_in_viewport(ratio=1)
        if kind == "slot":
            page.locator(".strip button").last.tap()
            expect(page.locator(f'.sheet [data-island="{players - 1}"]')).to_be_in_viewport()
            page.locator(".tabs button").first.tap()
        commit(page, tap)


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", ASIDE)
def test_on_its_side_a_phone_shows_every_pile_and_what_commits(
    browser: Browser, server: Server, size: tuple[int, int], language: str
) -> None:
    page = guest(browser, server, table(server, "spark"), (0,), size=size, touch=True, language=language)
    for kind, count in (("pile", 4), ("slot", 3)):
        assert asked(page) == kind
        expect(spots(page, kind)).to_have_count(count)
        for place in [*spots(page, kind).all(), page.locator(".why-not"), commit_button(page)]:
            expect(place).to_be_in_viewport(ratio=1)
            assert min(place.evaluate("one => [one.offsetWidth, one.offsetHeight]")) >= 44, place
        assert page.evaluate(SIDEWAYS) == 0
        assert page.evaluate(OUTSIDE) == []
        assert all(min(cell["width"], cell["height"]) >= 44 for cell in page.evaluate(CELLS))
        choose(page, tap, spots(page, kind).first)
        commit(page, tap)


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", [*ASIDE, PHONE])
def test_a_tap_on_the_edge_of_a_cell_is_answered_for_that_cell(
    browser: Browser, server: Server, size: tuple[int, int], language: str
) -> None:
    """Nothing moves under the finger: the reason is told once it is lifted."""
    made = table(server, "spark", "spark")
    page = guest(browser, server, made, (0,), size=size, touch=True, language=language)
    asked(page)
    choose(page, tap, page.locator('[data-spot="pile:top"]'))
    commit(page, tap)
    asked(page)
    eye, line = page.locator(".why-not"), page.locator("[data-mine] .line")
    finger = page.context.new_cdp_session(page)
    for cell in ("0,2", "1,0", "2,1"):
        eye.tap()
        expect(page.locator("[data-mine] button.why").first).to_be_visible()
        hint, before = line.inner_text(), page.evaluate(CELLS)
        assert all(min(one["width"], one["height"]) >= 44 for one in before)
        place = page.locator(f'[data-spot="cell:{cell}"]')
        box = place.bounding_box()
        assert box is not None
        point = {"x": box["x"] + box["width"] - 8, "y": box["y"] + box["height"] / 2}
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        assert page.evaluate(CELLS) == before
        assert line.inner_text() == hint
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(line).not_to_have_text(hint)
        assert (place.get_attribute("aria-label") or "").endswith(line.inner_text())
        assert page.evaluate(CELLS) == before
        eye.tap()
        expect(page.locator("[data-mine] button.why")).to_have_count(0)


def test_a_spectator_sees_all_islands_and_can_choose_nothing(browser: Browser, server: Server) -> None:
    made = table(server, "spark", "spark")
    page = guest(browser, server, made)
    expect(page.locator("[data-mine]")).to_have_attribute("aria-label", "Island of Aline")
    expect(page.locator("[data-island]:visible")).to_have_count(2)
    expect(page.locator("[data-spot]")).to_have_count(0)
    expect(commit_button(page)).to_have_count(0)
