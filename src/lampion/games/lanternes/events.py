"""The events of Lanternes and their reasons, each declared once, with its number for the rules and its name."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.lanternes.scoring import CATEGORIES
from lampion.games.lanternes.state import LETTERS, TILES, coordinates
from lampion.games.move_types import EventKind, Numbered
from lampion.locale import say


class Event(move_types.Event, frozen=True):
    """An event of Lanternes, with the number of the tile that was drawn or placed, and where and how it lies."""

    tile: int | UnsetType = UNSET
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET


def tile_code(box: Any, tile: int) -> str:
    """Return a tile as the components file writes it."""
    return "".join(LETTERS[colour] for colour in box.tiles[tile]) + "*" * int(box.symbols[tile])


def tile_words(code: str) -> str:
    """Return a tile in words: its colours clockwise, and whether it has a symbol."""
    sides = ", ".join(say(f"lanternes.colour.{letter}") for letter in code.rstrip("*"))
    return say("lanternes.tile.symbol" if code.endswith("*") else "lanternes.tile", sides=sides)


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


EVENTS = Numbered[EventKind]()
FIRST = EVENTS.add(EventKind("first"))
DREW = EVENTS.add(EventKind("drew", tile_code, tile_words, fields=_tile_field))
GAVE = EVENTS.add(EventKind("gave", _colour, "card"))
TOOK = EVENTS.add(EventKind("took", _colour, "card"))
PAID = EVENTS.add(EventKind("paid", _colour, "colour"))
REWARDED = EVENTS.add(EventKind("rewarded", _category, "set", scores=True))
DISCARDED = EVENTS.add(EventKind("discarded", _colour, "card"))
PLACED = EVENTS.add(EventKind("placed", _placed_code, tile_words, fields=_placed_fields))
RECEIVED = EVENTS.add(EventKind("received", _colour, "card"))
MISSED = EVENTS.add(EventKind("missed", _colour, "card"))
BOAT = EVENTS.add(EventKind("boats"))
PASSED = EVENTS.add(EventKind("passed"))
LAST_TURN = EVENTS.add(EventKind("last_turn"))
END = EVENTS.add(EventKind("end"))

WHYS = Numbered[str]()
BY_CHANCE = WHYS.add("chance")
SET_UP = WHYS.add("setup")
EXCHANGED = WHYS.add("exchange")
COMBINED = WHYS.add("combination")
OVER_LIMIT = WHYS.add("limit")
MATCHED = WHYS.add("match")
FACING = WHYS.add("facing")
OWN_PLATFORM = WHYS.add("own_platform")
NEIGHBOUR_PLATFORM = WHYS.add("neighbour_platform")
CHOSEN = WHYS.add("choice")
