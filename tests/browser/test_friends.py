"""
Two browsers, far apart, play a game against each other through a link, in two languages.

One game by turns, and the beginning and the end of one in which all decide at once: its middle is played at sockets.
`python -m benchmarks.browser --way link` plays all four.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect, sync_playwright
from server.people import Person, Server
from tiers import daily

from lampion.play import Record
from lampion.play.fair import Terms, seal_of

from .conftest import launch
from .dice_hands import play_by_mouse
from .guests import guest, watch
from .positions import tidy

GAMES = ("lanternes", "dice")
PATIENCE = 60_000
LATE = 17
"""Turns of Lanternes Dice, of twenty, after which it is played by mouse again."""


def play(game: str, page: Page) -> None:
    """Play to the end, by mouse."""
    page.set_default_timeout(PATIENCE)
    import_module(f"browser.{game}_hands").play_by_mouse(page)


def begin(page: Page) -> None:
    """Make the first own move of Lanternes Dice, by mouse."""
    page.set_default_timeout(PATIENCE)
    play_by_mouse(page, most=1)


@contextmanager
def away(page: Page) -> Iterator[None]:
    """Leave a page for a while: one that watches a game draws every move."""
    address = page.url
    page.goto(address.partition("#")[0] + "offline.html")
    yield
    page.goto(address)


class Friend(threading.Thread):
    """Somebody with a browser of their own, who came by the link."""

    def __init__(self, server: Server, game: str, link: str) -> None:
        super().__init__(daemon=True)
        self.server, self.game, self.link = server, game, link
        self.failed: BaseException | None = None
        self.complaints: list[str] = []
        self.result, self.token = "", ""
        self.has_begun, self.goes_on = threading.Event(), threading.Event()

    def run(self) -> None:
        """Sit down and play."""
        try:
            with sync_playwright() as tools:
                page = guest(launch(tools), self.server, language="fr", theme="day", name="Paul")
                self.complaints = watch(page)
                page.goto(self.link)
                page.reload()
                page.get_by_role("button", name="S’asseoir ici").click(timeout=PATIENCE)
                if self.game == "dice":
                    begin(page)
                    self.token = page.evaluate("JSON.parse(localStorage.getItem('lampion.tables'))[0].tokens[0]")
                    with away(page):
                        self.has_begun.set()
                        assert self.goes_on.wait(120)
                play(self.game, page)
                self.result = page.locator(".end h1").inner_text(timeout=PATIENCE)
        except BaseException as error:
            self.failed = error
            self.has_begun.set()


def play_the_middle(server: Server, table: str, *tokens: str) -> None:
    """Play for both, at sockets, until the last turns."""
    with Person(server, table, tokens[0]) as aline, Person(server, table, tokens[1]) as paul:
        while aline.view["view"]["turn"] < LATE:
            for one in (aline, paul):
                one.hear_until(max(aline.seq, paul.seq))
            mover = next((one for one in (aline, paul) if one.view.get("moves")), None)
            if mover is None:
                aline.hear()
            else:
                answer = mover.move(partial(tidy, mover.view))
                assert answer["say"] == "done", answer
                mover.hear_until(answer["seq"])


@pytest.mark.parametrize("game", daily(GAMES, "lumens", "iles"))
def test_two_friends_play_a_game_through_a_link(browser: Browser, server: Server, game: str) -> None:
    made = server.make(game, ("Aline",), "open")
    page = guest(browser, server, made, (0,), name="Aline")
    complaints = watch(page)
    link = page.get_by_label("Link", exact=True).input_value(timeout=PATIENCE)
    friend = Friend(server, game, link)
    friend.start()
    page.get_by_role("button", name="Start").click(timeout=PATIENCE)
    if game == "dice":
        begin(page)
        with away(page):
            assert friend.has_begun.wait(120)
            assert friend.failed is None, friend.failed
            play_the_middle(server, made["table"], made["tokens"]["0"], friend.token)
        friend.goes_on.set()
    play(game, page)
    won = re.compile("(Aline|Paul) wins|You win|A shared victory")
    expect(page.locator(".end h1")).to_have_text(won, timeout=PATIENCE)
    friend.join(60)
    assert friend.failed is None, friend.failed
    assert re.search("(Aline|Paul) gagne|Vous gagnez|Victoire partagée", friend.result)
    assert complaints == friend.complaints == []
    status, record = server.request(f"/api/tables/{made['table']}/record")
    assert status == 200
    assert record["result"]["winners"]
    assert all(record["chance"]["nonces"])
    assert Record.from_data(record).check().is_over
    fair = page.locator("details[data-fair]")
    expect(fair).to_have_attribute("data-fair", "kept")
    expect(fair.locator("code").first).to_have_text(str(Record.from_data(record).seal))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that waits for an hour until all is revealed, for a test that ends this wait."""
    one = Server(tmp_path / "lampion.db", time_to_reveal=3600)
    yield one
    one.stop()


def end_the_wait(server: Server) -> None:
    """Start a server again, to wait for a moment alone until all is revealed."""
    server.kill()
    server.seconds["time_to_reveal"] = 0.1
    server.start(server.port)


