"""A position of Lanternes Dice as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from lampion.games import art
from lampion.games.dice.choices import free_zones, open_colours, open_ponds
from lampion.games.dice.lake import HEIGHT, PONDS, WIDTH
from lampion.games.dice.scoring import points_of
from lampion.games.dice.sheet import (
    COLUMNS,
    active_of,
    fireworks_on,
    gifts_spent,
    is_shaded,
    ponds_under,
)
from lampion.games.dice.state import (
    ACTING,
    BONUS,
    CARDS,
    DIE,
    ENDED,
    LETTERS,
    NO_COLOUR,
    NO_SIDE,
    SHAPE_NAMES,
    SHEET_LETTERS,
    SIDE_LETTERS,
    TILES,
)
from lampion.games.dice.text import action_text, seat_at
from lampion.locale import say

POND = 62.0
SMALL_POND = 21.0
MARGIN = 24.0
RAIL = 268.0
INK, GRID = "#23263a", "#2b2f45"
SHEET, NIGHT_BLUE, RIM, GOLD = "#fdf9ef", "#16223f", "#5b6f9c", "#ffd489"
STRING = "#ffd27a"
BURSTS = (GOLD, "#ff9db4", "#8fd8ff", "#b8f0c9", "#d7b8ff")
HATCHES = (
    '<defs><pattern id="dice-hatch-0" width="15" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(-40)"><path d="M0 1.6h9M10 2.1h5M0 5h4M5 5.4h10" stroke="#2a2c3a" stroke-width="1.8" '
    'stroke-opacity=".72"/></pattern>'
    '<pattern id="dice-hatch-1" width="14" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(52)">'
    '<path d="M0 1.6h8M9 2.1h5M0 5.3h3.5M4.5 4.9h9.5" stroke="#2a2c3a" stroke-width="1.8" stroke-opacity=".72"/>'
    "</pattern></defs>"
)
PLATFORM = (
    '<path d="M5 3v18M19 3v18" stroke="#2b2340" stroke-width="3.4" stroke-linecap="round"/>'
    '<g fill="#d3a566" stroke="#2b2340" stroke-width="1.2"><rect x="2" y="4.5" width="20" height="4.6" rx="1"/>'
    '<rect x="2" y="9.8" width="20" height="4.6" rx="1"/><rect x="2" y="15.1" width="20" height="4.6" rx="1"/></g>'
)
BOAT = (
    '<g fill="#fffaf0" stroke="#2b2340" stroke-width="1.2" stroke-linejoin="round"><path d="M12 2.5l6.8 11.7H5.2z"/>'
    '<path d="M.8 14.2h22.4l-4.6 7.3H5.4z"/></g><path d="M12 2.5l6.8 11.7H12zM12 14.2 5.4 21.5h13.2z" fill="#e3d3b0"/>'
)
PAVILION = (
    '<g stroke="#2b2340" stroke-width="1.3" stroke-linejoin="round">'
    '<path d="M1.2 10.5C6 10 10 7 12 2c2 5 6 8 10.8 8.5l-2 2.7H3.2z" fill="#c8412f"/>'
    '<path d="M5.5 13.2h13v6.3h-13z" fill="#fff3d6"/><path d="M3 22h18v-2.5H3z" fill="#8a6a45"/></g>'
)
GIFT = (
    '<g stroke="#2b2340" stroke-width="1.3" stroke-linejoin="round"><path d="M3 10.5h18V22H3z" fill="#5c83c9"/>'
    '<path d="M1.8 7.5h20.4v4H1.8z" fill="#7fa2df"/><path d="M10 7.5h4V22h-4z" fill="#ffd489"/>'
    '<path d="M12 7.5C8 7.5 5.5 5.5 6.5 3.3 7.6 1 11 2.8 12 7.5zM12 7.5c4 0 6.5-2 5.5-4.2C16.4 1 13 2.8 12 7.5z" '
    'fill="#ffd489"/></g>'
)


def draw_svg(box: Any, state: Any, viewer: int, names: Sequence[str]) -> str:
    """Return the tray, the emperor's cards, the stacks, the sheet of the viewer or active player, and small others."""
    active = active_of(state)
    mine = viewer if viewer >= 0 else active if active is not None else 0
    sheet_width, sheet_height = WIDTH * POND + 40, HEIGHT * POND + 140
    small_width = WIDTH * SMALL_POND + 40
    x = RAIL + 2 * MARGIN
    parts = [HATCHES, *tray(state, names), *cards(box, state), *stacks(box, state, x, MARGIN + sheet_height + 16)]
    parts += paper_sheet(box, state, mine, names[mine], x, MARGIN)
    others = [seat for seat in range(state.players) if seat != mine]
    for i, seat in enumerate(others):
        parts += small_sheet(box, state, seat, names[seat], x + sheet_width + MARGIN, MARGIN + i * 222)
    height = MARGIN + sheet_height + 16 + 96 + MARGIN
    return art.svg(
        x + sheet_width + MARGIN + small_width + MARGIN,
        max(height, 2 * MARGIN + len(others) * 222),
        say("dice.name"),
        parts,
    )


