"""A position of 1001 Îles as SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lampion.games import art
from lampion.games.iles.components import DREAM_NAMES, ELEMENT_NAMES, LETTERS, PILE_NAMES, tile_words
from lampion.games.iles.knowledge import secret_slots
from lampion.games.iles.scoring import GEM_COLUMNS, GEM_ROWS, GENIE, points
from lampion.games.iles.state import (
    CELLS,
    COLUMNS,
    DREAM,
    LAMP,
    NONE,
    PILES,
    ROUNDS_OF_A_PILE,
    TAKE,
    open_columns,
    round_size,
)
from lampion.games.iles.view import held_dreams, secret_from, tiles_left
from lampion.locale import say

SIZE = 60.0
GAP = 3.0
MARGIN = 24.0
PANEL = 6 * SIZE + 5 * GAP + 44
PANEL_HEIGHT = 3 * SIZE + 2 * GAP + 62
TABLE_HEIGHT = 152.0

GROUNDS = (
    '<path d="M0 0h100v100H0z" fill="#cfe3ea"/><path d="M0 62 22 40l16 15 24-31 20 26 18-8v58H0z" fill="#c9b58d" '
    'stroke="#7d6a4a" stroke-width="1.4" stroke-linejoin="round"/>'
    '<path d="M0 72q25-10 50 0t50 0v28H0z" fill="#ecd8a6"/>',
    '<path d="M0 0h100v100H0z" fill="#ecd8a6"/><path d="M0 30q25-12 50 0t50 0M0 78q25-10 50 0t50 0M70 58q8-7 16 0" '
    'fill="none" stroke="#c9ae73" stroke-width="1.6"/>',
    '<path d="M0 0h100v100H0z" fill="#ecd8a6"/><path d="M0 80q12.500-10 25 0t25 0t25 0t25 0v20H0z" fill="#7fb9c9" '
    'stroke="#fff" stroke-width="2.500"/>',
)
PLACES = (
    (),
    ((50, 50, 56),),
    ((29, 50, 42), (71, 50, 42)),
    ((27, 32, 38), (73, 32, 38), (50, 69, 38)),
    ((28, 29, 36), (72, 29, 36), (28, 69, 36), (72, 69, 36)),
)
"""The centres and sizes of the pictograms of a tile, by their number."""
NIGHT_BLUE, GOLD, CLOUD = "#1e2b4d", "#ffd489", "#f3ecda"
FRAME = '<rect x=".8" y=".8" width="98.400" height="98.400" rx="7" fill="none" stroke="#4a3c26" stroke-width="1.6"/>'


@cache
def definitions() -> str:
    """Return the definitions of our pictograms, each on a grid of 24, and of the outline of a tile."""
    drawn = Path(__file__).with_name("pictograms.svg").read_text(encoding="utf-8")
    symbols = "".join(re.findall(r"<symbol.*?</symbol>", drawn, re.DOTALL)).replace('id="', 'id="iles-')
    return f'<defs>{symbols}<clipPath id="iles-tile"><rect width="100" height="100" rx="7"/></clipPath></defs>'


def pictogram(name: str, x: float, y: float, size: float) -> str:
    """Draw a pictogram round its centre."""
    return f'<use href="#iles-{name}" x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"/>'


def framed(inside: str, x: float, y: float, size: float, title: str) -> str:
    """Draw a tile of a hundred units, with its name for screen readers."""
    return (
        f'<svg x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" viewBox="0 0 100 100">'
        f'<title>{art.escape(title)}</title><g clip-path="url(#iles-tile)">{inside}</g>{FRAME}</svg>'
    )


def island_drawing(box: Any, row: int, tile: int, x: float, y: float, size: float) -> str:
    """Draw an island tile: sky, sand or shore, and its elements; the lamp on a light disc."""
    elements = [i for i, count in enumerate(box.elements[row, tile]) for _ in range(int(count))]
    parts = [GROUNDS[row]]
    for element, (cx, cy, wide) in zip(elements, PLACES[len(elements)], strict=True):
        if element == LAMP:
            parts.append(
                f'<circle cx="{cx}" cy="{cy}" r="{wide * 0.62:g}" fill="#fff6d6" stroke="#e09a1a" stroke-width="1.6"/>'
            )
        parts.append(pictogram(ELEMENT_NAMES[element], cx, cy, wide))
    return framed("".join(parts), x, y, size, tile_words("".join(LETTERS[element] for element in elements)))


def genie_drawing(x: float, y: float, size: float) -> str:
    """Draw an island tile turned over."""
    inside = (
        f'<rect width="100" height="100" rx="7" fill="{NIGHT_BLUE}"/>'
        '<path d="M0 0 100 100M100 0 0 100" stroke="#3a4c7d"/>'
        f'<circle cx="50" cy="50" r="33" fill="#2a3b68" stroke="{GOLD}" stroke-width="1.500"/>'
        f"{pictogram('genie', 50, 50, 46)}"
    )
    return framed(inside, x, y, size, say("iles.picture.down"))


def back_drawing(x: float, y: float, size: float) -> str:
    """Draw a tile on the table that the viewer has not seen."""
    inside = f'<rect width="100" height="100" rx="7" fill="{NIGHT_BLUE}"/>' + art.words(
        "?", 50, 68, 52, fill=GOLD, title=True, anchor="middle"
    )
    return framed(inside, x, y, size, say("iles.picture.face_down"))


def dream_drawing(box: Any, dream: int, x: float, y: float, size: float) -> str:
    """Draw a dream: a night card with a cloud, what it counts, and its points."""
    worth = [int(n) for n in box.worth[dream][:4]]
    last = max((count for count, points in enumerate(worth) if points), default=0)
    points_text = ", ".join(f"{count}→{worth[count]}" for count in range(1, last + 1))
    if dream in (GEM_COLUMNS, GEM_ROWS):
        points_text = " · ".join(map(str, worth[1:4]))
    if dream in (GEM_COLUMNS, GEM_ROWS):
        upright = dream == GEM_COLUMNS
        inside = "".join(
            pictogram(gem, *((50, 24 + 17 * i, 16) if upright else (30 + 20 * i, 44, 18)))
            for i, gem in enumerate(ELEMENT_NAMES[-3:])
        )
        frame = "M38 13.500h24v55H38z" if upright else "M17 32.500h66v23H17z"
        inside += f'<path d="{frame}" fill="none" stroke="#8a6a20" stroke-width="1.800" stroke-dasharray="3 2.500"/>'
    else:
        name = "genie" if dream == GENIE else ELEMENT_NAMES[box.of[dream]]
        inside = pictogram(name, 50, 42, 44)
        if all(int(box.worth[dream, n]) == n * worth[1] for n in range(CELLS)):
            points_text = say("iles.picture.each", number=worth[1])
    drawn = (
        f'<rect width="100" height="100" rx="8" fill="{NIGHT_BLUE}"/>'
        f'<path d="M22 68a17 17 0 0 1-4-33 20 20 0 0 1 30-17 20 20 0 0 1 34 12 19 19 0 0 1-2 38z" '
        f'transform="translate(3.4 2.4) scale(.925 .95)" fill="{CLOUD}"/>'
        f'<circle cx="14" cy="75" r="3.5" fill="{CLOUD}"/>{inside}'
        + art.words(points_text, 52, 92, 15, fill=GOLD, title=True, anchor="middle")
    )
    return framed(drawn, x, y, size, tile_words(DREAM_NAMES[dream]))


def tile_drawing(box: Any, pile: int, tile: int, x: float, y: float, size: float) -> str:
    """Draw a tile of any kind, face up."""
    return dream_drawing(box, tile, x, y, size) if pile == DREAM else island_drawing(box, pile, tile, x, y, size)


def place_drawing(x: float, y: float, size: float, *, open: bool) -> str:
    """Draw a place without a tile; an open one has the flame's dots."""
    lit = f'stroke="{art.FLAME}" stroke-width="2" stroke-linecap="round" stroke-dasharray=".1 6"'
    quiet = f'stroke="{art.LINE}" stroke-width="1.2" stroke-dasharray="5 4"'
    return (
        f'<rect x="{x + 2:g}" y="{y + 2:g}" width="{size - 4:g}" height="{size - 4:g}" rx="5" fill="none" '
        f"{lit if open else quiet}/>"
    )


