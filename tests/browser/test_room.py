"""The room and all that surrounds a board: from the door to a game, with friends, and back after a mishap."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Person, Server
from tiers import daily

from .guests import guest, watch

PAGES = Path(__file__).resolve().parents[2] / "src" / "lampion" / "server" / "pages"
GAMES = {"lanternes": "Lanternes", "dice": "Lanternes Dice", "lumens": "Lumens", "iles": "1001 Îles"}


@pytest.mark.parametrize("game", daily(GAMES, "dice"))
def test_two_presses_lead_from_the_door_to_a_game(browser: Browser, server: Server, game: str) -> None:
    page = guest(browser, server)
    complaints = watch(page)
    page.get_by_role("button", name=f"Play {GAMES[game]}", exact=True).click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".layout")).to_be_visible(timeout=60_000)
    expect(page.locator(".bar .say")).not_to_be_empty()
    assert complaints == []


def test_a_friend_comes_by_the_link_and_the_host_starts(browser: Browser, server: Server) -> None:
    host = guest(browser, server, name="Aline")
    host.get_by_role("button", name="Invite friends to Lumens").click()
    host.get_by_role("button", name="Make the table").click()
    link = host.get_by_label("Link", exact=True).input_value()
    expect(host.get_by_alt_text("Code for a camera with the link")).to_have_js_property("complete", True)
    assert host.get_by_alt_text("Code for a camera with the link").evaluate("image => image.naturalWidth") > 0
    friend = guest(browser, server, language="fr")
    friend.goto(link)
    friend.reload()
    friend.get_by_label("Votre nom").fill("Paul")
    friend.get_by_role("button", name="S’asseoir ici").click()
    expect(host.get_by_text("Everybody is here.")).to_be_visible()
    host.get_by_role("button", name="Start").click()
    for page in (host, friend):
        expect(page.locator(".layout")).to_be_visible(timeout=60_000)
    assert "Paul" in host.locator(".layout").inner_text()


@pytest.mark.parametrize("end", daily((Server.kill, Server.stop), Server.kill))
def test_a_page_comes_back_by_itself_when_the_server_was_gone(
    browser: Browser, tmp_path: Path, end: Callable[[Server], None]
) -> None:
    server = Server(tmp_path / "lampion.db")
    try:
        made = server.make("dice", ("Aline",), ("Paul",), start=True)
        page = guest(browser, server, made, (0,))
        expect(page.locator(".layout")).to_be_visible(timeout=60_000)
        port = server.port
        end(server)
        expect(page.get_by_text("The connection is lost.")).to_be_visible()
        server.start(port)
        expect(page.get_by_text("Connected")).to_be_visible(timeout=60_000)
        expect(page.get_by_text("The connection is lost.")).to_have_count(0)
        paul = Person(server, made["table"], made["tokens"]["1"])
        assert paul.ask("greet", seat=1, emoji="👏")["say"] == "done"
        expect(page.get_by_text("Paul reacts: applause")).to_be_visible()
        page.reload()
        expect(page.get_by_text("Paul reacts: applause")).to_be_visible(timeout=60_000)
    finally:
        server.stop()


@pytest.mark.deep
def test_who_waits_for_a_game_that_is_compiled_is_told_so(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a server that was updated, say: the tables are there, and the games are not compiled yet."""
    other = Server(tmp_path / "lampion.db")
    try:
        made = other.make("iles", ("Aline",), ("Paul",), start=True)
        other.stop()
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
        other.start()
        page = guest(browser, other, made, (0,))
        expect(page.get_by_role("status").filter(has_text="Setting this game up")).to_be_visible()
    finally:
        other.stop()


def test_a_cut_line_is_told_and_mended(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), "spark", start=True)
    page = guest(browser, server, made, (0,))
    expect(page.locator(".layout")).to_be_visible(timeout=60_000)
    page.context.set_offline(True)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_text("The connection is lost.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Connected")).to_be_visible()


def test_language_and_colours_change_in_place_and_stay(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), "spark", start=True)
    page = guest(browser, server, made, (0,))
    expect(page.get_by_text("The game begins.")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Light colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "day")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("fr")
    page.keyboard.press("Escape")
    expect(page.get_by_text("La partie commence.")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.reload()
    expect(page.get_by_text("La partie commence.")).to_be_visible(timeout=60_000)
    expect(page.locator("html")).to_have_attribute("data-theme", "day")


def test_between_people_at_one_screen_a_curtain_hides_the_hands(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), ("Paul",), start=True)
    page = guest(browser, server, made, (0, 1))
    first = page.get_by_role("button", name=re.compile("I am (Aline|Paul): show my side"))
    expect(first).to_be_visible(timeout=60_000)
    assert not page.evaluate("!!document.querySelector('[data-hand]')")
    first.click()
    expect(page.locator(".say")).to_contain_text(re.compile("Your turn, (Aline|Paul)"))


