"""Lanternes as plain data: typed moves and their notation, views, events."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.core import EVERYTHING, BadPosition, IllegalMove
from lampion.games.lanternes.components import LETTERS
from lampion.games.lanternes.picture import drawing as drawing
from lampion.games.lanternes.picture import picture as picture
from lampion.games.lanternes.rules import (
    BORDER,
    CENTRE,
    COLOURS,
    DISCARDS,
    DRAWS,
    EXCHANGES,
    FIRSTS,
    FOURS,
    FREE,
    HAND,
    NO_CELL,
    NO_TILE,
    NOBODY,
    PAIRS_OF,
    PASS,
    PLACES,
    RANKS,
    REACH,
    SEATS,
    SEVENS,
    STACKS,
    START,
    TILES,
    TRIPLES,
    WIDTH,
    has_tile,
    neighbour,
)
from lampion.games.move_types import UNORDERED, EventKind, Plain, Typed, told, unreadable
from lampion.locale import short

Colour = Literal["W", "O", "R", "P", "B", "G", "K"]
COLOUR: tuple[Colour, ...] = ("W", "O", "R", "P", "B", "G", "K")
STEPS = ("first", "deal", "exchange", "reward", "discard", "place", "draw", "ended")
COMBINATIONS = ("four", "pairs", "seven")
CATEGORIES = (*COMBINATIONS, "neutral")
DISTRIBUTIONS = ("first", "active")


class First(Typed, frozen=True, tag="first"):
    """Chance: who is first."""

    seat: int


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a tile from the pile."""

    tile: int


class Exchange(Typed, frozen=True, tag="exchange"):
    """Two boats and a card for a card of another colour."""

    give: Colour
    take: Colour


class Reward(Typed, frozen=True, tag="reward"):
    """A combination of cards for the top card of its stack; `colours` names those paid, each once."""

    combination: Literal["four", "pairs", "seven"]
    colours: str | list[Colour]


class Discard(Typed, frozen=True, tag="discard"):
    """One card back to the supply."""

    colour: Colour


class Place(Typed, frozen=True, tag="place"):
    """A tile from hand onto the lake, turned by clockwise quarters."""

    tile: int
    x: int
    y: int
    turn: int


class Pass(Typed, frozen=True, tag="pass"):
    """Nothing in this step."""


Move = First | Draw | Exchange | Reward | Discard | Place | Pass


def cell_at(x: int, y: int) -> int:
    """The cell of coordinates with the start tile at (0, 0)."""
    return (y + REACH) * WIDTH + x + REACH


def coordinates(cell: int) -> tuple[int, int]:
    """x to the east, y to the north."""
    return cell % WIDTH - REACH, cell // WIDTH - REACH


def move(box: Any, state: Any, id: int) -> Move:
    """The typed move of an id in this position."""
    if id >= FIRSTS:
        return First(id - FIRSTS)
    if id >= DRAWS:
        return Draw(id - DRAWS)
    if id == PASS:
        return Pass()
    if id >= DISCARDS:
        return Discard(COLOUR[id - DISCARDS])
    if id == SEVENS:
        return Reward("seven", LETTERS)
    if id >= PAIRS_OF:
        return Reward("pairs", "".join(LETTERS[colour] for colour in box.triples[id - PAIRS_OF]))
    if id >= FOURS:
        return Reward("four", LETTERS[id - FOURS])
    if id >= EXCHANGES:
        give, take = divmod(id - EXCHANGES, COLOURS)
        return Exchange(COLOUR[give], COLOUR[take])
    sort, rank = divmod(id - PLACES, RANKS)
    x, y = coordinates(int(state.border[rank]))
    return Place(sort >> 2, x, y, sort & 3)


def id_of(box: Any, state: Any, move: Move) -> int:
    """The id of a typed move in this position."""
    match move:
        case First(seat) if 0 <= seat < SEATS:
            return FIRSTS + seat
        case Draw(tile) if 0 <= tile < TILES:
            return DRAWS + tile
        case Exchange(give, take):
            return EXCHANGES + LETTERS.index(give) * COLOURS + LETTERS.index(take)
        case Reward(combination, colours):
            return reward_id(combination, "".join(colours))
        case Discard(colour):
            return DISCARDS + LETTERS.index(colour)
        case Place(tile, x, y, turn) if 0 <= tile < TILES and 0 <= turn < 4:
            turn %= int(box.turns[tile])
            if max(abs(x), abs(y)) < REACH:
                cell = cell_at(x, y)
                if has_tile(state, cell):
                    raise IllegalMove("lanternes.illegal.occupied", x=x, y=y)
                for rank in range(state.borders):
                    if state.border[rank] == cell:
                        return PLACES + (tile * 4 + turn) * RANKS + rank
            raise IllegalMove("lanternes.illegal.apart", x=x, y=y)
        case Pass():
            return PASS
    raise IllegalMove("lanternes.illegal.number", move=notation(move))


