"""What an island of 1001 Îles is worth, at the end or now."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.iles.rules import (
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
DREAM_NAMES = (
    "rokh",
    "monkey",
    "fennec",
    "camel",
    "elephant",
    "gem_columns",
    "gem_rows",
    "lamp",
    "snake",
    "genie",
)
CATEGORIES = (*DREAM_NAMES, "palms", "pairs", "brigands")


@compiled
def visible(state: Any, seat: int, element: int) -> int:
    """How often a counted element is visible on an island."""
    return int(state.shown[seat]) >> WIDTH * element & COUNT


@compiled
def gem_lines(box: Any, state: Any, seat: int, dream: int) -> int:
    """For each column, or row, by how many different gems are visible in it."""
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
    """What one tile of this dream is worth on an island."""
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
    """Brigands count against the player with the most of them, all such players if tied."""
    own = visible(state, seat, BRIGAND)
    for other in range(state.players):
        if visible(state, other, BRIGAND) > own:
            return 0
    return own * int(box.brigand)


@compiled
def points_of(box: Any, state: Any, seat: int, category: int) -> int:
    """Points by category: each dream a player has, palms, pairs of a rokh and an egg, brigands."""
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
    """The points of every category."""
    for category in range(BRIGANDS + 1):
        out[category] = points_of(box, state, seat, category)


@compiled
def tallies(box: Any, state: Any, out: Any) -> None:
    """The points of every seat and category."""
    for seat in range(state.players):
        tally(box, state, seat, out[seat])


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Most points, then fewest visible brigands."""
    total = 0
    for category in range(BRIGANDS + 1):
        total += points_of(box, state, seat, category)
    out[0] = total
    out[1] = -visible(state, seat, BRIGAND)
