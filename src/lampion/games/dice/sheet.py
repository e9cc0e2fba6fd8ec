"""A sheet as people read it: names of ponds and zones, the fireworks on it, its points."""

from __future__ import annotations

from typing import Any

from lampion.games.dice.components import SHAPE_NAMES
from lampion.games.dice.lake import PONDS, WIDTH, second_group, surrounded
from lampion.games.dice.records import BOAT_POINTS, FINISHING, NO_COLOUR, ROLLING, SHADING, TILES, ZONES

COLUMNS = "abcdefghi"
HALVES = "ab"


def pond_name(pond: int) -> str:
    """A pond by column and row: a1 is the upper left one, i6 the lower right one."""
    return f"{COLUMNS[pond % WIDTH]}{pond // WIDTH + 1}" if 0 <= pond < PONDS else str(pond)


def zone_name(zone: int) -> str:
    """A zone: its pond, and a for the upper triangle or b for the lower one."""
    return pond_name(zone >> 1) + HALVES[zone & 1] if 0 <= zone < ZONES else str(zone)


def pond_named(text: str) -> int:
    """The pond of a name."""
    return (int(text[1]) - 1) * WIDTH + COLUMNS.index(text[0])


def is_shaded(state: Any, seat: int, zone: int) -> bool:
    """Whether a seat has shaded a zone."""
    return bool(int(state.shaded[seat, zone & 1]) >> (zone >> 1) & 1)


def shaded_zones(state: Any, seat: int) -> list[int]:
    """The zones that a seat has shaded."""
    halves = int(state.shaded[seat, 0]), int(state.shaded[seat, 1])
    return [zone for zone in range(ZONES) if halves[zone & 1] >> (zone >> 1) & 1]


def ponds_under(box: Any, where: int) -> list[int]:
    """The ponds under a form at its place."""
    ponds = int(box.forms[where // PONDS]) << where % PONDS
    return [pond for pond in range(PONDS) if ponds >> pond & 1]


def fireworks_on(box: Any, state: Any, seat: int) -> list[tuple[str, int, int, int]]:
    """The fireworks on a seat's sheet: shape, form and place, number of the tile from the top, points on it."""
    found = []
    for code in state.launched[seat]:
        if code:
            where, tile = divmod(int(code) - 1, TILES)
            shape = int(box.shape_of[where // PONDS])
            found.append((SHAPE_NAMES[shape], where, tile, int(box.values[shape, tile])))
    return found


def points_of(box: Any, state: Any, seat: int) -> dict[str, int]:
    """A seat's points as they stand, by category."""
    upper, lower = (int(zones) for zones in state.shaded[seat])
    return {
        "fireworks": sum(points for _, _, _, points in fireworks_on(box, state, seat)),
        "second_group": int(second_group(upper & lower)),
        "boats": BOAT_POINTS * int(surrounded(int(box.boats) & ~(upper | lower), upper & lower)),
    }


def gifts_spent(box: Any, state: Any, seat: int) -> int:
    """How many gifts a seat has paid."""
    pavilions = sum((int(box.pavilions[half]) & int(state.shaded[seat, half])).bit_count() for half in range(2))
    return int(box.gifts) + pavilions - int(state.gifts[seat])


def active_of(state: Any) -> int | None:
    """Whose turn or final launch it is."""
    if ROLLING <= state.stage <= FINISHING:
        return (int(state.first) + int(state.turn)) % int(state.players)
    return None


def bonus_now(box: Any, state: Any) -> int:
    """The colour of this turn's bonus."""
    active = active_of(state)
    if active is None or state.stage > SHADING:
        return NO_COLOUR
    return int(box.bonuses[state.players, state.sheets[active], int(state.turn) // int(state.players)])