def draw_boards(box: Any, state: Any, viewer: int) -> list[str]:
    """Return the lake of every player's sheet, in the order of seats, without notation."""
    width, height = WIDTH * POND, HEIGHT * POND
    paper = f'<rect width="{width + 20:g}" height="{height + 20:g}" rx="8" fill="{SHEET}"/>'
    return [
        art.svg(
            width + 20,
            height + 20,
            say("dice.name"),
            [
                HATCHES,
                paper,
                f'<g transform="translate(10 10)">{lake_drawing(box, state, seat, has_letters=False)}</g>',
            ],
        )
        for seat in range(state.players)
    ]


def lake_drawing(box: Any, state: Any, seat: int, *, has_letters: bool = True) -> str:
    """Return the ponds of a sheet and the fireworks over them."""
    ponds = "".join(pond_drawing(box, state, seat, pond, POND, has_letters=has_letters) for pond in range(PONDS))
    return ponds + grid(POND) + "".join(lit_ponds(box, state, seat, POND))


def icon(body: str, x: float, y: float, size: float, opacity: float = 1) -> str:
    """Return a drawing on a grid of 24, centred at (x, y)."""
    faded = f' opacity="{opacity:g}"' if opacity < 1 else ""
    return f'<g transform="translate({x - size / 2:g} {y - size / 2:g}) scale({size / 24:g})"{faded}>{body}</g>'


def tray(state: Any, names: Sequence[str]) -> list[str]:
    """Return the four dice, corner 0 at the upper left, and the players at the corners."""
    parts = [
        art.words(say("dice.picture.tray"), MARGIN, 46, 20, title=True),
        f'<rect x="{MARGIN + 34}" y="92" width="200" height="196" rx="26" fill="{art.SURFACE}" stroke="{art.LINE}" '
        'stroke-width="2"/>',
    ]
    for corner, (column, row) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        x, y = MARGIN + 46 + column * 92, 102 + row * 92
        colour = int(state.dice[corner])
        seat = seat_at(state, corner)
        facing = seat is not None and state.owing >> seat & 1
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="84" height="84" rx="16" fill="{art.PAPER}" '
            f'stroke="{art.FLAME if facing else art.PAPER_LINE}" stroke-width="{3 if facing else 1.5}"/>'
        )
        if colour != NO_COLOUR:
            name = LETTERS[colour]
            parts.append(
                f'<rect x="{x + 7:g}" y="{y + 7:g}" width="70" height="70" rx="12" fill="{art.LANTERNS[name]}" '
                'fill-opacity=".24"/>'
            )
            parts.append(art.lantern(name, x + 42, y + 42, 52))
        if seat is not None:
            side = MARGIN if column == 0 else MARGIN + RAIL - 22
            line = 62 if row == 0 else 296
            parts.append(art.ribbon(seat, side, line, 20))
            anchor, at = ("start", side + 28) if column == 0 else ("end", side - 8)
            parts.append(art.words(names[seat], at, line + 18, 15, bold=True, anchor=anchor))
    return parts


def cards(box: Any, state: Any) -> list[str]:
    """Return the emperor's cards with their cost in gifts."""
    parts = [art.words(say("dice.picture.emperor"), MARGIN, 362, 20, title=True)]
    for card in range(CARDS):
        y = 376 + card * 74
        parts.append(
            f'<rect x="{MARGIN:g}" y="{y}" width="{RAIL:g}" height="66" rx="10" fill="{art.PAPER}" '
            f'stroke="{art.PAPER_LINE}"/>'
        )
        for gift in range(card + 1):
            parts.append(icon(GIFT, MARGIN + 20, y + 33 + (gift - card / 2) * 20, 18))
        if state.sides[card] != NO_SIDE:
            name = f"{card + 1}{SIDE_LETTERS[state.sides[card]]}"
            parts.append(art.words(name, MARGIN + RAIL - 10, y + 56, 13, fill=art.PAPER_INK, anchor="end"))
            for i, line in enumerate(wrapped(action_text(box, card, int(state.sides[card])), 26)):
                parts.append(art.words(line, MARGIN + 40, y + 24 + i * 17, 14, fill=art.PAPER_INK, bold=True))
    return parts


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines of at most `width` letters, broken between words."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return lines


