"""Lumens as plain data: typed moves and their notation, views, events."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.core import EVERYTHING, BadPosition, IllegalMove
from lampion.games.lumens.components import LETTERS
from lampion.games.lumens.picture import drawing as drawing
from lampion.games.lumens.picture import kind_name
from lampion.games.lumens.picture import picture as picture
from lampion.games.lumens.rules import (
    DRAWS,
    FACES,
    FIRSTS,
    KINDS,
    NO_TOKEN,
    NOBODY,
    PASSAGE,
    PLACE,
    PLACES,
    ROOMS,
    SEATS,
    START_FACES,
    TOKENS,
    WIDTH,
    find_targets,
    tallies,
)
from lampion.games.move_types import UNORDERED, EventKind, Plain, Typed, told, unreadable

STEPS = ("deal_start", "face", "deal_hand", "first", "place", "draw", "ended")
CATEGORIES = tuple(f"room_{letter}" for letter in LETTERS)


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a token from the bag, named by its kind."""

    token: int


class Face(Typed, frozen=True, tag="face"):
    """The face that the first token shows on the start marker."""

    face: int


class First(Typed, frozen=True, tag="first"):
    """Chance: who is first."""

    seat: int


class Place(Typed, frozen=True, tag="place"):
    """The token in hand on a cell, with the face that it shows."""

    x: int
    y: int
    face: int


Move = Draw | Face | First | Place


def cell_at(x: int, y: int) -> int:
    """The cell of a column, counted from the west, and a row, counted from the north."""
    return y * WIDTH + x


def coordinates(cell: int) -> tuple[int, int]:
    """x to the east, y to the south, from 0."""
    return cell % WIDTH, cell // WIDTH


def move(box: Any, state: Any, id: int) -> Move:
    """The typed move of an id in this position."""
    if id >= FIRSTS:
        return First(id - FIRSTS)
    if id >= DRAWS:
        return Draw(id - DRAWS)
    if id >= START_FACES:
        return Face(id - START_FACES + 1)
    cell, face = divmod(id - PLACES, FACES)
    return Place(*coordinates(cell), face + 1)


def id_of(box: Any, state: Any, move: Move) -> int:
    """The id of a typed move in this position; a refusal names the rule of placing that stands against it."""
    match move:
        case Draw(token) if 0 <= token < KINDS:
            return DRAWS + token
        case Face(face) if 1 <= face <= FACES:
            return START_FACES + face - 1
        case First(seat) if 0 <= seat < SEATS:
            return FIRSTS + seat
        case Place(x, y, face) if 1 <= face <= FACES:
            players = state["players"]
            if not (0 <= x < box["columns"][players] and 0 <= y < box["rows"][players]):
                raise IllegalMove("lumens.illegal.outside", x=x, y=y)
            cell = cell_at(x, y)
            if state["step"] == PLACE and not is_in(state["targets"], cell):
                raise IllegalMove(f"lumens.illegal.{obstacle(box, state, cell)}", x=x, y=y)
            return PLACES + cell * FACES + face - 1
    raise IllegalMove("lumens.illegal.number", move=notation(move))


def is_in(cells: Any, cell: int) -> bool:
    """Whether a cell belongs to a set."""
    return bool(int(cells[cell >> 6]) >> (cell & 63) & 1)


def obstacle(box: Any, state: Any, cell: int) -> str:
    """Why a cell is no target of the active player."""
    if not is_in(box.allowed[state.players, state.active], cell):
        return "marker"
    return "closed" if is_in(state.closed, cell) else "no_line"


def notation(move: Move) -> str:
    """`5@3,7` places a 5 at x 3, y 7; `face:5` chooses the first token's face; `+1` draws; `first:2` begins."""
    match move:
        case Draw(token):
            return f"+{token}"
        case Face(face):
            return f"face:{face}"
        case First(seat):
            return f"first:{seat}"
        case Place(x, y, face):
            return f"{face}@{x},{y}"


def parse(text: str) -> Move:
    """The typed move of a notation."""
    if found := re.fullmatch(r"\+(\d)", text, re.ASCII):
        return Draw(int(found[1]))
    if found := re.fullmatch(r"face:(\d)", text, re.ASCII):
        return Face(int(found[1]))
    if found := re.fullmatch(r"first:(\d)", text, re.ASCII):
        return First(int(found[1]))
    if found := re.fullmatch(r"(\d)@(\d{1,2}),(\d{1,2})", text, re.ASCII):
        return Place(int(found[2]), int(found[3]), int(found[1]))
    raise unreadable("lumens", text)


class Token(Plain, frozen=True):
    """A token on the board: whose, and the number that it shows."""

    seat: int
    face: int


class Cell(Plain, frozen=True):
    """A cell that is not empty; of two tokens the covered one comes first."""

    x: int
    y: int
    tokens: list[Token]


class Room(Plain, frozen=True):
    """A room as it would be counted now, by seat."""

    sums: list[int]
    points: list[int]


class Seat(Plain, frozen=True):
    """A player's tokens not on the board, by kind, and whether one is in hand; `hand` is there for who may see it."""

    left: list[int]
    holding: bool
    hand: int | None
    out: bool


class View(Plain, frozen=True):
    """What a viewer sees. `rooms` follow from the tokens, so a position may be given without them."""

    players: int
    first: int | None
    active: int | None
    step: Literal["deal_start", "face", "deal_hand", "first", "place", "draw", "ended"]
    cells: Annotated[list[Cell], UNORDERED]
    seats: list[Seat]
    rooms: dict[str, Room] = msgspec.field(default_factory=dict)


