"""What decided a game, in the browser: made while one waits, looked at, tried again, played on from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server
from tiers import IS_DEEP, daily

from .guests import guest
from .journeys import GAMES, House, State, faults_of
from .lumens_hands import GHOST
from .positions import anything, play_until

ANALYSED = "What decided it"


@pytest.fixture(scope="module")
def finished(server: Server) -> dict[str, dict[str, Any]]:
    """A finished game of each kind."""
    found = {}
    for game in GAMES:
        found[game] = server.make(game, ("Aline",), "spark", "spark", start=True)
        play_until(server, found[game], lambda *_: False, anything)
    return found


def opened(page: Page) -> Page:
    """Wait until the analysis is made and shown."""
    expect(page.locator("[data-graph] svg[role=img]")).to_be_visible(timeout=300_000)
    return page


def own_costly(server: Server, made: dict[str, Any]) -> dict[str, Any]:
    """The decision of where to place something that cost Aline most."""
    report = server.get(f"/api/tables/{made['table']}/analysis/report")
    own = [one for one in report["decisions"] if one["seat"] == 0 and one["options"] > 2]
    return dict(max(own, key=lambda one: one["cost"]))


@pytest.mark.parametrize("game", daily(GAMES, "lumens"))
def test_a_finished_game_is_analysed_and_its_link_can_be_shared(
    browser: Browser, server: Server, finished: dict[str, dict[str, Any]], game: str
) -> None:
    page = guest(browser, server, finished[game], (0,))
    page.get_by_role("link", name=ANALYSED).click()
    opened(page)
    report = server.get(f"/api/tables/{finished[game]['table']}/analysis/report")
    expect(page.locator("article")).to_have_count(3)
    for player in page.locator("article").all():
        first, *changes, last = [
            int(re.sub("[^0-9−]", "", text).replace("−", "-")) for text in player.locator("dl dd").all_inner_texts()
        ]
        assert first + sum(changes) == last, "the figures do not add up"
    expect(page.locator("[data-turns] li")).to_have_count(len(report["turning_points"]))
    own = [one for one in report["decisions"] if one["seat"] == 0]
    if len(own) > 5:
        expect(page.locator("ol > li[data-ply]")).to_have_count(5)
        page.get_by_role("button", name=f"Show all {len(own)}").click()
    expect(page.locator("ol > li[data-ply]")).to_have_count(len(own))
    friend = guest(browser, server, language="fr", theme="day", size=(375, 667), touch=True)
    friend.goto(page.url)
    opened(friend)
    expect(friend.get_by_role("heading", name="Ce qui a décidé la partie")).to_be_visible()
    slider = friend.get_by_label("Moment de la partie")
    slider.press("Home")
    assert "Départ" in (slider.get_attribute("aria-valuetext") or "")


@pytest.mark.deep
def test_a_decision_is_shown_before_as_played_and_better(
    browser: Browser, server: Server, finished: dict[str, dict[str, Any]]
) -> None:
    page = guest(browser, server, finished["lumens"], (0,))
    page.get_by_role("link", name=ANALYSED).click()
    opened(page)
    worst = own_costly(server, finished["lumens"])
    page.locator(f"[data-ply='{worst['ply']}']").get_by_role("link", name="See it on the board").click()
    page.locator(".layout").wait_for()
    boards = []
    for name in ("Before", "As played", "Better"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        boards.append(page.locator("main").inner_html())
    assert len(set(boards)) == 3
    page.get_by_role("link", name="Back to what decided it").click()
    opened(page)


def test_a_mistake_is_tried_again_and_judged_with_a_reason(
    browser: Browser, server: Server, finished: dict[str, dict[str, Any]]
) -> None:
    made = finished["lumens"]
    page = guest(browser, server, made, (0,))
    page.get_by_role("link", name=ANALYSED).click()
    opened(page)
    worst = own_costly(server, made)
    figures = server.get(f"/api/tables/{made['table']}/analysis/figures")
    decision = figures["steps"][worst["ply"] - 1]["decision"]
    page.locator(f"[data-ply='{worst['ply']}']").get_by_role("link", name="Try again").click()
    page.locator(".layout").wait_for()
    expect(page.get_by_role("button", name="Better", exact=True)).to_have_count(0)
    play(page, decision["moves"][decision["played"]]["move"])
    expect(page.locator("[data-verdict]")).to_contain_text("Not better yet")
    play(page, decision["moves"][0]["move"])
    expect(page.locator("[data-verdict]")).to_contain_text("Well found")
    page.get_by_role("button", name="Better", exact=True).click()


def play(page: Page, move: dict[str, Any]) -> None:
    """Place a token of Lumens."""
    page.locator(f".faces [data-face='{move['face']}']").first.click()
    place = f"{move['x']},{move['y']}"
    page.locator(f'[data-place="{place}"]').click()
    page.wait_for_function(GHOST, arg=place)
    page.locator("[data-commit]").first.click()


@pytest.mark.deep
def test_a_game_is_played_on_from_a_moment_of_its_replay(
    browser: Browser, server: Server, finished: dict[str, dict[str, Any]]
) -> None:
    page = guest(browser, server, finished["iles"], (0,))
    page.get_by_role("link", name="Watch again").click()
    page.get_by_label("Moment of the game").press("Home")
    page.get_by_role("button", name="A move on").click()
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("dialog").get_by_role("button", name="Play on from here").click()
    # The replay has a board and an address of its own: what counts is the table that stays.
    page.locator(".table .layout").wait_for()
    expect(page.get_by_text("Through whose eyes")).to_have_count(0)
    assert "#t/" in page.url
    page.get_by_role("heading", name="1001 Îles").first.wait_for()


def analysis(house: House) -> Iterator[State]:
    for game in GAMES if IS_DEEP else ("lumens",):
        made = house.over(game)
        page = house.guest(made, (0,))
        page.get_by_role("link", name=ANALYSED).click()
        opened(page)
        yield f"{game} analysed", page
        page.get_by_label("Whose decisions").select_option("all")
        page.get_by_role("link", name="See it on the board").first.click()
        page.locator(".layout").wait_for()
        yield f"a decision of {game}", page
        page.get_by_role("link", name="Try again").click()
        page.locator(".layout").wait_for()
        yield f"a decision of {game} tried again", page
    page = house.guest(house.over("lumens"), (0,))
    page.get_by_role("link", name="Watch again").click()
    page.get_by_label("Moment of the game").press("Home")
    page.get_by_role("button", name="Play on from here").click()
    yield "to play on", page


@pytest.mark.deep
def test_nothing_is_wrong(house: House) -> None:
    found = faults_of(house, analysis)
    assert not found, "\n".join(found)
