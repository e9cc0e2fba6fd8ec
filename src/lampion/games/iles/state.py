"""The position of 1001 Îles as a record, what is in its box, and the numbers of its moves.

A pile is a kind of tile: the three rows of an island from the top, then the dreams. A tile is its number within its
kind; equal dreams are one tile in two copies. A cell of an island is `row * COLUMNS + column`, column 0 beside the
character board; sets of cells are bits.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import record_type
from lampion.engine.compile import compiled

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
LONGEST = 225

SOURCE_FIRST, SOURCE_PILES, SOURCE_HIDDEN = 0, 1, 5
SOURCES = 6

BOX = record_type(
    [
        ("packed", "i8", (DREAM, TILES)),
        ("worth", "i2", (DREAMS, COUNT + 1)),
        ("palm", "i2"),
        ("pair", "i2"),
        ("brigand", "i2"),
        ("elements", "i1", (DREAM, TILES, ELEMENTS)),
        ("gems", "i1", (DREAM, TILES)),
        ("of", "i1", (DREAMS,)),
        ("common", "f8", (ELEMENTS,)),
    ]
)
"""`packed` holds the counted elements of an island tile side by side and `gems` the bits of its gems; `worth` is what a
dream gives by count (of different gems in a line, for the two dreams of gems) and `of` the element it counts;
`common` is how often an element is on an island tile, on average."""

STATE = record_type(
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
    ]
)
"""`islands` and `table` hold 0 or 1 + tile. `unseen` has one bit a tile; dreams, here and in `dreams`, two bits a kind,
the lower one first. `laid`, `down` (turned over) and `lamps` (visible) are cells; `shown` the packed counts and `gems`
the gems by cell of what is visible. `rounds` counts the rounds a pile was opened for, `waiting` the seats still to take
in this one, `hidden` the slot of the tile that lies face down or that was taken so and waits to be laid."""


@compiled
def open_columns(state: Any, seat: int, row: int) -> int:
    """Return the free cells of a row beside the character board or a laid tile, as bits of columns."""
    laid = int(state.laid[seat])
    beside = laid << COLUMNS | laid >> COLUMNS | (laid & ~LAST_COLUMN) << 1 | (laid & ~FIRST_COLUMN) >> 1
    return ((FIRST_COLUMN | beside) & ~laid) >> row * COLUMNS & A_ROW


@compiled
def round_size(state: Any) -> int:
    """Return the number of tiles drawn in a round: one for each player, three for two players."""
    return int(state.players) if state.players > 2 else TWO_PLAYER_DRAW
