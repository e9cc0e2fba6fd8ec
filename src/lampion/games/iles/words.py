"""1001 Îles as plain data: typed moves and their notation, views, events."""

from __future__ import annotations

import re
from typing import Any, Literal

from lampion.games.core import EVERYTHING, BadPosition, IllegalMove
from lampion.games.iles.components import LETTERS, PILE_NAMES
from lampion.games.iles.picture import drawing as drawing
from lampion.games.iles.picture import picture as picture
from lampion.games.iles.rules import (
    CELLS,
    COLUMNS,
    COPIES,
    DRAW,
    DRAWS,
    DREAM,
    DREAMS,
    FIRSTS,
    GEM_BITS,
    HIDES,
    LAMP,
    LAY,
    LAYS,
    NAME,
    NAMES,
    NO_COLUMN,
    NOBODY,
    NONE,
    PILE,
    PILE_MOVES,
    PILES,
    ROUNDS_OF_A_PILE,
    ROWS_OF_AN_ISLAND,
    SEATS,
    SLOTS,
    TAKE,
    TAKES,
    TILES,
    TWO_PLAYER_DRAW,
    open_columns,
    round_size,
    secret_slots,
)
from lampion.games.iles.scoring import DREAM_NAMES
from lampion.games.plain import EventKind, Plain, Typed, unreadable

PileName = Literal["top", "centre", "bottom", "dream"]
DreamName = Literal[
    "rokh", "monkey", "fennec", "camel", "elephant", "gem_columns", "gem_rows", "lamp", "snake", "genie"
]
Tile = int | DreamName
"""An island tile is its number within its kind, a dream its name: the two copies are alike."""
STEPS = ("first", "draw", "turn_up", "pile", "hide", "take", "lay", "name", "ended")


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


def tile_name(pile: int, tile: int) -> Tile:
    """A tile as moves and views name it."""
    return DREAM_NAMES[tile] if pile == DREAM else tile  # type: ignore[return-value]


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


class PileView(Plain, frozen=True):
    """A pile: how many tiles are left in it and for how many rounds it was opened.

    `unseen` are the tiles of its kind that the viewer has not seen, also those back in the box; `away` what two players
    put away, seen by both.
    """

    tiles: int
    rounds: int
    unseen: list[Tile]
    away: list[Tile]


class Slot(Plain, frozen=True):
    """A tile on the table. `secret`: the lookout alone has seen it; `tile` is then None for all others."""

    tile: Tile | None
    secret: bool


class Cell(Plain, frozen=True):
    """A tile on an island; `down` shows the genie."""

    tile: int
    down: bool


class Seat(Plain, frozen=True):
    """A player's island by rows from the top, columns from the board outwards, and dreams in no order."""

    island: list[list[Cell | None]]
    dreams: list[DreamName]


class View(Plain, frozen=True):
    """What a viewer sees.

    `open` is the pile of this round, `table` its tiles by slot, `waiting` who has yet to take; `turned_up` the slot of
    a tile that was taken face down and is now to be laid.
    """

    players: int
    step: Literal["first", "draw", "turn_up", "pile", "hide", "take", "lay", "name", "ended"]
    lookout: int | None
    active: int | None
    piles: dict[PileName, PileView]
    open: PileName | None
    table: list[Slot | None]
    turned_up: int | None
    waiting: list[int]
    seats: list[Seat]


def view(box: Any, state: Any, viewer: int) -> View:
    """Everything is open but what the lookout of two players alone has seen."""
    players = int(state.players)
    step = int(state.step)
    secret = secret_slots(state)
    knows = viewer in (EVERYTHING, int(state.lookout)) and viewer != NOBODY
    table: list[Slot | None] = [None] * (round_size(state) if state.pile != NONE else 0)
    hidden: list[int] = []
    for slot in range(len(table)):
        if state.table[slot]:
            tile = int(state.table[slot]) - 1
            if secret >> slot & 1 and not knows:
                hidden.append(tile)
                table[slot] = Slot(None, True)
            else:
                table[slot] = Slot(tile_name(int(state.pile), tile), bool(secret >> slot & 1))
    return View(
        players=players,
        step=STEPS[step],  # type: ignore[arg-type]
        lookout=None if state.lookout == NOBODY else int(state.lookout),
        active=None if state.active == NOBODY else int(state.active),
        piles={
            name: pile_view(state, pile, hidden if pile == state.pile else [])  # type: ignore[misc]
            for pile, name in enumerate(PILE_NAMES)
        },
        open=None if state.pile == NONE else PILE_NAMES[state.pile],  # type: ignore[arg-type]
        table=table,
        turned_up=int(state.hidden) if step == LAY else None,
        waiting=[seat for seat in range(players) if int(state.waiting) >> seat & 1],
        seats=[seat_view(state, seat) for seat in range(players)],
    )


