"""The points of Lanternes, and what decides a tie."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.lanternes.state import COMBINATIONS, STACKS, held

CATEGORIES = (*COMBINATIONS, "neutral")
assert len(CATEGORIES) == STACKS + 1


@compiled
def points_of(state: Any, seat: int) -> int:
    """Return the points of a seat, all categories together."""
    points = 0
    for category in range(STACKS + 1):
        points += int(state.points[seat, category])
    return points


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write the points of a seat by category: the rewards of each stack, then those of empty stacks."""
    for category in range(STACKS + 1):
        out[category] = state.points[seat, category]


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write what orders the places: points, then boats, then lantern cards."""
    out[0] = points_of(state, seat)
    out[1] = state.boats[seat]
    out[2] = held(state, seat)
