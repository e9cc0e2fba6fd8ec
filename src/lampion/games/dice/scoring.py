"""The end of Lanternes Dice: fireworks, the second-largest group, surrounded boats."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.dice.lake import PONDS, second_group, surrounded
from lampion.games.dice.records import BOAT_POINTS, LAUNCHES_EACH, TILES


@compiled
def firework_points(box: Any, state: Any, seat: int) -> int:
    """What is printed on the tiles that a seat launched."""
    points = 0
    for i in range(LAUNCHES_EACH):
        code = int(state.launched[seat, i]) - 1
        if code >= 0:
            points += int(box.values[box.shape_of[code // (TILES * PONDS)], code % TILES])
    return points


@compiled
def group_points(state: Any, seat: int) -> int:
    """One point a pond of the second-largest group of complete ponds."""
    return second_group(int(state.shaded[seat, 0]) & int(state.shaded[seat, 1]))


@compiled
def boat_points(box: Any, state: Any, seat: int) -> int:
    """Four points for a boat whose pond is wholly unshaded and whose four neighbours are complete."""
    upper, lower = int(state.shaded[seat, 0]), int(state.shaded[seat, 1])
    return BOAT_POINTS * surrounded(int(box.boats) & ~(upper | lower), upper & lower)


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """Points on fireworks, the second-largest group of complete ponds, and the boats that are surrounded."""
    out[0] = firework_points(box, state, seat)
    out[1] = group_points(state, seat)
    out[2] = boat_points(box, state, seat)


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Most points, then most points on fireworks."""
    fireworks = firework_points(box, state, seat)
    out[0] = fireworks + group_points(state, seat) + boat_points(box, state, seat)
    out[1] = fireworks
