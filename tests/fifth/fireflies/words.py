"""Fireflies as plain data: typed moves and their notation, views, events, pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from fireflies.rules import DEALS, FIRSTS, LET_GO, LIGHTS, NOBODY, SEATS, SHOWS
from lampion.games import art
from lampion.games.core import EVERYTHING, BadPosition, IllegalMove
from lampion.games.move_types import EventKind, Paint, Plain, Typed, no_paint, unreadable
from lampion.locale import say

STEPS = ("first", "deal", "choose", "ended")


class First(Typed, frozen=True, tag="first"):
    """Chance: who is first."""

    seat: int


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a firefly from the jar."""

    light: int


class Show(Typed, frozen=True, tag="show"):
    """The firefly in hand, shown."""

    light: int


class LetGo(Typed, frozen=True, tag="let_go"):
    """The firefly in hand, let go unseen."""


Move = First | Draw | Show | LetGo


def move(box: Any, state: Any, id: int) -> Move:
    """The typed move of an id."""
    if id >= FIRSTS:
        return First(id - FIRSTS)
    if id >= DEALS:
        return Draw(id - DEALS + 1)
    return LetGo() if id == LET_GO else Show(id - SHOWS + 1)


def id_of(box: Any, state: Any, move: Move) -> int:
    """The id of a typed move."""
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


def notation(move: Move) -> str:
    """`*3` shows, `go` lets go, `+3` draws, `first:0` begins."""
    match move:
        case First(seat):
            return f"first:{seat}"
        case Draw(light):
            return f"+{light}"
        case Show(light):
            return f"*{light}"
    return "go"


def parse(text: str) -> Move:
    """The typed move of a notation."""
    if text == "go":
        return LetGo()
    for pattern, sort in ((r"first:([0-9])", First), (r"\+([0-9])", Draw), (r"\*([0-9])", Show)):
        if found := re.fullmatch(pattern, text):
            return sort(int(found[1]))
    raise unreadable("fireflies", text)


class Seat(Plain, frozen=True):
    """A player as a viewer knows them; `hand` and `gone` (by brightness) are there only for who may see them."""

    light: int
    rest: int
    shown: int | None
    holds: bool
    went: int
    hand: int | None
    gone: list[int] | None


class View(Plain, frozen=True):
    """What a viewer sees; `unseen` counts, by brightness, what the viewer has not seen."""

    players: int
    first: int | None
    active: int | None
    step: Literal["first", "deal", "choose", "ended"]
    night: int
    spent: list[int]
    unseen: list[int]
    seats: list[Seat]


def view(box: Any, state: Any, viewer: int) -> View:
    """Everything is open but what the others hold and let go."""
    players = int(state.players)
    unseen = [int(copies) - int(spent) for copies, spent in zip(box.copies, state.spent, strict=True)]
    seats = []
    for seat in range(players):
        hand, shown = int(state.hand[seat]), int(state.shown[seat])
        gone = [int(number) for number in state.gone[seat]]
        known = viewer in (seat, EVERYTHING)
        if shown:
            unseen[shown - 1] -= 1
        if known:
            unseen = [number - mine for number, mine in zip(unseen, gone, strict=True)]
            if hand:
                unseen[hand - 1] -= 1
        seats.append(
            Seat(
                light=int(state.light[seat]),
                rest=int(state.rest[seat]),
                shown=shown or None,
                holds=hand > 0,
                went=sum(gone),
                hand=hand if known and hand else None,
                gone=gone if known else None,
            )
        )
    return View(
        players=players,
        first=None if state.first == NOBODY else int(state.first),
        active=None if state.active == NOBODY else int(state.active),
        step=STEPS[state.step],  # type: ignore[arg-type]
        night=int(state.night),
        spent=[int(number) for number in state.spent],
        unseen=unseen,
        seats=seats,
    )


def options_of(view: View) -> dict[str, Any]:
    """The options that a position shows."""
    return {} if view.first is None else {"first": view.first}


def asked(box: Any, state: Any, seat: int) -> str:
    """What is asked now."""
    return f"fireflies.step.{STEPS[state.step]}"


def position(box: Any, view: View, state: Any) -> None:
    """The inverse of the view of EVERYTHING; fields are checked here, the rest by `broken_invariant`."""
    if not 2 <= view.players <= SEATS or len(view.seats) != view.players:
        raise BadPosition("fireflies.fact.players")
    state.players = view.players
    state.first = NOBODY if view.first is None else whole(view.first, view.players - 1, "players")
    state.active = NOBODY if view.active is None else whole(view.active, view.players - 1, "players")
    state.step = STEPS.index(view.step)
    state.night = whole(view.night, 100, "turns")
    state.spent[:] = counts(view.spent)
    state.jar[:] = counts(view.unseen)
    for seat, given in enumerate(view.seats):
        state.light[seat] = whole(given.light, 1000, "turns")
        state.rest[seat] = whole(given.rest, 1000, "turns")
        state.shown[seat] = whole(given.shown or 0, LIGHTS, "fireflies")
        state.hand[seat] = whole(given.hand or 0, LIGHTS, "fireflies")
        state.gone[seat] = counts(given.gone or [])
        if given.holds != (given.hand is not None) or given.went != sum(given.gone or []):
            raise BadPosition("fireflies.fact.turns")


def whole(value: int, most: int, fact: str) -> int:
    """A number in its bounds, or the fact that it breaks."""
    if not 0 <= value <= most:
        raise BadPosition(f"fireflies.fact.{fact}")
    return value


def counts(given: list[int]) -> list[int]:
    """A number for every brightness."""
    if len(given) != LIGHTS:
        raise BadPosition("fireflies.fact.fireflies")
    return [whole(number, 100, "fireflies") for number in given]


def _light(box: Any, thing: int) -> str:
    return str(thing)


EVENTS = (
    EventKind("first"),
    EventKind("drew", _light),
    EventKind("shown", _light),
    EventKind("went", _light),
    EventKind("shines"),
    EventKind("dazzled"),
    EventKind("rests"),
    EventKind("end"),
)
WHYS = ("chance", "choice", "brightest")


def lines(box: Any, state: Any, viewer: int, names: Sequence[str]) -> list[str]:
    """The night, and a line for every player."""
    told = [say("fireflies.picture.night", night=min(int(state.night) + 1, int(box.nights)), nights=int(box.nights))]
    for seat in range(state.players):
        light = "·"
        if state.shown[seat]:
            light = f"*{state.shown[seat]}"
        elif state.hand[seat]:
            light = str(state.hand[seat]) if viewer in (seat, EVERYTHING) else "?"
        points = int(state.light[seat]) + int(state.rest[seat])
        mark = ">" if seat == state.active else " "
        line = say("fireflies.picture.seat", name=names[seat], points=points, light=light, count=points)
        told.append(f"{mark} {line}")
    return told


def picture(box: Any, state: Any, viewer: int, names: Sequence[str], paint: Paint = no_paint) -> str:
    """The position for a terminal."""
    first, *others = lines(box, state, viewer, names)
    return "\n".join([paint(first, art.FLAME), *others])


def drawing(box: Any, state: Any, viewer: int, names: Sequence[str]) -> str:
    """The same lines as SVG."""
    told = lines(box, state, viewer, names)
    body = [art.words(line, 24, 40 + 28 * i, 17) for i, line in enumerate(told)]
    return art.svg(480, 40 + 28 * len(told), say("fireflies.name"), body)
