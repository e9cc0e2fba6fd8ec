"""The rules of 1001 Îles, in the order of a round.

A pile is a kind of tile: the three rows of an island from the top, then the dreams. A tile is its number within its
kind; equal dreams are one tile in two copies. A cell of an island is `row * COLUMNS + column`, column 0 beside the
character board; sets of cells are bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.engine.bits import lowest_bit
from lampion.engine.compile import compiled
from lampion.engine.event_log import note
from lampion.engine.rng import below
from lampion.engine.rules import pick_listed
from lampion.games.core import CHANCE, EVERYONE, OVER

SEATS = 5
ROUNDS = 16
ROUNDS_OF_A_PILE = 4
TOP, MIDDLE, BOTTOM, DREAM = 0, 1, 2, 3
PILES = 4
TILES = 20
COPIES = 2
DREAMS = TILES // COPIES
ROWS_OF_AN_ISLAND = 3
COLUMNS = 4
CELLS = ROWS_OF_AN_ISLAND * COLUMNS
SLOTS = 5
TWO_PLAYER_DRAW = 3
NOBODY = -1
NONE = -1
NO_COLUMN = COLUMNS

EVERY_TILE = (1 << TILES) - 1
EVERY_CELL = 0xFFF
FIRST_COLUMN = 0x111
LAST_COLUMN = 0x888
A_ROW = 0xF

# Elements: those that are counted, then the gems, of which only different ones in a line matter
PALM, BRIGAND, LAMP, ROKH, EGG, MONKEY, FENNEC, CAMEL, ELEPHANT, SNAKE, RUBY, EMERALD, DIAMOND = range(13)
ELEMENTS = 13
COUNTED = 10
WIDTH = 6  # bits of a packed count: twelve tiles of four elements
COUNT = (1 << WIDTH) - 1
GEM_BITS = 3
GEMS = (1 << GEM_BITS) - 1

# Steps: chance, then decisions
CHOOSE_FIRST, DRAW, TURN_UP, PILE, HIDE, TAKE, LAY, NAME, ENDED = range(9)

# Move ids, one range after another
PILE_MOVES = 0
HIDES = PILE_MOVES + PILES
TAKES = HIDES + TWO_PLAYER_DRAW
LAYS = TAKES + SLOTS * (COLUMNS + 1)
NAMES = LAYS + COLUMNS
DRAWS = NAMES + SEATS
FIRSTS = DRAWS + DREAM * TILES + DREAMS
IDS = FIRSTS + SEATS
MOST = 20
ROWS = 8

# Events, and why they happen
(FIRST, OPENED, DREW, HID, SHOWED, TOOK, TURNED_UP, LAID, DREAMT, FLIPPED, NAMED, PUT_AWAY, LOOKOUT, END) = range(14)
(BY_CHANCE, CHOSEN, UNSEEN, THIRD_LAMP, ONLY_ONE_LEFT, LEFT_OVER, LAST_TILE, IN_TURN) = range(8)

SOURCE_FIRST, SOURCE_PILES, SOURCE_HIDDEN = 0, 1, 5
SOURCES = 6

BOX = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("packed", "i8", (DREAM, TILES)),
                ("worth", "i2", (DREAMS, COUNT + 1)),
                ("palm", "i2"),
                ("pair", "i2"),
                ("brigand", "i2"),
                ("elements", "i1", (DREAM, TILES, ELEMENTS)),
                ("gems", "i1", (DREAM, TILES)),
                ("of", "i1", (DREAMS,)),
                ("common", "f4", (ELEMENTS,)),
            ],
            align=True,
        ),
    )
)
"""`packed` holds the counted elements of an island tile side by side and `gems` the bits of its gems; `worth` is what a
dream gives by count (of different gems in a line, for the two dreams of gems) and `of` the element it counts;
`common` is how often an element is on an island tile, on average."""

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("shown", "i8", (SEATS,)),
                ("gems", "i8", (SEATS,)),
                ("unseen", "i4", (PILES,)),
                ("dreams", "i4", (SEATS,)),
                ("laid", "i2", (SEATS,)),
                ("down", "i2", (SEATS,)),
                ("lamps", "i2", (SEATS,)),
                ("waiting", "i2"),
                ("hidden", "i2"),
                ("islands", "u1", (SEATS, CELLS)),
                ("table", "u1", (SLOTS,)),
                ("rounds", "i1", (PILES,)),
                ("players", "i1"),
                ("step", "i1"),
                ("pile", "i1"),
                ("lookout", "i1"),
                ("active", "i1"),
            ],
            align=True,
        ),
    )
)
"""`islands` and `table` hold 0 or 1 + tile. `unseen` has one bit a tile; dreams, here and in `dreams`, two bits a kind,
the lower one first. `laid`, `down` (turned over) and `lamps` (visible) are cells; `shown` the packed counts and `gems`
the gems by cell of what is visible. `rounds` counts the rounds a pile was opened for, `waiting` the seats still to take
in this one, `hidden` the slot of the tile that lies face down or that was taken so and waits to be laid."""


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Four piles and empty boards; the first lookout, if not chosen, is left to chance."""
    state.players = players
    for pile in range(PILES):
        state.unseen[pile] = EVERY_TILE
    state.pile = NONE
    state.hidden = NONE
    state.lookout = NOBODY
    state.active = NOBODY
    state.step = CHOOSE_FIRST
    if options[0] == CHANCE:
        return 0
    return begin(state, int(options[0]), CHOSEN, log)


