"""What the lake offers in Lanternes: the open edges, what tiles in hand bring at once, and what unseen ones might.

Gains and wishes are counted in hundredths of a point, as in `estimate`; all is kept in the numbers of `notes`.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.games.lanternes.estimate import BOAT, make_wishes
from lampion.games.lanternes.state import (
    COLOURS,
    DRAW,
    EAST,
    FREE,
    HAND,
    NO_TILE,
    NORTH,
    SEATS,
    SOUTH,
    WEST,
    WIDTH,
    neighbour,
)

# Where `notes` keep what.
EDGES = 0  # by side of a free cell and colour it meets there: 0, or 1 and one more for a symbol
WISHES = EDGES + 4 * COLOURS  # by relative seat and colour
EDGES_OF = WISHES + SEATS * COLOURS  # by colour, open edges
SYMBOLS_OF = EDGES_OF + COLOURS  # and those of tiles with a symbol
TAKES = SYMBOLS_OF + COLOURS  # by colour, the best gain where this side of a tile faces the seat
MATCHES = TAKES + COLOURS  # and where it meets its own colour
GAINS = MATCHES + COLOURS  # by tile in hand, the best gain
DOUBLES = GAINS + HAND  # cells beside two tiles or more, and three or more
TRIPLES = DOUBLES + 1
OWN_DOUBLES = TRIPLES + 1  # pairs of a tile in hand and a cell where it meets two colours
THEIR_DOUBLES = OWN_DOUBLES + 1  # of an unseen tile and such a cell
THEIR_MOST = THEIR_DOUBLES + 1  # most unseen tiles for one such cell
MOST_MATCHES = THEIR_MOST + 1
MOST_BOATS = MOST_MATCHES + 1
BEST_GIFT = MOST_BOATS + 1
BEST_OWN = BEST_GIFT + 1
THREATENING = BEST_OWN + 1  # the next other player to place a tile, counted from the seat; 0 for nobody
THREAT_SUM = THREATENING + 1  # gains of unseen tiles to that player: sum, largest, and how many reach each of THREATS
THREAT_MOST = THREAT_SUM + 1
THREAT_COUNTS = THREAT_MOST + 1
THREATS = (250, 350, 450)
"""Gains of an unseen tile that are counted: about a card, two cards, and two cards with boats."""
NONE = THREAT_COUNTS + len(THREATS)  # wishes that are all 0
END = NONE + COLOURS
LEAST_GAIN = -1000000


@compiled
def look_round(box: Any, state: Any, seat: int, hand: int, unseen: int, notes: Any) -> None:
    """Note what everybody wishes for, what a seat's tiles bring at once, and what the next other player might place."""
    for i in range(END):
        notes[i] = 0
    players = int(state.players)
    for k in range(players):
        make_wishes(box, state, (seat + k) % players, notes[WISHES + k * COLOURS :])
    if state.final:
        return
    note_edges(box, state, hand, unseen, notes)
    for slot in range(HAND):
        if state.hands[seat, slot] != NO_TILE:
            try_tile(box, state, seat, slot, notes)
    if notes[OWN_DOUBLES] > 0:
        try_doubles(box, state, seat, hand, notes)
    note_threat(box, state, seat, unseen, notes)


@inlined
def tiles_in_hand(state: Any, seat: int) -> int:
    """Return the tiles in a hand as bits."""
    tiles = 0
    for slot in range(HAND):
        if state.hands[seat, slot] != NO_TILE:
            tiles |= 1 << int(state.hands[seat, slot])
    return tiles


@inlined
def tiles_unseen_by(state: Any, seat: int) -> int:
    """Return as bits the tiles that a seat has not seen, those in the hands of others included."""
    tiles = 0
    for i in range(state.unseen_count):
        tiles |= 1 << int(state.unseen[i])
    for other in range(state.players):
        if other != seat:
            tiles |= tiles_in_hand(state, other)
    return tiles


@inlined
def colour_towards(box: Any, code: int, side: int) -> int:
    """Return the colour that a tile at `side` of a free cell shows it, or -1 without a tile."""
    return int(box.faces[code, (side + 2) & 3]) if 0 < code < FREE else -1


@inlined
def note_edge(box: Any, code: int, side: int, notes: Any) -> int:
    """Note the open edge of a tile that lies at `side` of a free cell; return its colour, or -1 without a tile."""
    colour = colour_towards(box, code, side)
    if colour < 0:
        return colour
    symbol = int(box.symbols[(code - 1) >> 2])
    notes[EDGES_OF + colour] += 1
    notes[SYMBOLS_OF + colour] += symbol
    notes[EDGES + side * COLOURS + colour] = max(int(notes[EDGES + side * COLOURS + colour]), 1 + symbol)
    return colour


