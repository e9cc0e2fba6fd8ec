"""What an island of 1001 Îles is worth, at the end or now."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.iles.components import DREAM_NAMES
from lampion.games.iles.state import (
    BRIGAND,
    COLUMNS,
    COPIES,
    COUNT,
    DREAMS,
    EGG,
    GEM_BITS,
    PALM,
    ROKH,
    ROWS_OF_AN_ISLAND,
    WIDTH,
)

GEM_COLUMNS, GEM_ROWS, GENIE = 5, 6, 9
PALMS, PAIRS, BRIGANDS = DREAMS, DREAMS + 1, DREAMS + 2
CATEGORIES = (*DREAM_NAMES, "palms", "pairs", "brigands")


@compiled
def visible(state: Any, seat: int, element: int) -> int:
    """Return how often a counted element is visible on an island."""
    return int(state.shown[seat]) >> WIDTH * element & COUNT


@compiled
def gem_lines(box: Any, state: Any, seat: int, dream: int) -> int:
    """Return the points of a dream of gems: for each column, or row, by the different gems visible in it."""
    gems = int(state.gems[seat])
    lines, cells, next_line, next_cell = COLUMNS, ROWS_OF_AN_ISLAND, GEM_BITS, GEM_BITS * COLUMNS
    if dream == GEM_ROWS:
        lines, cells, next_line, next_cell = cells, lines, next_cell, next_line
    points = 0
    for line in range(lines):
        found = 0
        for cell in range(cells):
            found |= gems >> line * next_line + cell * next_cell
        points += int(box.worth[dream, (found & 1) + (found >> 1 & 1) + (found >> 2 & 1)])
    return points


@compiled
def dream_points(box: Any, state: Any, seat: int, dream: int) -> int:
    """Return the points of one tile of this dream on an island."""
    if GEM_COLUMNS <= dream <= GEM_ROWS:
        return gem_lines(box, state, seat, dream)
    if dream == GENIE:
        down = int(state.down[seat])
        n = 0
        while down:
            down &= down - 1
            n += 1
        return int(box.worth[GENIE, n])
    return int(box.worth[dream, visible(state, seat, int(box.of[dream]))])


@compiled
def brigand_points(box: Any, state: Any, seat: int) -> int:
    """Return the points of brigands, which count against the player with the most, all such players if tied."""
    own = visible(state, seat, BRIGAND)
    for other in range(state.players):
        if visible(state, other, BRIGAND) > own:
            return 0
    return own * int(box.brigand)


@compiled
def points_of(box: Any, state: Any, seat: int, category: int) -> int:
    """Return the points of a category: a dream that the player has, palms, pairs of a rokh and an egg, or brigands."""
    if category == PALMS:
        return visible(state, seat, PALM) * int(box.palm)
    if category == PAIRS:
        return min(visible(state, seat, ROKH), visible(state, seat, EGG)) * int(box.pair)
    if category == BRIGANDS:
        return brigand_points(box, state, seat)
    copies = int(state.dreams[seat]) >> COPIES * category & 3
    if copies == 0:
        return 0
    return dream_points(box, state, seat, category) * (2 if copies == 3 else 1)


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write the points of every category."""
    for category in range(BRIGANDS + 1):
        out[category] = points_of(box, state, seat, category)


@compiled
def tallies(box: Any, state: Any, out: Any) -> None:
    """Write the points of every seat and category."""
    for seat in range(state.players):
        tally(box, state, seat, out[seat])


@compiled
def points(box: Any, state: Any, seat: int) -> int:
    """Return a seat's points if the game ended now."""
    total = 0
    for category in range(BRIGANDS + 1):
        total += points_of(box, state, seat, category)
    return total


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Rank by most points, then by fewest visible brigands."""
    out[0] = points(box, state, seat)
    out[1] = -visible(state, seat, BRIGAND)