@compiled
def begin(state: Any, seat: int, why: int, log: Any) -> int:
    """The first lookout is known."""
    state.lookout = seat
    state.active = seat
    state.step = PILE
    return note(log, 0, FIRST, seat, -1, 1, why, EVERYONE)


@compiled
def pending(box: Any, state: Any) -> int:
    """One player decides at a time."""
    if PILE <= state.step <= NAME:
        return 1 << int(state.active)
    return 0


@compiled
def actor(box: Any, state: Any) -> int:
    """Who moves now."""
    step = int(state.step)
    if step < PILE:
        return CHANCE
    return int(state.active) if step < ENDED else OVER


@compiled
def source(box: Any, state: Any) -> int:
    """The first lookout is drawn once, tiles from their piles; a tile taken face down turns up as what it is."""
    step = int(state.step)
    if step == DRAW:
        return SOURCE_PILES + int(state.pile)
    return SOURCE_FIRST if step == CHOOSE_FIRST else SOURCE_HIDDEN


@compiled
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """Every seat may be first; every tile that nobody has seen is equally likely, also those back in the box."""
    step = int(state.step)
    pile = int(state.pile)
    n = 0
    if step == CHOOSE_FIRST:
        for seat in range(state.players):
            ids[seat] = FIRSTS + seat
            weights[seat] = 1
        return int(state.players)
    if step == TURN_UP:
        ids[0] = DRAWS + pile * TILES + int(state.table[state.hidden]) - 1
        weights[0] = 1
        return 1
    if step == DRAW:
        unseen = int(state.unseen[pile])
        if pile == DREAM:
            for dream in range(DREAMS):
                pair = unseen >> COPIES * dream & 3
                if pair:
                    ids[n] = DRAWS + DREAM * TILES + dream
                    weights[n] = 2 if pair == 3 else 1
                    n += 1
        else:
            for tile in range(TILES):
                if unseen >> tile & 1:
                    ids[n] = DRAWS + pile * TILES + tile
                    weights[n] = 1
                    n += 1
    return n


@compiled
def open_columns(state: Any, seat: int, row: int) -> int:
    """Free cells of a row that lie beside the character board or beside a laid tile, as bits of columns."""
    laid = int(state.laid[seat])
    beside = laid << COLUMNS | laid >> COLUMNS | (laid & ~LAST_COLUMN) << 1 | (laid & ~FIRST_COLUMN) >> 1
    return ((FIRST_COLUMN | beside) & ~laid) >> row * COLUMNS & A_ROW


