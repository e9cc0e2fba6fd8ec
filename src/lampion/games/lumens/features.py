"""Lumens as numbers for learning: what the seat sees, other seats relative to it."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.lumens.scoring import place_in
from lampion.games.lumens.state import ENDED, FACES, KINDS, PLACE, ROOMS, SEATS, SIZE, WIDTH

STEPS = ENDED + 1
SEAT = 2 * ROOMS + KINDS + 3
PLANES = SEATS + 2
FEATURES = SEATS * SEAT + ROOMS + 2 * KINDS + STEPS + 2 * SEATS + 1 + SIZE * SIZE * PLANES


@compiled
def features(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write sums and points by room and the tokens left, from this seat clockwise; own hand and bag; then the board.

    Counts are scaled to about 1. The board, which is never turned, has a plane for each seat's visible numbers, one for
    closed cells and one for the targets of the player whose turn it is.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    players = int(state.players)
    at = 0
    for k in range(players):
        other = (seat + k) % players
        left = 0
        for room in range(ROOMS):
            place = place_in(box, state, room, other)
            out[at + room] = state.sums[room, other] / 12.0
            out[at + ROOMS + room] = 0.0 if place < 0 else 0.5 if place else 1.0
        for kind in range(KINDS):
            unseen = int(state.bags[other, kind]) + (1 if state.hands[other] == kind else 0)
            out[at + 2 * ROOMS + kind] = unseen / 8.0
            left += unseen
        out[at + 2 * ROOMS + KINDS] = left / 24.0
        out[at + 2 * ROOMS + KINDS + 1] = float(state.out[other])
        out[at + 2 * ROOMS + KINDS + 2] = 1.0
        at += SEAT
    at = SEATS * SEAT
    out[at + int(box.central[players])] = 1.0
    at += ROOMS
    for kind in range(KINDS):
        out[at + kind] = 1.0 if state.hands[seat] == kind else 0.0
        out[at + KINDS + kind] = state.bags[seat, kind] / 8.0
    at += 2 * KINDS
    out[at + int(state.step)] = 1.0
    at += STEPS
    if state.active >= 0:
        out[at + (int(state.active) - seat) % players] = 1.0
    if state.first >= 0:
        out[at + SEATS + (int(state.first) - seat) % players] = 1.0
    at += 2 * SEATS
    out[at] = seat / 3.0
    at += 1
    for row in range(SIZE):
        for column in range(SIZE):
            cell = row * WIDTH + column
            top = int(state.top[cell]) - 1
            if top >= 0:
                out[at + (top // FACES - seat) % players] = (top % FACES + 1) / 6.0
            out[at + SEATS] = 1.0 if state.under[cell] != 0 else 0.0
            if state.step == PLACE:
                out[at + SEATS + 1] = float(int(state.targets[cell >> 6]) >> (cell & 63) & 1)
            at += PLANES
