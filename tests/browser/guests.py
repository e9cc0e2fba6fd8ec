"""People at a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Route
from server.people import Server

from .moved_tables import OwnRooms

# Somebody who has played before: the goals of the games are known.
SETTINGS = {"language": "en", "theme": "night", "speed": "off", "confirm": True, "known": "lanternes dice lumens iles"}


def guest(
    browser: Browser,
    server: Server,
    made: dict[str, Any] | None = None,
    seats: tuple[int, ...] = (),
    *,
    size: tuple[int, int] = (1440, 900),
    touch: bool = False,
    pages: Path | None = None,
    **settings: Any,
) -> Page:
    """
    Open a page in a new browser context; with a table, at that table, holding exactly the given seats.

    Files are taken from the folder `pages`, where given, instead of from the server.
    """
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch)
    context.set_default_timeout(60_000)
    if pages is not None:
        serve_files(context, server.address, pages)
    kept = {"lampion.settings": {**SETTINGS, **settings}}
    address = server.address
    if made is not None:
        tokens = [made["tokens"][str(seat)] for seat in seats]
        known = {"id": made["table"], "game": "", "tokens": tokens, "host": made["host"] if seats else None, "at": 1}
        kept["lampion.tables"] = [known] if tokens else []  # type: ignore[assignment]
        address += f"#t/{made['table']}"
    for key, value in kept.items():
        name, text = json.dumps(key), json.dumps(json.dumps(value))
        context.add_init_script(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, {text})")
    page = context.new_page()
    if made is not None and isinstance(server, OwnRooms):
        server.move_table(page, made["table"])
    else:
        page.goto(address)
    return page


def serve_files(context: BrowserContext, address: str, pages: Path) -> None:
    """Answer every request of a context below an address, except those to the API, from a folder."""

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(address).partition("?")[0].partition("#")[0]
        route.fulfill(path=pages / (name or "index.html"))

    context.route(re.compile(f"^{re.escape(address)}(?!api/)"), answer)
    # Chromium does not know that such a page comes from this machine, and would refuse it a socket to it.
    context.grant_permissions(["local-network-access"])


AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SHOWN_TO_AXE = """async settings => {
  const shown = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  return (await axe.run(shown, settings)).violations;
}"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


def violations(page: Page) -> list[str]:
    """Return what axe finds wrong with a page as it is now; where a dialog is open, with the dialog."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    settings = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"], "preload": False}
    found = page.evaluate(SHOWN_TO_AXE, settings)
    return [
        f"{one['id']}: {node['html'][:160]} ({node['failureSummary'][:300]})" for one in found for node in one["nodes"]
    ]


@contextmanager
def held(page: Page) -> Iterator[None]:
    """Hold what moves on a page at its first frame, to be looked at for as long as that takes; then let it go on."""
    tools = page.context.new_cdp_session(page)
    tools.send("Animation.setPlaybackRate", {"playbackRate": 0})
    yield
    tools.send("Animation.setPlaybackRate", {"playbackRate": 1})


def watch(page: Page) -> list[str]:
    """Collects what a page complains of from now on: its own errors, and what the content policy forbids."""
    heard: list[str] = []
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("console", lambda said: heard.append(said.text) if said.type == "error" else None)
    return heard
