"""1001 Îles as plain data: typed moves and their notation, views, events."""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.core import IllegalMove
from lampion.games.iles.components import LETTERS, PILE_NAMES
from lampion.games.iles.picture import drawing as drawing
from lampion.games.iles.picture import picture as picture
from lampion.games.iles.picture import tile_words
from lampion.games.iles.rules import (
    COLUMNS,
    DRAW,
    DRAWS,
    DREAM,
    DREAMS,
    FIRSTS,
    HIDES,
    LAY,
    LAYS,
    NAME,
    NAMES,
    NO_COLUMN,
    PILE,
    PILE_MOVES,
    PILES,
    ROUNDS_OF_A_PILE,
    SEATS,
    SLOTS,
    TAKE,
    TAKES,
    TILES,
    TWO_PLAYER_DRAW,
    open_columns,
)
from lampion.games.iles.scoring import DREAM_NAMES
from lampion.games.iles.views import PileName, Tile, tile_name
from lampion.games.iles.views import View as View
from lampion.games.iles.views import asked as asked
from lampion.games.iles.views import options_of as options_of
from lampion.games.iles.views import position as position
from lampion.games.iles.views import view as view
from lampion.games.move_types import EventKind, Typed, unreadable


class First(Typed, frozen=True, tag="first"):
    """Chance: who is the first lookout."""

    seat: int


class Pile(Typed, frozen=True, tag="pile"):
    """The lookout opens a pile."""

    pile: PileName


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a tile from the open pile, or what a tile taken face down turns out to be."""

    tile: Tile


class Hide(Typed, frozen=True, tag="hide"):
    """Of two players the lookout leaves the tile in this slot face down."""

    slot: int


class Take(Typed, frozen=True, tag="take"):
    """A tile from the table onto a column of its row; no column for a dream or a tile taken face down."""

    slot: int
    column: int | None = None


class Lay(Typed, frozen=True, tag="lay"):
    """The column for a tile that was taken face down."""

    column: int


class Name(Typed, frozen=True, tag="name"):
    """Who takes next."""

    seat: int


Move = First | Pile | Draw | Hide | Take | Lay | Name


def move(box: Any, state: Any, id: int) -> Move:
    """The typed move of an id."""
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
    return Pile(PILE_NAMES[id - PILE_MOVES])  # type: ignore[arg-type]


def id_of(box: Any, state: Any, move: Move) -> int:
    """The id of a typed move; where the position forbids it by a rule of its own, the error tells which."""
    step = int(state.step)
    match move:
        case First(seat) if 0 <= seat < SEATS:
            return FIRSTS + seat
        case Pile(name):
            pile = PILE_NAMES.index(name)
            if step == PILE and state.rounds[pile] == ROUNDS_OF_A_PILE:
                raise IllegalMove("iles.illegal.exhausted", move=notation(move))
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
    raise IllegalMove("iles.illegal.number", move=notation(move))


def check_take(state: Any, slot: int, column: int | None) -> None:
    """Why a tile cannot be taken like this."""
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
    """Why a tile of the open pile cannot lie in this column."""
    seat, row = int(state.active), int(state.pile)
    if int(state.laid[seat]) >> row * COLUMNS + column & 1:
        raise IllegalMove("iles.illegal.occupied", column=column)
    if not open_columns(state, seat, row) >> column & 1:
        raise IllegalMove("iles.illegal.apart", column=column)


def notation(move: Move) -> str:
    """`top` opens a pile, `+7` `+rokh` draw, `?2` hides, `2@1` takes and lays, `2` takes, `@1` lays, `>3` names."""
    match move:
        case First(seat):
            return f"first:{seat}"
        case Pile(pile):
            return pile
        case Draw(tile):
            return f"+{tile}"
        case Hide(slot):
            return f"?{slot}"
        case Take(slot, None):
            return f"{slot}"
        case Take(slot, column):
            return f"{slot}@{column}"
        case Lay(column):
            return f"@{column}"
    return f">{move.seat}"


def parse(text: str) -> Move:
    """The typed move of a notation."""
    if text in PILE_NAMES:
        return Pile(text)  # type: ignore[arg-type]
    if text[:1] == "+" and text[1:] in DREAM_NAMES:
        return Draw(text[1:])  # type: ignore[arg-type]
    if found := re.fullmatch(r"(first:|\?|@|>|)([0-9])", text):
        kinds: dict[str, type[First | Hide | Lay | Name | Take]]
        kinds = {"first:": First, "?": Hide, "@": Lay, ">": Name, "": Take}
        return kinds[found[1]](int(found[2]))
    if found := re.fullmatch(r"\+([0-9]{1,2})", text):
        return Draw(int(found[1]))
    if found := re.fullmatch(r"([0-9])@([0-9])", text):
        return Take(int(found[1]), int(found[2]))
    raise unreadable("iles", text)


def tile_code(box: Any, thing: int) -> str:
    """An island tile as the components write it, a dream by its name."""
    pile, tile = divmod(thing, TILES)
    if pile == DREAM:
        return DREAM_NAMES[tile]
    return "".join(letter * int(count) for letter, count in zip(LETTERS, box.elements[pile, tile], strict=True))


class Event(move_types.Event, frozen=True):
    """An event of 1001 Îles, with the pile and the tile it is about, and the slot or the column where that is."""

    pile: PileName | UnsetType = UNSET
    tile: Tile | UnsetType = UNSET
    slot: int | UnsetType = UNSET
    column: int | UnsetType = UNSET


def _tile(box: Any, thing: int, number: int) -> dict[str, Any]:
    pile, tile = divmod(thing, TILES)
    return {"pile": PILE_NAMES[pile], "tile": tile_name(pile, tile)}


def _on_the_table(box: Any, thing: int, number: int) -> dict[str, Any]:
    return _tile(box, thing, number) | {"slot": number}


def _on_an_island(box: Any, thing: int, number: int) -> dict[str, Any]:
    return _tile(box, thing, number) | {"column": number}


EVENTS = (
    EventKind("first"),
    EventKind(
        "opened",
        lambda box, thing: PILE_NAMES[thing],
        "pile",
        fields=lambda box, thing, number: {"pile": PILE_NAMES[thing]},
    ),
    EventKind("drew", tile_code, tile_words, fields=_on_the_table),
    EventKind("hid", tile_code, tile_words, fields=_on_the_table),
    EventKind("showed", tile_code, tile_words, fields=_on_the_table),
    EventKind("took", tile_code, tile_words, fields=_on_the_table),
    EventKind("turned_up", tile_code, tile_words, fields=_on_the_table),
    EventKind("laid", tile_code, tile_words, fields=_on_an_island),
    EventKind("dreamt", tile_code, "dream", fields=_tile),
    EventKind("flipped", tile_code, tile_words, fields=_on_an_island),
    EventKind("named"),
    EventKind("put_away", tile_code, tile_words, fields=_on_the_table),
    EventKind("lookout"),
    EventKind("end"),
)
WHYS = ("chance", "choice", "unseen", "third_lamp", "only_one_left", "left_over", "last_tile", "in_turn")
assert DRAW < PILE < TAKE
assert len(PILE_NAMES) == PILES
assert len(DREAM_NAMES) == DREAMS
