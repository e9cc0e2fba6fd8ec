"""Journeys from state to state of a few pages, each state with its name: every page around the boards."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect
from server.people import Person, Server
from server.test_upgrade import doctor, illegal_move, unknown_event
from tiers import IS_DEEP

from . import lumens_hands
from .guests import guest
from .pages import (
    LANGUAGES,
    WIDE,
    Size,
    axe_faults,
    large_faults,
    layout_faults,
    notation_faults,
    sizes_by_language,
    speak,
)
from .positions import anything, play_until

ADMIN = "a-token-that-nobody-guesses"
GAMES = ("lanternes", "dice", "lumens", "iles")
NAMES = {"lanternes": "Lanternes", "dice": "Lanternes Dice", "lumens": "Lumens", "iles": "1001 Îles"}
NAMES |= {"fireflies": "Fireflies"}
NARROW = (375, 667)
State = tuple[str, Page] | tuple[str, Page, Size]
"""A name, the page that is in it, and the size at which it can be in it, if not at any."""
Journey = Callable[["House"], Iterator[State]]


class House:
    """A server with tables that were never meant to be, and a browser."""

    def __init__(self, browser: Browser, server: Server, broken: dict[str, Any], unread: dict[str, Any]) -> None:
        self.browser, self.server, self.broken, self.unread = browser, server, broken, unread
        self.finished: dict[str, dict[str, Any]] = {}

    def guest(self, made: dict[str, Any] | None = None, seats: tuple[int, ...] = (), **settings: Any) -> Page:
        """Somebody's page."""
        return guest(self.browser, self.server, made, seats, **settings)

    def table(self, game: str, *seats: Any, **more: Any) -> tuple[dict[str, Any], Page]:
        """A table that has begun, and Aline's page at it."""
        made = self.server.make(game, ("Aline",), *(seats or ("spark",)), start=True, **more)
        page = self.guest(made, (0,))
        page.locator(".layout").wait_for()
        return made, page

    def over(self, game: str) -> dict[str, Any]:
        """A finished game."""
        if game not in self.finished:
            self.finished[game] = self.server.make(game, ("Aline",), "spark", start=True)
            assert not play_until(self.server, self.finished[game], lambda *_: False, anything)
        return self.finished[game]

    def go(self, page: Page, hash: str) -> None:
        """To another page of the house."""
        page.goto(f"http://localhost:{self.server.port}/{hash}")


@contextmanager
def opened_house(browser: Browser, folder: Path) -> Iterator[House]:
    """A house for journeys."""
    db = folder / "lampion.db"
    os.environ["LAMPION_ADMIN"] = ADMIN
    server = Server(db, loads_all=True)
    try:
        hurt = [server.make("lumens", ("Aline",), "spark", start=True) for _ in range(2)]
        for made in hurt:
            with Person(server, made["table"], made["tokens"]["0"]) as aline:
                while not aline.view.get("moves"):
                    aline.hear()
                aline.move()
        server.stop()
        doctor(db, hurt[0]["table"], illegal_move)
        doctor(db, hurt[1]["table"], unknown_event)
        server.start()
        deadline = time.monotonic() + 600
        while not all(game["ready"] for game in server.get("/api/games")):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        yield House(browser, server, *hurt)
    finally:
        del os.environ["LAMPION_ADMIN"]
        server.stop()


# Around the boards


def room(house: House) -> Iterator[State]:
    page = house.guest()
    expect(page.get_by_role("heading", name="1001 Îles")).to_be_visible()
    yield "empty", page
    page.get_by_role("button", name="Settings").click()
    yield "settings", page
    page.keyboard.press("Escape")
    page.get_by_label("A table's link").fill("what?")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "a link that is none", page
    tables = [house.over("iles"), house.table("lumens")[0], house.server.make("dice", ("Aline",), "open"), house.broken]
    known = [{"id": made["table"], "game": "", "tokens": [], "host": None, "at": 1} for made in tables]
    page.evaluate("known => localStorage.setItem('lampion.tables', JSON.stringify(known))", known)
    page.reload()
    expect(page.get_by_role("link", name="Continue")).to_have_count(3)
    expect(page.get_by_role("heading", name="Finished")).to_be_visible()
    yield "with tables", page