@inlined
def meets_two(box: Any, north: int, east: int, south: int, west: int) -> int:
    """Return as bits the tiles that can meet two or more of these colours; -1 is no tile at that side."""
    tiles = 0
    if north >= 0 and east >= 0:
        tiles |= int(box.beside[north, east])
    if east >= 0 and south >= 0:
        tiles |= int(box.beside[east, south])
    if south >= 0 and west >= 0:
        tiles |= int(box.beside[south, west])
    if west >= 0 and north >= 0:
        tiles |= int(box.beside[west, north])
    if north >= 0 and south >= 0:
        tiles |= int(box.opposite[north, south])
    if east >= 0 and west >= 0:
        tiles |= int(box.opposite[east, west])
    return tiles


@compiled
def note_edges(box: Any, state: Any, hand: int, unseen: int, notes: Any) -> None:
    """Note the open edges by side and colour, and where a tile in hand or an unseen one can meet two colours."""
    lake = state.lake
    for rank in range(state.border_count):
        cell = int(state.border[rank])
        north = note_edge(box, int(lake[cell + WIDTH]), NORTH, notes)
        east = note_edge(box, int(lake[cell + 1]), EAST, notes)
        south = note_edge(box, int(lake[cell - WIDTH]), SOUTH, notes)
        west = note_edge(box, int(lake[cell - 1]), WEST, notes)
        beside = (north >= 0) + (east >= 0) + (south >= 0) + (west >= 0)
        if beside > 1:
            tiles = meets_two(box, north, east, south, west)
            theirs = popcount(tiles & unseen)
            notes[DOUBLES] += 1
            notes[TRIPLES] += beside > 2
            notes[OWN_DOUBLES] += popcount(tiles & hand)
            notes[THEIR_DOUBLES] += theirs
            notes[THEIR_MOST] = max(int(notes[THEIR_MOST]), theirs)


@inlined
def facing_gain(box: Any, state: Any, seat: int, code: int, notes: Any) -> tuple[int, int]:
    """Return what a turned tile brings a seat that it faces, and what it gives the others on average."""
    players = int(state.players)
    own = int(notes[WISHES + int(box.faces[code, int(box.sides[players, seat])])])
    gift, other = 0, seat
    for k in range(1, players):
        other = other + 1 if other + 1 < players else 0
        gift += int(notes[WISHES + k * COLOURS + int(box.faces[code, int(box.sides[players, other])])])
    return own, gift if players == 2 else gift >> 1 if players == 3 else gift // 3


@inlined
def note_gain(slot: int, own: int, gift: int, matches: int, boats: int, notes: Any) -> None:
    """Note a placement of a tile in hand that brings `own` and gives others `gift`, if it is better than before."""
    notes[GAINS + slot] = max(int(notes[GAINS + slot]), own - gift)
    notes[MOST_MATCHES] = max(int(notes[MOST_MATCHES]), matches)
    notes[MOST_BOATS] = max(int(notes[MOST_BOATS]), boats)
    if own > notes[BEST_OWN] or (own == notes[BEST_OWN] and gift < notes[BEST_GIFT]):
        notes[BEST_OWN] = own
        notes[BEST_GIFT] = gift


@compiled
def try_tile(box: Any, state: Any, seat: int, slot: int, notes: Any) -> None:
    """Note what the rotations of a tile in hand bring with no match or one."""
    tile = int(state.hands[seat, slot])
    symbol = int(box.symbols[tile])
    facing = int(box.sides[state.players, seat])
    notes[GAINS + slot] = LEAST_GAIN
    for turn in range(4):
        code = 1 + tile * 4 + turn
        base, gift = facing_gain(box, state, seat, code, notes)
        best, most_boats, matches = base, 0, 0
        for side in range(4):
            colour = int(box.faces[code, side])
            edge = int(notes[EDGES + side * COLOURS + colour])
            if edge > 0:
                boats = edge - 1 + symbol
                own = base + int(notes[WISHES + colour]) + BOAT * boats
                notes[MATCHES + colour] = max(int(notes[MATCHES + colour]), own - gift)
                best, most_boats, matches = max(best, own), max(most_boats, boats), 1
        note_gain(slot, best, gift, matches, most_boats, notes)
        colour = int(box.faces[code, facing])
        notes[TAKES + colour] = max(int(notes[TAKES + colour]), best - gift)