def reward_id(combination: str, colours: str) -> int:
    """The id of a reward by the colours paid."""
    chosen = sorted(LETTERS.find(colour) for colour in colours)
    kinds = sorted(set(chosen))
    if combination == "seven" and chosen in ([], list(range(COLOURS))):
        return SEVENS
    if combination == "four" and len(kinds) == 1 and chosen in (kinds, kinds * 4) and kinds[0] >= 0:
        return FOURS + kinds[0]
    if combination == "pairs" and len(kinds) == 3 and chosen in (kinds, sorted(kinds * 2)) and kinds[0] >= 0:
        a, b, c = kinds
        return PAIRS_OF + triples().index((a, b, c))
    raise IllegalMove("lanternes.illegal.combination", colours=short(colours))


def triples() -> list[tuple[int, int, int]]:
    """Three different colours, in the order of their ids."""
    found = [(a, b, c) for a in range(COLOURS) for b in range(a + 1, COLOURS) for c in range(b + 1, COLOURS)]
    assert len(found) == TRIPLES
    return found


def notation(move: Move) -> str:
    """`16@-1,2/1` places, `P>R` exchanges, `RRRR` `WWOORR` `WORPBGK` pay for a reward, `-R` discards, `+16` draws."""
    match move:
        case First(seat):
            return f"first:{seat}"
        case Draw(tile):
            return f"+{tile}"
        case Exchange(give, take):
            return f"{give}>{take}"
        case Reward("four", colours):
            return colours[0] * 4
        case Reward("pairs", colours):
            return "".join(colour * 2 for colour in colours)
        case Reward():
            return LETTERS
        case Discard(colour):
            return f"-{colour}"
        case Place(tile, x, y, turn):
            return f"{tile}@{x},{y}/{turn}"
    return "pass"


def parse(text: str) -> Move:
    """The typed move of a notation."""
    if text == "pass":
        return Pass()
    if found := re.fullmatch(r"first:(\d)", text, re.ASCII):
        return First(int(found[1]))
    if found := re.fullmatch(r"\+(\d{1,2})", text, re.ASCII):
        return Draw(int(found[1]))
    if found := re.fullmatch(rf"([{LETTERS}])>([{LETTERS}])", text, re.ASCII):
        return Exchange(found[1], found[2])  # type: ignore[arg-type]
    if found := re.fullmatch(rf"([{LETTERS}])\1\1\1", text, re.ASCII):
        return Reward("four", found[1])
    if found := re.fullmatch(rf"([{LETTERS}])\1([{LETTERS}])\2([{LETTERS}])\3", text, re.ASCII):
        return Reward("pairs", found[1] + found[2] + found[3])
    if text == LETTERS:
        return Reward("seven", LETTERS)
    if found := re.fullmatch(rf"-([{LETTERS}])", text, re.ASCII):
        return Discard(found[1])  # type: ignore[arg-type]
    if found := re.fullmatch(r"(\d{1,2})@(-?\d{1,2}),(-?\d{1,2})/([0-3])", text, re.ASCII):
        return Place(*map(int, found.groups()))
    raise unreadable("lanternes", text)


class LakeTile(Plain, frozen=True):
    """A tile that lies on the lake."""

    tile: int
    x: int
    y: int
    turn: int


class Seat(Plain, frozen=True):
    """What lies in front of a player; `hand` is there only for who may see it."""

    cards: dict[Colour, int]
    boats: int
    points: dict[str, int]
    tiles: int
    hand: Annotated[list[int] | None, UNORDERED]


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
    """Everything is open but the tiles in the others' hands."""
    codes = state.lake
    state = told(state)
    players = state.players
    lake = []
    for cell in np.flatnonzero((codes > 0) & (codes < FREE)).tolist():
        code = state.lake[cell] - 1
        lake.append(LakeTile(code >> 2, *coordinates(cell), code & 3))
    hands = [[tile for tile in hand if tile != NO_TILE] for hand in state.hands[:players]]
    known = {seat for seat in range(players) if viewer in (seat, EVERYTHING)}
    seen = {tile.tile for tile in lake}.union(*(hands[seat] for seat in known))
    return View(
        players=players,
        distribution="active" if state.by_active else "first",
        first=None if state.first == NOBODY else int(state.first),
        active=None if state.active == NOBODY else int(state.active),
        step=STEPS[state.step],  # type: ignore[arg-type]
        final=bool(state.final),
        lake=lake,
        supply=by_colour(state.supply),
        stacks={name: stack_left(box, state, stack) for stack, name in enumerate(COMBINATIONS)},
        pile=int(state.pile),
        unseen=[tile for tile in range(TILES) if tile not in seen],
        seats=[
            Seat(
                cards=by_colour(state.cards[seat]),
                boats=int(state.boats[seat]),
                points=dict(zip(CATEGORIES, state.points[seat], strict=True)),
                tiles=len(hands[seat]),
                hand=hands[seat] if seat in known else None,
            )
            for seat in range(players)
        ],
    )


