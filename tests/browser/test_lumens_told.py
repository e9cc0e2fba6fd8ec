"""Lumens in a real browser: what is told of rooms, places and moves, and to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from server.people import Server
from tiers import daily

from browser.guests import guest
from browser.lumens_hands import asked, cell, made, opened, places
from browser.lumens_tables import OTHER_START, PHONE, START, Two, card, pairs, token
from lampion.locale import say, speaking

TIE = "Then the larger sum in the sun room wins."
COVERED_NUMBERS = """() => {
  const boxes = found => [...document.querySelectorAll(found)].map(one => one.getBoundingClientRect());
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const marks = boxes('[data-room] .plate, [data-sum] rect');
  const numbers = boxes('[data-token] text');
  return [marks.length, numbers.length, numbers.filter(one => marks.some(mark => over(one, mark))).length];
}"""
OTHER_FIGURES = """() => [...document.querySelectorAll('body *')]
  .filter(one => getComputedStyle(one).fontVariantNumeric !== 'lining-nums tabular-nums')
  .map(one => one.outerHTML.slice(0, 80))"""


@pytest.fixture
def two(browser: Browser, server: Server) -> Iterator[Two]:
    """Both at their second token."""
    yield from pairs(browser, server)


@pytest.mark.parametrize("language", daily(("en", "fr"), "fr"))
def test_why_not_here_is_answered_on_request_with_the_rule(browser: Browser, server: Server, language: str) -> None:
    pair = Two(browser, server, language=language)
    page = pair.page
    with speaking(language):
        expect(card(page)).not_to_contain_text(say("lumens.web.why"))
        cell(page, OTHER_START).click()
        expect(card(page)).to_contain_text(say("lumens.illegal.marker"))
        cell(page, "6,4").click()
        number = int(token(page, START).get_attribute("data-face") or 0)
        expect(card(page)).to_contain_text(say("lumens.illegal.no_line", count=number))
        # The room there is looked into as well.
        expect(card(page).locator('[data-majority="5"]')).to_be_visible()
        page.keyboard.press("Escape")
        expect(card(page)).not_to_contain_text(say("lumens.web.why"))
    pair.lola.close()


@pytest.mark.deep
def test_a_room_says_who_leads_and_what_it_takes_to(two: Two) -> None:
    page = two.page
    said = page.locator("[data-explanation]")
    theirs = int(token(page, OTHER_START).get_attribute("data-face") or 0)
    page.locator('[data-room="3"]').hover()
    expect(said).to_contain_text("Key room")
    expect(said).to_contain_text(say("lumens.learn.room.leads", who="Lola", number=theirs))
    expect(said).to_contain_text(say("lumens.learn.room.more", count=theirs + 1))
    page.locator('[data-room="5"]').hover()
    expect(said).to_contain_text(TIE)
    # A token, by key: what it counts, and how far it reaches.
    cell(page, OTHER_START).focus()
    page.keyboard.press("i")
    expect(said).to_contain_text(say("lumens.learn.token.room", number=theirs, room=say("lumens.room.3")))
    expect(said).to_contain_text(say("lumens.learn.token.reach", who="Lola", count=theirs))


@pytest.mark.deep
def test_a_room_is_lit_up_and_explained_by_its_button_on_a_phone(browser: Browser, server: Server) -> None:
    pair = Two(browser, server, **PHONE)
    page = pair.page
    page.get_by_role("button", name="key room").tap()
    expect(page.locator(".looked")).to_have_count(1)
    theirs = int(token(page, OTHER_START).get_attribute("data-face") or 0)
    for words in (
        say("lumens.learn.room.leads", who="Lola", number=theirs),
        say("lumens.learn.room.first", first=4),
        say("lumens.learn.room.level", first=4),
    ):
        expect(card(page)).to_contain_text(words)
    page.get_by_role("button", name="sun room").tap()
    expect(card(page)).to_contain_text(TIE)
    card(page).get_by_role("button", name=say("lumens.web.leave")).tap()
    expect(page.locator(".looked")).to_have_count(0)
    expect(page.locator("[data-commit]")).to_be_visible()
    pair.lola.close()


@pytest.mark.deep
def test_what_another_player_did_in_a_room_is_told(two: Two) -> None:
    page, ply = two.page, asked(two.page)
    assert ply
    cell(page, START).click()
    page.locator("[data-commit]").click()
    made(page, ply)
    two.lolas_turn()
    two.lola.move(lambda moves: next(move for move in moves if (move["x"], move["y"]) == (12, 0)))
    asked(page)
    number = int(token(page, OTHER_START).get_attribute("data-face") or 0)
    said = say("lumens.web.news.now", who="Lola", room=say("lumens.room.3"), number=number, mine=0)
    expect(card(page)).to_contain_text(said)


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_what_was_taken_from_me_is_told_first(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    page = opened(guest(browser, server, server.open("lumens-covered"), (0,), size=size, touch=size[0] < 400))
    # Rose has moved since, but what Lola did is what matters.
    expect(page.locator("[data-news]:visible")).to_contain_text(re.compile("Lola covers your [1-6]"))


@pytest.mark.deep
def test_what_was_told_of_a_move_is_gone_when_it_is_taken_back(browser: Browser, server: Server) -> None:
    page = opened(guest(browser, server, server.open("lumens-two"), (0,), **PHONE))
    ply = asked(page)
    assert ply
    told = card(page).inner_text()
    cell(page, places(page)[0]).tap()
    page.locator("[data-commit]").tap()
    made(page, ply)
    asked(page)
    expect(card(page)).not_to_have_text(told)
    page.get_by_role("button", name=say("web.undo")).tap()
    expect(card(page)).to_have_text(told)


@pytest.mark.deep
def test_while_the_first_number_is_chosen_a_tap_on_the_board_is_no_mistake(browser: Browser, server: Server) -> None:
    pair = Two(browser, server, has_begun=False, **PHONE)
    for place in ("6,4", "3,4", OTHER_START, START):
        cell(pair.page, place).tap()
        expect(pair.page.locator("g.why")).to_have_count(0)
        expect(card(pair.page)).not_to_contain_text(re.compile(r"@|\d,\d"))
    pair.lola.close()


@pytest.mark.deep
def test_a_sign_is_tapped_to_see_who_leads_also_in_the_own_turn(browser: Browser, server: Server) -> None:
    pair = Two(browser, server, **PHONE)
    pair.page.locator("g.sign[data-room='5']").evaluate(
        """sign => {
          const box = sign.getBoundingClientRect();
          const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true };
          const under = document.elementFromPoint(at.clientX, at.clientY);
          under.dispatchEvent(new PointerEvent("click", { ...at, pointerType: "touch", detail: 1 }));
        }"""
    )
    expect(card(pair.page)).to_contain_text(TIE)
    expect(pair.page.locator("g.why")).to_have_count(0)
    pair.lola.close()


@pytest.mark.deep
def test_signs_and_sums_hide_no_number_of_a_token(browser: Browser, server: Server) -> None:
    page = opened(guest(browser, server, server.open("lumens-full"), (0,)))
    marks, numbers, hidden = page.evaluate(COVERED_NUMBERS)
    assert marks > 11
    assert numbers > 20
    assert hidden == 0
    # Nowhere does a zero look like the letter O.
    assert page.evaluate(OTHER_FIGURES) == []
    # Nor is anything told by its coordinates.
    log = page.get_by_role("region", name=say("web.log"))
    expect(log).to_contain_text("room")
    assert not re.search(r"\d+,\d+", log.inner_text())


def test_at_a_shared_screen_nobody_reads_what_another_drew(browser: Browser, server: Server) -> None:
    table = server.make("lumens", ("Aline",), ("Lola",), start=True, options={"first": 0})
    page = guest(browser, server, table, (0, 1))
    log = page.get_by_role("region", name=say("web.log"))
    for who in ("Aline", "Lola", "Aline"):
        page.get_by_role("button", name=say("web.curtain.open", who=who)).click()
        ply = asked(page)
        assert ply
        for place in places(page)[:1]:
            cell(page, place).click()
        page.locator("[data-commit]").click()
        made(page, ply)
    page.get_by_role("button", name=say("web.curtain.open", who="Lola")).click()
    for more in log.get_by_role("button", name=say("web.log.more")).all():
        more.click()
    expect(log).to_contain_text(re.compile(r"Lola draws a token with \d and \d"))
    expect(log).to_contain_text(say("lumens.event.drew.hidden", who="Aline"))
    expect(log).not_to_contain_text(re.compile(r"Aline draws a token with"))
