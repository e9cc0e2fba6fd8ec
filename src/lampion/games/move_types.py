"""Moves, events and views as plain data: the types that every game extends.

A game gives, in the modules that `Game` names,

notation:
    Move                            the union of its typed moves: structs tagged by `kind`, each with its `form`
    move(box, state, id) -> Move    the typed move an id stands for in this position
    id_of(box, state, move) -> id   its inverse; IllegalMove where the position has no such move

view:
    View                            the struct of what a viewer sees
    view(box, state, viewer) -> View              built by inclusion: it starts empty and adds what the viewer may see
    position(box, view, state)      the inverse of the view of EVERYTHING, into a zeroed state; `broken_invariant`
                                    is then asked, and the view given is compared with that of the state: fields that
                                    have a default follow from the others and may be left out, UNORDERED lists are in
                                    any order
    options_of(view) -> dict        the options that a position shows, for games that start from it
    asked(box, state, seat) -> key  the words for what a seat is asked now

events:
    EVENTS, WHYS                    the kinds of events and their reasons, in the order of the rules' numbers
    Event                           optional: the events' struct, where they name things as moves do (EventKind.fields)

text and svg:
    draw_text(box, state, viewer, names, paint) -> str    the position for a terminal
    draw_svg(box, state, viewer, names) -> str            the position as SVG
    draw_boards(box, state, viewer) -> list of str        optional: only what lies on the table at the end of a game, as
                                                          SVG; one shared board, turned as the viewer played on it, or
                                                          one for each seat, without names
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeVar, get_args

import msgspec

from lampion.games.core import EVERYTHING, BadPosition, Game, UnreadableMove
from lampion.locale import has, say, short, written
from lampion.locale.decode_errors import wrong_form

Paint = Callable[[str, str], str]
"""Colours a piece of text: (text, "#rrggbb") -> text."""


UNORDERED = msgspec.Meta(extra={"unordered": True})
"""Marks a list of a view (`Annotated[list[int], UNORDERED]`) whose items may be given in any order."""


Item = TypeVar("Item")


class Numbered(list[Item]):
    """A table whose rows are named and numbered where they are added: `DREW = EVENTS.add(EventKind("drew"))`."""

    def add(self, item: Item) -> int:
        """Append an item and return its index, an integer that compiled rules can use."""
        self.append(item)
        return len(self) - 1


def no_paint(text: str, colour: str) -> str:
    """Return the text without colour."""
    return text


class Plain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Data without behaviour, the same in Python and in JSON; unknown fields are refused."""


class Field(NamedTuple):
    """How a field of a move is written: the pattern of its text, and how the text is read and made."""

    pattern: str
    read: Callable[[str], Any] = int
    write: Callable[[Any], str] = str


DIGIT, NUMBER = Field("[0-9]"), Field("[0-9]{1,2}")


def one_of(texts: Iterable[str]) -> Field:
    """Return a field that is one of these texts."""
    return Field("|".join(map(re.escape, texts)), str)


class Form:
    """How moves of one kind are written: `Form("{slot}[@{column}]", slot=NUMBER)`.

    Braces hold a field, by default one digit; the part in square brackets is left out where its field is None.
    """

    def __init__(self, template: str, **fields: Field) -> None:
        required, _, optional = template.partition("[")
        optional = optional.rstrip("]")
        self._fields = {name: fields.get(name, DIGIT) for name in re.findall(r"{(\w+)}", template)}
        self._optional = next(iter(re.findall(r"{(\w+)}", optional)), None)
        self._required, self._whole = required, required + optional

        def pattern(part: str) -> str:
            names = re.split(r"{(\w+)}", part)
            names[::2] = map(re.escape, names[::2])
            names[1::2] = [f"(?P<{name}>{self._fields[name].pattern})" for name in names[1::2]]
            return "".join(names)

        self._pattern = re.compile(f"{pattern(required)}(?:{pattern(optional)})?")

    def write(self, move: Any) -> str:
        """Return a move as text."""
        is_short = self._optional is not None and getattr(move, self._optional) is None
        texts = {name: field.write(getattr(move, name)) for name, field in self._fields.items()}
        return (self._required if is_short else self._whole).format(**texts)

    def read(self, text: str) -> dict[str, Any] | None:
        """Return the fields of the move that a text stands for, or None if it is not of this form."""
        found = self._pattern.fullmatch(text)
        if found is None:
            return None
        given = found.groupdict()
        return {name: field.read(given[name]) for name, field in self._fields.items() if given[name] is not None}