def test_a_seat_moves_to_another_device_by_a_link_that_works_once(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), "spark", start=True)
    page = guest(browser, server, made, (0,))
    expect(page.locator(".layout")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Move Aline's seat to another device").click()
    link = page.get_by_label("Link", exact=True).input_value()
    phone = guest(browser, server, size=(375, 667), touch=True)
    phone.goto(link)
    phone.reload()
    expect(phone.locator(".say")).to_contain_text("Your turn.", timeout=60_000)
    expect(phone).not_to_have_url(re.compile(re.escape(link.rpartition("/")[2])))
    expect(page.get_by_text("Your turn.")).to_have_count(0)
    other = guest(browser, server)
    other.goto(link)
    other.reload()
    expect(other.get_by_text("This link was used already").first).to_be_visible()


def test_a_table_that_is_not_there_is_told(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    page.goto(f"http://localhost:{server.port}/#t/nowhereatall")
    page.reload()
    expect(page.get_by_text("There is no such table.")).to_be_visible()
    expect(page.get_by_text("Reconnecting")).to_have_count(0)
    expect(page.get_by_text("One moment")).to_have_count(0)


def test_nonsense_in_the_field_for_a_link_gets_a_reason(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    page.get_by_label("A table's link").fill("what? <b>")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_have_text("That is not the link of a table.")


def test_the_page_can_be_installed(server: Server) -> None:
    manifest = json.loads((PAGES / "manifest.webmanifest").read_text(encoding="utf-8"))
    for icon in manifest["icons"]:
        assert (PAGES / icon["src"]).is_file()
    assert server.request("/manifest.webmanifest")[0] == 200
    assert server.request("/worker.js")[0] == 200


def test_without_a_server_the_page_says_so(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path / "lampion.db")
    page: Page = guest(browser, server)
    expect(page.get_by_role("heading", name="1001 Îles")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    server.stop()
    page.reload()
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()


@pytest.mark.parametrize("game", daily(GAMES, "lanternes"))
def test_no_key_reaches_the_board_behind_a_dialog_and_escape_closes_it(
    browser: Browser, server: Server, game: str
) -> None:
    options = {} if game == "dice" else {"first": 0}
    made = server.make(game, ("Aline",), ("Paul",), start=True, options=options)
    page = guest(browser, server, made, (0,))
    choices = page.locator("[data-place], [data-legal], [data-spot], [data-zone].legal, [data-turn]")
    expect(choices.first).to_be_visible(timeout=60_000)
    if game in ("lanternes", "iles"):
        choices.first.click()
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        before = aline.latest["table"]["ply"]
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Keys").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Close")).to_be_focused()
        dialog.locator("h2").click()
        for key in ("r", "n", "Enter", "u"):
            page.keyboard.press(key)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("button", name="Menu")).to_be_focused()
        assert aline.ask("greet", seat=0, emoji="👏")["say"] == "done"  # all that was sent before has been heard
        aline.hear_until(aline.seq)
        assert aline.latest["table"]["ply"] == before


@pytest.mark.deep
def test_after_settings_the_focus_is_where_it_was(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.make("lumens", ("Aline",), ("Paul",), start=True), (0,))
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Menu")).to_be_focused()


@pytest.mark.deep
def test_signs_are_put_away_without_showing_one(browser: Browser, server: Server) -> None:
    page = guest(
        browser, server, server.make("lumens", ("Aline",), ("Paul",), start=True), (0,), size=(375, 667), touch=True
    )
    signs = page.get_by_role("region", name="Send a reaction")
    for put_away in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator(".bars").tap(position={"x": 60, "y": 20}),
    ):
        page.get_by_role("button", name="Menu").tap()
        page.get_by_role("dialog").get_by_role("button", name="Send a reaction").tap()
        expect(signs).to_be_visible()
        put_away()
        expect(signs).to_have_count(0)


