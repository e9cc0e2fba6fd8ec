"""What leads a player's attention: the rules beside the board, and a page that calls when it is one's turn."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from . import lumens_hands
from .guests import guest


@pytest.fixture
def pages(browser: Browser, server: Server) -> tuple[Page, Page]:
    """Two people at one table, each with a page; the first is to move."""
    made = server.make("lumens", ("Aline",), ("Lola",), start=True, options={"first": 0})
    aline, lola = (guest(browser, server, made, (seat,)) for seat in range(2))
    lumens_hands.asked(aline)
    lola.locator(".layout").wait_for()
    return aline, lola


def test_the_rules_lie_beside_the_board_open_at_the_step_and_are_searched(pages: tuple[Page, Page]) -> None:
    page = pages[0]
    page.get_by_role("button", name="Rules").first.click()
    rules = page.locator("aside .rules")
    expect(rules.locator("details[open]")).to_have_count(1)
    expect(rules.locator("details[open] .now")).to_have_text("now")
    board, drawer = page.locator("main").bounding_box(), rules.bounding_box()
    assert board
    assert drawer
    assert board["x"] + board["width"] <= drawer["x"]
    sections = rules.locator("details").count()
    rules.get_by_role("searchbox").fill("umbrella that nobody has")
    expect(rules.locator("details")).to_have_count(0)
    rules.get_by_role("searchbox").fill("")
    expect(rules.locator("details")).to_have_count(sections)


def test_a_page_calls_when_it_is_ones_turn(pages: tuple[Page, Page]) -> None:
    called = re.compile("^● Lumens"), re.compile("icon-turn")
    quiet = re.compile("^Lumens"), re.compile("icon.svg")
    aline, lola = pages
    for page, (title, icon) in ((aline, called), (lola, quiet)):
        expect(page).to_have_title(title)
        expect(page.locator("link[rel=icon]").first).to_have_attribute("href", icon)
    aline.locator("[data-commit]").click()
    for page, (title, icon) in ((lola, called), (aline, quiet)):
        expect(page).to_have_title(title)
        expect(page.locator("link[rel=icon]").first).to_have_attribute("href", icon)


@pytest.mark.deep
def test_keys_say_the_last_move_what_one_has_and_the_points(pages: tuple[Page, Page]) -> None:
    aline, lola = pages
    heard = lola.locator("[data-heard]")
    lola.keyboard.press("l")
    expect(heard).to_contain_text("You draw")
    aline.locator("[data-commit]").click()
    lumens_hands.asked(lola)
    lola.keyboard.press("l")
    expect(heard).to_contain_text("Aline begins with a 5")
    lola.keyboard.press("h")
    expect(heard).to_contain_text("Token in hand")
    lola.keyboard.press("p")
    expect(heard).to_contain_text("Lola 0")


HIDDEN = """
  let isHidden = false;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  window.calls = [];
  window.hide = () => (isHidden = true);
  window.Notification = class extends EventTarget {
    static permission = "granted";
    constructor(title, { body }) { super(); window.calls.push(body); }
    close() { window.calls.push("closed"); }
  };
  const start = AudioScheduledSourceNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { window.calls.push("sound"); return start.call(this, at); };
"""


@pytest.mark.parametrize("wanted", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_a_hidden_page_calls_by_sound_and_notification_as_one_likes(
    browser: Browser, server: Server, wanted: bool
) -> None:
    made = server.make("lumens", ("Aline",), ("Lola",), start=True, options={"first": 0})
    aline = guest(browser, server, made, (0,))
    lola = guest(browser, server, made, (1,), sounds=wanted, notices=wanted)
    lola.context.add_init_script(HIDDEN)
    lola.reload()
    lola.locator(".layout").wait_for()
    lola.locator(".say").click()  # a browser plays no sound before
    lola.evaluate("window.hide()")
    lumens_hands.asked(aline)
    aline.locator("[data-commit]").click()
    expect(lola).to_have_title(re.compile("^● Lumens"))
    calls = lola.evaluate("window.calls")
    assert ("sound" in calls) == wanted
    assert ("Lumens: it is your turn." in calls) == wanted
