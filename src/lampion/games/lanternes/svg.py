"""A position of Lanternes as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games import art
from lampion.games.core import EVERYTHING
from lampion.games.lanternes.scoring import points_of
from lampion.games.lanternes.state import (
    COLOURS,
    COMBINATIONS,
    LETTERS,
    REACH,
    SOUTH,
    WIDTH,
    hand_of,
    has_tile,
    held,
    neighbour,
    rewards_left,
    side_colour,
)
from lampion.games.lanternes.text import extent
from lampion.locale import say

TILE = 84.0
MARGIN = 24.0
RAIL = 330.0
ROW = 130.0
HANDS = 320.0


def tile_drawing(
    box: Any,
    tile: int,
    turn: int,
    x: float,
    y: float,
    size: float,
    met: Sequence[bool] = (),
    *,
    has_letters: bool = True,
) -> str:
    """Return a lake tile: water, half an oval of light on every side, its lantern upright, planks for a platform.

    `met` tells the sides that meet their own colour: the two halves are a whole oval, with a light rim.
    """
    parts = [
        f'<g transform="translate({x:g} {y:g}) scale({size / 100:g})">',
        '<rect width="100" height="100" rx="7" fill="#1b3156" stroke="#0d1830" stroke-width="1"/>',
        '<path d="M38 44q4-3 8 0t8 0M44 56q4-3 8 0t8 0" fill="none" stroke="#6f8fbf" stroke-opacity=".4"/>',
    ]
    for side in range(4):
        name = LETTERS[box.tiles[tile, (side - turn) & 3]]
        rim = "#fff2d0" if len(met) and met[side] else "#c9d2e0" if name == "K" else art.LANTERNS[name]
        width = 2.4 if len(met) and met[side] else 1
        parts.append(
            f'<path d="M15 0A35 31 0 0 0 85 0z" transform="rotate({90 * side} 50 50)" fill="{art.LANTERNS[name]}" '
            f'fill-opacity=".92" stroke="{rim}" stroke-width="{width}"/>'
        )
    for side, (cx, cy) in enumerate(((50, 15), (85, 50), (50, 85), (15, 50))):
        parts.append(art.lantern(LETTERS[box.tiles[tile, (side - turn) & 3]], cx, cy, has_letter=has_letters))
    if box.symbols[tile]:
        parts.append('<circle cx="50" cy="50" r="14.5" fill="#0d1830" fill-opacity=".8"/>')
        parts += [
            f'<rect x="40" y="{40 + 7 * i}" width="20" height="5" rx="1" fill="#d9a15b" stroke="#4a2d10"/>'
            for i in range(3)
        ]
    parts.append("</g>")
    return "".join(parts)


def draw_svg(box: Any, state: Any, viewer: int, names: Sequence[str]) -> str:
    """Return the lake, north at the top, and beside it everybody's cards, boats and points, as SVG."""
    west, east, south, north = extent(state)
    lake_width, lake_height = (east - west + 1) * TILE, (north - south + 1) * TILE
    rail_x = lake_width + 2 * MARGIN
    height = max(lake_height + 2 * MARGIN, 178 + ROW * int(state.players))
    parts = lake_drawings(box, state, west, north)
    border = {int(cell) for cell in state.border[: state.border_count]}
    for row in range(south, north + 1):
        for column in range(west, east + 1):
            cell = row * WIDTH + column
            x, y = MARGIN + (column - west) * TILE, MARGIN + (north - row) * TILE
            if cell in border and not has_tile(state, cell):
                parts.append(
                    f'<rect x="{x + 8:g}" y="{y + 8:g}" width="{TILE - 16:g}" height="{TILE - 16:g}" rx="6" '
                    f'fill="none" '
                    f'stroke="{art.FLAME}" stroke-opacity=".5" stroke-width="1.6" stroke-linecap="round" '
                    f'stroke-dasharray="0 6"/>'
                )
                label = f"{column - REACH},{row - REACH}"
                parts.append(art.words(label, x + TILE / 2, y + TILE / 2 + 4, 12, fill=art.INK_2, anchor="middle"))
    parts.append(rail(box, state, viewer, names, rail_x))
    hands = HANDS if viewer >= 0 or viewer == EVERYTHING else 0
    return art.svg(rail_x + RAIL + hands, height, say("lanternes.name"), parts)


