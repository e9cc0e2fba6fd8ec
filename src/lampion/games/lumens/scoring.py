"""What a room of Lumens is worth to each seat, at the end or now."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.lumens.components import LETTERS
from lampion.games.lumens.state import PASSAGE, ROOMS, SEATS

CATEGORIES = tuple(f"room_{letter}" for letter in LETTERS)


@compiled
def leaders(state: Any, room: int) -> int:
    """Return the bits of the seats with the largest sum in a room; 0 in a passage or an empty room."""
    bits = 0
    if room != PASSAGE:
        most = 1
        for seat in range(SEATS):
            mine = int(state.sums[room, seat])
            if mine > most:
                bits = 0
                most = mine
            if mine == most:
                bits |= 1 << seat
    return bits


@compiled
def place_in(box: Any, state: Any, room: int, seat: int) -> int:
    """Return a seat's place in a room: 0 for first, 1 for second (nobody behind a tie, or with few players) or -1."""
    mine = int(state.sums[room, seat])
    if mine == 0:
        return -1
    before = 0
    for other in range(SEATS):
        before += state.sums[room, other] > mine
    if before == 0:
        return 0
    return 1 if before == 1 and state.players >= box.second_from else -1


@compiled
def place_points(box: Any, place: int) -> int:
    """Return the victory points of a place in a room."""
    return 0 if place < 0 else int(box.second) if place else int(box.first)


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write a seat's victory points by room."""
    for room in range(ROOMS):
        out[room] = place_points(box, place_in(box, state, room, seat))


@compiled
def tallies(box: Any, state: Any, out: Any) -> None:
    """Write the victory points by seat and room."""
    for seat in range(state.players):
        tally(box, state, seat, out[seat])


@compiled
def points(box: Any, state: Any, seat: int) -> int:
    """Return a seat's victory points if the game ended now."""
    total = 0
    for room in range(ROOMS):
        total += place_points(box, place_in(box, state, room, seat))
    return total


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Rank by most victory points, then by the larger sum in the central room, where no token counts as 0."""
    out[0] = points(box, state, seat)
    out[1] = int(state.sums[box.central[state.players], seat])
