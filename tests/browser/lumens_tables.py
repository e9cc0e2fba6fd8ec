"""A table of Lumens for Aline and Lola, and what Aline's page shows there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page
from server.people import Person, Server

import lampion
from browser.guests import guest
from browser.lumens_hands import asked, opened
from lampion.locale import add_words

add_words(Path(lampion.__file__).parent / "games" / "lumens")

PHONE: dict[str, Any] = {"size": (375, 667), "touch": True}
START, OTHER_START = "0,8", "12,0"


class Two:
    """Aline at a page, Lola at a socket, at the small board. Aline is first; both have chosen their first face."""

    def __init__(self, browser: Browser, server: Server, has_begun: bool = True, **more: Any) -> None:
        self.table = server.make("lumens", ("Aline",), ("Lola",), start=True, options={"first": 0})
        self.lola = Person(server, self.table["table"], self.table["tokens"]["1"])
        if has_begun:
            with Person(server, self.table["table"], self.table["tokens"]["0"]) as aline:
                aline.move()
            self.lolas_turn()
            self.lola.move()
        self.page = opened(guest(browser, server, self.table, (0,), **more))
        assert asked(self.page)

    def lolas_turn(self) -> None:
        """Until Lola may move."""
        while not self.lola.view.get("moves"):
            self.lola.hear()


def card(page: Page) -> Locator:
    """What is told of the shown move."""
    return page.locator("[data-preview]:visible")


def ghost(page: Page) -> Locator:
    """The token that is not yet placed."""
    return page.locator("[data-ghost]").first


def token(page: Page, place: str) -> Locator:
    """The visible token of a place."""
    return page.locator(f'[data-token="{place}"]').first


def pairs(browser: Browser, server: Server) -> Iterator[Two]:
    """Both at their second token, until they are no longer needed."""
    pair = Two(browser, server)
    yield pair
    pair.lola.close()
    pair.page.context.close()
