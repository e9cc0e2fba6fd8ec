"""What a viewer of 1001 Îles sees, as plain data, and the position of a view of everything."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal, get_args

from lampion.engine.arrays import np
from lampion.engine.bits import popcount
from lampion.engine.record_fields import fields_of
from lampion.games.core import EVERYTHING, BadPosition
from lampion.games.iles.components import DREAM_NAMES, PILE_NAMES, DreamName, PileName, Tile, tile_name
from lampion.games.iles.knowledge import secret_slots
from lampion.games.iles.scoring import CATEGORIES, tallies
from lampion.games.iles.state import (
    COLUMNS,
    COPIES,
    DREAM,
    DREAMS,
    GEM_BITS,
    HIDE,
    LAMP,
    LAY,
    NOBODY,
    NONE,
    ROUNDS_OF_A_PILE,
    ROWS_OF_AN_ISLAND,
    SEATS,
    TAKE,
    TILES,
    round_size,
)
from lampion.games.move_types import UNORDERED, Plain, number_check

Step = Literal["first", "draw", "turn_up", "pile", "hide", "take", "lay", "name", "ended"]
STEPS: tuple[Step, ...] = get_args(Step)

whole = number_check("iles")


class PileView(Plain, frozen=True):
    """A pile: how many tiles are left in it and for how many rounds it was opened.

    `unseen` are the tiles of its kind that the viewer has not seen, also those back in the box; `away` what two players
    put away, seen by both.
    """

    tiles: int
    rounds: int
    unseen: Annotated[list[Tile], UNORDERED]
    away: Annotated[list[Tile], UNORDERED]


class Slot(Plain, frozen=True):
    """A tile on the table. `secret`: the lookout alone has seen it; `tile` is then None for all others."""

    tile: Tile | None
    secret: bool


class Cell(Plain, frozen=True):
    """A tile on an island; `down` shows the genie."""

    tile: int
    down: bool


class Seat(Plain, frozen=True):
    """A player's island by rows from the top, columns from the board outwards, and dreams in no order.

    `points` are what they would count now, by category; they follow from all islands and may be left out of a position.
    """

    island: list[list[Cell | None]]
    dreams: Annotated[list[DreamName], UNORDERED]
    points: dict[str, int] | None = None


class View(Plain, frozen=True):
    """What a viewer sees.

    `open` is the pile of this round, `table` its tiles by slot, `waiting` who has yet to take; `turned_up` the slot of
    a tile that was taken face down and is now to be laid.
    """

    players: int
    step: Step
    lookout: int | None
    active: int | None
    piles: dict[PileName, PileView]
    open: PileName | None
    table: list[Slot | None]
    turned_up: int | None
    waiting: Annotated[list[int], UNORDERED]
    seats: list[Seat]


def view(box: Any, state: Any, viewer: int) -> View:
    """Return what a viewer sees: everything but what the lookout of two players alone has seen."""
    secret = secret_slots(state)
    size = round_size(state)
    points = points_now(box, state)
    state = fields_of(state)
    knows = viewer == EVERYTHING or (viewer == state.lookout and viewer != NOBODY)
    table: list[Slot | None] = []
    hidden: list[int] = []
    for slot in range(size if state.pile != NONE else 0):
        tile = state.table[slot] - 1
        is_secret = bool(secret >> slot & 1)
        if tile < 0:
            table.append(None)
        elif is_secret and not knows:
            hidden.append(tile)
            table.append(Slot(None, True))
        else:
            table.append(Slot(tile_name(state.pile, tile), is_secret))
    return View(
        players=state.players,
        step=STEPS[state.step],
        lookout=None if state.lookout == NOBODY else state.lookout,
        active=None if state.active == NOBODY else state.active,
        piles={
            name: pile_view(state, pile, size, hidden if pile == state.pile else [])
            for pile, name in enumerate(PILE_NAMES)
        },
        open=None if state.pile == NONE else PILE_NAMES[state.pile],
        table=table,
        turned_up=state.hidden if state.step == LAY else None,
        waiting=[seat for seat in range(state.players) if state.waiting >> seat & 1],
        seats=[seat_view(state, seat, points[seat]) for seat in range(state.players)],
    )


def members(pile: int, tiles: int) -> list[int]:
    """Return the tiles of a set, ascending, every copy of a dream."""
    copies = COPIES if pile == DREAM else 1
    return [bit // copies for bit in range(TILES) if tiles >> bit & 1]


def held_dreams(state: Any, seat: int) -> list[int]:
    """Return a player's dreams, every copy."""
    return members(DREAM, int(state.dreams[seat]))


