"""The events of Fireflies and their reasons, with the numbers that the rules write.

In a game of your own: a line for everything that can happen, and for each its sentence, `fireflies.event.KIND`, in
en.json and fr.json; where some may not see the thing, a second one that ends in `.hidden`.
"""

from __future__ import annotations

from typing import Any

from lampion.games.move_types import EventKind, Numbered


def _light(box: Any, thing: int) -> str:
    return str(thing)


EVENTS = Numbered[EventKind]()
FIRST = EVENTS.add(EventKind("first"))
DREW = EVENTS.add(EventKind("drew", _light))
SHOWN = EVENTS.add(EventKind("shown", _light))
WENT = EVENTS.add(EventKind("went", _light))
SHINES = EVENTS.add(EventKind("shines"))
DAZZLED = EVENTS.add(EventKind("dazzled"))
RESTS = EVENTS.add(EventKind("rests"))
END = EVENTS.add(EventKind("end"))

WHYS = Numbered[str]()
BY_CHANCE = WHYS.add("chance")
CHOSEN = WHYS.add("choice")
BRIGHTEST = WHYS.add("brightest")
