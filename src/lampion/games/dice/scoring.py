"""The points of Lanternes Dice: fireworks, the second-largest group, surrounded boats."""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import np
from lampion.engine.compile import compiled
from lampion.games.dice.lake import PONDS, second_group, surrounded
from lampion.games.dice.state import BOAT_POINTS, LAUNCHES_EACH, TILES

CATEGORIES = ("fireworks", "second_group", "boats")


@compiled
def firework_points(box: Any, state: Any, seat: int) -> int:
    """Return the points printed on the tiles that a seat launched."""
    points = 0
    for i in range(LAUNCHES_EACH):
        code = int(state.launched[seat, i]) - 1
        if code >= 0:
            points += int(box.values[box.shape_of[code // (TILES * PONDS)], code % TILES])
    return points


@compiled
def group_points(state: Any, seat: int) -> int:
    """Return one point for each pond of the second-largest group of complete ponds."""
    return second_group(int(state.shaded[seat, 0]) & int(state.shaded[seat, 1]))


@compiled
def boat_points(box: Any, state: Any, seat: int) -> int:
    """Return four points for each boat on a wholly unshaded pond whose four neighbours are complete."""
    upper, lower = int(state.shaded[seat, 0]), int(state.shaded[seat, 1])
    return BOAT_POINTS * surrounded(int(box.boats) & ~(upper | lower), upper & lower)


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write the points of a seat by category."""
    out[0] = firework_points(box, state, seat)
    out[1] = group_points(state, seat)
    out[2] = boat_points(box, state, seat)


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write what orders the places: points, then points on fireworks."""
    fireworks = firework_points(box, state, seat)
    out[0] = fireworks + group_points(state, seat) + boat_points(box, state, seat)
    out[1] = fireworks


def points_of(box: Any, state: Any, seat: int) -> dict[str, int]:
    """Return the points of a seat by the names of the categories."""
    points = np.zeros(len(CATEGORIES), dtype=np.int64)
    tally(box, state, seat, points)
    return dict(zip(CATEGORIES, points.tolist(), strict=True))
