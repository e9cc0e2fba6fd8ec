"""How a bot judges a position of Lumens.

Playouts of a search are short here and go on at random: moves drawn into the rooms, with the larger number up, were
tried and won no more games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.games.compiled import compiled
from lampion.games.lumens.rules import (
    BANDS,
    ENDED,
    FACES,
    NO_TOKEN,
    ROOMS,
    follow_lines,
    key,
    lowest,
)

# Several small numbers in one: ways by room, sums by seat.
WAY_BITS = 5
WAYS = (1 << WAY_BITS) - 1
SUM_BITS = 16
SUMS = (1 << SUM_BITS) - 1


@compiled
def worth(box: Any, state: Any, seat: int, keys: Any) -> float:
    """The points of every room by the odds of being first or second in it at the end."""
    if state.step == ENDED:
        key(box, state, seat, keys)
        return float(keys[0])
    players = int(state.players)
    left = 0.0
    for other in range(players):
        keys[BANDS + other] = ways_in(box, state, other, keys)
        left += unplaced(state, other) / players
    points = 0.0
    for room in range(ROOMS):
        if is_on_board(box, players, room):
            firm = firm_sums(box, state, room)
            mine = strength(state, seat, room, firm, int(keys[BANDS + seat]), left)
            first, second = 1.0, 0.0
            for other in range(players):
                if other != seat:
                    theirs = strength(state, other, room, firm, int(keys[BANDS + other]), left)
                    ahead = 1.0 / (1.0 + np.exp(theirs - mine))
                    second = second * ahead + first * (1.0 - ahead)
                    first *= ahead
            points += first * int(box.first)
            if players >= box.second_from:
                points += second * int(box.second)
    return points


@compiled
def strength(state: Any, seat: int, room: int, firm: int, ways: int, left: float) -> float:
    """What speaks for a seat in a room: the sum nobody can cover, the rest of the sum, and the ways in.

    The difference between two seats is about the logarithm of the odds of ending before the other; the weights, which
    go by the tokens that each has `left`, were fitted to games of the search against itself. The fewer are left, the
    more everything counts, and the less it matters that a token could still be covered.
    """
    safe = firm >> (SUM_BITS * seat) & SUMS
    open_to_all = int(state.sums[room, seat]) - safe
    by_number = 0.25 + 1.2 / (left + 1.0)
    by_way = max(0.5, 1.85 - 0.09 * left)
    return by_number * (safe + (1.0 - left / 35.0) * open_to_all) + by_way * (ways >> (WAY_BITS * room) & WAYS)


@compiled
def unplaced(state: Any, seat: int) -> int:
    """How many tokens a seat has in bag and hand."""
    return int(state.bagged[seat]) + (1 if state.hands[seat] != NO_TOKEN else 0)


@compiled
def is_on_board(box: Any, players: int, room: int) -> bool:
    """Whether the board for so many players has this room."""
    cells = 0
    for band in range(BANDS):
        cells |= int(box.halls[players, room, band])
    return cells != 0


@compiled
def ways_in(box: Any, state: Any, seat: int, ends: Any) -> int:
    """By room, WAY_BITS each, where a seat's lines end: a free cell counts once, a token of another's twice.

    Own tokens do not count. `ends` has room for a set of cells.
    """
    if unplaced(state, seat) == 0 or state.out[seat] != 0:
        return 0
    players = int(state.players)
    follow_lines(box, state, seat, ends)
    found = 0
    for band in range(BANDS):
        left = int(ends[band]) & int(box.roomed[players, band]) & ~int(state.owned[seat, band])
        while left != 0:
            cell = band * 64 + lowest(left)
            shift = WAY_BITS * int(box.rooms[players, cell])
            if found >> shift & WAYS < WAYS - 1:
                found += (2 if state.top[cell] != 0 else 1) << shift
            left &= left - 1
    return found


@compiled
def firm_sums(box: Any, state: Any, room: int) -> int:
    """By seat, SUM_BITS each, what nobody else can cover of the sums in a room: second tokens and start markers."""
    players = int(state.players)
    found = 0
    for band in range(BANDS):
        markers = int(box.inside[players, band]) & ~(
            int(box.allowed[players, 0, band]) & int(box.allowed[players, 1, band])
        )
        left = int(box.halls[players, room, band]) & (int(state.closed[band]) | markers)
        while left != 0:
            token = int(state.top[band * 64 + lowest(left)]) - 1
            if token >= 0:
                found += (token % FACES + 1) << (SUM_BITS * (token // FACES))
            left &= left - 1
    return found
