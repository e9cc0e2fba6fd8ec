"""The end of a game in the browser: nothing cut on a phone, axes, boards, and the way on."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server
from tiers import IS_DEEP

from .guests import guest
from .positions import anything, play_until

GAMES = {"lanternes": 4, "dice": 4, "lumens": 4, "iles": 5}

# What a finale shows, noted while it happens: it does not wait for whoever looks.
NOTE_FINALE = """() => {
  globalThis.finale = { phases: [], titles: [], won: [], compared: 0, ahead: -Infinity };
  const all = (one) => [...document.querySelectorAll(one)].map((element) => element.textContent.trim());
  const add = (list, value) => value !== undefined && list.at(-1) !== value && list.push(value);
  new MutationObserver(() => {
    const phase = document.querySelector(".finale")?.dataset.phase;
    add(finale.phases, phase);
    add(finale.titles, all(".finale h2")[0]);
    add(finale.won, all(".finale[data-phase=won] .win .num")[0]);
    const [counted, board] = [".finale .total", ".layout [data-points]"].map((one) => all(one).map(parseFloat));
    if (phase !== "count" || !counted.length || !board.length) return;
    finale.compared += 1;
    finale.ahead = Math.max(finale.ahead, Math.max(...board) - Math.max(...counted));
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""


@pytest.fixture(scope="module")
def finished(server: Server) -> dict[str, dict[str, Any]]:
    """A finished game of each kind, by day of two, with as many players as it takes and a long name."""
    found = {}
    for game in GAMES if IS_DEEP else ("lanternes", "iles"):
        players = GAMES[game]
        made = server.make(game, ("Bérénice-Alexandra",), *["spark"] * (players - 1), start=True)
        play_until(server, made, lambda *_: False, anything)
        found[game] = made
    return found


def cut(page: Page) -> list[str]:
    """Return the texts of the page that stand beyond the screen, or that are wider than what holds them."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".end *")].filter(one => {
            if (one.closest(".garland, .unseen, [hidden]") || !one.textContent.trim()) return false;
            const [box, style] = [one.getBoundingClientRect(), getComputedStyle(one)];
            if (box.width < 2 || style.clipPath !== "none") return false;
            const hides = style.overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
            return box.right > innerWidth + 1 || box.left < -1 || hides;
        }).map(one => one.className + ": " + one.textContent.trim().slice(0, 60))"""
    )
    return found


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_is_cut_on_the_last_page_of_a_phone(
    browser: Browser, server: Server, finished: dict[str, dict[str, Any]], game: str, language: str
) -> None:
    page = guest(browser, server, finished[game], (0,), size=(360, 740), touch=True, language=language)
    expect(page.locator(".graph svg[role=img]")).to_be_visible()
    expect(page.locator(".boards .picture > svg")).to_have_count(1 if game in ("lanternes", "lumens") else GAMES[game])
    assert cut(page) == []
    assert page.evaluate("() => document.querySelector('.end').scrollWidth") <= 360
    expect(page.locator(".end")).not_to_contain_text("NaN")
    page.context.close()


@pytest.mark.deep
def test_the_graph_has_axes_whose_numbers_can_be_read(
    browser: Browser, server: Server, finished: dict[str, dict[str, Any]]
) -> None:
    page = guest(browser, server, finished["iles"], (0,), size=(360, 740), touch=True)
    graph = page.locator(".graph svg[role=img]")
    texts = graph.locator("text")
    expect(texts.get_by_text("points", exact=True)).to_be_visible()
    expect(texts.get_by_text("rounds", exact=True)).to_be_visible()
    scores = server.get(f"/api/tables/{finished['iles']['table']}/replay")["result"]["scores"]
    ends = graph.locator("text[text-anchor=end]").all_text_contents()
    axis = [int(text) for text in ends if text.lstrip("-").isdigit()]
    assert min(axis) <= min(scores)
    assert max(axis) >= max(scores)
    heights = graph.evaluate(
        "one => [...one.querySelectorAll('text')].map(text => text.getBoundingClientRect().height)"
    )
    assert min(heights) >= 12
    expect(page.locator(".graph .legend")).to_contain_text("Bérénice-Alexandra")
    page.context.close()


@pytest.mark.deep
def test_a_game_that_ends_before_ones_eyes_is_counted_on_the_board(browser: Browser, server: Server) -> None:
    made = server.open("lumens-two-near-the-end")
    page = guest(browser, server, made, (0,), speed="fast")
    board = page.locator("[data-spot], .layout")
    expect(board.first).to_be_visible()
    page.evaluate(NOTE_FINALE)
    play_until(server, made, lambda *_: False, anything)
    expect(page.locator(".end h1")).to_be_visible()
    seen = page.evaluate("() => finale")
    assert [phase for phase in seen["phases"] if phase in ("count", "won")] == ["count", "won"]
    assert any("oom" in title for title in seen["titles"]), seen
    assert seen["compared"] > 1, seen
    assert seen["ahead"] <= 4, "the board is not ahead of the counting by more than a room"
    scores = server.get(f"/api/tables/{made['table']}/replay")["result"]["scores"]
    assert seen["won"][-1] == str(max(scores))
    page.reload()
    expect(page.locator(".end h1")).to_be_visible()
    expect(page.locator(".finale")).to_have_count(0)
    page.context.close()


@pytest.mark.deep
@pytest.mark.parametrize("skip", ["key", "tap"])
def test_a_finale_is_skipped_by_one_key_or_tap(browser: Browser, server: Server, skip: str) -> None:
    made = server.open("lumens-two-near-the-end")
    page = guest(browser, server, made, (0,), size=(375, 667), touch=True, speed="slow")
    expect(page.locator(".layout")).to_be_visible()
    play_until(server, made, lambda *_: False, anything)
    over = page.get_by_text("The game is over.", exact=True)
    while not over.is_visible():
        page.keyboard.press(" ")  # the moves before it
        page.locator("[data-telling]").or_(over).first.wait_for()
    if skip == "key":
        page.keyboard.press("Escape")
    else:
        page.get_by_role("button", name="To the result").tap()
    expect(page.locator(".end h1")).to_be_visible()
    page.context.close()


@pytest.mark.deep
@pytest.mark.parametrize("size", [(360, 740), (768, 1024)])
def test_a_replay_tells_the_move_it_shows_and_its_controls_are_as_large_as_a_finger(
    browser: Browser, server: Server, finished: dict[str, dict[str, Any]], size: tuple[int, int]
) -> None:
    made = finished["lanternes"]
    page = guest(browser, server, made, (0,), size=size, touch=True)
    page.evaluate("hash => { location.hash = hash }", f"#replay/{made['table']}/60")
    page.locator(".layout").wait_for()
    steps = server.get(f"/api/tables/{made['table']}/replay")["steps"][:60]
    mover = next(step["seat"] for step in reversed(steps) if step["seat"] >= 0)
    expect(page.locator(f".told[data-mover='{mover}']")).not_to_be_empty()
    sizes = page.locator("header :is(a, button, input, select)").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.height, box.width, box.right])"
    )
    assert all(height >= 44 and width >= 44 and right <= size[0] for height, width, right in sizes), sizes
    page.get_by_role("button", name="A move on").tap()
    expect(page.locator("header .count")).to_contain_text("tile")
    page.context.close()


def test_a_picture_of_the_end_can_be_kept(
    browser: Browser, server: Server, finished: dict[str, dict[str, Any]]
) -> None:
    page = guest(browser, server, finished["iles"], (0,))
    button = page.get_by_role("button", name="A picture to share")
    expect(button).to_be_enabled()
    button.click()
    expect(page.get_by_role("dialog").get_by_role("img", name="1001 Îles")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save it").click()
    assert download.value.suggested_filename.endswith(".png")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    page.context.close()
