"""SVG helpers and colours shared by all pictures of positions; every colour also has a shape or a letter.

Every lantern colour has its own shape and letter, every seat its ribbon and crest, so a grey print stays readable.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

LANTERNS = {
    "W": "#f7f7f7",
    "O": "#f6bc25",
    "R": "#cf0f2b",
    "P": "#7527a9",
    "B": "#4d79e1",
    "G": "#48c2a1",
    "K": "#1e2123",
}
ON_LIGHT, ON_DARK = "#141a2c", "#fff8e6"
NIGHT, SURFACE, LINE, WATER = "#0d1322", "#19223a", "#354262", "#111c33"
INK, INK_2, FLAME = "#f5ecda", "#bcc3d6", "#ffcb6b"
PAPER, PAPER_LINE, PAPER_INK = "#efe6d2", "#b9a988", "#262338"
SEATS = ("#f191b3", "#98b43c", "#98d6f7", "#bd6b3d", "#a99bc9")
SEAT_INK = "#1b1a2b"
SERIF = "Alegreya, Georgia, serif"
SANS = "'Alegreya Sans', 'Gill Sans', 'Segoe UI', sans-serif"

_SHAPES = {
    "W": '<circle r="9.2"/>',
    "O": '<path d="M0-11.3 10.8 7.3H-10.8z"/>',
    "R": '<path d="M0-11.2 10.4 0 0 11.2-10.4 0z"/>',
    "P": '<path d="M-4.6-10.8h9.2v6.2h6.2v9.2h-6.2v6.2h-9.2v-6.2h-6.2v-9.2h6.2z"/>',
    "B": '<path d="M-8.6-8.6h17.2v17.2h-17.2z"/>',
    "G": '<path d="M0-11.6 3.6-4.9 11-3.6 5.8 1.9 6.8 9.4 0 6.1-6.8 9.4-5.8 1.9-11-3.6-3.6-4.9z"/>',
    "K": '<path d="M-5.2-9h10.4L10.4 0 5.2 9H-5.2L-10.4 0z"/>',
}
_CRESTS = (
    '<path d="M4-5a6.5 6.5 0 1 0 0 10 5 5 0 1 1 0-10z"/>',
    '<path d="M0 6V-6M0 1-4-3M0 3l4-4M0-2l-3-3M0-3l3-3" fill="none" stroke-width="1.8"/>',
    '<path d="M-6-3q3-3 6 0t6 0M-6 1q3-3 6 0t6 0M-6 5q3-3 6 0t6 0" fill="none" stroke-width="1.6"/>',
    '<path d="M-7 5-1-6 2-1 4-4 7 5z"/>',
    '<path d="M-6 4a3 3 0 0 1 1-5.500 4 4 0 0 1 7.500-.500 3.200 3.200 0 0 1 1.500 6z"/>',
)


NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML does not allow or discourages."""


def escape(text: str) -> str:
    """Return a text escaped for XML; characters that XML does not allow become U+FFFD."""
    return html.escape(NOT_XML.sub("\ufffd", text))


def lantern(letter: str, x: float, y: float, size: float = 24, *, dim: bool = False, has_letter: bool = True) -> str:
    """Draw a lantern with its shape and letter; under 14 pixels without the letter."""
    ink = ON_LIGHT if letter in "WOG" else ON_DARK
    drop = 2.2 if letter == "O" else 0
    label = (
        f'<text y="{3.8 + drop}" font-size="10.6" font-weight="800" font-family="{SANS}" text-anchor="middle" '
        f'fill="{ink}" stroke="none">{letter}</text>'
        if has_letter and size >= 14
        else ""
    )
    return (
        f'<g transform="translate({x:g} {y:g}) scale({size / 24:g})" fill="{LANTERNS[letter]}" stroke="{ink}" '
        f'stroke-width="1.5" stroke-linejoin="round"{" opacity=" + chr(34) + ".35" + chr(34) if dim else ""}>'
        f"{_SHAPES[letter]}{label}</g>"
    )


def ribbon(seat: int, x: float, y: float, size: float = 22) -> str:
    """Draw a seat's swallow-tailed ribbon with its crest, from its upper left corner."""
    return (
        f'<g transform="translate({x:g} {y:g}) scale({size / 24:g})" stroke="{SEAT_INK}" stroke-linejoin="round">'
        f'<path d="M2 1.5h20v27L12 23.500 2 28.500z" fill="{SEATS[seat]}" stroke-width="1.2"/>'
        f'<g transform="translate(12 11.500)" fill="{SEAT_INK}" stroke-linecap="round">{_CRESTS[seat]}</g></g>'
    )


def words(text: str, x: float, y: float, size: float = 15, *, fill: str = INK, bold: bool = False, title: bool = False,
          anchor: str = "start") -> str:  # fmt: skip
    """Draw a line of text."""
    family = SERIF if title else SANS
    weight = 700 if bold or title else 500
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="{weight}" font-family="{family}" fill="{fill}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )


def panel(x: float, y: float, width: float, height: float, *, lit: bool = False) -> str:
    """Draw a panel, with a border in the flame's colour if it is `lit`."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="10" fill="{SURFACE}" '
        f'stroke="{FLAME if lit else LINE}" stroke-width="{2 if lit else 1}"/>'
    )


def svg(width: float, height: float, title: str, body: Iterable[str]) -> str:
    """Return a whole picture on the dark table, with its title for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img"><title>{escape(title)}</title>'
        f'<rect width="{width:g}" height="{height:g}" rx="16" fill="{NIGHT}"/>{"".join(body)}</svg>'
    )