def draw_svg(box: Any, state: Any, viewer: int, names: Sequence[str]) -> str:
    """Draw the piles and the table, and under them the dreams and islands of all players, two beside each other."""
    parts = [definitions(), table_drawing(box, state, viewer)]
    for seat in range(state.players):
        x = MARGIN + seat % 2 * (PANEL + MARGIN)
        y = MARGIN + TABLE_HEIGHT + seat // 2 * (PANEL_HEIGHT + MARGIN)
        parts.append(seat_drawing(box, state, seat, names[seat], x, y))
    rows = (int(state.players) + 1) // 2
    height = MARGIN + TABLE_HEIGHT + rows * (PANEL_HEIGHT + MARGIN)
    return art.svg(2 * PANEL + 3 * MARGIN, height, say("iles.name"), parts)


def table_drawing(box: Any, state: Any, viewer: int) -> str:
    """Draw four piles with their counts, and the tiles on offer with the numbers of their slots."""
    parts = [art.words(say("iles.picture.piles_title"), MARGIN, MARGIN + 16, 18, title=True)]
    top = MARGIN + 30
    for pile in range(PILES):
        x = MARGIN + pile * (SIZE + 14)
        inside = GROUNDS[pile] if pile != DREAM else ""
        if pile == DREAM:
            inside = f'<rect width="100" height="100" rx="7" fill="{NIGHT_BLUE}"/>' + pictogram("genie", 50, 50, 60)
        parts.append(framed(inside, x, top, SIZE, say(f"iles.pile.{PILE_NAMES[pile]}")))
        if pile == state.pile:
            parts.append(
                f'<rect x="{x - 4:g}" y="{top - 4:g}" width="{SIZE + 8:g}" height="{SIZE + 8:g}" rx="8" fill="none" '
                f'stroke="{art.FLAME}" stroke-width="2"/>'
            )
        parts.append(
            art.words(str(tiles_left(state, pile)), x + SIZE / 2, top + SIZE + 20, 15, bold=True, anchor="middle")
        )
    if state.pile == NONE:
        return "".join(parts)
    left = MARGIN + PILES * (SIZE + 14) + 24
    size = 78.0
    secret = secret_from(state, viewer)
    parts.append(art.words(say("iles.picture.offer"), left, MARGIN + 16, 18, title=True))
    for slot in range(round_size(state)):
        x = left + slot * (size + 10)
        if not state.table[slot]:
            parts.append(place_drawing(x, top, size, open=False))
        elif secret >> slot & 1:
            parts.append(back_drawing(x, top, size))
        else:
            parts.append(tile_drawing(box, int(state.pile), int(state.table[slot]) - 1, x, top, size))
            if secret_slots(state) >> slot & 1:
                parts.append(
                    f"<g><title>{art.escape(say('iles.picture.secret'))}</title>"
                    f'<circle cx="{x + size - 4:g}" cy="{top + 4:g}" r="12" fill="{NIGHT_BLUE}" stroke="{GOLD}"/></g>'
                )
                parts.append(art.words("?", x + size - 4, top + 10, 17, fill=GOLD, title=True, anchor="middle"))
        parts.append(art.words(str(slot), x + size / 2, top + size + 18, 14, fill=art.INK_2, anchor="middle"))
    return "".join(parts)


