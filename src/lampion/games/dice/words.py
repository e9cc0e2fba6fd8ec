"""Moves, views, events and pictures of Lanternes Dice under one name."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.dice.events import EVENTS, WHYS
from lampion.games.dice.notation import (
    Emperor,
    Firework,
    Launch,
    Move,
    Pass,
    Reroll,
    Roll,
    Shade,
    Shape,
    Side,
    SideUp,
    Turn,
    id_of,
    move,
    notation,
    parse,
)
from lampion.games.dice.svg import drawing
from lampion.games.dice.text import picture
from lampion.games.dice.view import Action, Launched, Seat, Stack, View, asked, options_of, position, view

__all__ = [
    "EVENTS", "WHYS", "Action", "Emperor", "Event", "Firework", "Launch", "Launched", "Move", "Pass", "Reroll", "Roll",
    "Seat", "Shade", "SideUp", "Stack", "Turn", "View", "asked", "drawing", "id_of", "move", "notation", "options_of",
    "parse", "picture", "position", "view",
]  # fmt: skip


class Event(move_types.Event, frozen=True):
    """An event of Lanternes Dice, with the zone, pond or emperor card it is about, or the firework and its ponds."""

    zone: int | UnsetType = UNSET
    pond: int | UnsetType = UNSET
    card: int | UnsetType = UNSET
    side: Side | UnsetType = UNSET
    shape: Shape | UnsetType = UNSET
    ponds: tuple[int, ...] | UnsetType = UNSET
