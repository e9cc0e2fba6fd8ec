"""After a game in the browser: what turned it, a rematch, and the moments of its replay."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from server.people import Person, Server

from .guests import guest, watch
from .positions import anything, play_until


def test_the_end_tells_what_turned_the_game_and_leads_there(browser: Browser, server: Server) -> None:
    made = server.make("iles", ("Aline",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        while aline.latest["table"]["status"] == "playing":
            if aline.view.get("moves"):
                aline.move()
            else:
                aline.hear()
        outcome = aline.latest["table"]["result"]
    page = guest(browser, server, made, (0,))
    expect(page.locator("main table thead th")).to_have_count(2)
    shown = [int(text.replace("−", "-")) for text in page.locator("main table .total").all_inner_texts()]
    assert shown == sorted(outcome["scores"], reverse=True)
    expect(page.locator("main")).not_to_contain_text("NaN")
    turns = page.locator(".turns li a")
    expect(turns).not_to_have_count(0)
    ply = re.findall(r"\d+$", turns.last.get_attribute("href") or "")
    turns.last.click()
    expect(page.get_by_label("Moment of the game")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"#replay/.*/{ply[0]}$"))


def finished(server: Server) -> dict[str, Any]:
    """A table whose game is over."""
    made = server.make("lumens", ("Aline",), "spark", start=True)
    assert not play_until(server, made, lambda *_: False, anything)
    return made


def test_a_rematch_begins_with_one_click_and_everybody_keeps_their_ribbon(browser: Browser, server: Server) -> None:
    page = guest(browser, server, finished(server), (0,))
    complaints = watch(page)
    before = page.url
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".layout")).to_be_visible()
    assert page.url != before
    page.go_back()
    expect(page.locator(".end h1")).to_be_visible()
    expect(page.get_by_role("link", name="Join the rematch")).to_be_visible()
    page.reload()
    expect(page.locator(".end h1")).to_be_visible()
    assert complaints == []


@pytest.mark.deep
def test_a_rematch_of_two_people_waits_for_the_other_and_then_begins(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), ("Paul",), start=True)
    with (
        Person(server, made["table"], made["tokens"]["0"]) as aline,
        Person(server, made["table"], made["tokens"]["1"]) as paul,
    ):
        while aline.latest["table"]["status"] == "playing":
            mover = aline if 0 in aline.latest["table"]["pending"] else paul
            answer = mover.move()
            aline.hear_until(answer["seq"])
            paul.hear_until(answer["seq"])
    host = guest(browser, server, made, (0,))
    other = guest(browser, server, {**made, "host": None}, (1,))
    expect(other.locator(".end h1")).to_be_visible()
    host.get_by_role("button", name="Rematch").click()
    expect(host.get_by_text("Everybody is here.")).to_be_visible()
    other.get_by_role("link", name="Join the rematch").click()
    for page in (host, other):
        expect(page.locator(".layout")).to_be_visible()


@pytest.mark.deep
def test_another_moment_of_a_replay_is_a_link_away_and_there_is_none_beyond_the_end(
    browser: Browser, server: Server
) -> None:
    made = finished(server)
    page = guest(browser, server, made, (0,))
    moment = page.get_by_label("Moment of the game")
    for ply, shown in (("10", "10"), ("30", "30"), ("99999", "{max}"), ("-3", "{min}")):
        page.evaluate("hash => { location.hash = hash }", f"#replay/{made['table']}/{ply}")
        expect(moment).to_be_visible()
        bounds = {name: moment.get_attribute(name) for name in ("min", "max")}
        expect(moment).to_have_value(shown.format(**bounds))


@pytest.mark.deep
def test_a_long_name_keeps_a_replay_on_the_screen(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("W" * 24,), "spark", start=True)
    assert not play_until(server, made, lambda *_: False, anything)
    page = guest(browser, server, made, (0,), size=(375, 667), touch=True)
    page.evaluate("hash => { location.hash = hash }", f"#replay/{made['table']}/20")
    page.locator(".layout").wait_for()
    box = page.locator("header select").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 375
    assert page.evaluate("() => document.querySelector('.layout').getBoundingClientRect().right") <= 375
