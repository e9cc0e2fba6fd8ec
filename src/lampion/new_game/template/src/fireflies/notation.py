"""The moves of Fireflies: typed, as ids, and as short texts such as `*3`.

In a game of your own: a class for each kind of move, with its fields, and its number both ways.
"""

from __future__ import annotations

from typing import Any

from fireflies.rules import DEALS, FIRSTS, LET_GO, LIGHTS, SEATS, SHOWS
from lampion.games.core import IllegalMove
from lampion.games.move_types import Form, Typed, notation


class First(Typed, frozen=True, tag="first"):
    """Chance: who is first."""

    form = Form("first:{seat}")
    seat: int


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a firefly from the jar."""

    form = Form("+{light}")
    light: int


class Show(Typed, frozen=True, tag="show"):
    """The firefly in hand, shown."""

    form = Form("*{light}")
    light: int


class LetGo(Typed, frozen=True, tag="let_go"):
    """The firefly in hand, let go unseen."""

    form = Form("go")


Move = First | Draw | Show | LetGo


def move(box: Any, state: Any, id: int) -> Move:
    """Return the typed move of an id."""
    if id >= FIRSTS:
        return First(id - FIRSTS)
    if id >= DEALS:
        return Draw(id - DEALS + 1)
    return LetGo() if id == LET_GO else Show(id - SHOWS + 1)


def id_of(box: Any, state: Any, move: Move) -> int:
    """Return the id of a typed move."""
    match move:
        case First(seat) if 0 <= seat < SEATS:
            return FIRSTS + seat
        case Draw(light) if 1 <= light <= LIGHTS:
            return DEALS + light - 1
        case Show(light) if 1 <= light <= LIGHTS:
            return SHOWS + light - 1
        case LetGo():
            return LET_GO
    raise IllegalMove("fireflies.illegal.number", move=notation(move))
