"""What a viewer of Lanternes sees, as plain data, and the position that such data describes."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from lampion.engine.record_fields import box_fields, fields_of
from lampion.games.core import EVERYTHING, BadPosition
from lampion.games.lanternes.notation import Colour
from lampion.games.lanternes.scoring import CATEGORIES
from lampion.games.lanternes.state import (
    BORDER,
    CENTRE,
    COMBINATIONS,
    DISTRIBUTIONS,
    FREE,
    HAND,
    LETTERS,
    NO_CELL,
    NO_TILE,
    NOBODY,
    REACH,
    SEATS,
    START,
    STEPS,
    TILES,
    cell_at,
    coordinates,
    hand_of,
    neighbour,
    rewards_left,
)
from lampion.games.move_types import UNORDERED, Plain, number_check

LAID = re.compile(rb"[^\x00\xff]")
"""A cell with a tile, among the bytes of the lake: neither empty nor FREE."""

whole = number_check("lanternes")


class LakeTile(Plain, frozen=True):
    """A tile that lies on the lake."""

    tile: int
    x: int
    y: int
    turn: int


class Seat(Plain, frozen=True):
    """What lies in front of a player, and the side of the lake that the player faces: 0 north, 1 east, 2 south, 3 west.

    `hand` is None for viewers who may not see it. `side` follows from the number of players: it is always there in a
    view, and a position may be given without it.
    """

    cards: dict[Colour, int]
    boats: int
    points: dict[str, int]
    tiles: int
    hand: Annotated[list[int] | None, UNORDERED]
    side: int | None = None


class View(Plain, frozen=True):
    """What a viewer sees. `unseen` are the tiles that the viewer has not seen; `stacks` the rewards left, top first."""

    players: int
    distribution: Literal["first", "active"]
    first: int | None
    active: int | None
    step: Literal["first", "deal", "exchange", "reward", "discard", "place", "draw", "ended"]
    final: bool
    lake: Annotated[list[LakeTile], UNORDERED]
    supply: dict[Colour, int]
    stacks: dict[str, list[int]]
    pile: int
    unseen: Annotated[list[int], UNORDERED]
    seats: list[Seat]


def view(box: Any, state: Any, viewer: int) -> View:
    """Return what a viewer sees: everything but the tiles in the hands of others."""
    box, state = box_fields(box), fields_of(state)
    players = state.players
    cells = (found.start() for found in LAID.finditer(state.lake))
    lake = [LakeTile(state.lake[cell] - 1 >> 2, *coordinates(cell), state.lake[cell] - 1 & 3) for cell in cells]
    hands = [hand_of(state, seat) for seat in range(players)]
    known = {seat for seat in range(players) if viewer in (seat, EVERYTHING)}
    sides = box.sides[players]
    seen = {tile.tile for tile in lake}.union(*(hands[seat] for seat in known))
    return View(
        players=players,
        distribution=DISTRIBUTIONS[state.by_active],  # type: ignore[arg-type]
        first=None if state.first == NOBODY else state.first,
        active=None if state.active == NOBODY else state.active,
        step=STEPS[state.step],  # type: ignore[arg-type]
        final=bool(state.final),
        lake=lake,
        supply=by_letter(state.supply),
        stacks={name: rewards_left(box, state, stack) for stack, name in enumerate(COMBINATIONS)},
        pile=state.pile,
        unseen=[tile for tile in range(TILES) if tile not in seen],
        seats=[
            Seat(
                cards=by_letter(state.cards[seat]),
                boats=state.boats[seat],
                points=dict(zip(CATEGORIES, state.points[seat], strict=True)),
                tiles=len(hands[seat]),
                hand=hands[seat] if seat in known else None,
                side=sides[seat],
            )
            for seat in range(players)
        ],
    )


def by_letter(counts: list[int]) -> dict[Colour, int]:
    """Return counts of colours by the letters of the colours."""
    return dict(zip(LETTERS, counts, strict=True))  # type: ignore[return-value]


def options_of(view: View) -> dict[str, Any]:
    """Return the options that a position shows."""
    return {"distribution": view.distribution} | ({} if view.first is None else {"first": view.first})


def asked(box: Any, state: Any, seat: int) -> str:
    """Return the key of the words for what is asked now."""
    return f"lanternes.step.{STEPS[state.step]}"


def position(box: Any, view: View, state: Any) -> None:
    """Fill a zeroed state from a view of EVERYTHING; check the fields, and leave the rest to `broken_invariant`."""
    players = view.players
    if not 2 <= players <= SEATS or len(view.seats) != players:
        raise BadPosition("lanternes.fact.players")
    state.players = players
    state.by_active = DISTRIBUTIONS.index(view.distribution)
    state.first = NOBODY if view.first is None else whole(view.first, 0, players - 1, "players")
    state.active = NOBODY if view.active is None else whole(view.active, 0, players - 1, "players")
    state.step = STEPS.index(view.step)
    state.final = view.final
    cells = {}
    for laid in view.lake:
        cell = cell_at(whole(laid.x, 1 - REACH, REACH - 1, "lake"), whole(laid.y, 1 - REACH, REACH - 1, "lake"))
        if cell in cells:
            raise BadPosition("lanternes.fact.lake")
        cells[cell] = 1 + 4 * whole(laid.tile, 0, START, "tiles") + whole(laid.turn, 0, 3, "lake")
    set_lake(state, cells)
    set_colours(state.supply, view.supply)
    for stack, name in enumerate(COMBINATIONS):
        left = view.stacks.get(name, [])
        state.taken[stack] = whole(int(box.stack_sizes[players, stack]) - len(left), 0, 127, "rewards")
        if rewards_left(box, state, stack) != left:
            raise BadPosition("lanternes.fact.rewards")
    state.hands[:] = NO_TILE
    for seat, given in enumerate(view.seats):
        set_seat(state, seat, given)
    if len(view.unseen) > TILES:
        raise BadPosition("lanternes.fact.tiles")
    state.unseen[:] = NO_TILE
    set_tiles(state.unseen, view.unseen)
    state.unseen_count = len(view.unseen)
    state.pile = whole(view.pile, 0, TILES, "tiles")


def set_colours(counts: Any, given: dict[Colour, int]) -> None:
    """Write counts by letter into a row of the state."""
    for colour, letter in enumerate(LETTERS):
        counts[colour] = whole(given.get(letter, 0), 0, 127, "counts")  # type: ignore[call-overload]


def set_tiles(row: Any, given: list[int]) -> None:
    """Write tiles into a row of the state, ascending."""
    for i, tile in enumerate(sorted(given)):
        row[i] = whole(tile, 0, TILES - 1, "tiles")


def set_seat(state: Any, seat: int, given: Seat) -> None:
    """Write the cards, boats, points and tiles of a seat."""
    set_colours(state.cards[seat], given.cards)
    state.boats[seat] = whole(given.boats, 0, 127, "counts")
    for i, name in enumerate(CATEGORIES):
        state.points[seat, i] = whole(given.points.get(name, 0), 0, 1000, "rewards")
    hand = given.hand or []
    if len(hand) > HAND or len(hand) != given.tiles:
        raise BadPosition("lanternes.fact.hands")
    set_tiles(state.hands[seat], hand)


def set_lake(state: Any, cells: dict[int, int]) -> None:
    """Put tiles on their cells and find the border; raise BadPosition unless they are one piece with the start tile."""
    reached, reach = set(), [CENTRE]
    while reach:
        cell = reach.pop()
        if cell in cells and cell not in reached:
            reached.add(cell)
            reach += [neighbour(cell, side) for side in range(4)]
    if reached != set(cells) or not cells:
        raise BadPosition("lanternes.fact.lake")
    for cell, code in cells.items():
        state.lake[cell] = code
    border = sorted({neighbour(cell, side) for cell in cells for side in range(4)} - set(cells))
    if len(border) > BORDER:
        raise BadPosition("lanternes.fact.lake")
    state.border[:] = NO_CELL
    state.border[: len(border)] = border
    for cell in border:
        state.lake[cell] = FREE
    state.border_count = len(border)
    state.placed = len(cells) - 1
