"""The moves of 1001 Îles: typed, as ids, and as short texts such as `2@1`."""

from __future__ import annotations

from typing import Any

from lampion.games.core import IllegalMove
from lampion.games.iles.components import DREAM_NAMES, PILE_NAMES, PileName, Tile, tile_name
from lampion.games.iles.state import (
    COLUMNS,
    DRAWS,
    DREAM,
    FIRSTS,
    HIDES,
    LAY,
    LAYS,
    NAME,
    NAMES,
    NO_COLUMN,
    PILE,
    PILE_MOVES,
    ROUNDS_OF_A_PILE,
    SEATS,
    SLOTS,
    TAKE,
    TAKES,
    TILES,
    TWO_PLAYER_DRAW,
    open_columns,
)
from lampion.games.move_types import NUMBER, Field, Form, Typed, one_of


def number_or_name(text: str) -> int | str:
    """Return the number that a text is, or the text."""
    return int(text) if text.isdecimal() else text


class First(Typed, frozen=True, tag="first"):
    """Chance: who is the first lookout."""

    form = Form("first:{seat}")
    seat: int


class Pile(Typed, frozen=True, tag="pile"):
    """The lookout opens a pile."""

    form = Form("{pile}", pile=one_of(PILE_NAMES))
    pile: PileName


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a tile from the open pile, or what a tile taken face down turns out to be."""

    form = Form("+{tile}", tile=Field("|".join((NUMBER.pattern, *DREAM_NAMES)), number_or_name))
    tile: Tile


class Hide(Typed, frozen=True, tag="hide"):
    """Of two players the lookout leaves the tile in this slot face down."""

    form = Form("?{slot}")
    slot: int


class Take(Typed, frozen=True, tag="take"):
    """A tile from the table onto a column of its row; no column for a dream or a tile taken face down."""

    form = Form("{slot}[@{column}]")
    slot: int
    column: int | None = None


class Lay(Typed, frozen=True, tag="lay"):
    """The column for a tile that was taken face down."""

    form = Form("@{column}")
    column: int


class Name(Typed, frozen=True, tag="name"):
    """Who takes next."""

    form = Form(">{seat}")
    seat: int


Move = First | Pile | Draw | Hide | Take | Lay | Name


def move(box: Any, state: Any, id: int) -> Move:
    """Return the typed move of an id."""
    if id >= FIRSTS:
        return First(id - FIRSTS)
    if id >= DRAWS:
        return Draw(tile_name(*divmod(id - DRAWS, TILES)))
    if id >= NAMES:
        return Name(id - NAMES)
    if id >= LAYS:
        return Lay(id - LAYS)
    if id >= TAKES:
        slot, column = divmod(id - TAKES, COLUMNS + 1)
        return Take(slot, None if column == NO_COLUMN else column)
    if id >= HIDES:
        return Hide(id - HIDES)
    return Pile(PILE_NAMES[id - PILE_MOVES])


def id_of(box: Any, state: Any, move: Move) -> int:
    """Return the id of a typed move; raise IllegalMove, which names the rule that forbids it here."""
    step = int(state.step)
    match move:
        case First(seat) if 0 <= seat < SEATS:
            return FIRSTS + seat
        case Pile(name):
            pile = PILE_NAMES.index(name)
            if step == PILE and state.rounds[pile] == ROUNDS_OF_A_PILE:
                raise IllegalMove("iles.illegal.exhausted")
            return PILE_MOVES + pile
        case Draw(str() as name):
            return DRAWS + DREAM * TILES + DREAM_NAMES.index(name)
        case Draw(int() as tile) if 0 <= tile < TILES and state.pile != DREAM:
            return DRAWS + max(0, int(state.pile)) * TILES + tile
        case Hide(slot) if 0 <= slot < TWO_PLAYER_DRAW:
            return HIDES + slot
        case Take(slot, column) if 0 <= slot < SLOTS and (column is None or 0 <= column < COLUMNS):
            if step == TAKE:
                check_take(state, slot, column)
            return TAKES + slot * (COLUMNS + 1) + (NO_COLUMN if column is None else column)
        case Lay(column) if 0 <= column < COLUMNS:
            if step == LAY:
                check_cell(state, column)
            return LAYS + column
        case Name(seat) if 0 <= seat < SEATS:
            if step == NAME and not int(state.waiting) >> seat & 1:
                raise IllegalMove("iles.illegal.named", seat=seat)
            return NAMES + seat
    raise IllegalMove("iles.illegal.number")


def check_take(state: Any, slot: int, column: int | None) -> None:
    """Raise IllegalMove if a tile cannot be taken and laid like this."""
    if state.table[slot] == 0:
        raise IllegalMove("iles.illegal.empty", slot=slot)
    if slot == state.hidden and state.active != state.lookout:
        if column is not None:
            raise IllegalMove("iles.illegal.unseen", slot=slot)
    elif state.pile == DREAM:
        if column is not None:
            raise IllegalMove("iles.illegal.dream", slot=slot)
    elif column is None:
        raise IllegalMove("iles.illegal.column", slot=slot)
    else:
        check_cell(state, column)


def check_cell(state: Any, column: int) -> None:
    """Raise IllegalMove if a tile of the open pile cannot lie in this column."""
    seat, row = int(state.active), int(state.pile)
    if int(state.laid[seat]) >> row * COLUMNS + column & 1:
        raise IllegalMove("iles.illegal.occupied", column=column)
    if not open_columns(state, seat, row) >> column & 1:
        raise IllegalMove("iles.illegal.apart", column=column)
