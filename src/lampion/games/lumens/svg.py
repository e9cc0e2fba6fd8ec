"""A position of Lumens as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lampion.games import art
from lampion.games.core import EVERYTHING
from lampion.games.lumens.components import LETTERS, kind_name, rooms_on
from lampion.games.lumens.scoring import leaders, points
from lampion.games.lumens.state import FACES, KINDS, NO_TOKEN, PASSAGE, PLACE, TOKENS, WIDTH
from lampion.games.lumens.view import standings, tokens_left
from lampion.locale import say

CELL = 44.0
LEFT, TOP = 76.0, 44.0
RAIL = 316.0
ROW = 132.0
STONE, DARK_ROOM, ROOM_INK, LIGHT = "#0f1627", "#1b2439", "#262b40", "#fff2d0"
RIM = "#14131f"
SIGNS = dict(
    zip(
        LETTERS,
        ("star", "bell", "key", "heart", "sun", "fish", "umbrella", "anchor", "pine", "hourglass", "crown"),
        strict=True,
    )
)
"""The sign of each room, as the pages of the browser have it."""


class Plan(NamedTuple):
    """The board as it is drawn: turned round where the viewer starts at its north side."""

    columns: int
    rows: int
    turned: bool = False

    def at(self, cell: int) -> tuple[int, int]:
        """Return the column and the row in which a cell is seen."""
        x, y = cell % WIDTH, cell // WIDTH
        return (self.columns - 1 - x, self.rows - 1 - y) if self.turned else (x, y)

    def middle(self, cell: int) -> tuple[float, float]:
        """Return the centre of a cell."""
        x, y = self.at(cell)
        return (x + 0.5) * CELL, (y + 0.5) * CELL


def plan_for(box: Any, players: int, viewer: int = EVERYTHING) -> Plan:
    """Return the board as a seat sees it, whose start is below; as anybody else does, north at the top."""
    columns, rows = int(box.columns[players]), int(box.rows[players])
    start = int(box.starts[players, viewer]) // WIDTH if 0 <= viewer < players else rows
    return Plan(columns, rows, 2 * start < rows - 1)


@cache
def definitions() -> str:
    """Return the definitions of the signs of the rooms, each on a grid of 24."""
    drawn = Path(__file__).with_name("pictograms.svg").read_text(encoding="utf-8")
    symbols = "".join(re.findall(r"<symbol.*?</symbol>", drawn)).replace('id="', 'id="lumens-')
    return f"<defs>{symbols}</defs>"


def mixed(colour: str, share: float, other: str) -> str:
    """Return two colours mixed, `share` of the first."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def token_drawing(seat: int, face: int, x: float, y: float, size: float) -> str:
    """Draw a token round its centre, its number on its owner's colour, with a rim for each seat."""
    ring = f'fill="none" stroke="{art.SEAT_INK}"'
    rims = (
        "",
        f'<circle r="{size * 0.355:g}" {ring} stroke-width="1.8" stroke-dasharray=".1 4" stroke-linecap="round"/>',
        f'<circle r="{size * 0.355:g}" {ring} stroke-width="1.5" stroke-dasharray="6 3.5"/>',
        f'<circle r="{size * 0.37:g}" {ring} stroke-width="1.1"/>'
        f'<circle r="{size * 0.315:g}" {ring} stroke-width="1.1"/>',
    )
    number = art.words(str(face), 0, size * 0.16, size * 0.48, fill=art.SEAT_INK, title=True, anchor="middle")
    return (
        f'<g transform="translate({x:g} {y:g})"><circle r="{size * 0.42:g}" fill="{art.SEATS[seat]}" stroke="{RIM}" '
        f'stroke-width="1.3"/>{rims[seat]}{number}</g>'
    )


def draw_svg(box: Any, state: Any, viewer: int, names: Sequence[str]) -> str:
    """Draw the board, north at the top, and beside it the points and tokens of all players."""
    players = int(state.players)
    width, height = board_size(box, players)
    plan = plan_for(box, players)
    board = [
        *coordinate_drawings(box, players),
        *board_drawings(box, state, plan),
        *ribbon_drawings(box, players),
        *(sums_drawing(box, state, room) for room in rooms_on(box, players)),
    ]
    if state.step == PLACE and viewer in (int(state.active), EVERYTHING):
        board += target_drawings(state, plan)
    rail_x = LEFT + width + 76
    parts = [f'<g transform="translate({LEFT:g} {TOP:g})">', *board, "</g>"]
    for seat in range(players):
        parts.append(seat_drawing(box, state, viewer, seat, names[seat], rail_x, 34 + seat * ROW))
    return art.svg(rail_x + RAIL, max(height + TOP + 34, 34 + ROW * players), say("lumens.name"), parts)