def by_colour(counts: Any) -> dict[Colour, int]:
    """Counts by letter."""
    return {letter: int(count) for letter, count in zip(LETTERS, counts, strict=True)}  # type: ignore[misc]


def stack_left(box: Any, state: Any, stack: int) -> list[int]:
    """The rewards that are left on a stack, top first."""
    return [
        int(x) for x in box.rewards[state.players, stack, state.taken[stack] : box.stack_sizes[state.players, stack]]
    ]


def options_of(view: View) -> dict[str, Any]:
    """The options that a position shows."""
    return {"distribution": view.distribution} | ({} if view.first is None else {"first": view.first})


def asked(box: Any, state: Any, seat: int) -> str:
    """What is asked now."""
    return f"lanternes.step.{STEPS[state.step]}"


def position(box: Any, view: View, state: Any) -> None:
    """The inverse of the view of EVERYTHING; fields are checked here, the rest by `broken_invariant`."""
    players = view.players
    if not 2 <= players <= SEATS or len(view.seats) != players:
        raise BadPosition("lanternes.fact.players")
    state.players = players
    state.by_active = view.distribution == "active"
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
    lay_lake(state, cells)
    for colour, letter in enumerate(LETTERS):
        state.supply[colour] = whole(view.supply.get(letter, 0), 0, 127, "counts")  # type: ignore[call-overload]
    for stack, name in enumerate(COMBINATIONS):
        state.taken[stack] = whole(
            int(box.stack_sizes[players, stack]) - len(view.stacks.get(name, [])), 0, 127, "rewards"
        )
        if stack_left(box, state, stack) != view.stacks.get(name, []):
            raise BadPosition("lanternes.fact.rewards")
    state.hands[:] = NO_TILE
    for seat, given in enumerate(view.seats):
        for colour, letter in enumerate(LETTERS):
            state.cards[seat, colour] = whole(given.cards.get(letter, 0), 0, 127, "counts")  # type: ignore[call-overload]
        state.boats[seat] = whole(given.boats, 0, 127, "counts")
        for i, name in enumerate(CATEGORIES):
            state.points[seat, i] = whole(given.points.get(name, 0), 0, 1000, "rewards")
        hand = sorted(given.hand or [])
        if len(hand) > HAND or len(hand) != given.tiles:
            raise BadPosition("lanternes.fact.hands")
        for slot, tile in enumerate(hand):
            state.hands[seat, slot] = whole(tile, 0, TILES - 1, "tiles")
    if len(view.unseen) > TILES:
        raise BadPosition("lanternes.fact.tiles")
    state.unseen[:] = NO_TILE
    for i, tile in enumerate(sorted(view.unseen)):
        state.unseen[i] = whole(tile, 0, TILES - 1, "tiles")
    state.unseens = len(view.unseen)
    state.pile = whole(view.pile, 0, TILES, "tiles")


def whole(value: int, least: int, most: int, fact: str) -> int:
    """A number in its bounds, or the fact that it breaks."""
    if not least <= value <= most:
        raise BadPosition(f"lanternes.fact.{fact}")
    return value


def lay_lake(state: Any, cells: dict[int, int]) -> None:
    """Tiles on their cells; the lake must be one piece round the start tile."""
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
    state.borders = len(border)
    state.placed = len(cells) - 1


def tile_code(box: Any, tile: int) -> str:
    """A tile as the components write it."""
    return "".join(LETTERS[colour] for colour in box.tiles[tile]) + "*" * int(box.symbols[tile])


class Event(move_types.Event, frozen=True):
    """An event of Lanternes, with the number of the tile that was drawn or placed, and where and how it lies."""

    tile: int | UnsetType = UNSET
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET


def _placed(box: Any, thing: int, number: int) -> dict[str, Any]:
    cell, tile = divmod(thing, TILES)
    x, y = coordinates(cell)
    return {"tile": tile, "x": x, "y": y, "turn": number}


def _colour(box: Any, thing: int) -> str:
    return LETTERS[thing]


EVENTS = (
    EventKind("first"),
    EventKind("drew", tile_code, fields=lambda box, thing, number: {"tile": thing}),
    EventKind("gave", _colour, "colour"),
    EventKind("took", _colour, "colour"),
    EventKind("paid", _colour, "colour"),
    EventKind("rewarded", lambda box, thing: CATEGORIES[thing], "category"),
    EventKind("discarded", _colour, "colour"),
    EventKind("placed", lambda box, thing: tile_code(box, thing % TILES), fields=_placed),
    EventKind("received", _colour, "colour"),
    EventKind("missed", _colour, "colour"),
    EventKind("boats"),
    EventKind("passed"),
    EventKind("last_turn"),
    EventKind("end"),
)
WHYS = (
    "chance",
    "setup",
    "exchange",
    "combination",
    "limit",
    "match",
    "facing",
    "own_platform",
    "neighbour_platform",
    "choice",
)
assert len(CATEGORIES) == STACKS + 1