@pytest.mark.deep
def test_a_dialog_is_not_closed_by_a_drag_that_ends_beside_it(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    page.get_by_role("button", name="Play Lumens", exact=True).click()
    name = page.get_by_role("dialog").get_by_label("Your name")
    name.fill("Aline")
    box = name.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(8, 300, steps=3)
    page.mouse.up()
    expect(name).to_have_value("Aline")
    page.mouse.click(8, 300)
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.deep
def test_a_wrong_clock_is_shown_where_it_was_folded_away(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    page.get_by_role("button", name="Play Lumens", exact=True).click()
    page.get_by_text("Options").click()
    page.get_by_label("Time to think").select_option("move")
    page.get_by_label("Seconds for a move").fill("2")
    page.get_by_text("Options").click()
    expect(page.get_by_label("Seconds for a move")).not_to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_label("Seconds for a move")).to_be_visible()


@pytest.mark.deep
def test_who_comes_to_a_full_table_is_told_so_and_long_names_stay_on_the_screen(
    browser: Browser, server: Server
) -> None:
    made = server.make("lumens", ("W" * 24,), "open")
    host = guest(browser, server, made, (0,), size=(375, 667), touch=True)
    host.get_by_label("A bot for seat 2").select_option("spark")
    expect(host.get_by_role("button", name="Start")).to_be_disabled()
    host.get_by_role("button", name="Put a bot here").tap()
    expect(host.get_by_text("Everybody is here.")).to_be_visible()
    assert host.evaluate("() => document.documentElement.scrollWidth") <= 375
    right = host.evaluate(
        "() => Math.max(...[...document.querySelectorAll('main button')].map(one => one.getBoundingClientRect().right))"
    )
    assert right <= 375
    late = guest(browser, server, made)
    expect(late.get_by_text("Every seat is taken")).to_be_visible()


def test_a_guest_reads_who_invites_them_to_what(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.make("lumens", ("Marie",), "open"), size=(360, 740), touch=True)
    expect(page.get_by_role("heading", name="Marie invites you to Lumens")).to_be_visible()
    expect(page.get_by_text("2 players · 30 minutes")).to_be_visible()
    lit = page.locator(".lantern.lit")
    expect(lit).to_have_count(1)
    page.get_by_role("button", name="Sit here").tap()
    expect(lit).to_have_count(2)


@pytest.mark.deep
def test_who_watches_is_told_so_and_why(browser: Browser, server: Server) -> None:
    made = server.make("lumens", ("Aline",), ("Paul",), start=True)
    for size in ((1440, 900), (360, 740)):
        page = guest(browser, server, made, size=size)
        page.get_by_label("You are watching").click(force=True)  # it only explains itself
        expect(page.get_by_text("No seat at this table is yours")).to_be_visible()
    page = guest(browser, server, made, (0,))
    expect(page.locator(".layout")).to_be_visible()
    expect(page.get_by_label("You are watching")).to_have_count(0)


def test_a_link_for_this_machine_alone_says_how_the_house_can_be_reached(browser: Browser, server: Server) -> None:
    page = guest(browser, server, server.make("lumens", ("Aline",), "open"), (0,))
    expect(page.get_by_text("lampion serve --lan")).to_be_visible()


@pytest.mark.deep
def test_in_the_house_the_link_is_one_that_works_there(browser: Browser, tmp_path: Path) -> None:
    """Also for whoever came by an address of this machine."""
    server = Server(tmp_path / "lampion.db", "--lan")
    try:
        about = server.get("/api/server")
        if about.get("alone"):
            pytest.skip("this machine is in no network")
        made = server.make("lumens", ("Aline",), "open")
        page = guest(browser, server, made, (0,))
        expect(page.get_by_label("Link", exact=True)).to_have_value(f"{about['address']}#t/{made['table']}")
        code = page.get_by_alt_text("Code for a camera with the link")
        page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=code.element_handle())
        expect(page.get_by_text("lampion serve --lan")).to_have_count(0)
    finally:
        server.stop()


def test_five_seats_never_hide_the_start(browser: Browser, server: Server) -> None:
    page = guest(browser, server, size=(360, 640), touch=True, language="fr")
    page.get_by_role("button", name="Jouer à 1001 Îles").click()
    page.locator("fieldset label").last.click()
    expect(page.get_by_label("Force du robot à la place 5")).to_be_attached()
    expect(page.get_by_role("button", name="Commencer")).to_be_in_viewport(ratio=1)


@pytest.mark.deep
def test_fireworks_are_chosen_by_picture_and_four_of_them(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    page.get_by_role("button", name="Play Lanternes Dice").click()
    page.get_by_text("Options").click()
    page.get_by_label("corner").uncheck(force=True)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("3 of 4 chosen")).to_be_visible()
    page.get_by_label("cross").check(force=True)
    page.get_by_label("Sheets by seat: Guest").select_option("B")
    expect(page.get_by_label("Sheets by seat: Candle")).to_have_value("A")
    with page.expect_response(re.compile("api/tables$")) as made:
        page.get_by_role("button", name="Start").click()
    options = server.get(f"/api/tables/{made.value.json()['table']}")["options"]
    assert sorted(options["fireworks"]) == ["cross", "cup", "square", "tee"]
    assert options["sheets"] == "BA"


def test_an_edition_can_be_downloaded_and_played_with(browser: Browser, server: Server, tmp_path: Path) -> None:
    page = guest(browser, server, known="")
    page.get_by_role("button", name="Play Lumens", exact=True).click()
    page.get_by_text("Options").click()
    page.get_by_text("Seldom needed").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download our list").click()
    mine = tmp_path / "mine.toml"
    download.value.save_as(mine)
    ours = mine.read_text(encoding="utf-8")
    mine.write_text("nothing = 1\n", encoding="utf-8")
    page.locator("dialog input[type=file]").set_input_files(mine)
    expect(page.get_by_text("mine.toml")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    refused = page.locator("dialog .problem")
    expect(refused).to_be_visible()
    mine.write_text(ours.replace("first = 4", "first = 6"), encoding="utf-8")
    page.locator("dialog input[type=file]").set_input_files(mine)
    expect(refused).to_have_count(0)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".layout")).to_be_visible()
    expect(page.locator("header .facts")).to_contain_text("your own box")
    expect(page.locator("[data-goal]")).to_have_count(0)  # its numbers are those of our box
