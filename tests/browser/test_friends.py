"""Two browsers, far apart, play a whole game against each other through a link, in two languages."""

from __future__ import annotations

import re
import threading
from importlib import import_module

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from server.people import Person, Server

from lampion.play import Record

from .conftest import launch
from .guests import guest, watch

GAMES = ("lanternes", "dice", "lumens", "iles")
PATIENCE = 60_000


def play(game: str, page: Page) -> None:
    """Play to the end, by mouse."""
    page.set_default_timeout(PATIENCE)
    import_module(f"browser.{game}_hands").play_by_mouse(page)


class Friend(threading.Thread):
    """Somebody with a browser of their own, who came by the link."""

    def __init__(self, server: Server, game: str, link: str) -> None:
        super().__init__(daemon=True)
        self.server, self.game, self.link = server, game, link
        self.failed: BaseException | None = None
        self.complaints: list[str] = []
        self.result = ""

    def run(self) -> None:
        """Sit down and play."""
        try:
            with sync_playwright() as tools:
                page = guest(launch(tools), self.server, language="fr", theme="day", name="Paul")
                self.complaints = watch(page)
                page.goto(self.link)
                page.reload()
                page.get_by_role("button", name="S’asseoir ici").click(timeout=PATIENCE)
                play(self.game, page)
                self.result = page.locator(".end h1").inner_text(timeout=PATIENCE)
        except BaseException as error:
            self.failed = error


@pytest.mark.parametrize("game", GAMES)
def test_two_friends_play_a_whole_game_through_a_link(browser: Browser, server: Server, game: str) -> None:
    made = server.make(game, ("Aline",), "open")
    page = guest(browser, server, made, (0,), name="Aline")
    complaints = watch(page)
    link = page.get_by_label("Link", exact=True).input_value(timeout=PATIENCE)
    friend = Friend(server, game, link)
    friend.start()
    page.get_by_role("button", name="Start").click(timeout=PATIENCE)
    play(game, page)
    expect(page.locator(".end h1")).to_have_text(re.compile("(Aline|Paul) wins|A shared victory"), timeout=PATIENCE)
    friend.join(60)
    assert friend.failed is None, friend.failed
    assert re.search("(Aline|Paul) gagne|Victoire partagée", friend.result)
    assert complaints == friend.complaints == []
    status, record = server.request(f"/api/tables/{made['table']}/record")
    assert status == 200
    assert record["result"]["winners"]
    assert all(record["chance"]["nonces"])
    assert Record.from_data(record).check().is_over
    fair = page.locator("details[data-fair]")
    expect(fair).to_have_attribute("data-fair", "kept")
    expect(fair.locator("code").first).to_have_text(str(Record.from_data(record).chance.seal))


def test_a_seal_that_is_not_the_one_a_page_saw_is_said_loudly(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), "open")
    page = guest(browser, server, made, (0,), name="Aline")
    with Person(server, made["table"]) as paul:
        told = paul.ask("sit", seat=1, name="Paul", commit="00" * 32)  # who will not reveal anything
        assert told["say"] == "yours"
        page.get_by_role("button", name="Start").click(timeout=PATIENCE)
        paul.until(lambda word: word["say"] == "update" and word["table"]["status"] == "playing")
        for seat, token in (("0", made["tokens"]["0"]), ("1", told["token"])):
            with Person(server, made["table"], token, made["host"]) as one:  # bots finish what both have left
                assert one.ask("stand", seat=int(seat), level="spark")["say"] == "done"
    fair = page.locator("details[data-fair]")
    expect(fair).to_have_attribute("data-fair", "kept", timeout=PATIENCE)
    page.get_by_text("The server kept its word").click()
    expect(fair).to_contain_text("Committed and did not reveal")
    expect(page.get_by_role("alert")).to_have_count(0)
    for field, other, said in (
        ("seal", '"00"', "the seal is not the one that this browser saw"),
        ("promise", '"00"', "the secret is not the one it promised"),
        ("revealed", '["00"]', "or ours is missing"),
    ):
        kept = page.evaluate("localStorage.getItem('lampion.tables')")
        page.evaluate(
            f"""() => {{
                const all = JSON.parse(localStorage.getItem("lampion.tables"));
                all[0].{field} = {other};
                localStorage.setItem("lampion.tables", JSON.stringify(all));
            }}"""
        )
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text(said, timeout=PATIENCE)
        page.evaluate("kept => localStorage.setItem('lampion.tables', kept)", kept)
