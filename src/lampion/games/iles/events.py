"""The events of 1001 Îles and their reasons."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.iles.components import PILE_NAMES, PileName, Tile, tile_code, tile_name, tile_words
from lampion.games.iles.state import TILES
from lampion.games.move_types import EventKind, Numbered


class Event(move_types.Event, frozen=True):
    """An event of 1001 Îles, with the pile and the tile it is about, and the slot or the column where that is."""

    pile: PileName | UnsetType = UNSET
    tile: Tile | UnsetType = UNSET
    slot: int | UnsetType = UNSET
    column: int | UnsetType = UNSET


def _tile(box: Any, thing: int, number: int) -> dict[str, Any]:
    pile, tile = divmod(thing, TILES)
    return {"pile": PILE_NAMES[pile], "tile": tile_name(pile, tile)}


def _on_the_table(box: Any, thing: int, number: int) -> dict[str, Any]:
    return _tile(box, thing, number) | {"slot": number}


def _on_an_island(box: Any, thing: int, number: int) -> dict[str, Any]:
    return _tile(box, thing, number) | {"column": number}


def _pile(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"pile": PILE_NAMES[thing]}


def _pile_name(box: Any, thing: int) -> str:
    return PILE_NAMES[thing]


EVENTS = Numbered[EventKind]()
FIRST = EVENTS.add(EventKind("first"))
OPENED = EVENTS.add(EventKind("opened", _pile_name, "pile_of", fields=_pile))
DREW = EVENTS.add(EventKind("drew", tile_code, tile_words, fields=_on_the_table))
HID = EVENTS.add(EventKind("hid", tile_code, tile_words, fields=_on_the_table))
SHOWED = EVENTS.add(EventKind("showed", tile_code, tile_words, fields=_on_the_table))
TOOK = EVENTS.add(EventKind("took", tile_code, tile_words, fields=_on_the_table))
TURNED_UP = EVENTS.add(EventKind("turned_up", tile_code, tile_words, fields=_on_the_table))
LAID = EVENTS.add(EventKind("laid", tile_code, tile_words, fields=_on_an_island, counts_from=1))
DREAMT = EVENTS.add(EventKind("dreamt", tile_code, "dream", fields=_tile))
FLIPPED = EVENTS.add(EventKind("flipped", tile_code, tile_words, fields=_on_an_island))
NAMED = EVENTS.add(EventKind("named"))
PUT_AWAY = EVENTS.add(EventKind("put_away", tile_code, tile_words, fields=_on_the_table))
LOOKOUT = EVENTS.add(EventKind("lookout"))
END = EVENTS.add(EventKind("end"))

WHYS = Numbered[str]()
BY_CHANCE = WHYS.add("chance")
CHOSEN = WHYS.add("choice")
UNSEEN = WHYS.add("unseen")
THIRD_LAMP = WHYS.add("third_lamp")
ONLY_ONE_LEFT = WHYS.add("only_one_left")
LEFT_OVER = WHYS.add("left_over")
LAST_TILE = WHYS.add("last_tile")
IN_TURN = WHYS.add("in_turn")
