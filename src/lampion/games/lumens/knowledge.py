"""What each viewer of Lumens knows: everything but the tokens in the hands of the others."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.lumens.rules import random_token
from lampion.games.lumens.state import DRAWS, FIRSTS, NO_TOKEN


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Return the move, or DRAWS for a token that another player draws."""
    if DRAWS <= move < FIRSTS and viewer != state.active:
        return DRAWS
    return move


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """Put the tokens in the other hands back into their bags and draw them again."""
    for seat in range(state.players):
        if seat != viewer and state.hands[seat] != NO_TOKEN:
            state.bags[seat, state.hands[seat]] += 1
            state.bagged[seat] += 1
            kind = random_token(state, seat, rng)
            state.bags[seat, kind] -= 1
            state.bagged[seat] -= 1
            state.hands[seat] = kind
