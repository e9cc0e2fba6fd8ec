"""What a viewer of Lumens sees, as plain data, and the position of a view of everything."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec

from lampion.engine.arrays import np
from lampion.engine.record_fields import fields_of
from lampion.games.core import EVERYTHING, BadPosition
from lampion.games.lumens.components import LETTERS, rooms_on
from lampion.games.lumens.rules import find_targets, list_lines
from lampion.games.lumens.scoring import tallies
from lampion.games.lumens.state import (
    CELLS,
    DIRECTIONS,
    FACES,
    KINDS,
    NO_TOKEN,
    NOBODY,
    PASSAGE,
    PLACE,
    ROOMS,
    SEATS,
    TOKENS,
    cell_at,
    cells_of,
    coordinates,
)
from lampion.games.move_types import UNORDERED, Plain, number_check

Step = Literal["deal_start", "face", "deal_hand", "first", "place", "draw", "ended"]
STEPS: tuple[Step, ...] = get_args(Step)

whole = number_check("lumens")


class Token(Plain, frozen=True):
    """A token on the board: whose, and the number that it shows."""

    seat: int
    face: int


class Cell(Plain, frozen=True):
    """A cell that is not empty; of two tokens the covered one comes first."""

    x: int
    y: int
    tokens: list[Token]


class Spot(Plain, frozen=True):
    """A place on the board."""

    x: int
    y: int


class Target(Plain, frozen=True):
    """A cell where the active player may place, and the cells of the tokens from which a line leads there.

    The player's own start marker may be a target without a line.
    """

    x: int
    y: int
    sources: Annotated[list[Spot], UNORDERED]


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
    """What a viewer sees. `rooms` and `targets` follow from the rest, so a position may be given without them."""

    players: int
    first: int | None
    active: int | None
    step: Step
    cells: Annotated[list[Cell], UNORDERED]
    seats: list[Seat]
    rooms: dict[str, Room] = msgspec.field(default_factory=dict)
    targets: Annotated[list[Target], UNORDERED] = msgspec.field(default_factory=list)


def view(box: Any, state: Any, viewer: int) -> View:
    """Return what a viewer sees: everything but the tokens in the other hands and the rest of the other bags."""
    shown, aims = rooms(box, state), targets(box, state)
    state = fields_of(state)
    players = state.players
    return View(
        players=players,
        first=None if state.first == NOBODY else int(state.first),
        active=None if state.active == NOBODY else int(state.active),
        step=STEPS[state.step],
        cells=[
            Cell(*coordinates(cell), [LYING[state.under[cell]], LYING[code]] if state.under[cell] else [LYING[code]])
            for cell, code in enumerate(state.top)
            if code
        ],
        seats=[
            Seat(
                left=tokens_left(state, seat),
                holding=bool(state.hands[seat] != NO_TOKEN),
                hand=int(state.hands[seat]) if viewer in (seat, EVERYTHING) and state.hands[seat] != NO_TOKEN else None,
                out=bool(state.out[seat]),
            )
            for seat in range(players)
        ],
        rooms=shown,
        targets=aims,
    )


SPOTS = tuple(Spot(*coordinates(cell)) for cell in range(CELLS))
LYING = tuple(Token((code - 1) // FACES, (code - 1) % FACES + 1) for code in range(1 + SEATS * FACES))
"""The tokens by the number that the state holds for them; 0 is none."""


def tokens_left(state: Any, seat: int) -> list[int]:
    """Return the number of a seat's tokens that are not on the board, by kind."""
    return [int(state.bags[seat][kind]) + int(state.hands[seat] == kind) for kind in range(KINDS)]


def standings(state: Any, room: int) -> list[tuple[int, int]]:
    """Return the sums in a room that are not 0 as (seat, sum), largest first."""
    sums = [(seat, int(state.sums[room, seat])) for seat in range(state.players) if state.sums[room, seat]]
    return sorted(sums, key=lambda pair: -pair[1])


def rooms(box: Any, state: Any) -> dict[str, Room]:
    """Return the rooms of this board by letter."""
    players = int(state["players"])
    points = np.zeros((players, ROOMS), dtype=np.int64)
    tallies(box, state, points)
    sums, won = state["sums"].tolist(), points.tolist()
    return {LETTERS[room]: Room(sums[room][:players], [its[room] for its in won]) for room in rooms_on(box, players)}


def targets(box: Any, state: Any) -> list[Target]:
    """Return the cells where the active player may place, by cell; none in steps other than PLACE."""
    lines = np.zeros((DIRECTIONS * TOKENS, 2), dtype=np.int64)
    count = list_lines(box, state, state.copy(), lines)
    sources: dict[int, list[Spot]] = {cell: [] for cell in cells_of(state["targets"].tolist())}
    for source, end in lines[:count].tolist():
        sources[end].append(SPOTS[source])
    return [Target(SPOTS[cell].x, SPOTS[cell].y, found) for cell, found in sources.items()]


def options_of(view: View) -> dict[str, Any]:
    """Return the options that a position shows."""
    return {} if view.first is None else {"first": view.first}


def asked(box: Any, state: Any, seat: int) -> str:
    """Return the key of the words for what is asked now."""
    return f"lumens.step.{STEPS[state.step]}"


def position(box: Any, view: View, state: Any) -> None:
    """Fill a zeroed state from a view of EVERYTHING; fields are checked here, the rest by `broken_invariant`."""
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
    """Put the tokens of one cell on the board."""
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
