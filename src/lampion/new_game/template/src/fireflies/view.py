"""What a viewer of Fireflies sees, and a position set up from it.

In a game of your own: the fields that a viewer may know, and no others; `position` reads them back.
"""

from __future__ import annotations

from typing import Any, Literal

from fireflies.rules import EQUALS, LIGHTS, NOBODY, SEATS
from lampion.games.core import EVERYTHING, BadPosition
from lampion.games.move_types import Plain

STEPS = ("first", "deal", "choose", "ended")


class Seat(Plain, frozen=True):
    """A player as a viewer knows them; `hand` and `gone` (by brightness) only for viewers who may see them."""

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
    equal: Literal["nobody", "everybody"]
    first: int | None
    active: int | None
    step: Literal["first", "deal", "choose", "ended"]
    night: int
    spent: list[int]
    unseen: list[int]
    seats: list[Seat]


def view(box: Any, state: Any, viewer: int) -> View:
    """Return what a viewer sees: all but what the others hold and let go."""
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
        equal=EQUALS[state.equal],  # type: ignore[arg-type]
        first=None if state.first == NOBODY else int(state.first),
        active=None if state.active == NOBODY else int(state.active),
        step=STEPS[state.step],  # type: ignore[arg-type]
        night=int(state.night),
        spent=[int(number) for number in state.spent],
        unseen=unseen,
        seats=seats,
    )


def options_of(view: View) -> dict[str, Any]:
    """Return the options that a position shows."""
    return {"equal": view.equal} | ({} if view.first is None else {"first": view.first})


def asked(box: Any, state: Any, seat: int) -> str:
    """Return the key of the words for what is asked now."""
    return f"fireflies.step.{STEPS[state.step]}"


def position(box: Any, view: View, state: Any) -> None:
    """Set up a state from the view of EVERYTHING; fields are checked here, the rest by `broken_invariant`."""
    if not 2 <= view.players <= SEATS or len(view.seats) != view.players:
        raise BadPosition("fireflies.fact.players")
    state.players = view.players
    state.equal = EQUALS.index(view.equal)
    state.first = NOBODY if view.first is None else whole(view.first, view.players - 1, "players")
    state.active = NOBODY if view.active is None else whole(view.active, view.players - 1, "players")
    state.step = STEPS.index(view.step)
    state.night = whole(view.night, 100, "turns")
    state.spent[:] = counts(view.spent)
    state.jar[:] = counts(view.unseen)
    for seat, given in enumerate(view.seats):
        state.light[seat] = whole(given.light, 1000, "turns")
        state.rest[seat] = whole(given.rest, 1000, "turns")
        state.shown[seat] = whole(given.shown or 0, LIGHTS, "lights")
        state.hand[seat] = whole(given.hand or 0, LIGHTS, "lights")
        state.gone[seat] = counts(given.gone or [])
        if given.holds != (given.hand is not None) or given.went != sum(given.gone or []):
            raise BadPosition("fireflies.fact.turns")


def whole(value: int, most: int, fact: str) -> int:
    """Return a number that is within its bounds; raise BadPosition with the invariant that it breaks."""
    if not 0 <= value <= most:
        raise BadPosition(f"fireflies.fact.{fact}")
    return value


def counts(given: list[int]) -> list[int]:
    """Return a number for every brightness."""
    if len(given) != LIGHTS:
        raise BadPosition("fireflies.fact.lights")
    return [whole(number, 100, "lights") for number in given]
