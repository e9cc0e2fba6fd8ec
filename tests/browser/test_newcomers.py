"""What somebody meets who has never been here: the goal of a game, "you", and words that need no explanation."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, TimeoutError, expect
from server.people import Person, Server

from .guests import guest, violations
from .pages import TIGHT, WIDE, layout_faults, speak
from .positions import anything, play_until, taking

GAMES = ("lanternes", "dice", "lumens", "iles")
GOAL = "[data-goal]"
NOTE_SCROLLS = """() => {
  window.happened = [];
  addEventListener("click", () => (window.leftAt = scrollY), true);
  for (const kind of ["click", "pointerdown", "keydown", "wheel", "resize", "hashchange", "scroll"]) {
    const note = () => happened.push([kind, scrollY, document.documentElement.scrollHeight]);
    addEventListener(kind, note, true);
  }
}"""


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_the_goal_is_said_until_it_is_put_away_in_a_place_of_its_own(
    browser: Browser, server: Server, game: str
) -> None:
    options = {} if game == "dice" else {"first": 0}
    made = server.make(game, ("Aline",), "spark", start=True, options=options)
    page = guest(browser, server, made, (0,), size=(360, 740), touch=True, known="")
    goal = page.locator(GOAL)
    for language in ("en", "fr"):
        speak(page, language)
        assert len(goal.locator("p").inner_text(timeout=60_000).split()) <= 45
        assert layout_faults(page, (*TIGHT, WIDE)) == []
        page.set_viewport_size({"width": 360, "height": 740})
        above, below = goal.bounding_box(), page.locator(".layout").bounding_box()
        assert above is not None
        assert below is not None
        assert above["height"] <= 110
        assert above["y"] + above["height"] <= below["y"] + 1
    assert violations(page) == []
    goal.get_by_role("button", name="Lire les règles").click()
    expect(page.locator(".sheet .rules details[open]").first).to_be_visible()
    page.go_back()
    expect(page.locator(".sheet")).to_have_count(0)
    board = page.locator(".layout").bounding_box()
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        while not aline.view.get("moves"):
            aline.hear()
        aline.move()
    expect(page.locator("[data-undo]")).to_be_enabled()
    assert page.locator(".layout").bounding_box() == board, "the board jumps when somebody moves"
    goal.get_by_role("button", name="Compris").click()
    expect(goal).to_have_count(0)
    page.context.close()


@pytest.mark.deep
def test_a_goal_that_is_put_away_is_not_said_again_and_watchers_are_not_told(browser: Browser, server: Server) -> None:
    def table() -> dict[str, Any]:
        return server.make("lumens", ("Aline",), "spark", start=True, options={"first": 0})

    page = guest(browser, server, table(), (0,), known="dice")
    page.get_by_role("button", name="Got it: do not show this again").click()
    expect(page.locator(GOAL)).to_have_count(0)
    page.reload()
    page.locator(".layout").wait_for()
    expect(page.locator(GOAL)).to_have_count(0)
    page.context.close()
    watcher = guest(browser, server, table(), (), known="")
    watcher.locator(".layout").wait_for()
    expect(watcher.locator(GOAL)).to_have_count(0)
    watcher.context.close()


@pytest.mark.deep
def test_undo_is_lit_only_where_there_is_a_move_to_take_back(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), "spark", start=True, options={"first": 0})
    page = guest(browser, server, made, (0,))
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    page.locator("[data-commit]").click()
    expect(undo).to_be_enabled()
    undo.click()
    expect(page.locator(".log")).to_contain_text("You take a move back.")
    expect(undo).to_be_disabled()
    page.context.close()


def test_a_table_where_it_is_ones_turn_says_so_in_the_room_and_the_end_speaks_to_its_reader(
    browser: Browser, server: Server
) -> None:
    made = server.make("lumens", ("Aline",), "spark", start=True, options={"first": 0})
    page = guest(browser, server, made, (0,), size=(375, 667), touch=True)
    page.locator(".layout").wait_for()
    expect(page.locator(".say")).to_contain_text("Your turn.")
    room = page.url.partition("#")[0] + "#/"
    page.goto(room)
    expect(page.locator(".list")).to_contain_text("Your turn.")
    play_until(server, made, lambda *_: False, anything)
    page.goto(room)
    page.reload()
    finished = page.locator(".list", has_text="Finished games")
    expect(finished).to_be_in_viewport()
    finished.get_by_role("link", name="Look").click()
    winners = server.get(f"/api/tables/{made['table']}/replay")["result"]["winners"]
    said = "A shared victory" if len(winners) > 1 else "You win" if winners == [0] else "Spark wins"
    expect(page.locator(".end h1")).to_have_text(said)
    page.context.close()


@pytest.mark.deep
def test_a_game_that_is_watched_again_runs_by_itself_unless_nothing_shall_move(
    browser: Browser, server: Server
) -> None:
    made = server.make("lumens", ("Aline",), "spark", start=True)
    play_until(server, made, lambda *_: False, anything)
    for speed, runs in (("fast", "true"), ("off", "false")):
        page = guest(browser, server, made, (0,), speed=speed)
        page.get_by_role("link", name="Watch again").click()
        expect(page.locator("header .run")).to_have_attribute("aria-pressed", runs)
        if speed == "fast":
            expect(page.locator("header .count")).to_have_text("token 3 of 24")
            page.get_by_role("button", name="Pause").click()
            expect(page.locator("header .run")).to_have_attribute("aria-pressed", "false")
        page.context.close()


def test_the_log_says_you_and_what_a_turn_brought(browser: Browser, server: Server) -> None:
    made = server.open("lumens-two")
    page = guest(browser, server, made, (0,))
    move, changed = taking(server, made)
    own = page.locator(".rail .log li:has([data-points])").filter(has_text="You ")
    own.first.wait_for()
    before = own.count()
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        asked = aline.move(lambda _: move)
        assert asked["say"] == "done"
        aline.hear_until(asked["seq"])
        [gained] = [change["gained"] for change in aline.latest["changes"] if change.get("move") == move]
        assert gained == [changed[0], changed[1]]
    expect(own).to_have_count(before + 1)
    expect(own.first).to_contain_text(f"+{changed[0]} point")
    expect(page.locator(".rail .log")).not_to_contain_text("Aline")
    page.context.close()


@pytest.mark.parametrize("comes_late", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_back_from_the_rules_one_is_where_one_was(browser: Browser, server: Server, comes_late: bool) -> None:
    page = guest(browser, server, size=(375, 667), touch=True)
    rules = page.get_by_role("link", name="Rules of 1001 Îles")
    page.evaluate(NOTE_SCROLLS)
    for way_back in (page.get_by_role("link").first.tap, page.go_back):
        rules.tap()
        page.locator(".rules details").first.wait_for()
        left_at = page.evaluate("() => leftAt")
        assert left_at > 200
        assert page.evaluate("scrollY") == 0
        if comes_late:
            page.evaluate(
                """() => {
                  const late = new CSSStyleSheet();
                  late.replaceSync("main .below { display: none !important }");
                  document.adoptedStyleSheets.push(late);
                }"""
            )
        way_back()
        page.locator("main .games > *").last.wait_for(state="attached")
        if comes_late:
            assert page.evaluate("scrollY") < left_at - 5
            page.evaluate("() => document.adoptedStyleSheets.pop()")
        try:
            page.wait_for_function("leftAt => Math.abs(scrollY - leftAt) < 5", arg=left_at)
        except TimeoutError:
            pytest.fail(f"left at {left_at}: {page.evaluate('[scrollY, innerWidth, ...happened]')}")
    page.context.close()


def test_the_first_game_of_a_kind_is_against_the_gentlest(browser: Browser, server: Server) -> None:
    page = guest(browser, server, known="lumens")
    for game, level in (("1001 Îles", "spark"), ("Lumens", "candle")):
        page.get_by_role("button", name=f"Play {game}", exact=True).click()
        expect(page.locator("dialog li select").nth(1)).to_have_value(level)
        page.keyboard.press("Escape")