def secret_from(state: Any, viewer: int) -> int:
    """Return the slots, as bits, whose tiles this viewer has not seen."""
    return 0 if viewer == EVERYTHING or (viewer >= 0 and viewer == state.lookout) else secret_slots(state)


def tiles_left(state: Any, pile: int) -> int:
    """Return the number of tiles left in a pile."""
    return ROUNDS_OF_A_PILE * round_size(state) - TILES + popcount(state.unseen[pile])


def tiles_away(state: Any, pile: int, unseen: list[int]) -> list[int]:
    """Return the tiles that are neither unseen nor on the table nor laid."""
    gone = Counter(unseen)
    if pile == state.pile:
        gone.update(code - 1 for code in state.table if code)
    for seat in range(state.players):
        if pile == DREAM:
            gone.update(members(DREAM, state.dreams[seat]))
        else:
            gone.update(code - 1 for code in state.islands[seat][pile * COLUMNS : (pile + 1) * COLUMNS] if code)
    away = []
    for tile in range(DREAMS if pile == DREAM else TILES):
        left = (COPIES if pile == DREAM else 1) - gone[tile]
        if left < 0:
            raise BadPosition("iles.fact.tiles")
        away += [tile] * left
    return away


def pile_view(state: Any, pile: int, size: int, hidden: list[int]) -> PileView:
    """Return a pile as seen by a viewer who does not know the tiles in `hidden`."""
    unseen = members(pile, state.unseen[pile])
    return PileView(
        tiles=len(unseen) - TILES + ROUNDS_OF_A_PILE * size,
        rounds=state.rounds[pile],
        unseen=[tile_name(pile, tile) for tile in sorted(unseen + hidden)],
        away=[tile_name(pile, tile) for tile in tiles_away(state, pile, unseen)],
    )


def points_now(box: Any, state: Any) -> list[dict[str, int]]:
    """Return every seat's points as they would count now, by category: they follow from what lies open."""
    points = np.zeros((int(state.players), len(CATEGORIES)), dtype=np.int64)
    tallies(box, state, points)
    return [dict(zip(CATEGORIES, row, strict=True)) for row in points.tolist()]


def seat_view(state: Any, seat: int, points: dict[str, int]) -> Seat:
    """Return a player's island, dreams and points, all of which are public."""
    down = state.down[seat]
    cells = [Cell(code - 1, bool(down >> cell & 1)) if code else None for cell, code in enumerate(state.islands[seat])]
    return Seat(
        island=[cells[row * COLUMNS : (row + 1) * COLUMNS] for row in range(ROWS_OF_AN_ISLAND)],
        dreams=[DREAM_NAMES[dream] for dream in members(DREAM, state.dreams[seat])],
        points=points,
    )


def options_of(view: View) -> dict[str, Any]:
    """Return the options that a position shows: none."""
    return {}


def asked(box: Any, state: Any, seat: int) -> str:
    """Return the key of the words for what is asked now; they name the row of a tile to take, and dreams."""
    key = f"iles.step.{STEPS[state.step]}"
    if state.step == HIDE and state.pile == DREAM:
        return f"{key}.dream"
    return f"{key}.{PILE_NAMES[state.pile]}" if state.step == TAKE else key


