"""Order the seats by their keys: places, shared places and winners."""

from __future__ import annotations

from typing import Any

from lampion.engine import rules
from lampion.engine.compile import compiled


@compiled
def standing(box: Any, state: Any, players: int, keys: Any) -> None:
    """Write the key of every seat into its row; `keys` must be zeros or hold another position of the same game."""
    for seat in range(players):
        rules.key(box, state, seat, keys[seat])


@compiled
def is_before(keys: Any, a: int, b: int) -> int:
    """Return 1 where seat `a` ranks before seat `b`, else 0."""
    for i in range(keys.shape[1]):
        if keys[a, i] != keys[b, i]:
            return 1 if keys[a, i] > keys[b, i] else 0
    return 0


@compiled
def place_of(keys: Any, players: int, seat: int) -> int:
    """Return a seat's place, from 1; level seats share a place and the next one stays empty (1, 1, 3)."""
    place = 1
    for other in range(players):
        place += is_before(keys, other, seat)
    return place


@compiled
def winners(keys: Any, players: int) -> int:
    """Return the number of seats that share the victory."""
    n = 0
    for seat in range(players):
        n += place_of(keys, players, seat) == 1
    return n
