"""Places as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games import art
from lampion.games.core import BadPosition, IllegalMove
from lampion.games.move_types import EventKind, Form, Paint, Plain, Typed, no_paint, notation, plain_fields
from places.rules import PLACES


class Claim(Typed, frozen=True, tag="claim"):
    """A place."""

    form = Form("{place}")
    place: int


Move = Claim


class View(Plain, frozen=True):
    """Everything: the seat that holds each place, and how often one was claimed."""

    players: int
    places: list[int | None]
    taken: int


def move(box: Any, state: Any, id: int) -> Move:
    """The typed move of an id."""
    return Claim(id)


def id_of(box: Any, state: Any, move: Move) -> int:
    """The id of a typed move."""
    if not 0 <= move.place < PLACES:
        raise IllegalMove("places.illegal.number", move=notation(move))
    return move.place


def view(box: Any, state: Any, viewer: int) -> View:
    """Nothing is hidden."""
    state = plain_fields(state)
    return View(state.players, [seat - 1 if seat else None for seat in state.places], state.taken)


def options_of(view: View) -> dict[str, Any]:
    """There are none."""
    return {}


def asked(box: Any, state: Any, seat: int) -> str:
    """What is asked now."""
    return "places.step.claim"


def position(box: Any, view: View, state: Any) -> None:
    """The inverse of the view."""
    if len(view.places) != PLACES or any(seat not in (None, 0, 1) for seat in view.places):
        raise BadPosition("places.fact.turns")
    state.players, state.taken = view.players, view.taken
    state.places[:] = [0 if seat is None else seat + 1 for seat in view.places]


EVENTS = (EventKind("claimed", lambda box, thing: str(thing)), EventKind("end"))
WHYS = ("choice",)


def draw_text(box: Any, state: Any, viewer: int, names: Sequence[str], paint: Paint = no_paint) -> str:
    """Who holds what, in one line."""
    return " ".join(names[seat - 1] if seat else "." for seat in state.places.tolist())


def draw_svg(box: Any, state: Any, viewer: int, names: Sequence[str]) -> str:
    """The same line as SVG."""
    return art.svg(480, 60, "Places", [art.words(draw_text(box, state, viewer, names), 24, 40, 17)])
