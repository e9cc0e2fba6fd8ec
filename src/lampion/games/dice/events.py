"""The events of Lanternes Dice and their reasons, each declared once, with its number for the rules and its name."""

from __future__ import annotations

from typing import Any

from lampion.games.dice.sheet import firework_name, pond_name, ponds_under, shape_name, zone_name
from lampion.games.dice.state import LETTERS, SHAPE_NAMES, SHEET_LETTERS, SIDE_LETTERS, SIDES, STEPS
from lampion.games.move_types import EventKind


def _zone(box: Any, thing: int) -> str:
    return zone_name(thing)


def _zone_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"zone": thing}


def _pond(box: Any, thing: int) -> str:
    return pond_name(thing)


def _pond_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"pond": thing}


def _card(box: Any, thing: int) -> str:
    return f"{thing // SIDES + 1}{SIDE_LETTERS[thing % SIDES]}"


def _card_fields(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"card": thing // SIDES + 1, "side": SIDE_LETTERS[thing % SIDES]}


def _paid_card(box: Any, thing: int) -> str:
    return str(thing + 1)


def _paid_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"card": thing + 1}


def _launched(box: Any, thing: int) -> str:
    return firework_name(shape_name(box, thing), ponds_under(box, thing))


def _launched_fields(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"shape": shape_name(box, thing), "ponds": tuple(ponds_under(box, thing))}


def _shape(box: Any, thing: int) -> str:
    return SHAPE_NAMES[thing]


def _sheet(box: Any, thing: int) -> str:
    return SHEET_LETTERS[thing]


def _colour(box: Any, thing: int) -> str:
    return LETTERS[thing]


def _step(box: Any, thing: int) -> str | None:
    return STEPS[thing]


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


FIREWORK = _event("firework", _shape, "shape")
SIDE = _event("side", _card, fields=_card_fields)
FIRST = _event("first", _sheet)
BEGAN = _event("began", _colour, "colour")
ROLLED = _event("rolled", _colour, "colour")
TURNED = _event("turned")
FACED = _event("faced", _colour, "colour")
SHADED = _event("shaded", _zone, fields=_zone_field)
COMPLETED = _event("completed", _pond, fields=_pond_field)
GIFT = _event("gift", _zone, fields=_zone_field)
OFFERED = _event("offered", _pond, fields=_pond_field)
LOST = _event("lost", _pond, fields=_pond_field)
MISSED = _event("missed", _colour, "colour")
PAID = _event("paid", _paid_card, fields=_paid_field)
ACTION = _event("action", _card, fields=_card_fields)
LAUNCHED = _event("launched", _launched, fields=_launched_fields, earns=(shape_name, "shape"))
EMPTIED = _event("emptied", _shape, "shape")
PASSED = _event("passed", _step, "task")
FINAL_LAUNCHES = _event("final")
END = _event("end")

BY_CHANCE = _why("chance")
CHOSEN = _why("choice")
LOWEST_SHEET = _why("lowest_sheet")
OWN_DIE = _why("die")
TURN_BONUS = _why("bonus")
EMPEROR_ACTION = _why("emperor")
PLATFORM = _why("platform")
PAVILION = _why("pavilion")
REROLLED = _why("reroll")
NOTHING_FREE = _why("nothing_free")
FINAL_LAUNCH = _why("final")

EVENTS = tuple(_kinds)
WHYS = tuple(_whys)