def seat_drawing(box: Any, state: Any, seat: int, name: str, x: float, y: float) -> str:
    """Draw a player: the island on the left, dreams on the right, and the points if the game ended now."""
    parts = [art.panel(x, y, PANEL, PANEL_HEIGHT, lit=seat == state.active), art.ribbon(seat, x + 12, y + 10)]
    lookout = f" ({say('iles.picture.lookout')})" if seat == state.lookout else ""
    parts.append(art.words(name + lookout, x + 44, y + 30, 17, bold=True))
    total = say("iles.picture.points", count=points(box, state, seat))
    parts.append(art.words(total, x + PANEL - 14, y + 30, 16, fill=art.FLAME, title=True, anchor="end"))
    return "".join(parts) + tiles_drawing(box, state, seat, x, y + 48)


def draw_boards(box: Any, state: Any, viewer: int) -> list[str]:
    """Return the dreams and the island of every player, in the order of seats."""
    return [
        art.svg(
            PANEL, 3 * SIZE + 2 * GAP + 28, say("iles.name"), [definitions(), tiles_drawing(box, state, seat, 0, 14)]
        )
        for seat in range(state.players)
    ]


def tiles_drawing(box: Any, state: Any, seat: int, x: float, top: float) -> str:
    """Draw the island of a player on the left and the dreams on the right, as the pages of the browser do."""
    parts = []
    dreams = held_dreams(state, seat)
    for place in range(ROUNDS_OF_A_PILE):
        px, py = x + 30 + (COLUMNS + place % 2) * (SIZE + GAP), top + place // 2 * (SIZE + GAP)
        if place < len(dreams):
            parts.append(dream_drawing(box, dreams[place], px, py, SIZE))
        else:
            parts.append(place_drawing(px, py, SIZE, open=False))
    for cell in range(CELLS):
        row, column = divmod(cell, COLUMNS)
        px, py = x + 14 + column * (SIZE + GAP), top + row * (SIZE + GAP)
        code = int(state.islands[seat, cell])
        if not code:
            asked = seat == state.active and row == state.pile and state.step >= TAKE
            parts.append(place_drawing(px, py, SIZE, open=bool(asked and open_columns(state, seat, row) >> column & 1)))
        elif int(state.down[seat]) >> cell & 1:
            parts.append(genie_drawing(px, py, SIZE))
        else:
            parts.append(island_drawing(box, row, code - 1, px, py, SIZE))
    return "".join(parts)