def draw_boards(box: Any, state: Any, viewer: int) -> list[str]:
    """Return the lake alone, as far as tiles lie, with the side of the viewer down, without notation."""
    quarters = (SOUTH - int(box.sides[state.players, viewer])) & 3 if 0 <= viewer < state.players else 0
    cells = [cell for cell in range(len(state.lake)) if has_tile(state, cell)]
    seen = {cell: turned(cell % WIDTH, -(cell // WIDTH), quarters) for cell in cells}
    left, top = (min(at[axis] for at in seen.values()) for axis in (0, 1))
    width, height = (max(at[axis] for at in seen.values()) - least + 1 for axis, least in enumerate((left, top)))
    parts = []
    for cell, (x, y) in seen.items():
        code = int(state.lake[cell]) - 1
        met = met_sides(box, state, cell)
        parts.append(
            tile_drawing(
                box,
                code >> 2,
                code + quarters & 3,
                MARGIN + (x - left) * TILE,
                MARGIN + (y - top) * TILE,
                TILE,
                [met[(side - quarters) & 3] for side in range(4)],
                has_letters=False,
            )
        )
    return [art.svg(width * TILE + 2 * MARGIN, height * TILE + 2 * MARGIN, say("lanternes.name"), parts)]


def turned(x: int, y: int, quarters: int) -> tuple[int, int]:
    """Return a place, y downwards, after a number of clockwise quarter turns."""
    for _ in range(quarters):
        x, y = -y, x
    return x, y


def lake_drawings(box: Any, state: Any, west: int, north: int) -> list[str]:
    """Draw all tiles; `west` is the column at the left, `north` the row at the top."""
    parts = []
    for cell in range(len(state.lake)):
        if has_tile(state, cell):
            code = int(state.lake[cell]) - 1
            x, y = MARGIN + (cell % WIDTH - west) * TILE, MARGIN + (north - cell // WIDTH) * TILE
            met = met_sides(box, state, cell)
            parts.append(tile_drawing(box, code >> 2, code & 3, x, y, TILE, met))
    return parts


def met_sides(box: Any, state: Any, cell: int) -> list[bool]:
    """Return for each side of a tile whether it meets its own colour."""
    return [
        has_tile(state, neighbour(cell, side))
        and side_colour(box, state, cell, side) == side_colour(box, state, neighbour(cell, side), (side + 2) & 3)
        for side in range(4)
    ]


def rail(box: Any, state: Any, viewer: int, names: Sequence[str], x: float) -> str:
    """Return supply, rewards and seats, one under another."""
    parts = [art.words(say("lanternes.picture.supply_title"), x, 46, 20, title=True)]
    for colour in range(COLOURS):
        parts.append(art.lantern(LETTERS[colour], x + 14 + colour * 42, 72, dim=state.supply[colour] == 0))
        parts.append(art.words(str(state.supply[colour]), x + 14 + colour * 42, 102, 15, bold=True, anchor="middle"))
    tops = []
    for stack, name in enumerate(COMBINATIONS):
        left = rewards_left(box, state, stack)
        tops.append(f"{say('lanternes.category.' + name)} {left[0] if left else '–'}")
    parts.append(art.words(" · ".join(tops), x, 134, 14, fill=art.INK_2))
    for seat in range(state.players):
        y = 160 + seat * ROW
        parts.append(art.panel(x, y, RAIL - MARGIN, ROW - 12, lit=seat == state.active))
        parts.append(art.ribbon(seat, x + 12, y + 10))
        side = say(f"lanternes.side.{box.sides[state.players, seat]}")
        parts.append(art.words(f"{names[seat]} ({side})", x + 44, y + 30, 17, bold=True))
        points, boats = points_of(state, seat), int(state.boats[seat])
        totals = say("lanternes.picture.totals", points=points, boats=boats, cards=held(state, seat))
        parts.append(art.words(totals, x + 44, y + 50, 14, fill=art.FLAME))
        for colour in range(COLOURS):
            count = int(state.cards[seat, colour])
            parts.append(art.lantern(LETTERS[colour], x + 24 + colour * 40, y + 74, 20, dim=count == 0))
            parts.append(art.words(str(count), x + 24 + colour * 40, y + 102, 14, bold=True, anchor="middle"))
        if viewer in (seat, EVERYTHING):
            for i, tile in enumerate(hand_of(state, seat)):
                parts.append(tile_drawing(box, tile, 0, x + RAIL + i * 104 - 4, y + 10, 96))
    return "".join(parts)
