"""The rules of Places. A place holds 0, or the number of the seat that claimed it last, from 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.engine.compile import compiled
from lampion.engine.event_log import note
from lampion.games.core import EVERYONE, OVER

PLACES = 9
MOST_TURNS = 30_000
CLAIMED, END = 0, 1

BOX = np.dtype((np.record, np.dtype([("turns", "i2")])))
STATE = np.dtype((np.record, np.dtype([("taken", "i2"), ("places", "i1", (PLACES,)), ("players", "i1")])))
"""`taken` counts the claims."""


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Nobody has a place."""
    state.players = players
    return 0


@compiled
def actor(box: Any, state: Any) -> int:
    """In turn."""
    return OVER if state.taken == box.turns else int(state.taken) % int(state.players)


@compiled
def pending(box: Any, state: Any) -> int:
    """One at a time."""
    seat = actor(box, state)
    return 0 if seat < 0 else 1 << seat


@compiled
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """Any place, claimed before or not."""
    for place in range(PLACES):
        ids[place] = place
    return PLACES


@compiled
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """Nothing is drawn."""
    return 0


@compiled
def source(box: Any, state: Any) -> int:
    """Nothing is drawn."""
    return 0


@compiled
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """The place is theirs."""
    state.places[move] = seat + 1
    state.taken += 1
    row = note(log, 0, CLAIMED, seat, move, 1, 0, EVERYONE)
    return note(log, row, END, -1, -1, 0, 0, EVERYONE) if state.taken == box.turns else row


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Everything."""
    return move


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """Nothing is hidden."""


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """A point a place."""
    out[0] = 0
    for place in range(PLACES):
        if state.places[place] == seat + 1:
            out[0] += 1


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Most places."""
    tally(box, state, seat, out)


@compiled
def features(box: Any, state: Any, seat: int, out: Any) -> None:
    """What is the seat's own."""
    for place in range(PLACES):
        out[place] = 1.0 if state.places[place] == seat + 1 else 0.0


@compiled
def broken_invariant(box: Any, state: Any) -> int:
    """The claims are counted."""
    return 0 if 0 <= state.taken <= box.turns else 1
