"""A position of Lanternes and the box as records, the numbers of moves and steps, and readers of a position.

The lake has no border. Its cells are kept in a square wide enough for any shape that all tiles can make; a cell is
`row * WIDTH + column`, rows running north, so ascending cells are in (y, x) order.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import record_type
from lampion.engine.compile import compiled, inlined

COLOURS = 7
SEATS = 4
TILES = 35
START = TILES  # the start tile's number, behind the lake tiles
HAND = 3
HAND_LIMIT = 12
STACKS = 3
REWARDS = 9
TRIPLES = 35
EXCHANGE_BOATS = 2
NEUTRAL = STACKS  # the category of rewards from empty stacks

REACH = 34
WIDTH = 2 * REACH + 1
CELLS = WIDTH * WIDTH
CENTRE = REACH * WIDTH + REACH
BORDER = 68
RANKS = 66
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
NOBODY = -1
NO_TILE = 255
NO_CELL = 32767
FREE = 255
LETTERS = "WORPBGK"
"""The colours, as everybody writes them."""

STEPS = ("first", "deal", "exchange", "reward", "discard", "place", "draw", "ended")
CHOOSE_FIRST, DEAL, EXCHANGE, REWARD, DISCARD, PLACE, DRAW, ENDED = range(len(STEPS))

COMBINATIONS = ("four", "pairs", "seven")
"""What cards can be paid for; each has a stack of rewards."""
FOUR, PAIRS, SEVEN = range(len(COMBINATIONS))

DISTRIBUTIONS = ("first", "active")
"""The player from whom on cards are handed out, by the value of `by_active`."""

# Move ids, one range after another
PLACES = 0
EXCHANGES = PLACES + TILES * 4 * RANKS
FOURS = EXCHANGES + COLOURS * COLOURS
PAIRS_OF = FOURS + COLOURS
SEVENS = PAIRS_OF + TRIPLES
DISCARDS = SEVENS + 1
PASS = DISCARDS + COLOURS
DRAWS = PASS + 1
FIRSTS = DRAWS + TILES
IDS = FIRSTS + SEATS
MOST = 600
ROWS = 48

SOURCE_FIRST, SOURCE_PILE = 0, 1
LONGEST = 420
SOURCES = 2

BOX = record_type(
    [
        ("tiles", "i1", (TILES + 1, 4)),
        ("faces", "i1", (4 * (TILES + 1) + 1, 4)),
        ("symbols", "i1", (TILES + 1,)),
        ("turns", "i1", (TILES + 1,)),
        ("rewards", "i1", (SEATS + 1, STACKS, REWARDS)),
        ("stack_sizes", "i1", (SEATS + 1, STACKS)),
        ("neutral", "i1"),
        ("removed", "i1", (SEATS + 1,)),
        ("cards", "i1", (SEATS + 1,)),
        ("sides", "i1", (SEATS + 1, SEATS)),
        ("facing", "i1", (SEATS + 1, 4)),
        ("having", "i8", (COLOURS,)),
        ("beside", "i8", (COLOURS, COLOURS)),
        ("opposite", "i8", (COLOURS, COLOURS)),
        ("triples", "i1", (TRIPLES, 3)),
        ("triple_from", "i1", (COLOURS, COLOURS)),
        ("red", "i1"),
    ]
)
"""`rewards`, `stack_sizes`, `removed`, `cards`, `sides` (of a seat) and `facing` (seat at a side) go by number of
players; `turns` is how many rotations of a tile look different; `faces` are the colours of a turned tile by its code on
the lake; `having` are the lake tiles with a colour, as bits, `beside[a, b]` those with b clockwise next to a and
`opposite[a, b]` those with b across from a; `triples` are three different colours, and `triple_from[a, b]` + c is the
number of the one with colours a < b < c; `red` is the side of the start tile that faces the first player."""

STATE = record_type(
    [
        ("border", "i2", (BORDER,)),
        ("points", "i2", (SEATS, STACKS + 1)),
        ("lake", "u1", (CELLS,)),
        ("unseen", "u1", (TILES,)),
        ("hands", "u1", (SEATS, HAND)),
        ("cards", "i1", (SEATS, COLOURS)),
        ("supply", "i1", (COLOURS,)),
        ("boats", "i1", (SEATS,)),
        ("taken", "i1", (STACKS,)),
        ("border_count", "i1"),
        ("unseen_count", "i1"),
        ("pile", "i1"),
        ("placed", "i1"),
        ("players", "i1"),
        ("by_active", "i1"),
        ("step", "i1"),
        ("first", "i1"),
        ("active", "i1"),
        ("final", "i1"),
    ]
)
"""`lake` holds 1 + tile * 4 + turn, FREE on the free cells beside a tile, else 0; `border` lists the free cells and
`unseen` the tiles nobody has seen, as `hands` ascending with NO_CELL or NO_TILE behind; `taken` counts the cards gone
from each stack; `pile` the draws left. Sorted lists with a large number behind are kept by short loops over all places,
without a branch."""


@inlined
def has_tile(state: Any, cell: int) -> bool:
    """Return whether a tile lies on a cell."""
    return 0 < int(state.lake[cell]) < FREE


@inlined
def side_colour(box: Any, state: Any, cell: int, side: int) -> int:
    """Return the colour of the tile on `cell` at `side`."""
    return int(box.faces[int(state.lake[cell]), side])


@compiled
def neighbour(cell: int, side: int) -> int:
    """Return the cell next to `cell` at `side`."""
    if side == NORTH:
        return cell + WIDTH
    if side == EAST:
        return cell + 1
    if side == SOUTH:
        return cell - WIDTH
    return cell - 1


@compiled
def held(state: Any, seat: int) -> int:
    """Return the number of lantern cards that a seat has."""
    total = 0
    for colour in range(COLOURS):
        total += int(state.cards[seat, colour])
    return total


@inlined
def next_reward(box: Any, state: Any, stack: int) -> int:
    """Return the points that the next combination of a stack earns."""
    taken = int(state.taken[stack])
    players = int(state.players)
    return int(box.rewards[players, stack, taken] if taken < box.stack_sizes[players, stack] else box.neutral)


def rewards_left(box: Any, state: Any, stack: int) -> list[int]:
    """Return the points on the cards left on a stack, top first."""
    size = box.stack_sizes[state.players][stack]
    return [int(points) for points in box.rewards[state.players][stack][state.taken[stack] : size]]


def hand_of(state: Any, seat: int) -> list[int]:
    """Return the tiles in a seat's hand, ascending."""
    return [int(tile) for tile in state.hands[seat] if tile != NO_TILE]


def cell_at(x: int, y: int) -> int:
    """Return the cell at coordinates; the start tile is at (0, 0)."""
    return (y + REACH) * WIDTH + x + REACH


def coordinates(cell: int) -> tuple[int, int]:
    """Return the coordinates of a cell: x to the east, y to the north."""
    return cell % WIDTH - REACH, cell // WIDTH - REACH