def position(box: Any, view: View, state: Any) -> None:
    """Fill a zeroed state from a view of EVERYTHING; fields are checked here, the rest by `broken_invariant`."""
    players = view.players
    if not 2 <= players <= SEATS or len(view.seats) != players:
        raise BadPosition("iles.fact.players")
    state.players = players
    state.step = STEPS.index(view.step)
    state.lookout = NOBODY if view.lookout is None else whole(view.lookout, 0, players - 1, "players")
    state.active = NOBODY if view.active is None else whole(view.active, 0, players - 1, "players")
    state.pile = NONE if view.open is None else PILE_NAMES.index(view.open)
    state.waiting = sum({1 << whole(seat, 0, players - 1, "players") for seat in view.waiting})
    if set(view.piles) != set(PILE_NAMES):
        raise BadPosition("iles.fact.rounds")
    for pile, name in enumerate(PILE_NAMES):
        state.rounds[pile] = whole(view.piles[name].rounds, 0, ROUNDS_OF_A_PILE, "rounds")
        state.unseen[pile] = tile_set(pile, view.piles[name].unseen)
    set_table(view, state)
    for seat, given in enumerate(view.seats):
        set_seat(box, given, state, seat)


def set_table(view: View, state: Any) -> None:
    """Set the table, and the slot that is face down or was taken so."""
    pile = int(state.pile)
    if len(view.table) != (0 if pile == NONE else round_size(state)):
        raise BadPosition("iles.fact.table")
    for slot, lying in enumerate(view.table):
        if lying is not None:
            if lying.tile is None:
                raise BadPosition("iles.fact.table")
            state.table[slot] = 1 + tile_number(pile, lying.tile)
    state.hidden = NONE
    secrets = [slot for slot, lying in enumerate(view.table) if lying is not None and lying.secret]
    if view.turned_up is not None:
        state.hidden = whole(view.turned_up, 0, len(view.table) - 1, "table")
    elif view.step in ("take", "turn_up") and len(secrets) == 1:
        state.hidden = secrets[0]
    if (view.turned_up is None) == (view.step == "lay") or sum(1 << slot for slot in secrets) != secret_slots(state):
        raise BadPosition("iles.fact.table")


def set_seat(box: Any, given: Seat, state: Any, seat: int) -> None:
    """Set a player's island and dreams, and what is visible of them."""
    if len(given.island) != ROWS_OF_AN_ISLAND or any(len(row) != COLUMNS for row in given.island):
        raise BadPosition("iles.fact.islands")
    state.dreams[seat] = tile_set(DREAM, given.dreams)
    for cell, laid in enumerate(laid for row in given.island for laid in row):
        if laid is None:
            continue
        row = cell // COLUMNS
        tile = whole(laid.tile, 0, TILES - 1, "islands")
        state.islands[seat, cell] = tile + 1
        state.laid[seat] |= 1 << cell
        if laid.down:
            state.down[seat] |= 1 << cell
        else:
            state.shown[seat] += int(box.packed[row, tile])
            state.gems[seat] |= int(box.gems[row, tile]) << GEM_BITS * cell
            state.lamps[seat] |= int(box.elements[row, tile, LAMP]) << cell


def tile_number(pile: int, tile: Tile) -> int:
    """Return the number of a tile of this pile; raise BadPosition if there is none."""
    if isinstance(tile, str) != (pile == DREAM):
        raise BadPosition("iles.fact.tiles")
    return DREAM_NAMES.index(tile) if isinstance(tile, str) else whole(tile, 0, TILES - 1, "tiles")


def tile_set(pile: int, tiles: list[Any]) -> int:
    """Return tiles as bits; raise BadPosition if one is there more often than in the box."""
    found = 0
    for tile in tiles:
        number = tile_number(pile, tile)
        bit = 1 << number
        if pile == DREAM:
            bit = 1 << COPIES * number
            if found & bit:
                bit <<= 1
        if found & bit:
            raise BadPosition("iles.fact.tiles")
        found |= bit
    return found