def copies(pairs: int) -> list[int]:
    """The dreams of a set, every copy."""
    return [bit // COPIES for bit in range(TILES) if pairs >> bit & 1]


def members(pile: int, tiles: int) -> list[int]:
    """The tiles of a set, ascending."""
    return copies(tiles) if pile == DREAM else [tile for tile in range(TILES) if tiles >> tile & 1]


def tiles_away(state: Any, pile: int) -> list[int]:
    """Those that are neither unseen nor on the table nor laid."""
    left = copies((1 << TILES) - 1) if pile == DREAM else list(range(TILES))
    gone = members(pile, int(state.unseen[pile]))
    if pile == state.pile:
        gone += [int(code) - 1 for code in state.table if code]
    for seat in range(state.players):
        if pile == DREAM:
            gone += copies(int(state.dreams[seat]))
        else:
            row = state.islands[seat, pile * COLUMNS : (pile + 1) * COLUMNS]
            gone += [int(code) - 1 for code in row if code]
    for tile in gone:
        if tile not in left:
            raise BadPosition("iles.fact.tiles")
        left.remove(tile)
    return left


def pile_view(state: Any, pile: int, hidden: list[int]) -> PileView:
    """A pile as seen by who does not know the tiles in `hidden`."""
    unseen = members(pile, int(state.unseen[pile]))
    return PileView(
        tiles=len(unseen) - TILES + ROUNDS_OF_A_PILE * round_size(state),
        rounds=int(state.rounds[pile]),
        unseen=[tile_name(pile, tile) for tile in sorted(unseen + hidden)],
        away=[tile_name(pile, tile) for tile in tiles_away(state, pile)],
    )


def seat_view(state: Any, seat: int) -> Seat:
    """What lies in front of a player; all of it is open."""
    cells: list[Cell | None] = [None] * CELLS
    for cell in range(CELLS):
        if state.islands[seat, cell]:
            cells[cell] = Cell(int(state.islands[seat, cell]) - 1, bool(int(state.down[seat]) >> cell & 1))
    return Seat(
        island=[cells[row * COLUMNS : (row + 1) * COLUMNS] for row in range(ROWS_OF_AN_ISLAND)],
        dreams=[DREAM_NAMES[dream] for dream in copies(int(state.dreams[seat]))],  # type: ignore[misc]
    )


def position(box: Any, view: View, state: Any) -> None:
    """The inverse of the view of EVERYTHING; what the fields alone can tell is checked here, the rest by `holds`."""
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
        state.rounds[pile] = whole(view.piles[name].rounds, 0, ROUNDS_OF_A_PILE, "rounds")  # type: ignore[index]
        state.unseen[pile] = tile_set(pile, view.piles[name].unseen)  # type: ignore[index]
    set_table(view, state)
    for seat, given in enumerate(view.seats):
        set_seat(box, given, state, seat)
    for pile, name in enumerate(PILE_NAMES):
        shown = pile_view(state, pile, [])
        if sorted(map(str, view.piles[name].away)) != sorted(map(str, shown.away)):  # type: ignore[index]
            raise BadPosition("iles.fact.tiles")
        if view.piles[name].tiles != shown.tiles:  # type: ignore[index]
            raise BadPosition("iles.fact.tiles")


def set_table(view: View, state: Any) -> None:
    """The slots, and which of them is face down or was taken so."""
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
    """A player's island and dreams, and what is visible of them."""
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
    """A tile of this kind by its name."""
    if isinstance(tile, str) != (pile == DREAM):
        raise BadPosition("iles.fact.tiles")
    return DREAM_NAMES.index(tile) if isinstance(tile, str) else whole(tile, 0, TILES - 1, "tiles")


def tile_set(pile: int, tiles: list[Any]) -> int:
    """Tiles as bits; none may be there more often than in the box."""
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


def whole(value: int, least: int, most: int, fact: str) -> int:
    """A number in its bounds, or the fact that it breaks."""
    if not least <= value <= most:
        raise BadPosition(f"iles.fact.{fact}")
    return value


def tile_code(box: Any, thing: int) -> str:
    """An island tile as the components write it, a dream by its name."""
    pile, tile = divmod(thing, TILES)
    if pile == DREAM:
        return DREAM_NAMES[tile]
    return "".join(letter * int(count) for letter, count in zip(LETTERS, box.elements[pile, tile], strict=True))


EVENTS = (
    EventKind("first"),
    EventKind("opened", lambda box, thing: PILE_NAMES[thing], "pile"),
    EventKind("drew", tile_code),
    EventKind("hid", tile_code),
    EventKind("showed", tile_code),
    EventKind("took", tile_code),
    EventKind("turned_up", tile_code),
    EventKind("laid", tile_code),
    EventKind("dreamt", tile_code, "dream"),
    EventKind("flipped", tile_code),
    EventKind("named"),
    EventKind("put_away", tile_code),
    EventKind("lookout"),
    EventKind("end"),
)
WHYS = ("chance", "choice", "unseen", "third_lamp", "only_one_left", "left_over", "last_tile", "in_turn")
assert DRAW < PILE < TAKE
assert len(PILE_NAMES) == PILES
assert len(DREAM_NAMES) == DREAMS