class Typed(Plain, frozen=True, tag_field="kind"):
    """A move, named by its kind."""

    form: ClassVar[Form]
    """How it is written."""

    @property
    def kind(self) -> str:
        """The kind, as in JSON."""
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
    """A kind of event: its name, and what its things are called."""

    name: str
    thing: Callable[[Any, int], str | None] = lambda box, thing: None
    noun: str | Callable[[str], str] | None = None
    """The words for the thing: GAME.NOUN.thing in the catalogue, or what a function returns; None: the thing itself."""
    words: Callable[[Any, Any, int], str] | None = None
    """Returns the words for the thing from the event, the box and the number of players, where they need more."""
    numbered: str | None = None
    """Where the number is what the sentence is about: its words are GAME.NUMBERED.number in the catalogue."""
    counts_from: int = 0
    """What a sentence adds to the number: 1 where people count from 1 what data count from 0, such as columns."""
    scores: bool = False
    """Whether the number is points that the event adds to the score of its seat."""
    earns: tuple[Callable[[Any, int], str], str] | None = None
    """Where reports count these points by what earned them: a function that returns its name, and its noun."""
    fields: Callable[[Any, int, int], dict[str, Any]] = lambda box, thing, number: {}
    """Returns the fields of the game's Event that name the thing as moves do, from the thing and the number."""


def number_check(game: str) -> Callable[[int, int, int, str], int]:
    """Return a function that returns a number if it is within its bounds, and else raises BadPosition with the broken
    invariant."""

    def check(value: int, least: int, most: int, invariant: str) -> int:
        if not least <= value <= most:
            raise BadPosition(f"{game}.fact.{invariant}")
        return value

    return check


def event_type(game: Game) -> type[Event]:
    """Return the struct of a game's events."""
    found: type[Event] = getattr(game.events, "Event", Event)
    return found


def event(game: Game, box: Any, row: Any, viewer: int) -> Event:
    """Return a row of the log as the event that `viewer` may see."""
    kind, seat, thing, number, why, viewers = map(int, row)
    may_know = viewer == EVERYTHING or viewers == -1 or (viewer >= 0 and (viewers >> viewer) & 1)
    shows_thing = bool(may_know and thing >= 0)
    found: EventKind = game.events.EVENTS[kind]
    return event_type(game)(
        found.name,
        seat if seat >= 0 else None,
        found.thing(box, thing) if shows_thing else None,
        number,
        game.events.WHYS[why],
        **(found.fields(box, thing, number) if shows_thing else {}),
    )


@cache
def kinds(events: Any) -> dict[str, EventKind]:
    """Return the kinds of events of a game by name."""
    return {kind.name: kind for kind in events.EVENTS}


def points_of(game: Game, event: Event) -> int:
    """Return the points that an event adds to the score of its seat; 0 where it adds none or does not say them."""
    return event.number if kinds(game.events)[event.kind].scores else 0


ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
"""Unicode's invisible marks around what is put into a sentence."""


def sentence(game: Game, event: Event, names: Sequence[str], *, box: Any, isolate: bool = False) -> str:
    """
    Return an event in words, for a log and for a screen reader.

    `box` is that of the edition played. With `isolate`, the thing stands between Unicode's isolate marks, so
    that a page can draw it. A name that is a `You` is addressed in the second person.
    """
    kind = kinds(game.events)[event.kind]
    stem = f"{game.name}.event.{event.kind}"
    hidden = event.thing is None and has(f"{stem}.hidden")
    reason = f"{stem}.{event.why}"
    key = f"{stem}.hidden" if hidden else reason if has(reason) or has(f"{reason}.other") else stem
    who = names[event.seat] if event.seat is not None else ""
    thing = event.thing or ""
    if kind.words is not None:
        thing = kind.words(event, box, len(names))
    elif kind.numbered is not None:
        thing = say(f"{game.name}.{kind.numbered}.{event.number}", who=who)
    elif kind.noun is not None and event.thing is not None:
        thing = say(f"{game.name}.{kind.noun}.{thing}", who=who) if isinstance(kind.noun, str) else kind.noun(thing)
    if isolate and thing:
        thing = f"{ISOLATE}{thing}{POP_ISOLATE}"
    number = event.number + kind.counts_from
    return say(key, who=who, thing=thing, number=number, count=number)


def notation(move: Typed) -> str:
    """Return a move in the short notation of its game."""
    return move.form.write(move)


def parse(game: Game, text: str) -> Any:
    """Return the move that a notation stands for; raise UnreadableMove, with examples of how moves are written."""
    for kind in move_kinds(game):
        fields = kind.form.read(text)
        if fields is not None:
            return kind(**fields)
    examples = say(f"{game.name}.notation")
    raise UnreadableMove("error.notation", game=game.name, move=short(text), examples=examples)


def move_kinds(game: Game) -> tuple[type[Typed], ...]:
    """Return the types of a game's moves."""
    return get_args(game.notation.Move) or (game.notation.Move,)


def read_move(game: Game, given: Any) -> Any:
    """Return the typed move of a notation or of JSON data; raise UnreadableMove, which says what is wrong."""
    if isinstance(given, str):
        return parse(game, given.strip())
    if isinstance(given, Typed):
        return given
    try:
        return msgspec.convert(given, game.notation.Move)
    except msgspec.ValidationError as error:
        detail = wrong_form(error)
        raise UnreadableMove("error.unreadable_move", game=game.name, move=written(given), detail=detail) from None