def view(box: Any, state: Any, viewer: int) -> View:
    """Everything is open but the tokens in the others' hands, and with them what is left in the others' bags."""
    shown = rooms(box, state)
    state = told(state)
    players = state.players
    return View(
        players=players,
        first=None if state.first == NOBODY else int(state.first),
        active=None if state.active == NOBODY else int(state.active),
        step=STEPS[state.step],  # type: ignore[arg-type]
        cells=[
            Cell(*coordinates(cell), [LYING[state.under[cell]], LYING[code]] if state.under[cell] else [LYING[code]])
            for cell, code in enumerate(state.top)
            if code
        ],
        seats=[
            Seat(
                left=[state.bags[seat][kind] + int(state.hands[seat] == kind) for kind in range(KINDS)],
                holding=bool(state.hands[seat] != NO_TOKEN),
                hand=int(state.hands[seat]) if viewer in (seat, EVERYTHING) and state.hands[seat] != NO_TOKEN else None,
                out=bool(state.out[seat]),
            )
            for seat in range(players)
        ],
        rooms=shown,
    )


LYING = tuple(Token((code - 1) // FACES, (code - 1) % FACES + 1) for code in range(1 + SEATS * FACES))
"""The tokens by the number that the state holds for them; 0 is none."""


def rooms(box: Any, state: Any) -> dict[str, Room]:
    """The rooms of this board by letter."""
    players = int(state["players"])
    points = np.zeros((players, ROOMS), dtype=np.int64)
    tallies(box, state, points)
    sums, won = state["sums"][:, :players].tolist(), points.T.tolist()
    there = sorted(set(box["rooms"][players].tolist()) - {PASSAGE})
    return {LETTERS[room]: Room(sums[room], won[room]) for room in there}


def options_of(view: View) -> dict[str, Any]:
    """The options that a position shows."""
    return {} if view.first is None else {"first": view.first}


def asked(box: Any, state: Any, seat: int) -> str:
    """What is asked now."""
    return f"lumens.step.{STEPS[state.step]}"


def position(box: Any, view: View, state: Any) -> None:
    """The inverse of the view of EVERYTHING; fields are checked here, the rest by `broken_invariant`."""
    players = view.players
    if not 2 <= players <= SEATS or len(view.seats) != players:
        raise BadPosition("lumens.fact.players")
    state.players = players
    state.first = NOBODY if view.first is None else whole(view.first, 0, players - 1, "players")
    state.active = NOBODY if view.active is None else whole(view.active, 0, players - 1, "players")
    state.step = STEPS.index(view.step)
    for lying in view.cells:
        lay(box, state, lying)
    state.hands[:] = NO_TOKEN
    for seat, given in enumerate(view.seats):
        if len(given.left) != KINDS:
            raise BadPosition("lumens.fact.tokens")
        if given.holding != (given.hand is not None):
            raise BadPosition("lumens.fact.hands")
        if given.hand is not None:
            state.hands[seat] = whole(given.hand, 0, KINDS - 1, "tokens")
        for kind, left in enumerate(given.left):
            held = int(state.hands[seat] == kind)
            state.bags[seat, kind] = whole(left, held, TOKENS, "tokens") - held
            state.bagged[seat] += state.bags[seat, kind]
        state.out[seat] = given.out
    if state.step == PLACE and view.active is not None:
        find_targets(box, state, view.active)


def lay(box: Any, state: Any, lying: Cell) -> None:
    """The tokens of one cell."""
    players = int(state.players)
    x = whole(lying.x, 0, int(box.columns[players]) - 1, "cells")
    y = whole(lying.y, 0, int(box.rows[players]) - 1, "cells")
    cell = cell_at(x, y)
    if not 1 <= len(lying.tokens) <= 2 or state.top[cell]:
        raise BadPosition("lumens.fact.cells")
    codes = [whole(t.seat, 0, players - 1, "cells") * FACES + whole(t.face, 1, FACES, "cells") for t in lying.tokens]
    band, bit = cell >> 6, 1 << (cell & 63)
    if len(codes) == 2:
        state.under[cell] = codes[0]
        state.closed[band] |= bit
    visible = lying.tokens[-1]
    state.top[cell] = codes[-1]
    state.owned[visible.seat, band] |= bit
    state.shows[visible.face - 1, band] |= bit
    if box.rooms[players, cell] != PASSAGE:
        room, seat = int(box.rooms[players, cell]), visible.seat
        state.sums[room, seat] = whole(int(state.sums[room, seat]) + visible.face, 0, FACES * TOKENS, "tokens")


def whole(value: int, least: int, most: int, fact: str) -> int:
    """A number in its bounds, or the fact that it breaks."""
    if not least <= value <= most:
        raise BadPosition(f"lumens.fact.{fact}")
    return value


class Event(move_types.Event, frozen=True):
    """An event of Lumens, with the kind of the token that was drawn, or where one lies and the face it shows."""

    token: int | UnsetType = UNSET
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET
    face: int | UnsetType = UNSET


def _lying(box: Any, thing: int, number: int) -> dict[str, Any]:
    x, y = coordinates(thing)
    return {"x": x, "y": y, "face": number}


def _cell(box: Any, thing: int) -> str:
    return "{},{}".format(*coordinates(thing))


def _room(box: Any, thing: int) -> str:
    return LETTERS[thing]


EVENTS = (
    EventKind("first"),
    EventKind("drew", kind_name, fields=lambda box, thing, number: {"token": thing}),
    EventKind("placed", _cell, fields=_lying),
    EventKind("covered", _cell, fields=_lying),
    EventKind("sum", _room),
    EventKind("leads", _room),
    EventKind("finished"),
    EventKind("out"),
    EventKind("scored", _room),
    EventKind("end"),
)
WHYS = (
    "chance",
    "choice",
    "setup",
    "line",
    "direct",
    "forced",
    "placing",
    "covering",
    "alone",
    "tied",
    "first_place",
    "second_place",
)
