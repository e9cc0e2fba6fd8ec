"""Moves, events and views as plain data: what every game's words are made of.

A game's `words` module gives

    Move                            the union of its typed moves, structs tagged by `kind`
    View                            the struct of what a viewer sees
    move(box, state, id) -> Move    the typed move an id stands for in this position
    id_of(box, state, move) -> id   its inverse; IllegalMove where the position has no such move
    notation(move) -> str, parse(text) -> Move    the short way to write it
    view(box, state, viewer) -> View              built by inclusion: it starts empty and adds what the viewer may see
    position(box, view, state)      the inverse of the view of EVERYTHING, into a zeroed state; `broken_invariant`
                                    is then asked, and the view given is compared with that of the state: fields that
                                    have a default follow from the others and may be left out, UNORDERED lists are in
                                    any order
    options_of(view) -> dict        the options that a position shows, for games that start from it
    asked(box, state, seat) -> key  the words for what a seat is asked now
    EVENTS, WHYS                    the kinds of events and their reasons, in the order of the rules' numbers
    Event                           optional: the events' struct, where they name things as moves do (EventKind.fields)
    picture(box, state, viewer, names, paint) -> str    the position for a terminal
    drawing(box, state, viewer, names) -> str           the position as SVG
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import msgspec

from lampion.games.core import EVERYTHING, Game, UnreadableMove
from lampion.locale import has, say, short, written
from lampion.locale.shape import wrong_form

Paint = Callable[[str, str], str]
"""Colours a piece of text: (text, "#rrggbb") -> text."""


UNORDERED = msgspec.Meta(extra={"unordered": True})
"""Marks a list of a view (`Annotated[list[int], UNORDERED]`) whose items may be given in any order."""


def no_paint(text: str, colour: str) -> str:
    """Text as it is."""
    return text


class Plain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Data without behaviour, the same in Python and in JSON; what it does not know, it refuses."""


class Typed(Plain, frozen=True, tag_field="kind"):
    """A move, named by its kind."""

    @property
    def kind(self) -> str:
        """The kind, as JSON has it."""
        return str(self.__struct_config__.tag)


class Event(msgspec.Struct, frozen=True):
    """One thing that happened: whom it concerns, what, how many and why. `thing` is None where none is told.

    A game whose events also have fields of their own (`EventKind.fields`) extends this struct in its words.
    """

    kind: str
    seat: int | None
    thing: str | None
    number: int
    why: str


@dataclass(frozen=True)
class EventKind:
    """How a kind of event is told: its name, and what its things are called."""

    name: str
    thing: Callable[[Any, int], str | None] = lambda box, thing: None
    noun: str | Callable[[str], str] | None = None
    """The words for the thing: GAME.NOUN.thing in the catalogue, or what a function says; None: it is its own word."""
    earns: tuple[Callable[[Any, int], str], str] | None = None
    """Where the number is points that the seat keeps: what they are for, as statistics count it, and its noun."""
    fields: Callable[[Any, int, int], dict[str, Any]] = lambda box, thing, number: {}
    """The fields of the game's Event that name the thing as moves do, from the thing and the number."""


def told(record: Any) -> SimpleNamespace:
    """The fields of a record as plain numbers and lists: read often, they cost a hundredth of the record's own."""
    values = (value if isinstance(value, int) else value.tolist() for value in record.item())
    return SimpleNamespace(**dict(zip(record.dtype.names, values, strict=True)))


def event_type(game: Game) -> type[Event]:
    """Return the struct of a game's events."""
    found: type[Event] = getattr(game.words, "Event", Event)
    return found


def event(game: Game, box: Any, row: Any, viewer: int) -> Event:
    """Return a row of the log as `viewer` may know it."""
    kind, seat, thing, number, why, viewers = map(int, row)
    may_know = viewer == EVERYTHING or viewers == -1 or (viewer >= 0 and (viewers >> viewer) & 1)
    is_told = bool(may_know and thing >= 0)
    told: EventKind = game.words.EVENTS[kind]
    return event_type(game)(
        told.name,
        seat if seat >= 0 else None,
        told.thing(box, thing) if is_told else None,
        number,
        game.words.WHYS[why],
        **(told.fields(box, thing, number) if is_told else {}),
    )


@cache
def kinds(words: Any) -> dict[str, EventKind]:
    """The kinds of events of a game by name."""
    return {kind.name: kind for kind in words.EVENTS}


def sentence(game: Game, event: Event, names: Sequence[str]) -> str:
    """An event in words, for a log and for a screen reader."""
    told = kinds(game.words)[event.kind]
    stem = f"{game.name}.event.{event.kind}"
    hidden = event.thing is None and has(f"{stem}.hidden")
    reason = f"{stem}.{event.why}"
    key = f"{stem}.hidden" if hidden else reason if has(reason) or has(f"{reason}.other") else stem
    thing = event.thing or ""
    if told.noun is not None and event.thing is not None:
        thing = say(f"{game.name}.{told.noun}.{thing}") if isinstance(told.noun, str) else told.noun(thing)
    who = names[event.seat] if event.seat is not None else ""
    return say(key, who=who, thing=thing, number=event.number, count=event.number)


def read_move(game: Game, given: Any) -> Any:
    """A typed move from notation or from JSON data; UnreadableMove says what is wrong."""
    if isinstance(given, str):
        return game.words.parse(given.strip())
    if isinstance(given, Typed):
        return given
    try:
        return msgspec.convert(given, game.words.Move)
    except msgspec.ValidationError as error:
        detail = wrong_form(error)
        raise UnreadableMove("error.unreadable_move", game=game.name, move=written(given), detail=detail) from None


def unreadable(game: str, text: str) -> UnreadableMove:
    """The error of `parse`, with examples of how moves are written."""
    return UnreadableMove("error.notation", game=game, move=short(text), examples=say(f"{game}.notation"))