def test_a_seal_that_is_not_the_one_a_page_saw_is_said_loudly(browser: Browser, own_server: Server) -> None:
    server = own_server
    made = server.make("lumens", ("Aline",), "open")
    page = guest(browser, server, made, (0,), name="Aline")
    with Person(server, made["table"]) as paul:
        told = paul.ask("sit", seat=1, name="Paul", commit="00" * 32)  # who will not reveal anything
        assert told["say"] == "yours"
        page.get_by_role("button", name="Start").click(timeout=PATIENCE)
        page.wait_for_function("() => JSON.parse(localStorage.getItem('lampion.tables'))[0].revealed?.length === 1")
    end_the_wait(server)
    with Person(server, made["table"]) as eve:
        while eve.latest["table"]["status"] != "playing":
            eve.hear()
        for seat, token in (("0", made["tokens"]["0"]), ("1", told["token"])):
            with Person(server, made["table"], token, made["host"]) as one:  # bots finish what both have left
                assert one.ask("stand", seat=int(seat), level="spark")["say"] == "done"
    fair = page.locator("details[data-fair]")
    expect(fair).to_have_attribute("data-fair", "kept", timeout=PATIENCE)
    page.get_by_text("How we know").click()
    expect(fair).to_contain_text("Committed and did not reveal")
    expect(page.get_by_role("alert")).to_have_count(0)
    kept = page.evaluate("localStorage.getItem('lampion.tables')")
    for field, other, said in (
        ("seal", "00", "the seal is not the one that this browser saw"),
        ("promise", "00", "the secret is not the one it promised"),
        ("revealed", ["00"], "or ours is missing"),
    ):
        tables = json.loads(kept)
        tables[0][field] = other
        # At the start of the page: one that is left could write what it remembers over it.
        page.add_init_script(f"localStorage.setItem('lampion.tables', {json.dumps(json.dumps(tables))})")
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text(said, timeout=PATIENCE)


def lie(page: Page, commit: str | None) -> None:
    """Load the page again from a server that seals another commitment for the first seat, or none and no seal."""

    def told(raw: str | bytes) -> str | bytes:
        word: dict[str, Any] = json.loads(raw)
        table = word.get("table", {})
        if word["say"] == "update" and table.get("seal"):
            table["seats"][0]["commit"], table["seats"][0]["nonce"] = commit or "", ""
            terms = Terms(table["game"], table.get("rules", 1), table["players"], table["options"], table["edition"])
            seats = [None if seat["kind"] == "bot" else seat.get("commit", "") for seat in table["seats"]]
            table["seal"] = None if commit is None else seal_of(table["promise"], terms, seats)
        return json.dumps(word)

    def meet(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda raw: socket.send(told(raw)))

    page.route_web_socket(re.compile("/socket$"), meet)
    page.reload()


@pytest.mark.deep
@pytest.mark.parametrize("commit", ["", "00" * 32, None])
def test_a_seal_without_the_commitment_of_a_page_is_said_loudly(
    browser: Browser, own_server: Server, commit: str | None
) -> None:
    server = own_server
    made = server.make("lumens", ("Aline",), "spark")
    page = guest(browser, server, made, (0,), name="Aline")
    page.wait_for_function("() => JSON.parse(localStorage.getItem('lampion.tables'))[0].committed?.includes(0)")
    lie(page, commit)
    page.get_by_role("button", name="Start").click(timeout=PATIENCE)
    alert = page.get_by_role("alert")
    if commit is not None:
        expect(alert).to_have_text(re.compile("is not in the seal: the server may be cheating"), timeout=PATIENCE)
    with Person(server, made["table"]) as eve:
        while eve.latest["table"].get("seal") is None:
            eve.hear()
        assert eve.latest["table"]["status"] == "open"
    end_the_wait(server)
    expect(page.locator("main.waiting, main.beginning")).to_have_count(0, timeout=PATIENCE)
    expect(alert).to_have_text(re.compile("is not in the seal: the server may be cheating"), timeout=PATIENCE)
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        assert aline.latest["table"]["seats"][0].get("nonce", "") == "", "a nonce was revealed to who left it out"
        assert aline.ask("stand", seat=0, level="spark")["say"] == "done"
    expect(page.locator("details[data-fair]")).to_have_attribute("data-fair", "commit", timeout=PATIENCE)
    expect(alert.last).to_contain_text("The server did not keep its word")


@pytest.mark.deep
def test_two_tabs_of_a_seat_and_another_device_find_nothing_wrong_with_the_seal(
    browser: Browser, server: Server
) -> None:
    made = server.make("lumens", ("Aline",), "spark")
    page = guest(browser, server, made, (0,), name="Aline")
    tab = page.context.new_page()
    tab.goto(page.url)
    tab.get_by_role("button", name="Start").wait_for(timeout=PATIENCE)
    other = "00" * 32
    with Person(server, made["table"], made["tokens"]["0"]) as device:
        assert device.ask("commit", seat=0, commit=other)["say"] == "done"
        device.until(lambda word: word["say"] == "update" and word["table"]["seats"][0]["commit"] != other)
        page.get_by_role("button", name="Start").click(timeout=PATIENCE)
        begun = device.until(lambda word: word["say"] == "update" and word["table"]["status"] == "playing")
        assert begun["table"]["seats"][0]["nonce"]
        for one in (page, tab):
            expect(one.locator("main.waiting, main.beginning")).to_have_count(0, timeout=PATIENCE)
            expect(one.get_by_role("alert")).to_have_count(0)
        assert device.ask("stand", seat=0, level="spark")["say"] == "done"
    for one in (page, tab):
        expect(one.locator("details[data-fair]")).to_have_attribute("data-fair", "kept", timeout=PATIENCE)