@compiled
def try_doubles(box: Any, state: Any, seat: int, hand: int, notes: Any) -> None:
    """Note what tiles in hand bring where they meet two colours or more."""
    lake = state.lake
    for rank in range(state.border_count):
        cell = int(state.border[rank])
        north = colour_towards(box, int(lake[cell + WIDTH]), NORTH)
        east = colour_towards(box, int(lake[cell + 1]), EAST)
        south = colour_towards(box, int(lake[cell - WIDTH]), SOUTH)
        west = colour_towards(box, int(lake[cell - 1]), WEST)
        tiles = meets_two(box, north, east, south, west) & hand
        if tiles != 0:
            for slot in range(HAND):
                tile = int(state.hands[seat, slot])
                if tile != NO_TILE and tiles >> tile & 1:
                    for turn in range(int(box.turns[tile])):
                        try_double(box, state, seat, slot, 1 + tile * 4 + turn, cell, notes)


@compiled
def try_double(box: Any, state: Any, seat: int, slot: int, code: int, cell: int, notes: Any) -> None:
    """Note what a turned tile in hand brings on a cell if it meets two colours or more there."""
    matches, own, boats = 0, 0, int(box.symbols[(code - 1) >> 2])
    for side in range(4):
        beside = int(state.lake[neighbour(cell, side)])
        colour = int(box.faces[code, side])
        if colour_towards(box, beside, side) == colour:
            matches += 1
            own += int(notes[WISHES + colour])
            boats += int(box.symbols[(beside - 1) >> 2])
    if matches > 1:
        base, gift = facing_gain(box, state, seat, code, notes)
        note_gain(slot, base + own + BOAT * boats, gift, matches, boats, notes)


@inlined
def next_to_place(state: Any, seat: int) -> int:
    """Return the next other player, counted from a seat, who will place a tile."""
    players = int(state.players)
    other = int(state.active) if state.active >= 0 else seat
    if state.step == DRAW:
        other = other + 1 if other + 1 < players else 0
    if other == seat:
        other = other + 1 if other + 1 < players else 0
    return (other - seat) % players


@inlined
def threat_of(box: Any, tile: int, facing: int, ours: int, wishes: Any, ours_wished: Any, notes: Any) -> int:
    """Return what a tile brings the player at the side `facing`, less what it gives the player at `ours`.

    The open edges are those that `price_edges` left in the notes.
    """
    price = BOAT * int(box.symbols[tile])
    gain = 0
    for code in range(1 + tile * 4, 5 + tile * 4):
        north, east = int(box.faces[code, NORTH]), int(box.faces[code, EAST])
        south, west = int(box.faces[code, SOUTH]), int(box.faces[code, WEST])
        match = max(
            max(int(notes[EDGES + north]), int(notes[EDGES + COLOURS + east])),
            max(int(notes[EDGES + 2 * COLOURS + south]), int(notes[EDGES + 3 * COLOURS + west])),
        )
        found = int(wishes[int(box.faces[code, facing])]) - int(ours_wished[int(box.faces[code, ours])])
        gain = max(gain, found + match + (price if match > 0 else 0))
    return gain


@inlined
def price_edges(k: int, notes: Any) -> None:
    """Replace the open edges by what meeting each of them brings the k-th player after the seat."""
    for side in range(4):
        for colour in range(COLOURS):
            i = EDGES + side * COLOURS + colour
            if notes[i] > 0:
                price = int(notes[WISHES + k * COLOURS + colour]) + BOAT * (int(notes[i]) - 1)
                notes[i] = max(price, 1)  # a match without a card still brings the boat of the tile's own symbol


@compiled
def note_threat(box: Any, state: Any, seat: int, unseen: int, notes: Any) -> None:
    """Note what unseen tiles would bring the next other player to place one, with no match or one.

    Of two players, what the tile gives the seat is subtracted.
    """
    players = int(state.players)
    k = next_to_place(state, seat)
    other = (seat + k) % players
    if state.hands[other, 0] == NO_TILE:
        return
    price_edges(k, notes)
    facing, ours = int(box.sides[players, other]), int(box.sides[players, seat])
    wishes, ours_wished = notes[WISHES + k * COLOURS :], notes[WISHES:]
    if players > 2:
        ours_wished = notes[NONE:]
    total, most, low, middle, high = 0, 0, 0, 0, 0
    while unseen != 0:
        gain = threat_of(box, lowest_bit(unseen), facing, ours, wishes, ours_wished, notes)
        unseen &= unseen - 1
        total += gain
        most = max(most, gain)
        low += gain >= THREATS[0]
        middle += gain >= THREATS[1]
        high += gain >= THREATS[2]
    notes[THREATENING], notes[THREAT_SUM], notes[THREAT_MOST] = k, total, most
    notes[THREAT_COUNTS], notes[THREAT_COUNTS + 1], notes[THREAT_COUNTS + 2] = low, middle, high
