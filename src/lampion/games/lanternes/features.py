"""A position of Lanternes as numbers for learning: only what the seat sees, seen from its side of the lake."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.lanternes.state import (
    COLOURS,
    DRAW,
    EXCHANGE,
    HAND,
    NO_TILE,
    SEATS,
    SOUTH,
    STACKS,
    WIDTH,
    has_tile,
    next_reward,
    side_colour,
)

WINDOW = 11
PLANES = 2 + 4 * COLOURS
STEPS = DRAW - EXCHANGE + 1
SEAT = COLOURS + 2
TILE = 4 * COLOURS + 1
FEATURES = SEATS * SEAT + COLOURS + STACKS + 2 + STEPS + SEATS + HAND * TILE + WINDOW * WINDOW * PLANES


@compiled
def features(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write cards, boats and points from this seat clockwise, supply, stacks, own tiles, and a window on the lake.

    Counts are scaled to about 1; a tile is its four sides one-hot; the window is centred on the middle of the lake.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    players = int(state.players)
    at = 0
    for k in range(players):
        other = (seat + k) % players
        for colour in range(COLOURS):
            out[at + k * SEAT + colour] = state.cards[other, colour] / 4.0
        out[at + k * SEAT + COLOURS] = state.boats[other] / 4.0
        for category in range(STACKS + 1):
            out[at + k * SEAT + COLOURS + 1] += state.points[other, category] / 40.0
    at += SEATS * SEAT
    for colour in range(COLOURS):
        out[at + colour] = state.supply[colour] / 8.0
    at += COLOURS
    for stack in range(STACKS):
        out[at + stack] = next_reward(box, state, stack) / 10.0
    at += STACKS
    out[at] = state.pile / 32.0
    out[at + 1] = float(state.final)
    at += 2
    if EXCHANGE <= state.step <= DRAW:
        out[at + int(state.step) - EXCHANGE] = 1.0
    at += STEPS
    if state.active >= 0:
        out[at + (int(state.active) - seat) % players] = 1.0
    at += SEATS
    for slot in range(HAND):
        tile = int(state.hands[seat, slot])
        if tile != NO_TILE:
            for side in range(4):
                out[at + side * COLOURS + int(box.tiles[tile, side])] = 1.0
            out[at + 4 * COLOURS] = float(box.symbols[tile])
        at += TILE
    write_window(box, state, seat, out, at)


@compiled
def write_window(box: Any, state: Any, seat: int, out: Any, at: int) -> None:
    """Write the lake around its middle, turned so that this seat looks at it from the south."""
    west, east, south, north = WIDTH, 0, WIDTH, 0
    for i in range(state.border_count):
        row, column = int(state.border[i]) // WIDTH, int(state.border[i]) % WIDTH
        west, east = min(west, column), max(east, column)
        south, north = min(south, row), max(north, row)
    row, column = (south + north) // 2, (west + east) // 2
    quarter = (int(box.sides[state.players, seat]) - SOUTH) & 3
    half = WINDOW // 2
    for dy in range(-half, half + 1):
        for dx in range(-half, half + 1):
            x, y = dx, dy
            for _ in range(quarter):
                x, y = y, -x
            if 0 <= row + y < WIDTH and 0 <= column + x < WIDTH:
                cell = (row + y) * WIDTH + column + x
                if has_tile(state, cell):
                    plane = at + ((dy + half) * WINDOW + dx + half) * PLANES
                    out[plane] = 1.0
                    out[plane + 1] = float(box.symbols[(int(state.lake[cell]) - 1) >> 2])
                    for side in range(4):
                        out[plane + 2 + side * COLOURS + side_colour(box, state, cell, (side + quarter) & 3)] = 1.0
