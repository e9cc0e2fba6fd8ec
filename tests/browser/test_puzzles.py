"""Puzzles in the browser: one of each game solved, wrong answers told what they cost, days counted in a row."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from lampion.insight.puzzles import Puzzle, position_of
from lampion.server.tables.puzzle_scenes import in_order

from .dice_hands import inside
from .guests import guest, violations, watch
from .iles_hands import to_the_board
from .lumens_hands import GHOST

RIGHT = "[data-verdict=right]"
WRONG = "[data-verdict=wrong]"
TURNED = "turn => document.querySelector('[data-ghost]')?.dataset.turn === turn"


def opened(page: Page, game: str, puzzle: Puzzle) -> Page:
    """Go to a puzzle and wait for its board."""
    page.goto(f"{page.url.partition('#')[0]}#puzzles/{game}/{puzzle.id}")
    page.locator(".layout").wait_for()
    return page


def like(game: str, wanted: Callable[[Puzzle], bool]) -> Puzzle:
    """The first puzzle of a game whose best move is of some kind."""
    return next(puzzle for puzzle in in_order(game) if wanted(puzzle))


def worst(game: str, puzzle: Puzzle) -> Any:
    """The move of a puzzle that costs most."""
    return position_of(game, puzzle).legal_moves_of(puzzle.seat)[puzzle.costs.index(max(puzzle.costs))]


def place_token(page: Page, face: int, x: int, y: int) -> None:
    """Place a token of Lumens with the mouse."""
    page.locator(f".faces [data-face='{face}']").first.click()
    page.locator(f'[data-place="{x},{y}"]').click()
    page.wait_for_function(GHOST, arg=f"{x},{y}")
    page.locator("[data-commit]").first.click()


def test_a_wrong_answer_costs_something_for_a_reason_and_the_right_one_is_told_so(
    browser: Browser, server: Server
) -> None:
    puzzle = in_order("lumens")[0]
    page = opened(guest(browser, server), "lumens", puzzle)
    heard = watch(page)
    expect(page.get_by_text("You play for Aline. Find the best move.")).to_be_visible()
    wrong = worst("lumens", puzzle)
    place_token(page, wrong.face, wrong.x, wrong.y)
    expect(page.locator(WRONG)).to_contain_text(f"costs {max(puzzle.costs) / 10:.0f}")
    expect(page.locator(WRONG)).to_contain_text("The best move does this instead:")
    page.context.set_offline(True)  # all that is needed is there
    place_token(page, puzzle.move["face"], puzzle.move["x"], puzzle.move["y"])
    expect(page.locator(RIGHT)).to_contain_text("Well found!")
    expect(page.locator(RIGHT)).to_contain_text("Theme:")
    for name in ("Before", "Tempting move", "Best move"):
        page.get_by_role("button", name=name, exact=True).click()
        if name == "Tempting move":
            expect(page.locator("[data-tempting]")).to_contain_text("The move that tempts most: Aline puts a")
        else:
            expect(page.locator("[data-why]")).to_contain_text(
                "Why the best move is better than the one that tempts most: "
            )
    page.context.set_offline(False)
    kept = json.loads(page.evaluate("localStorage.getItem('lampion.puzzles')"))
    assert kept["results"] == {f"lumens/{puzzle.id}": "later"}
    assert not violations(page)
    page.get_by_role("link", name="Next puzzle").last.click()
    expect(page.get_by_role("heading", name="Lumens, puzzle 2")).to_be_visible()
    assert not heard


@pytest.mark.deep
def test_the_answer_is_shown_to_who_gives_up_and_does_not_count_as_solved(browser: Browser, server: Server) -> None:
    puzzle = in_order("lumens")[1]
    page = opened(guest(browser, server), "lumens", puzzle)
    expect(page.get_by_role("button", name="Show the best move")).to_have_count(0)
    wrong = worst("lumens", puzzle)
    place_token(page, wrong.face, wrong.x, wrong.y)
    page.get_by_role("button", name="Show the best move").click()
    expect(page.get_by_text("The best move:")).to_be_visible()
    expect(page.locator("[data-why]")).not_to_be_empty()
    page.get_by_role("link", name="Back to the puzzles").click()
    page.get_by_label("Game", exact=True).select_option("lumens")
    expect(page.locator(f"[data-puzzle='{puzzle.id}']")).to_have_attribute("data-result", "shown")
    expect(page.locator("[data-streak='0']")).to_contain_text("0 of")


@pytest.mark.deep
def test_somebody_new_begins_with_an_easy_puzzle_for_two_whose_board_stays_where_it_is(
    browser: Browser, server: Server
) -> None:
    page = guest(browser, server, size=(390, 844), touch=True)
    page.get_by_role("link", name="Puzzles").click()
    expect(page.locator("[data-archive]")).to_be_in_viewport()
    page.locator("[data-begin]").get_by_role("link", name="Lumens").tap()
    page.locator(".layout").wait_for()
    puzzle = in_order("lumens")[0]
    assert (puzzle.degree, puzzle.players) == (1, 2)
    cell = page.locator("[data-place='0,0'] .hit")
    before = cell.bounding_box()
    wrong = worst("lumens", puzzle)
    place_token(page, wrong.face, wrong.x, wrong.y)
    expect(page.locator(WRONG)).to_be_visible()
    assert cell.bounding_box() == before


def test_a_puzzle_of_1001_iles_is_solved_by_keyboard(browser: Browser, server: Server) -> None:
    puzzle = like("iles", alone)
    page = opened(guest(browser, server), "iles", puzzle)
    heard = watch(page)
    spot = f"slot:{puzzle.move['slot']}"
    to_the_board(page)
    for _ in range(8):
        if page.evaluate("() => document.activeElement.dataset.spot") == spot:
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-commit]")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator(RIGHT)).to_be_visible()
    expect(page.locator(f"[data-slot='{puzzle.move['slot']}'] .gone")).to_be_visible()
    expect(page.locator("[data-cell][data-last]")).to_have_count(1)
    assert not heard


def alone(puzzle: Puzzle) -> bool:
    """Whether the best tile of 1001 Îles is seen before it is taken, and can lie in one place only."""
    moves = position_of("iles", puzzle).legal_moves_of(puzzle.seat)
    return puzzle.move["column"] is not None and sum(move.slot == puzzle.move["slot"] for move in moves) == 1


@pytest.mark.deep
def test_a_puzzle_of_lanternes_is_solved_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    puzzle = like("lanternes", lambda one: one.move["kind"] == "place")
    page = opened(guest(browser, server, size=(375, 667), touch=True, theme="day"), "lanternes", puzzle)
    move = puzzle.move
    page.locator(f"[data-hand='{move['tile']}']").first.tap()
    page.locator(f'[data-place="{move["x"]},{move["y"]}"]').tap()
    page.locator("[data-ghost]").wait_for(state="attached")
    for _ in range(4):
        if page.evaluate(TURNED, str(move["turn"])):
            break
        page.locator("[data-turn-it]").tap()
    page.wait_for_function(TURNED, arg=str(move["turn"]))
    page.locator("[data-go]").tap()
    expect(page.locator(RIGHT)).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375


@pytest.mark.deep
def test_a_puzzle_of_lanternes_dice_is_solved_in_french(browser: Browser, server: Server) -> None:
    puzzle = like("dice", lambda one: one.move["kind"] == "shade")
    page = opened(guest(browser, server, language="fr"), "dice", puzzle)
    expect(page.get_by_text("Trouvez le meilleur coup.")).to_be_visible()
    zone = f"[data-large] [data-zone='{puzzle.move['zone']}']"
    page.locator(zone).wait_for()
    page.mouse.click(*inside(page, zone))
    page.locator("[data-act=go]").click()
    expect(page.locator(RIGHT)).to_contain_text("Bien trouvé")


DAYS_BEFORE = """days => localStorage.setItem("lampion.puzzles", JSON.stringify({
  results: {}, days: days.map(before => {
    const now = new Date();
    return Math.round(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86400000) - before;
  }),
}))"""


@pytest.mark.deep
def test_days_in_a_row_are_counted_and_a_day_that_was_missed_begins_anew(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    page.get_by_role("link", name="Puzzles").click()
    expect(page.locator("[data-today]")).to_have_count(4)
    page.evaluate(DAYS_BEFORE, [3, 2])
    page.reload()
    expect(page.locator("[data-streak='0']")).to_be_visible()
    page.evaluate(DAYS_BEFORE, [2, 1])
    page.reload()
    expect(page.locator("[data-streak='2']")).to_contain_text("2 days in a row")
    page.locator("[data-today=lumens]").click()
    page.locator(".layout").wait_for()
    id = page.url.rpartition("/")[2]
    puzzle = like("lumens", lambda one: one.id == id)
    place_token(page, puzzle.move["face"], puzzle.move["x"], puzzle.move["y"])
    expect(page.locator(RIGHT)).to_be_visible()
    page.get_by_role("link", name="Back to the puzzles").click()
    expect(page.locator("[data-streak='3']")).to_contain_text("3 days in a row")
    expect(page.locator("[data-today=lumens]")).to_have_attribute("data-solved", "true")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("language", "theme", "size"),
    [pytest.param("en", "night", (1440, 900), marks=pytest.mark.deep), ("fr", "day", (375, 667))],
)
def test_the_archive_is_sorted_by_game_theme_and_degree(
    browser: Browser, server: Server, language: str, theme: str, size: tuple[int, int]
) -> None:
    page = guest(browser, server, language=language, theme=theme, size=size)
    page.goto(f"{page.url.partition('#')[0]}#puzzles")
    page.locator("[data-today]").first.wait_for()
    for game in ("dice", "iles"):
        all = in_order(game)
        game_choice, theme_choice, degree_choice = (page.locator("select").nth(i) for i in range(3))
        game_choice.select_option(game)
        expect(page.locator("[data-puzzle]")).to_have_count(len(all))
        degree_choice.select_option("3")
        expect(page.locator("[data-puzzle]")).to_have_count(sum(one.degree == 3 for one in all))
        theme_choice.select_option(all[0].theme)
        both = sum(one.degree == 3 and one.theme == all[0].theme for one in all)
        expect(page.locator("[data-puzzle]")).to_have_count(both)
        degree_choice.select_option("all")
    chosen = [page.locator("select").nth(i).input_value() for i in range(3)]
    page.locator("[data-puzzle]").first.click()
    page.locator(".layout").wait_for()
    page.go_back()
    expect(page.locator("select").nth(0)).to_have_value("iles")
    page.reload()
    page.locator("[data-today]").first.wait_for()
    assert [page.locator("select").nth(i).input_value() for i in range(3)] == chosen
    page.evaluate('() => sessionStorage.setItem(\'lampion.puzzles.shown\', \'{"game": 7, "theme": "what"}\')')
    page.reload()
    page.locator("[data-today]").first.wait_for()
    expect(page.locator("select").nth(1)).to_have_value("all")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= size[0]
    assert not violations(page)
