"""What each viewer of 1001 Îles knows: with two players, the lookout alone sees some tiles for a while."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.engine.rng import below
from lampion.games.iles.rules import nth_tile, see
from lampion.games.iles.state import (
    COPIES,
    DRAW,
    DRAWS,
    DREAM,
    FIRSTS,
    HIDE,
    HIDES,
    IDS,
    LAYS,
    NAMES,
    NONE,
    TAKE,
    TAKES,
    TILES,
    TURN_UP,
    TWO_PLAYER_DRAW,
)


@compiled
def secret_slots(state: Any) -> int:
    """Return the slots, as bits, whose tiles the lookout alone has seen."""
    if state.players != 2:
        return 0
    if state.step == DRAW or state.step == HIDE:
        slots = 0
        for slot in range(TWO_PLAYER_DRAW):
            if state.table[slot] != 0:
                slots |= 1 << slot
        return slots
    if (state.step == TAKE or state.step == TURN_UP) and state.hidden != NONE:
        return 1 << int(state.hidden)
    return 0


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Return the move, with the tiles it reveals; DRAWS for a tile of two players that the lookout alone sees.

    Hiding reveals the two other tiles, and the last take the one that was hidden.
    """
    if state.players != 2 or NAMES <= move < DRAWS or move >= FIRSTS:
        return move
    if move >= DRAWS:
        return DRAWS if state.step == DRAW and viewer != state.lookout else move
    shown = 0
    if HIDES <= move < TAKES:
        for slot in range(TWO_PLAYER_DRAW):
            if slot != move - HIDES:
                shown = shown * (TILES + 1) + int(state.table[slot])
    elif TAKES <= move < LAYS and mover == state.lookout and state.hidden != NONE:
        shown = int(state.table[state.hidden])
    return move + IDS * shown


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """Put what the lookout alone has seen back among the unseen tiles and draw it anew."""
    secret = secret_slots(state)
    if secret == 0 or viewer == state.lookout:
        return
    pile = int(state.pile)
    unseen = int(state.unseen[pile])
    for slot in range(TWO_PLAYER_DRAW):
        if secret >> slot & 1:
            tile = int(state.table[slot]) - 1
            bit = 1 << tile
            if pile == DREAM:
                bit = 1 << COPIES * tile
                if unseen & bit:
                    bit <<= 1
            unseen |= bit
    state.unseen[pile] = unseen
    n = 0
    while unseen:
        unseen &= unseen - 1
        n += 1
    for slot in range(TWO_PLAYER_DRAW):
        if secret >> slot & 1:
            tile = nth_tile(int(state.unseen[pile]), below(rng, n))
            if pile == DREAM:
                tile //= COPIES
            see(state, pile, tile)
            state.table[slot] = tile + 1
            n -= 1
