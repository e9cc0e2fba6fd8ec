"""The events of Lanternes and their reasons, each declared once, with its number for the rules and its name."""

from __future__ import annotations

from typing import Any

from lampion.games.lanternes.scoring import CATEGORIES
from lampion.games.lanternes.state import LETTERS, TILES, coordinates
from lampion.games.move_types import EventKind


def tile_code(box: Any, tile: int) -> str:
    """Return a tile as the components file writes it."""
    return "".join(LETTERS[colour] for colour in box.tiles[tile]) + "*" * int(box.symbols[tile])


def _tile_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"tile": thing}


def _placed_code(box: Any, thing: int) -> str:
    return tile_code(box, thing % TILES)


def _placed_fields(box: Any, thing: int, number: int) -> dict[str, Any]:
    cell, tile = divmod(thing, TILES)
    x, y = coordinates(cell)
    return {"tile": tile, "x": x, "y": y, "turn": number}


def _category(box: Any, thing: int) -> str:
    return CATEGORIES[thing]


def _colour(box: Any, thing: int) -> str:
    return LETTERS[thing]


_kinds: list[EventKind] = []
_whys: list[str] = []


def _event(*args: Any, **fields: Any) -> int:
    """Add a kind of event to the table; return its number."""
    _kinds.append(EventKind(*args, **fields))
    return len(_kinds) - 1


def _why(name: str) -> int:
    """Add a reason to the table; return its number."""
    _whys.append(name)
    return len(_whys) - 1


FIRST = _event("first")
DREW = _event("drew", tile_code, fields=_tile_field)
GAVE = _event("gave", _colour, "colour")
TOOK = _event("took", _colour, "colour")
PAID = _event("paid", _colour, "colour")
REWARDED = _event("rewarded", _category, "category")
DISCARDED = _event("discarded", _colour, "colour")
PLACED = _event("placed", _placed_code, fields=_placed_fields)
RECEIVED = _event("received", _colour, "colour")
MISSED = _event("missed", _colour, "colour")
BOAT = _event("boats")
PASSED = _event("passed")
LAST_TURN = _event("last_turn")
END = _event("end")

BY_CHANCE = _why("chance")
SET_UP = _why("setup")
EXCHANGED = _why("exchange")
COMBINED = _why("combination")
OVER_LIMIT = _why("limit")
MATCHED = _why("match")
FACING = _why("facing")
OWN_PLATFORM = _why("own_platform")
NEIGHBOUR_PLATFORM = _why("neighbour_platform")
CHOSEN = _why("choice")

EVENTS = tuple(_kinds)
WHYS = tuple(_whys)
