"""Moves, views, events and pictures of Lanternes under one name."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.lanternes.events import EVENTS, WHYS
from lampion.games.lanternes.notation import (
    Discard,
    Draw,
    Exchange,
    First,
    Move,
    Pass,
    Place,
    Reward,
    id_of,
    move,
    notation,
    parse,
)
from lampion.games.lanternes.svg import drawing
from lampion.games.lanternes.text import picture
from lampion.games.lanternes.view import LakeTile, Seat, View, asked, options_of, position, view

__all__ = [
    "EVENTS", "WHYS", "Discard", "Draw", "Event", "Exchange", "First", "LakeTile", "Move", "Pass", "Place", "Reward",
    "Seat", "View", "asked", "drawing", "id_of", "move", "notation", "options_of", "parse", "picture", "position",
    "view",
]  # fmt: skip


class Event(move_types.Event, frozen=True):
    """An event of Lanternes, with the number of the tile that was drawn or placed, and where and how it lies."""

    tile: int | UnsetType = UNSET
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
