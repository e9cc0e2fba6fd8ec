"""Estimate a position of Lumens for bots.

Playouts are short and random: moves that prefer rooms and larger numbers were tried and won no more games.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit
from lampion.engine.compile import compiled
from lampion.engine.portable_math import exp
from lampion.games.lumens.rules import follow_lines
from lampion.games.lumens.scoring import key
from lampion.games.lumens.state import BANDS, ENDED, FACES, NO_TOKEN, ROOMS

# Small numbers packed into one integer: ways by room, sums by seat
WAY_BITS = 5
WAYS = (1 << WAY_BITS) - 1
SUM_BITS = 16
SUMS = (1 << SUM_BITS) - 1


@compiled
def estimate(box: Any, state: Any, seat: int, keys: Any) -> float:
    """Return the expected points of a seat: those of every room by the odds of being first or second in it."""
    if state.step == ENDED:
        key(box, state, seat, keys)
        return float(keys[0])
    left = look_around(box, state, keys)
    points = 0.0
    for room in range(ROOMS):
        if is_on_board(box, int(state.players), room):
            points += points_in(box, int(state.players), seat, claims(box, state, room, left, keys))
    return points


@compiled
def estimates(box: Any, state: Any, players: int, keys: Any, out: Any) -> None:
    """Write what `estimate` returns, for every seat at once."""
    if state.step == ENDED:
        for seat in range(players):
            out[seat] = estimate(box, state, seat, keys[seat])
        return
    left = look_around(box, state, keys[0])
    for seat in range(players):
        out[seat] = 0.0
    for room in range(ROOMS):
        if is_on_board(box, players, room):
            claimed = claims(box, state, room, left, keys[0])
            for seat in range(players):
                out[seat] += points_in(box, players, seat, claimed)


@compiled
def look_around(box: Any, state: Any, notes: Any) -> float:
    """Write the ways of each seat into the rooms to `notes` from BANDS on; return the mean number of tokens left."""
    players = int(state.players)
    left = 0
    for seat in range(players):
        notes[BANDS + seat] = ways_in(box, state, seat, notes)
        left += unplaced(state, seat)
    return left / players


@compiled
def points_in(box: Any, players: int, seat: int, claimed: tuple[float, float, float, float]) -> float:
    """Return the expected points of a seat in a room, every pair of seats compared independently."""
    first, second = 1.0, 0.0
    for other in range(players):
        if other != seat:
            ahead = claimed[seat] / (claimed[seat] + claimed[other])
            second = second * ahead + first * (1.0 - ahead)
            first *= ahead
    return first * int(box.first) + (second * int(box.second) if players >= box.second_from else 0.0)


@compiled
def claims(box: Any, state: Any, room: int, left: float, notes: Any) -> tuple[float, float, float, float]:
    """Return the claim of each seat in a room: the odds of one being ahead of another are their claims' ratio."""
    firm = firm_sums(box, state, room)
    return (
        claim(state, 0, room, firm, int(notes[BANDS]), left),
        claim(state, 1, room, firm, int(notes[BANDS + 1]), left),
        claim(state, 2, room, firm, int(notes[BANDS + 2]), left),
        claim(state, 3, room, firm, int(notes[BANDS + 3]), left),
    )


@compiled
def claim(state: Any, seat: int, room: int, firm: int, ways: int, left: float) -> float:
    """Return a seat's claim: from the sum that nobody can cover, the rest of the sum, and the ways in.

    The weights, which go by the tokens that each has `left`, were fitted to games of the search against itself. The
    fewer are left, the more everything counts, and the less it matters that a token could still be covered.
    """
    if seat >= state.players:
        return 0.0
    safe = firm >> (SUM_BITS * seat) & SUMS
    open_to_all = int(state.sums[room, seat]) - safe
    by_number = 0.25 + 1.2 / (left + 1.0)
    by_way = max(0.5, 1.85 - 0.09 * left)
    ways = ways >> (WAY_BITS * room) & WAYS
    return exp(by_number * (safe + (1.0 - left / 35.0) * open_to_all) + by_way * ways)


@compiled
def unplaced(state: Any, seat: int) -> int:
    """Return the number of tokens that a seat has in bag and hand."""
    return int(state.bagged[seat]) + (1 if state.hands[seat] != NO_TOKEN else 0)


@compiled
def is_on_board(box: Any, players: int, room: int) -> bool:
    """Return whether the board for `players` players has this room."""
    cells = 0
    for band in range(BANDS):
        cells |= int(box.halls[players, room, band])
    return cells != 0


@compiled
def ways_in(box: Any, state: Any, seat: int, ends: Any) -> int:
    """Return the ends of a seat's lines by room, WAY_BITS each: a free cell counts 1, a token of another seat 2.

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
            cell = band * 64 + lowest_bit(left)
            shift = WAY_BITS * int(box.rooms[players, cell])
            if found >> shift & WAYS < WAYS - 1:
                found += (2 if state.top[cell] != 0 else 1) << shift
            left &= left - 1
    return found


@compiled
def firm_sums(box: Any, state: Any, room: int) -> int:
    """Return by seat, SUM_BITS each, the part of the sum in a room that no other seat can cover.

    That is the sum of the tokens that cover another one, and of those on start markers.
    """
    players = int(state.players)
    found = 0
    for band in range(BANDS):
        markers = int(box.inside[players, band]) & ~(
            int(box.allowed[players, 0, band]) & int(box.allowed[players, 1, band])
        )
        left = int(box.halls[players, room, band]) & (int(state.closed[band]) | markers)
        while left != 0:
            token = int(state.top[band * 64 + lowest_bit(left)]) - 1
            if token >= 0:
                found += (token % FACES + 1) << (SUM_BITS * (token // FACES))
            left &= left - 1
    return found