def draw_boards(box: Any, state: Any, viewer: int) -> list[str]:
    """Return the board alone as the viewer played on it, with the signs of its rooms."""
    players = int(state.players)
    width, height = board_size(box, players)
    plan = plan_for(box, players, viewer)
    signs = [sign_drawing(box, players, room, plan) for room in rooms_on(box, players)]
    parts = [definitions(), '<g transform="translate(24 24)">', *board_drawings(box, state, plan), *signs, "</g>"]
    return [art.svg(width + 48, height + 48, say("lumens.name"), parts)]


def board_size(box: Any, players: int) -> tuple[float, float]:
    """Return the width and the height of the board."""
    return int(box.columns[players]) * CELL, int(box.rows[players]) * CELL


def board_drawings(box: Any, state: Any, plan: Plan) -> list[str]:
    """Draw the passages, the rooms, the start markers and the tokens."""
    players = int(state.players)
    width, height = board_size(box, players)
    return [
        f'<rect x="-10" y="-10" width="{width + 20:g}" height="{height + 20:g}" rx="12" fill="{STONE}" '
        f'stroke="{art.LINE}" stroke-width="1.5"/>',
        *passage_drawings(box, players, plan),
        *(room_drawing(box, state, room, plan) for room in rooms_on(box, players)),
        *start_drawings(box, players, plan),
        *cell_drawings(state, plan),
    ]


def room_cells(box: Any, players: int, room: int, plan: Plan) -> list[tuple[int, int]]:
    """Return the cells of a room, or of the passages, as they are seen: (column, row)."""
    return [
        plan.at(y * WIDTH + x)
        for y in range(plan.rows)
        for x in range(plan.columns)
        if box.rooms[players, y * WIDTH + x] == room
    ]


def coordinate_drawings(box: Any, players: int) -> Iterable[str]:
    """Draw x above the board, y at its left."""
    for x in range(box.columns[players]):
        yield art.words(str(x), (x + 0.5) * CELL, -18, 12, fill=art.INK_2, anchor="middle")
    for y in range(box.rows[players]):
        yield art.words(str(y), -18, (y + 0.5) * CELL + 4, 12, fill=art.INK_2, anchor="end")


def passage_drawings(box: Any, players: int, plan: Plan) -> Iterable[str]:
    """Draw a dot on every cell of the passages."""
    for x, y in room_cells(box, players, PASSAGE, plan):
        yield f'<circle cx="{(x + 0.5) * CELL:g}" cy="{(y + 0.5) * CELL:g}" r="2" fill="#3a4768"/>'


def room_drawing(box: Any, state: Any, room: int, plan: Plan) -> str:
    """Draw a room lit in its leader's colour, in the flame's when several lead, dark when empty."""
    cells = room_cells(box, int(state.players), room, plan)
    area = "".join(f"M{x * CELL:g} {y * CELL:g}h{CELL:g}v{CELL:g}h{-CELL:g}z" for x, y in cells)
    leading = [seat for seat in range(state.players) if leaders(state, room) >> seat & 1]
    colour = art.SEATS[leading[0]] if len(leading) == 1 else art.FLAME
    base = mixed(colour, 0.36, ROOM_INK) if leading else DARK_ROOM
    parts = []
    if leading:
        for opacity, stroke in ((0.09, 34), (0.13, 21)):
            parts.append(
                f'<path d="{area}" fill="none" stroke="{colour}" stroke-opacity="{opacity}" stroke-width="{stroke}" '
                'stroke-linejoin="round"/>'
            )
    parts += [
        f'<path d="{area}" fill="none" stroke="{colour if leading else art.LINE}" stroke-width="11" '
        'stroke-linejoin="round"/>',
        f'<path d="{area}" fill="{base}" stroke="{base}" stroke-width="6" stroke-linejoin="round"/>',
        f'<path d="{area}" fill="none" stroke="{LIGHT}" stroke-opacity=".14"/>',
    ]
    return "".join(parts)


def start_drawings(box: Any, players: int, plan: Plan) -> Iterable[str]:
    """Draw a frame in the seat's colour round every start marker."""
    for seat in range(players):
        x, y = plan.at(int(box.starts[players, seat]))
        yield (
            f'<rect x="{x * CELL + 1.5:g}" y="{y * CELL + 1.5:g}" width="{CELL - 3:g}" height="{CELL - 3:g}" rx="4" '
            f'fill="none" stroke="{art.SEATS[seat]}" stroke-width="2.6"/>'
        )


def ribbon_drawings(box: Any, players: int) -> Iterable[str]:
    """Draw the ribbon of every seat outside the board, beside its start."""
    for seat in range(players):
        x, y = plan_for(box, players).at(int(box.starts[players, seat]))
        west = 2 * x < box.columns[players]
        yield art.ribbon(seat, -64 if west else int(box.columns[players]) * CELL + 16, (y + 0.5) * CELL - 14, 22)