@compiled
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """What the active player may do in this step."""
    step = int(state.step)
    n = 0
    if seat != state.active or step < PILE or step > NAME:
        return 0
    if step == TAKE:
        return legal_takes(state, seat, ids)
    if step == LAY:
        columns = open_columns(state, seat, int(state.pile))
        for column in range(COLUMNS):
            if columns >> column & 1:
                ids[n] = LAYS + column
                n += 1
    elif step == NAME:
        for other in range(state.players):
            if int(state.waiting) >> other & 1:
                ids[n] = NAMES + other
                n += 1
    elif step == PILE:
        for pile in range(PILES):
            if state.rounds[pile] < ROUNDS_OF_A_PILE:
                ids[n] = PILE_MOVES + pile
                n += 1
    else:
        for slot in range(TWO_PLAYER_DRAW):
            ids[slot] = HIDES + slot
        n = TWO_PLAYER_DRAW
    return n


@compiled
def legal_takes(state: Any, seat: int, ids: Any) -> int:
    """Any tile on the table, on any open cell of its row; a dream, and a tile taken unseen, without a cell."""
    pile = int(state.pile)
    unseen = int(state.hidden) if seat != state.lookout else NONE
    columns = 1 << NO_COLUMN
    if pile != DREAM:
        columns = open_columns(state, seat, pile)
    n = 0
    for slot in range(SLOTS):
        if state.table[slot] != 0:
            move = TAKES + slot * (COLUMNS + 1)
            if slot == unseen:
                ids[n] = move + NO_COLUMN
                n += 1
            else:
                for column in range(COLUMNS + 1):
                    if columns >> column & 1:
                        ids[n] = move + column
                        n += 1
    return n


@compiled
def nth_tile(tiles: int, n: int) -> int:
    """The n-th tile of a set, counted from 0."""
    for _ in range(n):
        tiles &= tiles - 1
    tile = 0
    while not tiles >> tile & 0xF:
        tile += 4
    while not tiles >> tile & 1:
        tile += 1
    return tile


@compiled
def unseen_count(state: Any) -> int:
    """How many tiles of the open pile nobody has seen, told by the rounds it was opened for."""
    size = round_size(state)
    n = TILES - (int(state.rounds[state.pile]) - 1) * size
    for slot in range(size):
        n -= state.table[slot] != 0
    return n


