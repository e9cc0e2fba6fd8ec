"""The bar above the board on a phone: its buttons keep their places and the board below it never moves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Person, Server

from .guests import guest
from .journeys import GAMES
from .positions import CHOICES, anything

WATCHED = ("[data-undo]", "[data-hint]", ".menu", "[data-again], [data-skip]", ".layout", "main.main")
LOOK = """watched => {
  window.seen = Object.fromEntries(watched.map(one => [one, new Set()]));
  window.said = new Set();
  const look = () => {
    for (const one of watched) {
      const box = document.querySelector(one)?.getBoundingClientRect();
      const size = one.includes("data") || one === ".menu" ? [box?.width, box?.height] : [];
      if (box) window.seen[one].add([box.left, box.top, ...size].map(Math.round).join(" "));
    }
    window.said.add(document.querySelector(".say")?.innerText ?? "");
    requestAnimationFrame(look);
  };
  look();
}"""
SEEN = "() => Object.fromEntries(Object.entries(window.seen).map(([one, places]) => [one, [...places]]))"
OWN_MOVES = 14


def watch_places(page: Page) -> None:
    """Note from now on, at every frame, where the buttons and the board are."""
    page.evaluate(LOOK, list(WATCHED))


def moved(page: Page) -> dict[str, list[str]]:
    """Return what was in more than one place since."""
    return {one: places for one, places in page.evaluate(SEEN).items() if len(places) > 1}


def play_on(server: Server, made: dict[str, Any], game: str) -> None:
    """Make some moves for the first seat at a socket of its own, and take one back."""
    choose = CHOICES.get(game, anything)
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        own = 0
        while own < OWN_MOVES and aline.latest["table"]["status"] == "playing":
            if not aline.view.get("moves"):
                aline.hear()
                continue
            own += 1
            answer = aline.move(lambda moves: choose(aline.view, moves))
            if answer["say"] == "done":
                aline.hear_until(answer["seq"])
            if own == OWN_MOVES // 2 and aline.view.get("can_undo"):
                aline.ask("undo", seat=0, seq=aline.seq)


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_nothing_in_the_bar_and_no_board_moves(browser: Browser, server: Server, game: str) -> None:
    bots = ["spark"] * (2 if game == "iles" else 1)
    made = server.make(game, ("Aline",), *bots, start=True, hints=1000)
    page = guest(browser, server, made, (0,), size=(375, 667), touch=True, language="fr", speed="fast")
    page.locator("main.main").wait_for()
    page.locator("[data-undo]").wait_for()
    watch_places(page)
    play_on(server, made, game)
    expect(page.locator("[data-hint]")).to_be_enabled(timeout=60_000)
    assert not moved(page)
    undo, hint = (page.locator(one).bounding_box() for one in WATCHED[:2])
    assert undo is not None
    assert hint is not None
    assert hint["x"] - undo["x"] > 150, "whoever misses the hint takes a move back"
    assert min(undo["width"], undo["height"], hint["width"], hint["height"]) >= 44
    assert len(page.evaluate("() => [...window.said]")) > 2, "nothing was said meanwhile"
