"""The moves of Lumens: typed, as ids, and as short texts such as `5@3,7`."""

from __future__ import annotations

from typing import Any

from lampion.games.core import IllegalMove
from lampion.games.lumens.state import (
    DRAWS,
    FACES,
    FIRSTS,
    KINDS,
    PLACE,
    PLACES,
    SEATS,
    START_FACES,
    cell_at,
    cells_of,
    coordinates,
    is_in,
)
from lampion.games.move_types import NUMBER, Form, Typed


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a token from the bag, named by its kind."""

    form = Form("+{token}")
    token: int


class Face(Typed, frozen=True, tag="face"):
    """The face that the first token shows on the start marker."""

    form = Form("face:{face}")
    face: int


class First(Typed, frozen=True, tag="first"):
    """Chance: who is first."""

    form = Form("first:{seat}")
    seat: int


class Place(Typed, frozen=True, tag="place"):
    """The token in hand on a cell, with the face that it shows."""

    form = Form("{face}@{x},{y}", x=NUMBER, y=NUMBER)
    x: int
    y: int
    face: int


Move = Draw | Face | First | Place


def move(box: Any, state: Any, id: int) -> Move:
    """Return the typed move of an id."""
    if id >= FIRSTS:
        return First(id - FIRSTS)
    if id >= DRAWS:
        return Draw(id - DRAWS)
    if id >= START_FACES:
        return Face(id - START_FACES + 1)
    cell, face = divmod(id - PLACES, FACES)
    return Place(*coordinates(cell), face + 1)


def id_of(box: Any, state: Any, move: Move) -> int:
    """Return the id of a typed move; raise IllegalMove, which names the rule of placing that forbids it here."""
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
                raise IllegalMove("lumens.illegal.outside")
            cell = cell_at(x, y)
            if state["step"] == PLACE and not is_in(state["targets"], cell):
                raise obstacle(box, state, cell)
            return PLACES + cell * FACES + face - 1
    raise IllegalMove("lumens.illegal.number")


def obstacle(box: Any, state: Any, cell: int) -> IllegalMove:
    """Return why a cell is not a target of the active player; where no line ends there, by a token of that player."""
    seat = int(state["active"])
    if not is_in(box["allowed"][state["players"], seat], cell):
        return IllegalMove("lumens.illegal.marker")
    if is_in(state["closed"], cell):
        return IllegalMove("lumens.illegal.closed")
    x, y = coordinates(cell)
    faces = []
    for source in cells_of([int(band) for band in state["owned"][seat]]):
        face = (int(state["top"][source]) - 1) % FACES + 1
        across, down = coordinates(source)
        if (across == x and abs(down - y) == face) or (down == y and abs(across - x) == face):
            return IllegalMove("lumens.illegal.blocked", number=face)
        faces.append(face)
    return IllegalMove("lumens.illegal.no_line", count=max(faces, default=1))
