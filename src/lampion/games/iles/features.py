"""1001 Îles as numbers for learning: what the seat sees, other seats relative to it."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.iles.knowledge import secret_slots
from lampion.games.iles.scoring import BRIGANDS, points_of
from lampion.games.iles.state import (
    CELLS,
    COLUMNS,
    COPIES,
    DREAM,
    DREAMS,
    ELEMENTS,
    ENDED,
    PILES,
    ROUNDS_OF_A_PILE,
    SEATS,
    SLOTS,
    TILES,
    open_columns,
)

CELL = ELEMENTS + 3
SEAT = CELLS * CELL + DREAMS + BRIGANDS + 1 + 3
SLOT = 2 + ELEMENTS + DREAMS
STEPS = ENDED + 1
FEATURES = SEATS * SEAT + SLOTS * SLOT + 2 * PILES + DREAM * ELEMENTS + DREAMS + STEPS


@compiled
def features(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write islands, dreams and points from this seat clockwise, the table, the rounds played and what is still unseen.

    A cell is its visible elements and whether it is laid, turned over or open for a tile; counts are scaled to about 1.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    players = int(state.players)
    at = 0
    for k in range(players):
        other = (seat + k) % players
        write_seat(box, state, other, out, at + k * SEAT)
    at += SEATS * SEAT
    secret = 0
    if seat != state.lookout:
        secret = secret_slots(state)
    pile = int(state.pile)
    for slot in range(SLOTS):
        if state.table[slot] != 0:
            out[at] = 1.0
            if secret >> slot & 1:
                out[at + 1] = 1.0
            elif pile == DREAM:
                out[at + 2 + ELEMENTS + int(state.table[slot]) - 1] = 1.0
            else:
                for element in range(ELEMENTS):
                    out[at + 2 + element] = float(box.elements[pile, int(state.table[slot]) - 1, element])
        at += SLOT
    for i in range(PILES):
        out[at + i] = state.rounds[i] / ROUNDS_OF_A_PILE
        out[at + PILES + i] = 1.0 if i == pile else 0.0
    at += 2 * PILES
    write_unseen(box, state, secret, out, at)
    out[FEATURES - STEPS + int(state.step)] = 1.0


@compiled
def write_seat(box: Any, state: Any, seat: int, out: Any, at: int) -> None:
    """Write one player's island, dreams and points, and the player's role in the round."""
    for cell in range(CELLS):
        row = cell // COLUMNS
        if state.islands[seat, cell] != 0:
            out[at + ELEMENTS] = 1.0
            if int(state.down[seat]) >> cell & 1:
                out[at + ELEMENTS + 1] = 1.0
            else:
                for element in range(ELEMENTS):
                    out[at + element] = float(box.elements[row, int(state.islands[seat, cell]) - 1, element])
        elif open_columns(state, seat, row) >> cell % COLUMNS & 1:
            out[at + ELEMENTS + 2] = 1.0
        at += CELL
    for dream in range(DREAMS):
        pair = int(state.dreams[seat]) >> COPIES * dream & 3
        out[at + dream] = float(pair - (pair >> 1))
    at += DREAMS
    for category in range(BRIGANDS + 1):
        out[at + category] = points_of(box, state, seat, category) / 10.0
    at += BRIGANDS + 1
    out[at] = 1.0 if seat == state.lookout else 0.0
    out[at + 1] = 1.0 if seat == state.active else 0.0
    out[at + 2] = float(int(state.waiting) >> seat & 1)


@compiled
def write_unseen(box: Any, state: Any, secret: int, out: Any, at: int) -> None:
    """Write the mean of each element on the island tiles this seat has not seen, and the number of each dream."""
    for pile in range(PILES):
        unseen = int(state.unseen[pile])
        if pile == state.pile and pile != DREAM:
            for slot in range(SLOTS):
                if secret >> slot & 1:
                    unseen |= 1 << int(state.table[slot]) - 1
        n = 0
        for tile in range(TILES):
            n += unseen >> tile & 1
        if pile == DREAM:
            for dream in range(DREAMS):
                pair = unseen >> COPIES * dream & 3
                out[at + dream] = float(pair - (pair >> 1))
            if pile == state.pile:
                for slot in range(SLOTS):
                    if secret >> slot & 1:
                        out[at + int(state.table[slot]) - 1] += 1.0
        else:
            for tile in range(TILES):
                if unseen >> tile & 1:
                    for element in range(ELEMENTS):
                        out[at + element] += box.elements[pile, tile, element] / n
            at += ELEMENTS