def stacks(box: Any, state: Any, x: float, y: float) -> list[str]:
    """Return the fireworks in play, with the value on top and the number left."""
    parts = []
    shapes = [shape for shape in range(len(SHAPE_NAMES)) if state.shapes >> shape & 1]
    for i, shape in enumerate(shapes):
        left = x + i * 150
        form = int(box.first_form[shape + 1]) - 1
        parts.append(art.panel(left, y, 142, 90))
        ponds = [(int(offset) % WIDTH, int(offset) // WIDTH) for offset in box.offsets[form, : box.cells[shape]]]
        size = min(24.0, 72 / (max(row for _, row in ponds) + 1))
        parts.append(f'<g transform="translate({left + 10:g} {y + 10:g})">{firework(ponds, size, None, i)}</g>')
        taken = int(state.taken[shape])
        value = str(box.values[shape, taken]) if taken < TILES else "–"
        parts.append(art.words(value, left + 128, y + 38, 26, title=True, anchor="end"))
        parts.append(art.words(f"× {TILES - taken}", left + 128, y + 60, 14, fill=art.INK_2, anchor="end"))
        parts.append(
            art.words(say(f"dice.shape.{SHAPE_NAMES[shape]}"), left + 128, y + 80, 13, fill=art.INK_2, anchor="end")
        )
    return parts


def triangle(falling: bool, half: int, size: float) -> str:
    """Return the path of a pond's upper or lower triangle."""
    s = f"{size:g}"
    if falling:
        return f"M0 0V{s}H{s}z" if half else f"M0 0H{s}V{s}z"
    return f"M{s} 0V{s}H0z" if half else f"M0 0H{s}L0 {s}z"


def pond_drawing(box: Any, state: Any, seat: int, pond: int, size: float, *, has_letters: bool = True) -> str:
    """Return a pond: free zones tinted with their lantern, shaded ones hatched, a frame where it is complete."""
    falling = bool(int(box.falling) >> pond & 1)
    parts = []
    marks = []
    for half in range(2):
        name = LETTERS[box.zones[pond * 2 + half]]
        shaded = is_shaded(state, seat, pond * 2 + half)
        path = triangle(falling, half, size)
        low, right = bool(half), falling != bool(half)
        x, y = size * (0.76 if right else 0.24), size * (0.76 if low else 0.24)
        if shaded:
            parts.append(
                f'<path d="{path}" fill="#8b8a90"/><path d="{path}" fill="{art.LANTERNS[name]}" fill-opacity=".62"/>'
            )
            parts.append(f'<path d="{path}" fill="url(#dice-hatch-{half})"/>')
        else:
            parts.append(f'<path d="{path}" fill="{art.LANTERNS[name]}" fill-opacity="{0.9 if name == "W" else 0.4}"/>')
            marks.append(art.lantern(name, x, y, size * 0.32, has_letter=has_letters))
        if int(box.pavilions[half]) >> pond & 1:
            marks.append(icon(PAVILION, x + size * (-0.32 if right else 0.32), y, size * 0.24, 0.7 if shaded else 1))
    line = f"M0 0L{size:g} {size:g}" if falling else f"M{size:g} 0L0 {size:g}"
    parts.append(f'<path d="{line}" stroke="{GRID}" stroke-opacity=".55"/>')
    parts += marks
    centre = size / 2
    for ponds, body, share in ((box.platforms, PLATFORM, 0.23), (box.boats, BOAT, 0.3)):
        if int(ponds) >> pond & 1:
            parts.append(
                f'<circle cx="{centre:g}" cy="{centre:g}" r="{size * 0.19:g}" fill="{SHEET}" stroke="{GRID}"/>'
            )
            parts.append(icon(body, centre, centre, size * share))
    if is_shaded(state, seat, pond * 2) and is_shaded(state, seat, pond * 2 + 1):
        parts.append(
            f'<rect x="2" y="2" width="{size - 4:g}" height="{size - 4:g}" rx="5" fill="none" stroke="{INK}" '
            'stroke-width="2.6"/>'
        )
    return f'<g transform="translate({pond % WIDTH * size:g} {pond // WIDTH * size:g})">{"".join(parts)}</g>'


def firework(ponds: Sequence[tuple[int, int]], size: float, value: int | None, colour: int) -> str:
    """Return a firework: a dark piece with a burst over every pond, and its value on a golden disc."""
    gap = size * 0.05
    inner = size - 2 * gap
    blocks = [(x * size + gap, y * size + gap, inner, inner) for x, y in ponds]
    blocks += [(x * size + gap, y * size + gap, inner + size, inner) for x, y in ponds if (x + 1, y) in ponds]
    blocks += [(x * size + gap, y * size + gap, inner, inner + size) for x, y in ponds if (x, y + 1) in ponds]
    blocks += [
        ((x + 0.5) * size, (y + 0.5) * size, size, size)
        for x, y in ponds
        if {(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= set(ponds)
    ]
    night = "".join(
        f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" rx="{size * 0.1:.3g}"/>'
        for x, y, width, height in blocks
    )
    parts = [f'<g fill="{NIGHT_BLUE}"><g stroke="{RIM}" stroke-width="2">{night}</g>{night}</g>']
    for i, (x, y) in enumerate(ponds):
        parts.append(burst((x + 0.5) * size, (y + 0.5) * size, size * 0.36, BURSTS[(i + colour) % len(BURSTS)]))
    if value is not None:
        x, y = ponds[len(ponds) // 2]
        cx, cy = (x + 0.5) * size, (y + 0.5) * size
        parts.append(
            f'<circle cx="{cx:g}" cy="{cy:g}" r="{size * 0.2:g}" fill="{GOLD}" stroke="{NIGHT_BLUE}" stroke-width="2"/>'
        )
        parts.append(
            art.words(str(value), cx, cy + size * 0.1, size * 0.3, fill=NIGHT_BLUE, title=True, anchor="middle")
        )
    return "".join(parts)


def burst(x: float, y: float, radius: float, colour: str) -> str:
    """Return twelve rays round a point."""
    rays = ""
    for i in range(12):
        angle, reach = i * pi / 6, radius if i % 2 else radius * 0.74
        a, b = cos(angle), sin(angle)
        rays += f"M{x + a * radius * 0.36:.1f} {y + b * radius * 0.36:.1f}L{x + a * reach:.1f} {y + b * reach:.1f}"
    return f'<path d="{rays}" stroke="{colour}" stroke-width="{max(0.8, radius * 0.07):.2g}" stroke-linecap="round"/>'


def lit_ponds(box: Any, state: Any, seat: int, size: float) -> list[str]:
    """Return the fireworks on a sheet."""
    parts = []
    for i, (_, where, _, points) in enumerate(fireworks_on(box, state, seat)):
        ponds = [(pond % WIDTH, pond // WIDTH) for pond in ponds_under(box, where)]
        parts.append(firework(ponds, size, points if size >= POND else None, i))
    return parts


def lights(box: Any, state: Any, seat: int) -> list[str]:
    """Return a dotted outline of every zone that the seat may shade now."""
    if not state.owing >> seat & 1 or not (state.platform[seat] or state.at[seat] in (DIE, BONUS, ACTING)):
        return []
    colours, ponds = open_colours(box, state, seat), open_ponds(box, state, seat)
    parts = []
    for half in range(2):
        zones = free_zones(box, state, seat, half, colours) & ponds
        for pond in range(PONDS):
            if zones >> pond & 1:
                path = triangle(bool(int(box.falling) >> pond & 1), half, POND)
                low, right = bool(half), bool(int(box.falling) >> pond & 1) != bool(half)
                x = pond % WIDTH * POND + (10.0 if right else 2.5)
                y = pond // WIDTH * POND + (10.0 if low else 2.5)
                for stroke, width in ((INK, 4.4), (STRING, 2.6)):
                    parts.append(
                        f'<path transform="translate({x:g} {y:g}) scale(.8)" d="{path}" fill="none" stroke="{stroke}" '
                        f'stroke-width="{width * 1.25:g}" stroke-linecap="round" stroke-dasharray=".1 7"/>'
                    )
    return parts


def grid(size: float) -> str:
    """Return the lines between ponds."""
    path = "".join(f"M{column * size:g} 0V{HEIGHT * size:g}" for column in range(WIDTH + 1))
    path += "".join(f"M0 {row * size:g}H{WIDTH * size:g}" for row in range(HEIGHT + 1))
    return f'<path d="{path}" stroke="{GRID}" stroke-width="1.2" fill="none"/>'


def paper_sheet(box: Any, state: Any, seat: int, name: str, x: float, y: float) -> list[str]:
    """Return a whole sheet: turn bonuses, gifts, the lake, and the points as they stand."""
    width, height = WIDTH * POND + 40, HEIGHT * POND + 140
    parts = [
        f'<g transform="translate({x:g} {y:g})"><rect width="{width:g}" height="{height:g}" rx="6" fill="{SHEET}" '
        f'stroke="{art.PAPER_LINE}"/>',
        art.ribbon(seat, 20, 14, 26),
        art.words(f"{name} · {SHEET_LETTERS[state.sheets[seat]]}", 56, 38, 20, fill=art.PAPER_INK, title=True),
    ]
    parts += bonuses_and_gifts(box, state, seat, width)
    parts += [f'<g transform="translate(20 84)">{lake_drawing(box, state, seat)}', *lights(box, state, seat), "</g>"]
    for column in range(WIDTH):
        parts.append(art.words(COLUMNS[column], 20 + (column + 0.5) * POND, 79, 12, fill=GRID, anchor="middle"))
    for row in range(HEIGHT):
        parts.append(art.words(str(row + 1), 11, 84 + (row + 0.5) * POND + 4, 12, fill=GRID, anchor="middle"))
    points = points_of(box, state, seat)
    total = say("dice.picture.points", total=sum(points.values()), **points)
    parts.append(art.words(total, 20, height - 20, 17, fill=art.PAPER_INK, bold=True))
    return [*parts, "</g>"]


def bonuses_and_gifts(box: Any, state: Any, seat: int, width: float) -> list[str]:
    """Return the turn bonuses, past ones faded and this turn's framed, and the gifts, spent ones faded."""
    players = int(state.players)
    turns = int(box.turns[players])
    turn = (int(state.turn) - (seat - int(state.first)) % players + players - 1) // players
    parts = []
    for i in range(turns):
        x = width - 34 - (turns - 1 - i) * 28
        parts.append(art.lantern(LETTERS[box.bonuses[players, state.sheets[seat], i]], x, 26, 22, dim=i < turn))
        if i == turn and seat == active_of(state) and state.stage < ENDED:
            parts.append(
                f'<rect x="{x - 13:g}" y="13" width="26" height="26" rx="6" fill="none" stroke="#9a4b00" '
                'stroke-width="2"/>'
            )
    spent, have = gifts_spent(box, state, seat), int(state.gifts[seat])
    for i in range(spent + have):
        parts.append(icon(GIFT, width - 34 - (spent + have - 1 - i) * 22, 56, 17, 0.3 if i < spent else 1))
    return parts


def small_sheet(box: Any, state: Any, seat: int, name: str, x: float, y: float) -> list[str]:
    """Return a small sheet of another player: what is shaded, complete and lit, gifts and points."""
    width = WIDTH * SMALL_POND + 40
    points = points_of(box, state, seat)
    asked = bool(state.owing >> seat & 1)
    parts = [
        f'<g transform="translate({x:g} {y:g})">',
        art.panel(0, 0, width, 210, lit=asked),
        art.ribbon(seat, 14, 10, 20),
        art.words(f"{name} · {SHEET_LETTERS[state.sheets[seat]]}", 44, 29, 16, bold=True),
        art.words(str(sum(points.values())), width - 20, 30, 20, fill=art.FLAME, title=True, anchor="end"),
        '<g transform="translate(20 46)">',
        f'<rect width="{WIDTH * SMALL_POND:g}" height="{HEIGHT * SMALL_POND:g}" fill="{SHEET}"/>',
    ]
    for pond in range(PONDS):
        left, top = pond % WIDTH * SMALL_POND, pond // WIDTH * SMALL_POND
        falling = bool(int(box.falling) >> pond & 1)
        shaded = [is_shaded(state, seat, pond * 2 + half) for half in range(2)]
        for half in range(2):
            if shaded[half]:
                path, grey = triangle(falling, half, SMALL_POND), "#4d4f5c" if all(shaded) else "#a3a2a5"
                parts.append(f'<path transform="translate({left:g} {top:g})" d="{path}" fill="{grey}"/>')
        if int(box.boats) >> pond & 1:
            parts.append(icon(BOAT, left + SMALL_POND / 2, top + SMALL_POND / 2, 14))
    parts += [grid(SMALL_POND), *lit_ponds(box, state, seat, SMALL_POND), "</g>"]
    parts.append(icon(GIFT, 30, 192, 17))
    parts.append(art.words(str(state.gifts[seat]), 44, 198, 15, bold=True))
    by_category = say("dice.picture.short_points", **points)
    parts.append(art.words(by_category, width - 20, 198, 14, fill=art.INK_2, anchor="end"))
    return [*parts, "</g>"]
