"""Tables of Lanternes Dice where something is asked of Aline, and her page at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from playwright.sync_api import Browser, Page
from server.people import Person, Server

from browser.dice_hands import BOARD, asked
from browser.guests import guest
from browser.positions import kinds, tidy

Wanted = Callable[[dict[str, Any]], bool]


class Two:
    """Aline and Lola at their sockets, who fill their sheets pond by pond until something is asked of Aline."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.made = server.make("dice", ("Aline",), ("Lola",), start=True)
        self.people = [Person(server, self.made["table"], self.made["tokens"][seat]) for seat in ("0", "1")]

    def until(self, wanted: Wanted) -> bool:
        """Play on; false where the game ended without it."""
        aline = self.people[0]
        while aline.latest["table"]["status"] == "playing":
            if aline.view.get("moves") and wanted(aline.view):
                return True
            mover = next((person for person in self.people if person.view.get("moves")), None)
            if mover is None:
                aline.hear()
            else:
                self.wait(mover.move(partial(tidy, mover.view)))
        return False

    def wait(self, answer: dict[str, Any]) -> None:
        """Both have heard of a move."""
        assert answer["say"] == "done", answer
        for person in self.people:
            while person.seq < answer["seq"]:
                person.hear()

    def finish_the_turn(self) -> None:
        """Aline passes until all have decided; both hear of it."""
        aline = self.people[0]
        turn = aline.view["view"]["turn"]
        while aline.view["view"]["turn"] == turn:
            if not aline.view.get("moves"):
                aline.hear()
                continue
            answer = aline.move(lambda moves: next((move for move in moves if move["kind"] == "pass"), moves[0]))
            if answer["say"] == "done":  # else the page has moved meanwhile
                self.wait(answer)

    def close(self) -> None:
        """Leave the sockets."""
        for person in self.people:
            person.close()


def completing(view: dict[str, Any]) -> list[int]:
    """The zones that would complete a pond."""
    shaded = view["view"]["seats"][0]["shaded"]
    return [move["zone"] for move in view["moves"] if move["kind"] == "shade" and move["zone"] ^ 1 in shaded]


def platform(view: dict[str, Any]) -> bool:
    """Whether Aline may use a platform now."""
    return view["view"]["seats"][0]["platform"] is not None


def both_choose(view: dict[str, Any]) -> bool:
    """Both players are asked for the zone of their die."""
    return "shade" in kinds(view) and all(seat["step"] == "die" for seat in view["view"]["seats"])


def tables(server: Server) -> Iterator[Callable[[Wanted], Two]]:
    """What makes tables where something is asked of Aline; they are left when it is no longer needed."""
    opened: list[Two] = []

    def made(wanted: Wanted) -> Two:
        for _ in range(5):
            opened.append(Two(server))
            if opened[-1].until(wanted):
                return opened[-1]
        raise AssertionError("no such position in five games")

    yield made
    for table in opened:
        table.close()


def seated(browser: Browser, table: Two, **settings: Any) -> Page:
    """Aline's page."""
    page = guest(browser, table.server, table.made, (0,), **settings)
    page.locator(BOARD).wait_for()
    asked(page)
    return page
