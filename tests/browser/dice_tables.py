"""Tables of Lanternes Dice for Aline and Lola, and Aline's page at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Browser, Page
from server.people import Person, Server

from browser.dice_hands import BOARD, asked
from browser.guests import guest


class Two:
    """Aline and Lola at their sockets, where a game stands that is kept."""

    def __init__(self, server: Server, position: str) -> None:
        self.server = server
        self.made = server.open(position)
        self.people = [Person(server, self.made["table"], self.made["tokens"][seat]) for seat in ("0", "1")]

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


def tables(server: Server) -> Iterator[Callable[[str], Two]]:
    """What opens tables at positions; they are left when it is no longer needed."""
    opened: list[Two] = []

    def open_at(position: str) -> Two:
        opened.append(Two(server, position))
        return opened[-1]

    yield open_at
    for table in opened:
        table.close()


def seated(browser: Browser, table: Two, **settings: Any) -> Page:
    """Aline's page."""
    page = guest(browser, table.server, table.made, (0,), **settings)
    page.locator(BOARD).wait_for()
    asked(page)
    return page