def new_game(house: House) -> Iterator[State]:
    page = house.guest()
    for name in NAMES.values():
        page.get_by_role("button", name=f"Play {name}", exact=True).click()
        page.locator("fieldset label").last.click()
        page.locator("li select").nth(0).select_option("open")
        if name != NAMES["lanternes"]:
            page.locator("li select").nth(0).select_option("screen")
        for fold in page.locator("summary").all():
            fold.click()
        page.get_by_label("Time to think").select_option("move" if name == NAMES["dice"] else "game")
        yield name, page
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Invite friends to Lumens").click()
    page.locator("summary").first.click()
    bad = {"name": "mine.toml", "mimeType": "text/plain", "buffer": b"what = "}
    page.locator("dialog input[type=file]").set_input_files(bad)  # type: ignore[arg-type]
    page.get_by_role("button", name="Make the table").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "with a box that is none", page


def waiting(house: House) -> Iterator[State]:
    made = house.server.make("iles", ("Aline",), "open", "open")
    host = house.guest(made, (0,))
    expect(host.get_by_alt_text("Code for a camera with the link")).to_be_visible()
    yield "the host", host
    friend = house.guest(made)
    expect(friend.get_by_role("button", name="Sit here").first).to_be_visible()
    yield "by the link", friend
    friend.get_by_label("Your name").fill("Paul")
    friend.get_by_role("button", name="Sit here").first.click()
    expect(friend.get_by_role("button", name="Sit here")).to_have_count(0)
    yield "seated", friend
    host.locator("li select").select_option("spark")
    host.get_by_role("button", name="Put a bot here").click()
    expect(host.get_by_text("Everybody is here.")).to_be_visible()
    yield "complete", host
    host.get_by_role("button", name="Menu").click()
    yield "the host's menu", host


def rules(house: House) -> Iterator[State]:
    page = house.guest()
    for game in GAMES:
        house.go(page, f"#rules/{game}")
        page.locator("details").first.wait_for()
        expect(page.locator("h1")).to_have_text(NAMES[game])
        page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
        yield game, page
    page.get_by_role("searchbox").fill("no such word at all")
    expect(page.locator("details")).to_have_count(0)
    yield "nothing found", page


def office(house: House) -> Iterator[State]:
    house.over("iles")
    house.table("lumens")
    page = house.guest()
    house.go(page, "#host")
    token = page.get_by_label("The admin's token")
    token.wait_for()
    yield "before the token", page
    token.fill("guessed")
    token.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    yield "a wrong token", page
    token.fill(ADMIN)
    token.press("Enter")
    page.get_by_role("button", name="Look again").wait_for()
    yield "the tables", page


def nowhere(house: House) -> Iterator[State]:
    page = house.guest()
    house.go(page, "#t/nowhereatall")
    expect(page.get_by_text("There is no such table.")).to_be_visible()
    yield "no such table", page
    house.go(page, "#replay/nowhereatall")
    page.get_by_role("alert").wait_for()
    yield "no such game", page
    house.go(page, "offline.html")
    page.get_by_role("link").wait_for()
    yield "without a server", page


# Around a table


def surroundings(house: House) -> Iterator[State]:
    _, page = house.table("lumens", ("Lola",), clock={"kind": "game", "seconds": 600})
    page.get_by_role("button", name="Rules").first.click()
    page.locator("details").first.wait_for()
    yield "rules", page
    page.get_by_role("button", name="Rules").first.click()
    page.get_by_role("button", name="Send a reaction").click()
    yield "signs", page
    page.get_by_role("button", name="applause").click()
    page.locator(".sign").first.wait_for()
    yield "a sign", page, WIDE
    for part in ("Settings", "Invite and share", "Move Aline's seat to another device"):
        page.get_by_role("button", name="Menu").click()
        if part == "Settings":
            yield "menu", page
            page.get_by_role("button", name="Close the table").click()
            yield "sure", page
        page.get_by_role("button", name=part).click()
        page.locator("dialog").get_by_role("heading").first.wait_for()
        yield f"menu, {part}", page
        page.keyboard.press("Escape")
    for tab in page.locator(".tabs button").all()[1:]:
        page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
        tab.click()
        yield f"tab {tab.inner_text()}", page, NARROW


