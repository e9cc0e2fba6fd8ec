"""The events of Lanternes Dice and their reasons, each declared once, with its number for the rules and its name."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.dice.notation import Colour
from lampion.games.dice.sheet import firework_name, pond_name, ponds_under, shape_name, zone_name
from lampion.games.dice.state import LETTERS, SHAPE_NAMES, SHEET_LETTERS, SIDE_LETTERS, SIDES, STEPS, Shape, Side
from lampion.games.move_types import EventKind, Numbered
from lampion.locale import say


class Event(move_types.Event, frozen=True):
    """An event of Lanternes Dice, with the zone, pond or emperor card it is about, or the firework and its ponds.

    A zone comes with its colour.
    """

    zone: int | UnsetType = UNSET
    colour: Colour | UnsetType = UNSET
    pond: int | UnsetType = UNSET
    card: int | UnsetType = UNSET
    side: Side | UnsetType = UNSET
    shape: Shape | UnsetType = UNSET
    ponds: tuple[int, ...] | UnsetType = UNSET


def _zone(box: Any, thing: int) -> str:
    return zone_name(thing)


def _zone_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"zone": thing, "colour": LETTERS[box.zones[thing]]}


def _zone_words(event: Event, box: Any, players: int) -> str:
    return say(f"dice.zone.{event.colour}")


def _pond(box: Any, thing: int) -> str:
    return pond_name(thing)


def _pond_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"pond": thing}


def _pond_words(thing: str) -> str:
    return say("dice.pond")


def _platform_words(thing: str) -> str:
    return say("dice.platform")


def _card(box: Any, thing: int) -> str:
    return f"{thing // SIDES + 1}{SIDE_LETTERS[thing % SIDES]}"


def _card_fields(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"card": thing // SIDES + 1, "side": SIDE_LETTERS[thing % SIDES]}


def _card_words(thing: str) -> str:
    return say(f"dice.card.{thing[0]}")


def _paid_card(box: Any, thing: int) -> str:
    return str(thing + 1)


def _paid_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"card": thing + 1}


def _launched(box: Any, thing: int) -> str:
    return firework_name(shape_name(box, thing), ponds_under(box, thing))


def _launched_fields(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"shape": shape_name(box, thing), "ponds": tuple(ponds_under(box, thing))}


def _launched_words(thing: str) -> str:
    return say(f"dice.firework.{thing.partition('@')[0]}")


def _shape(box: Any, thing: int) -> str:
    return SHAPE_NAMES[thing]


def _sheet(box: Any, thing: int) -> str:
    return SHEET_LETTERS[thing]


def _colour(box: Any, thing: int) -> str:
    return LETTERS[thing]


def _step(box: Any, thing: int) -> str | None:
    return STEPS[thing]


EVENTS = Numbered[EventKind]()
FIREWORK = EVENTS.add(EventKind("firework", _shape, "firework"))
SIDE = EVENTS.add(EventKind("side", _card, _card_words, fields=_card_fields))
FIRST = EVENTS.add(EventKind("first", _sheet))
BEGAN = EVENTS.add(EventKind("began", _colour, "colour"))
ROLLED = EVENTS.add(EventKind("rolled", _colour, "colour"))
TURNED = EVENTS.add(EventKind("turned", numbered="turned"))
FACED = EVENTS.add(EventKind("faced", _colour, "colour"))
SHADED = EVENTS.add(EventKind("shaded", _zone, words=_zone_words, fields=_zone_field))
COMPLETED = EVENTS.add(EventKind("completed", _pond, _pond_words, fields=_pond_field))
GIFT = EVENTS.add(EventKind("gift", _zone, words=_zone_words, fields=_zone_field))
OFFERED = EVENTS.add(EventKind("offered", _pond, _platform_words, fields=_pond_field))
LOST = EVENTS.add(EventKind("lost", _pond, _platform_words, fields=_pond_field))
MISSED = EVENTS.add(EventKind("missed", _colour, "colour"))
PAID = EVENTS.add(EventKind("paid", _paid_card, fields=_paid_field))
ACTION = EVENTS.add(EventKind("action", _card, _card_words, fields=_card_fields))
LAUNCHED = EVENTS.add(
    EventKind("launched", _launched, _launched_words, fields=_launched_fields, scores=True, earns=(shape_name, "shape"))
)
EMPTIED = EVENTS.add(EventKind("emptied", _shape, "firework"))
PASSED = EVENTS.add(EventKind("passed", _step, "passed"))
FINAL_LAUNCHES = EVENTS.add(EventKind("final"))
END = EVENTS.add(EventKind("end"))

WHYS = Numbered[str]()
BY_CHANCE = WHYS.add("chance")
CHOSEN = WHYS.add("choice")
LOWEST_SHEET = WHYS.add("lowest_sheet")
OWN_DIE = WHYS.add("die")
TURN_BONUS = WHYS.add("bonus")
EMPEROR_ACTION = WHYS.add("emperor")
PLATFORM = WHYS.add("platform")
PAVILION = WHYS.add("pavilion")
REROLLED = WHYS.add("reroll")
NOTHING_FREE = WHYS.add("nothing_free")
FINAL_LAUNCH = WHYS.add("final")
