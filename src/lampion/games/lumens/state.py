"""The position of Lumens as a record, what is in its box, and the numbers of its moves.

A cell is `row * WIDTH + column`, rows running south. A set of cells is four whole numbers, one for each band of four
rows; the last of the sixteen columns is never part of a board, so no set reaches the sign bit, and a step off the east
or west side leaves the board instead of changing rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lampion.engine.arrays import record_type
from lampion.engine.compile import compiled

SEATS = 4
KINDS = 3
FACES = 6
TOKENS = 24
ROOMS = 11
SIZE = 15  # most columns, most rows
WIDTH = 16
CELLS = WIDTH * SIZE
BANDS = 4
DIRECTIONS = 4
NOBODY = -1
NO_TOKEN = -1
PASSAGE = -1

# Steps
DEAL_START, FACE, DEAL_HAND, CHOOSE_FIRST, PLACE, DRAW, ENDED = range(7)

# Move ids, one range after another; faces are named by their number less one
PLACES = 0
START_FACES = PLACES + CELLS * FACES
DRAWS = START_FACES + FACES
FIRSTS = DRAWS + KINDS
IDS = FIRSTS + SEATS
MOST = 2 * (DIRECTIONS * TOKENS + 1)
ROWS = 64
LONGEST = 2 * TOKENS * SEATS + 1

SOURCE_FIRST, SOURCE_BAGS = 0, 1
SOURCES = SOURCE_BAGS + SEATS

BOX = record_type(
    [
        ("inside", "i8", (SEATS + 1, BANDS)),
        ("allowed", "i8", (SEATS + 1, SEATS, BANDS)),
        ("roomed", "i8", (SEATS + 1, BANDS)),
        ("halls", "i8", (SEATS + 1, ROOMS, BANDS)),
        ("middles", "f8", (SEATS + 1, ROOMS, 2)),
        ("starts", "i2", (SEATS + 1, SEATS)),
        ("rooms", "i1", (SEATS + 1, CELLS)),
        ("central", "i1", (SEATS + 1,)),
        ("columns", "i1", (SEATS + 1,)),
        ("rows", "i1", (SEATS + 1,)),
        ("faces", "i1", (KINDS, 2)),
        ("kinds", "i1", (FACES + 1,)),
        ("counts", "i1", (KINDS,)),
        ("first", "i1"),
        ("second", "i1"),
        ("second_from", "i1"),
    ]
)
"""The board's tables go by number of players: `inside` are its cells, `allowed` those without the other seats' start
markers, `roomed` those of all rooms, `halls` of each; `rooms` holds PASSAGE or the number of a cell's room; `middles`
are the mean column and row of a room, from 0.0 at the north-west to 1.0. `faces` of a kind ascend; `kinds` goes by
face."""

STATE = record_type(
    [
        ("shows", "i8", (FACES, BANDS)),
        ("owned", "i8", (SEATS, BANDS)),
        ("closed", "i8", (BANDS,)),
        ("targets", "i8", (BANDS,)),
        ("top", "u1", (CELLS,)),
        ("under", "u1", (CELLS,)),
        ("sums", "u1", (ROOMS, SEATS)),
        ("bags", "i1", (SEATS, KINDS)),
        ("bagged", "i1", (SEATS,)),
        ("hands", "i1", (SEATS,)),
        ("out", "i1", (SEATS,)),
        ("players", "i1"),
        ("step", "i1"),
        ("first", "i1"),
        ("active", "i1"),
    ]
)
"""`top` and `under`, the visible and the covered token of a cell, hold 0 or seat * FACES + face. Sets of cells, read
off those two: `shows` by visible face, `owned` by owner of the visible token, `closed` with two tokens, `targets` where
the active player may place, empty in other steps. `sums` are those of the visible tokens by room. `bags` count by kind,
`bagged` in all; `hands` name a kind, in the set-up that of the token for the start marker; `out` is 0 or 1."""


@compiled
def has_target(state: Any) -> bool:
    """Return whether the active player can place the token in hand."""
    return state.targets[0] != 0 or state.targets[1] != 0 or state.targets[2] != 0 or state.targets[3] != 0


def cell_at(x: int, y: int) -> int:
    """Return the cell of a column, counted from the west, and a row, counted from the north."""
    return y * WIDTH + x


def coordinates(cell: int) -> tuple[int, int]:
    """Return x, to the east, and y, to the south, of a cell, from 0."""
    return cell % WIDTH, cell // WIDTH


def cells_of(cells: Sequence[int]) -> Iterator[int]:
    """Yield the cells of a set, ascending."""
    for band, bits in enumerate(cells):
        while bits:
            lowest = bits & -bits
            yield band * 64 + lowest.bit_length() - 1
            bits -= lowest


def is_in(cells: Any, cell: int) -> bool:
    """Return whether a cell belongs to a set."""
    return bool(int(cells[cell >> 6]) >> (cell & 63) & 1)
