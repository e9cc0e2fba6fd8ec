"""An unfinished game is saved as a file, and played on at another table: of this room, or of another one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from lampion.page import site

from . import lumens_hands
from .guests import guest, watch
from .own_room import Host, make_here, plan


def save(page: Page, file: Path) -> Path:
    """Save the game that is open."""
    page.get_by_role("button", name="Menu").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Take this game with you").click()
    saved.value.save_as(file)
    page.wait_for_function("() => !history.state?.open")  # the menu has closed, and taken its entry back
    return file


def play_on(page: Page, address: str, file: Path, ply: str | None) -> str | None:
    """Open a saved game in a room, where so many moves were made; make one, and return how many there are then."""
    page.goto(address)
    page.locator("#room-file").set_input_files(file)
    lumens_hands.opened(page)
    assert lumens_hands.asked(page) == ply
    lumens_hands.play_a_move(page)
    return lumens_hands.asked(page)


@pytest.mark.deep
def test_a_game_is_taken_along_and_played_on_elsewhere(browser: Browser, server: Server, tmp_path: Path) -> None:
    page = guest(browser, server, server.make("lumens", ("Aline",), "spark", start=True), (0,))
    lumens_hands.opened(page)
    lumens_hands.play_a_move(page)
    ply, left = lumens_hands.asked(page), page.url
    play_on(page, server.address, save(page, tmp_path / "game.json"), ply)
    assert page.url != left
    # What is no game is refused, with the reason.
    page.goto(server.address)
    (tmp_path / "no.json").write_text("{}")
    page.locator("#room-file").set_input_files(tmp_path / "no.json")
    expect(page.get_by_role("alert")).to_be_visible()


@pytest.mark.deep
def test_a_game_goes_from_a_room_in_a_page_to_a_server_and_back(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(1) as pool:  # beside the event loop of the browser's tools
        pool.submit(site.write, tmp_path / "site", "/", ()).result()
    host = Host(tmp_path / "site")
    page = guest(browser, host)  # type: ignore[arg-type]
    faults = watch(page)
    make_here(page, plan("lumens", ("Aline",), "spark", start=True), (0,))
    lumens_hands.opened(page)
    lumens_hands.play_a_move(page)
    begun = lumens_hands.asked(page)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="to another device")).to_have_count(0)  # no link leads into this browser
    page.keyboard.press("Escape")
    page.wait_for_function("() => !history.state?.open")
    there = guest(browser, server)
    further = play_on(there, server.address, save(page, tmp_path / "begun.json"), begun)
    assert int(further or 0) > int(begun or 0)
    play_on(page, host.address, save(there, tmp_path / "further.json"), further)
    assert faults == []
    host.stop()


def test_a_game_with_people_at_other_screens_stays_where_it_is(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.make("lumens", ("Aline",), ("Lola",), start=True), (0,))
    lumens_hands.opened(page)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Invite and share")).to_be_visible()
    expect(page.get_by_role("button", name="Take this game with you")).to_have_count(0)