def cell_drawings(state: Any, plan: Plan) -> Iterable[str]:
    """Draw the tokens; a covered one shows a little below and to the right."""
    for cell, code in enumerate(state.top.tolist()):
        if code:
            x, y = plan.middle(cell)
            if state.under[cell]:
                covered = mixed(art.SEATS[(int(state.under[cell]) - 1) // FACES], 0.62, RIM)
                yield (
                    f'<circle cx="{x + 2.5:g}" cy="{y + 4:g}" r="{CELL * 0.42:g}" fill="{covered}" stroke="{RIM}" '
                    'stroke-width="1.3"/>'
                )
                x, y = x - 1.5, y - 2
            yield token_drawing((code - 1) // FACES, (code - 1) % FACES + 1, x, y, CELL)


def target_drawings(state: Any, plan: Plan) -> Iterable[str]:
    """Draw a dotted ring round every cell where the active player may place."""
    for cell, code in enumerate(state.top.tolist()):
        if int(state.targets[cell >> 6]) >> (cell & 63) & 1:
            x, y = plan.middle(cell)
            yield (
                f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * (0.47 if code else 0.3):g}" fill="{art.FLAME}" '
                f'fill-opacity="{0 if code else 0.08}" stroke="{art.FLAME}" stroke-width="2.4" '
                'stroke-dasharray=".1 5.5" stroke-linecap="round"/>'
            )


def sign_drawing(box: Any, players: int, room: int, plan: Plan) -> str:
    """Draw the sign of a room on the corner of cells that lies deepest in it, where it hides no number."""
    cells = room_cells(box, players, room, plan)
    middle_x, middle_y = (sum(each) / len(cells) + 0.5 for each in zip(*cells, strict=True))
    corners = [(x + dx, y + dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)]
    x, y = max(corners, key=lambda at: (corners.count(at), -abs(at[0] - middle_x) - abs(at[1] - middle_y)))
    colour = art.FLAME if room == box.central[players] else LIGHT
    return (
        f'<g transform="translate({x * CELL:g} {y * CELL:g})" color="{colour}"><circle r="15" fill="{STONE}" '
        f'stroke="{colour}" stroke-width="1.4"/><use href="#lumens-{SIGNS[LETTERS[room]]}" x="-10.5" y="-10.5" '
        'width="21" height="21"/></g>'
    )


def sums_drawing(box: Any, state: Any, room: int) -> str:
    """Draw a room's letter and sums, largest first, on a pill thin enough to hide no number of the tokens beside it.

    It lies on the south side of a room at the north side of the board, on the north side of any other.
    """
    players = int(state.players)
    cells = room_cells(box, players, room, plan_for(box, players))
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    sums = standings(state, room)
    width = 19.0 + 29 * len(sums)
    x = (min(xs) + max(xs) + 1) / 2 * CELL - width / 2
    x = min(max(x, 0), int(box.columns[players]) * CELL - width)
    y = (max(ys) + 1 if min(ys) == 0 else min(ys)) * CELL
    parts = [
        f'<g transform="translate({x:g} {y - 8:g})"><rect width="{width:g}" height="16" rx="8" fill="{art.NIGHT}" '
        'fill-opacity=".94" stroke="#4a587c"/>',
        art.words(LETTERS[room], 9.5, 12, 11.5, fill=art.FLAME, bold=True, anchor="middle"),
    ]
    for i, (seat, total) in enumerate(sums):
        parts.append(art.ribbon(seat, 17 + i * 29, 2.5, 9))
        parts.append(art.words(str(total), 28 + i * 29, 12, 11.5, bold=True))
    return "".join(parts) + "</g>"


def seat_drawing(box: Any, state: Any, viewer: int, seat: int, name: str, x: float, y: float) -> str:
    """Draw a seat: points if the game ended now, tokens left by kind, and the token in hand if the viewer sees it."""
    tokens = tokens_left(state, seat)
    width = RAIL - 24
    parts = [
        art.panel(x, y, width, ROW - 12, lit=seat == state.active),
        art.ribbon(seat, x + 12, y + 12),
        art.words(name, x + 44, y + 32, 18, bold=True),
        art.words(str(points(box, state, seat)), x + width - 14, y + 36, 28, fill=art.FLAME, title=True, anchor="end"),
        f'<rect x="{x + 14:g}" y="{y + 50:g}" width="{width - 28:g}" height="5" rx="2.5" fill="{art.NIGHT}"/>',
        f'<rect x="{x + 14:g}" y="{y + 50:g}" width="{(width - 28) * sum(tokens) / TOKENS:g}" height="5" rx="2.5" '
        f'fill="{art.SEATS[seat]}"/>',
    ]
    left = say("lumens.picture.left", count=sum(tokens))
    if state.out[seat]:
        left += say("lumens.picture.out")
    parts.append(art.words(left, x + 14, y + 74, 14, fill=art.INK_2))
    for kind in range(KINDS):
        text = f"{tokens[kind]}×{kind_name(box, kind)}"
        parts.append(art.words(text, x + 14 + kind * 58, y + 104, 15, bold=True))
    if viewer in (seat, EVERYTHING) and state.hands[seat] != NO_TOKEN:
        for i in range(2):
            face = int(box.faces[state.hands[seat], i])
            parts.append(token_drawing(seat, face, x + width - 76 + i * 46, y + 90, 44))
    return "".join(parts)