def people(house: House) -> Iterator[State]:
    made, page = house.table("lumens", ("Lola",), options={"first": 0})
    lola = Person(house.server, made["table"], made["tokens"]["1"])
    yield "a turn", page
    ply = lumens_hands.asked(page)
    page.locator("[data-commit]").click()
    lumens_hands.made(page, str(ply))
    yield "another's turn", page
    while not lola.view.get("moves"):
        lola.hear()
    lola.move()
    lumens_hands.asked(page)
    page.get_by_role("button", name="Ask to go back").click()
    page.get_by_text("would like to go back").wait_for()
    yield "a wish to take back", page
    lola.hear_until(lola.seq)
    lola.ask("answer", seat=1, agrees=False)
    lola.ask("undo", seat=1, seq=lola.seq)
    page.get_by_role("button", name="Agree").wait_for()
    yield "a wish to answer", page
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_role("button", name="Agree")).to_have_count(0)
    page.locator(".log button.jump").last.click()
    page.get_by_role("button", name="Back to now").wait_for()
    yield "an earlier moment", page
    page.get_by_role("button", name="Back to now").click()
    lola.ask("pause", seat=1, on=True)
    page.get_by_role("button", name="Go on").wait_for()
    yield "paused", page
    lola.ask("pause", seat=1, on=False)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name=re.compile("Leave")).click()
    page.get_by_role("button", name="Play myself").wait_for()
    yield "played by a bot", page
    watcher = house.guest(made)
    watcher.locator(".layout").wait_for()
    yield "a spectator", watcher
    watcher.context.set_offline(True)
    watcher.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(watcher.get_by_text("The connection is lost.")).to_be_visible()
    watcher.evaluate("() => document.documentElement.removeAttribute('data-words')")  # it can fetch no other language
    yield "without a line", watcher
    with Person(house.server, made["table"], made["host"]) as host:
        host.ask("close")
    page.get_by_text("This table was closed.").first.wait_for()
    yield "closed", page
    lola.close()


def one_screen(house: House) -> Iterator[State]:
    made = house.server.make("lumens", ("Aline",), ("Lola",), start=True)
    page = house.guest(made, (0, 1))
    page.get_by_role("button", name=re.compile("show my side")).wait_for()
    page.locator(".layout").wait_for()
    yield "the curtain", page
    page.get_by_role("button", name=re.compile("show my side")).click()
    lumens_hands.asked(page)
    yield "behind it", page


def hurt(house: House) -> Iterator[State]:
    page = house.guest(house.broken, (0,))
    page.get_by_role("alert").first.wait_for()
    page.locator(".layout").wait_for()
    yield "broken", page
    page = house.guest(house.unread, (0,))
    page.get_by_text("cannot be read").wait_for()
    yield "unreadable", page


AROUND = (room, new_game, waiting, rules, office, nowhere, surroundings, people, one_screen, hurt)


def faults_of(house: House, journey: Journey) -> list[str]:
    """Return all that is wrong in any state of a journey, each with where."""
    found, opened = [], set()
    game = journey.__name__ if journey.__name__ in NAMES else None
    for turn, (name, page, *only) in enumerate(journey(house)):
        opened.add(page.context)
        here = axe_faults(page, turn, only[0] if only else None)
        for language, sizes in sizes_by_language(turn).items():
            speak(page, language)
            here += [f"{language}, {one}" for one in layout_faults(page, tuple(only) or sizes)]
            here += [f"{language}, {one}" for one in notation_faults(page, game)]
        if IS_DEEP and turn == 0:  # in French, whose words are longer
            here += large_faults(page)
        speak(page, LANGUAGES[0])
        page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
        found += [f"{name}: {one}" for one in here]
    for context in opened:
        context.close()
    return found
