"""An unfinished game is saved as a file, and played on at another table."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from server.people import Server

from . import lumens_hands
from .guests import guest


def test_a_game_is_taken_along_and_played_on_elsewhere(browser: Browser, server: Server, tmp_path: Path) -> None:
    page = guest(browser, server, server.make("lumens", ("Aline",), "spark", start=True), (0,))
    lumens_hands.opened(page)
    lumens_hands.play_a_move(page)
    ply = lumens_hands.asked(page)
    page.get_by_role("button", name="Menu").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Take this game with you").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    left = page.url
    page.wait_for_function("() => !history.state?.open")  # the menu has closed, and taken its entry back
    page.goto(f"http://localhost:{server.port}{server.base}/")
    page.locator("#room-file").set_input_files(file)
    lumens_hands.opened(page)
    assert page.url != left
    assert lumens_hands.asked(page) == ply
    # What is no game is refused, with the reason.
    page.goto(f"http://localhost:{server.port}{server.base}/")
    (tmp_path / "no.json").write_text("{}")
    page.locator("#room-file").set_input_files(tmp_path / "no.json")
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_game_with_people_at_other_screens_stays_where_it_is(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.make("lumens", ("Aline",), ("Lola",), start=True), (0,))
    lumens_hands.opened(page)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Invite and share")).to_be_visible()
    expect(page.get_by_role("button", name="Take this game with you")).to_have_count(0)
