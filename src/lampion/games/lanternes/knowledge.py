"""What a viewer of Lanternes knows: everything but the tiles in the hands of others."""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import np
from lampion.engine.compile import compiled
from lampion.engine.rng import below
from lampion.games.lanternes.rules import leave_unseen, take_in_hand
from lampion.games.lanternes.state import DRAWS, FIRSTS, HAND, NO_TILE, TILES


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Return what the viewer sees of a move: everything, but the tile that somebody else draws."""
    if DRAWS <= move < FIRSTS and viewer != state.active:
        return DRAWS
    return move


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """Put the hands of others back among the unseen tiles and deal them anew."""
    present = np.uint64(0)
    one = np.uint64(1)
    for i in range(state.unseen_count):
        present |= one << np.uint64(state.unseen[i])
    for seat in range(state.players):
        if seat != viewer:
            for slot in range(HAND):
                if state.hands[seat, slot] != NO_TILE:
                    present |= one << np.uint64(state.hands[seat, slot])
    state.unseen_count = 0
    for tile in range(TILES):
        if present >> np.uint64(tile) & one:
            state.unseen[int(state.unseen_count)] = tile
            state.unseen_count += 1
    for seat in range(state.players):
        if seat != viewer:
            count = 0
            for slot in range(HAND):
                count += state.hands[seat, slot] != NO_TILE
                state.hands[seat, slot] = NO_TILE
            for _ in range(count):
                tile = int(state.unseen[below(rng, int(state.unseen_count))])
                leave_unseen(state, tile)
                take_in_hand(state, seat, tile)
