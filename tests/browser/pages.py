"""What may not be on any page in any state: faults of layout, of words, and what axe finds."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Page
from tiers import IS_DEEP

from .guests import violations

Size = tuple[int, int]
WIDE = (1440, 900)
PHONES = ((360, 740), (375, 667), (390, 844), (412, 915))
TABLETS = ((768, 1024), (834, 1194))
ALL_SIZES: tuple[Size, ...] = (
    WIDE, *PHONES, *TABLETS, *((height, width) for width, height in (*PHONES[1:3], *TABLETS)),
)  # fmt: skip
"""A desktop, and phones and tablets both ways."""
TIGHT = (PHONES[0], (667, 375))
LARGE = (TABLETS[0], WIDE, (1194, 834))
ZOOMED = (WIDE[0] // 2, WIDE[1] // 2)
"""What a desktop zoomed to 200 % leaves for a page."""
TOUCHED = 1200
"""Pages up to this width are touched with fingers."""
LANGUAGES = ("en", "fr")
LOOKS = ((WIDE, "night"), ((375, 667), "day"), (WIDE, "day"), ((375, 667), "night"))
"""How axe looks at a state: it takes a second for a page, so each state is looked at in one of these ways, in turn."""
AXE_STRIDE = 1 if IS_DEEP else 6
"""Axe looks at one state of a journey in so many, the first among them."""

FAULTS = (Path(__file__).parent / "faults.js").read_text(encoding="utf-8").strip().removesuffix(";")

SETTLED = """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.allSettled(document.getAnimations().filter(one => one instanceof CSSTransition).map(one => one.finished)))"""
"""Two frames after a change of size, and once all that slides to its new place is there."""

NOTATION = {
    "lanternes": r"-?\d+,-?\d+|\d@|\b[WORPBGK]{3,}\b\*?",
    "dice": r"\b[a-i][1-6][ab]?\b|\w@\w|\bE[1-3]\b|\b[1-3][AB]\b",
    "lumens": r"-?\d+,-?\d+|\d@",
    "iles": r"\b(column|colonne) 0\b|\bslot\b|\d@\d|\?\d",
}
"""What moves and places look like where programs and experts write them, by game."""

WORDS = """() => {
  const hidden = "[data-notation], code, dialog [data-share], .unseen input";
  const words = [document.body.innerText];
  for (const one of document.querySelectorAll("[aria-label], [title], .unseen"))
    if (!one.closest(hidden)) words.push(one.getAttribute("aria-label") ?? "", one.title ?? "", one.textContent ?? "");
  return words.join("\\n");
}"""


def sizes_by_language(turn: int) -> dict[str, tuple[Size, ...]]:
    """
    Return in which languages, and at which sizes in each, to look at the state number `turn` of a journey.

    In French, whose words are longer, at the smallest size one state, the next in English at a desktop's or a tablet's;
    the smallest is one way and the other in turn. With --deep, all sizes in both.
    """
    if IS_DEEP:
        return dict.fromkeys(LANGUAGES, ALL_SIZES)
    return {"en": (LARGE[turn // 2 % len(LARGE)],)} if turn % 2 else {"fr": (TIGHT[turn // 2 % len(TIGHT)],)}


def speak(page: Page, language: str) -> None:
    """Switch the language of a page in place, as another tab would; the page that is shown offline speaks both."""
    spoken = page.evaluate("() => (navigator.onLine && document.documentElement.dataset.words) || null")
    if spoken in (None, language):
        return
    page.evaluate(
        """language => {
          const kept = JSON.parse(localStorage.getItem("lampion.settings"));
          localStorage.setItem("lampion.settings", JSON.stringify({ ...kept, language }));
          dispatchEvent(new StorageEvent("storage", { key: "lampion.settings" }));
        }""",
        language,
    )
    page.wait_for_function("language => document.documentElement.dataset.words === language", arg=language)


def layout_faults(page: Page, sizes: tuple[Size, ...]) -> list[str]:
    """Return what is wrong with the layout of a page at any of the sizes, each with where."""
    found = []
    tools = page.context.new_cdp_session(page)
    for width, height in sizes:
        touch = width < TOUCHED
        tools.send("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        page.set_viewport_size({"width": width, "height": height})
        faults = page.evaluate(f"{SETTLED}.then(() => ({FAULTS})({json.dumps({'touch': touch})}))")
        found += [f"{width} x {height}: {fault}" for fault in faults]
    tools.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    tools.detach()
    return found


def large_faults(page: Page) -> list[str]:
    """Return what is wrong with the layout of a page that is zoomed to 200 %, and of one with text of 200 %."""
    found = [f"zoom 200 %, {one}" for one in layout_faults(page, (ZOOMED,))]
    page.evaluate("() => (document.documentElement.style.fontSize = '200%')")
    found += [f"text 200 %, {one}" for one in layout_faults(page, (WIDE, TABLETS[0]))]
    page.evaluate("() => (document.documentElement.style.fontSize = '')")
    return found


def notation_faults(page: Page, game: str | None) -> list[str]:
    """Return words on a page that only programs and experts read."""
    if game not in NOTATION:
        return []
    words = page.evaluate(WORDS)
    return [
        f"notation: {words[max(0, one.start() - 30) : one.end() + 20]!r}" for one in re.finditer(NOTATION[game], words)
    ]


def axe_faults(page: Page, turn: int, only: Size | None) -> list[str]:
    """Return what axe finds in the state number `turn` of a journey, at the only size at which it can be or at one."""
    if turn % AXE_STRIDE:
        return []
    size, theme = LOOKS[turn // AXE_STRIDE % len(LOOKS)]
    width, height = only or size
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
    found = [f"{width} px, {theme}: {one}" for one in violations(page)]
    page.evaluate("() => (document.documentElement.dataset.theme = 'night')")
    return found