@compiled
def pick(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """One move at random; draws, the many, are counted instead of listed."""
    if state.step != DRAW:
        return pick_listed(box, state, seat, rng, ids, weights)
    pile = int(state.pile)
    tile = nth_tile(int(state.unseen[pile]), below(rng, unseen_count(state)))
    return DRAWS + pile * TILES + (tile // COPIES if pile == DREAM else tile)


@compiled
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make one legal move and go on to the next question."""
    if move >= FIRSTS:
        return begin(state, move - FIRSTS, BY_CHANCE, log)
    if move >= DRAWS:
        if state.step == TURN_UP:
            return turn_up(box, state, log)
        return draw(state, move - DRAWS - int(state.pile) * TILES, log)
    active = int(state.active)
    if move >= NAMES:
        return name(state, active, move - NAMES, log)
    if move >= LAYS:
        return lay_turned_up(box, state, active, move - LAYS, log)
    if move >= TAKES:
        return take(box, state, active, (move - TAKES) // (COLUMNS + 1), (move - TAKES) % (COLUMNS + 1), log)
    if move >= HIDES:
        return hide(state, active, move - HIDES, log)
    return open_pile(state, active, move - PILE_MOVES, log)


@compiled
def round_size(state: Any) -> int:
    """As many tiles as players; two players draw three."""
    return int(state.players) if state.players > 2 else TWO_PLAYER_DRAW


@compiled
def open_pile(state: Any, seat: int, pile: int, log: Any) -> int:
    """The lookout chooses a pile that is not exhausted."""
    state.pile = pile
    state.rounds[pile] += 1
    state.waiting = (1 << int(state.players)) - 1
    state.step = DRAW
    return note(log, 0, OPENED, seat, pile, int(state.rounds[pile]), CHOSEN, EVERYONE)


@compiled
def see(state: Any, pile: int, tile: int) -> None:
    """A tile leaves those that nobody has seen."""
    bit = 1 << tile
    if pile == DREAM:
        bit = 1 << COPIES * tile
        if int(state.unseen[pile]) & bit << 1:
            bit <<= 1
    state.unseen[pile] = int(state.unseen[pile]) & ~bit


@compiled
def draw(state: Any, tile: int, log: Any) -> int:
    """A tile is revealed; with two players to the lookout alone."""
    pile = int(state.pile)
    lookout = int(state.lookout)
    see(state, pile, tile)
    slot = 0
    while state.table[slot] != 0:
        slot += 1
    state.table[slot] = tile + 1
    viewers = EVERYONE
    last = TAKE
    if state.players == 2:
        viewers = 1 << lookout
        last = HIDE
    if slot + 1 == round_size(state):
        state.step = last
    return note(log, 0, DREW, lookout, pile * TILES + tile, slot, BY_CHANCE, viewers)


@compiled
def hide(state: Any, seat: int, slot: int, log: Any) -> int:
    """Of two players the lookout shows two of the three tiles, where they lie; the other one chooses first."""
    state.hidden = slot
    state.active = 1 - seat
    state.step = TAKE
    kind = int(state.pile) * TILES - 1
    row = note(log, 0, HID, seat, kind + int(state.table[slot]), slot, CHOSEN, 1 << seat)
    for shown in range(TWO_PLAYER_DRAW):
        if shown != slot:
            row = note(log, row, SHOWED, seat, kind + int(state.table[shown]), shown, CHOSEN, EVERYONE)
    return row


@compiled
def take(box: Any, state: Any, seat: int, slot: int, column: int, log: Any) -> int:
    """Take a tile and lay it at once, or take one that only the lookout has seen: it is turned up first."""
    tile = int(state.table[slot]) - 1
    thing = int(state.pile) * TILES + tile
    if slot == state.hidden and seat != state.lookout:
        state.step = TURN_UP
        return note(log, 0, TOOK, seat, thing, slot, UNSEEN, 1 << int(state.lookout))
    state.table[slot] = 0
    row = note(log, 0, TOOK, seat, thing, slot, CHOSEN, EVERYONE)
    row = add(box, state, seat, tile, column, log, row)
    return go_on(state, seat, log, row)


@compiled
def turn_up(box: Any, state: Any, log: Any) -> int:
    """A tile that was taken unseen: a dream is kept as it is, for an island tile a cell is chosen now."""
    seat = int(state.active)
    slot = int(state.hidden)
    tile = int(state.table[slot]) - 1
    row = note(log, 0, TURNED_UP, seat, int(state.pile) * TILES + tile, slot, UNSEEN, EVERYONE)
    if state.pile != DREAM:
        state.step = LAY
        return row
    state.table[slot] = 0
    state.hidden = NONE
    row = add(box, state, seat, tile, NO_COLUMN, log, row)
    return go_on(state, seat, log, row)


@compiled
def lay_turned_up(box: Any, state: Any, seat: int, column: int, log: Any) -> int:
    """The cell for a tile that was taken unseen."""
    tile = int(state.table[state.hidden]) - 1
    state.table[state.hidden] = 0
    state.hidden = NONE
    row = add(box, state, seat, tile, column, log, 0)
    return go_on(state, seat, log, row)


@compiled
def add(box: Any, state: Any, seat: int, tile: int, column: int, log: Any, row: int) -> int:
    """A dream to the left of the board, an island tile into its own row on the right."""
    pile = int(state.pile)
    thing = pile * TILES + tile
    if pile == DREAM:
        bit = 1 << COPIES * tile
        if int(state.dreams[seat]) & bit:
            bit <<= 1
        state.dreams[seat] = int(state.dreams[seat]) | bit
        return note(log, row, DREAMT, seat, thing, int(state.rounds[DREAM]), CHOSEN, EVERYONE)
    cell = pile * COLUMNS + column
    state.islands[seat, cell] = tile + 1
    state.laid[seat] = int(state.laid[seat]) | 1 << cell
    state.shown[seat] += box.packed[pile, tile]
    state.gems[seat] |= int(box.gems[pile, tile]) << GEM_BITS * cell
    row = note(log, row, LAID, seat, thing, column, CHOSEN, EVERYONE)
    if box.elements[pile, tile, LAMP]:
        return flip_lamps(box, state, seat, cell, log, row)
    return row


@compiled
def flip_lamps(box: Any, state: Any, seat: int, cell: int, log: Any, row: int) -> int:
    """The third visible lamp turns the two other tiles with one face down; it happens every time."""
    lamps = int(state.lamps[seat])
    if lamps & lamps - 1 == 0:
        state.lamps[seat] = lamps | 1 << cell
        return row
    state.lamps[seat] = 1 << cell
    state.down[seat] = int(state.down[seat]) | lamps
    for other in range(CELLS):
        if lamps >> other & 1:
            pile = other // COLUMNS
            tile = int(state.islands[seat, other]) - 1
            state.shown[seat] -= box.packed[pile, tile]
            state.gems[seat] &= ~(GEMS << GEM_BITS * other)
            row = note(log, row, FLIPPED, seat, pile * TILES + tile, other % COLUMNS, THIRD_LAMP, EVERYONE)
    return row


@compiled
def go_on(state: Any, seat: int, log: Any, row: int) -> int:
    """Who has taken names the next; the last one left needs no naming and becomes the lookout."""
    waiting = int(state.waiting) & ~(1 << seat)
    state.waiting = waiting
    if waiting & waiting - 1:
        state.step = NAME
        return row
    if waiting:
        left = lowest_bit(waiting)
        state.active = left
        state.step = TAKE
        if state.players == 2:
            return row
        return note(log, row, NAMED, left, -1, seat, ONLY_ONE_LEFT, EVERYONE)
    if state.players == 2:
        row = put_away(state, log, row)
        return end_round(state, 1 - seat, IN_TURN, log, row)
    return end_round(state, seat, LAST_TILE, log, row)


@compiled
def name(state: Any, seat: int, named: int, log: Any) -> int:
    """A player who has not taken yet is next."""
    state.active = named
    state.step = TAKE
    return note(log, 0, NAMED, named, -1, seat, CHOSEN, EVERYONE)


@compiled
def put_away(state: Any, log: Any, row: int) -> int:
    """Two players leave one tile of three; it goes out of the game, shown to both."""
    slot = 0
    while state.table[slot] == 0:
        slot += 1
    thing = int(state.pile) * TILES + int(state.table[slot]) - 1
    state.table[slot] = 0
    state.hidden = NONE
    return note(log, row, PUT_AWAY, int(state.lookout), thing, slot, LEFT_OVER, EVERYONE)


@compiled
def end_round(state: Any, lookout: int, why: int, log: Any, row: int) -> int:
    """The next lookout opens a pile, unless all sixteen rounds are played."""
    played = 0
    for pile in range(PILES):
        played += int(state.rounds[pile])
    state.pile = NONE
    state.lookout = lookout
    state.active = lookout
    if played == ROUNDS:
        state.step = ENDED
        return note(log, row, END, -1, -1, 0, CHOSEN, EVERYONE)
    state.step = PILE
    return note(log, row, LOOKOUT, lookout, -1, played + 1, why, EVERYONE)
