"""A sheet as people read it: names of ponds, zones and fireworks, what is on it, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games.dice.choices import active_seat, bonus_colour
from lampion.games.dice.lake import PONDS, WIDTH
from lampion.games.dice.state import FINISHING, NO_COLOUR, ROLLING, SHADING, SHAPE_NAMES, TILES, ZONES, Shape

COLUMNS = "abcdefghi"
HALVES = "ab"


def pond_name(pond: int) -> str:
    """Return the name of a pond, its column and row: a1 is the upper left one, i6 the lower right one."""
    return f"{COLUMNS[pond % WIDTH]}{pond // WIDTH + 1}" if 0 <= pond < PONDS else str(pond)


def zone_name(zone: int) -> str:
    """Return the name of a zone: its pond, and a for the upper triangle or b for the lower one."""
    return pond_name(zone >> 1) + HALVES[zone & 1] if 0 <= zone < ZONES else str(zone)


def zone_named(text: str) -> int:
    """Return the zone of a name."""
    return pond_named(text[:2]) * 2 + HALVES.index(text[2])


def pond_named(text: str) -> int:
    """Return the pond of a name."""
    return (int(text[1]) - 1) * WIDTH + COLUMNS.index(text[0])


def firework_name(shape: str, ponds: Sequence[int]) -> str:
    """Return a launched firework as its shape and its ponds."""
    return f"{shape}@{''.join(map(pond_name, ponds))}"


def is_shaded(state: Any, seat: int, zone: int) -> bool:
    """Return whether a seat has shaded a zone."""
    return bool(int(state.shaded[seat][zone & 1]) >> (zone >> 1) & 1)


def shaded_zones(state: Any, seat: int) -> list[int]:
    """Return the zones that a seat has shaded."""
    halves = int(state.shaded[seat][0]), int(state.shaded[seat][1])
    return [zone for zone in range(ZONES) if halves[zone & 1] >> (zone >> 1) & 1]


def shape_name(box: Any, where: int) -> Shape:
    """Return the shape of a form at its place, `form * PONDS + anchor`."""
    return SHAPE_NAMES[box.shape_of[where // PONDS]]


def ponds_under(box: Any, where: int) -> list[int]:
    """Return the ponds under a form at its place, `form * PONDS + anchor`."""
    ponds = int(box.forms[where // PONDS]) << where % PONDS
    return [pond for pond in range(PONDS) if ponds >> pond & 1]


def fireworks_on(box: Any, state: Any, seat: int) -> list[tuple[Shape, int, int, int]]:
    """Return the fireworks on a sheet: shape, form and place, number of the tile from the top, points on it."""
    found = []
    for code in state.launched[seat]:
        if code:
            where, tile = divmod(int(code) - 1, TILES)
            found.append((shape_name(box, where), where, tile, int(box.values[box.shape_of[where // PONDS]][tile])))
    return found


def gifts_spent(box: Any, state: Any, seat: int) -> int:
    """Return the number of gifts that a seat has paid."""
    pavilions = sum((int(box.pavilions[half]) & int(state.shaded[seat][half])).bit_count() for half in range(2))
    return int(box.gifts) + pavilions - int(state.gifts[seat])


def active_of(state: Any) -> int | None:
    """Return the seat whose turn or final launch it is."""
    if ROLLING <= state.stage <= FINISHING:
        return active_seat(state)
    return None


def bonus_now(box: Any, state: Any) -> int:
    """Return the colour of this turn's bonus, or NO_COLOUR."""
    return bonus_colour(box, state) if ROLLING <= state.stage <= SHADING else NO_COLOUR
