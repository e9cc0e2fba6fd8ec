"""A position of Lanternes Dice as numbers for learning: the seat's own sheet first, the others clockwise."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled
from lampion.games.dice.choices import active_seat, bonus_colour, corner_of, free_zones, open_colours, open_ponds
from lampion.games.dice.lake import PONDS
from lampion.games.dice.scoring import boat_points, firework_points, group_points
from lampion.games.dice.state import CARDS, COLOURS, CORNERS, ENDED, LAUNCH, NO_COLOUR, ROLLING, SEATS, SHAPES, TILES

PLANES = 3
NUMBERS = 5
STEPS = LAUNCH + 1
SHEET = PLANES * PONDS + NUMBERS + STEPS
OPEN = 2 * PONDS
FEATURES = SEATS * SHEET + OPEN + CORNERS * COLOURS + COLOURS + SHAPES * 2 + CARDS * 2 + COLOURS + SEATS + 2 + SEATS


@compiled
def features(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write the sheets from this seat clockwise, the zones it may shade, dice from its corner on, stacks, cards, time.

    A sheet is its upper zones, lower zones and lit ponds, then gifts and points scaled to about 1, then its step.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    players = int(state.players)
    at = 0
    for k in range(players):
        other = (seat + k) % players
        upper, lower, lit = int(state.shaded[other, 0]), int(state.shaded[other, 1]), int(state.lit[other])
        for pond in range(PONDS):
            out[at + pond] = upper >> pond & 1
            out[at + PONDS + pond] = lower >> pond & 1
            out[at + 2 * PONDS + pond] = lit >> pond & 1
        numbers = at + PLANES * PONDS
        out[numbers] = state.gifts[other] / 4.0
        out[numbers + 1] = firework_points(box, state, other) / 20.0
        out[numbers + 2] = group_points(state, other) / 10.0
        out[numbers + 3] = boat_points(box, state, other) / 8.0
        out[numbers + 4] = 1.0 if state.platform[other] else 0.0
        out[numbers + NUMBERS + int(state.at[other])] = 1.0
        at += SHEET
    at = SEATS * SHEET
    colours, ponds = open_colours(box, state, seat), open_ponds(box, state, seat)
    for half in range(2):
        zones = free_zones(box, state, seat, half, colours) & ponds
        for pond in range(PONDS):
            out[at + pond] = zones >> pond & 1
        at += PONDS
    for k in range(CORNERS):
        colour = int(state.dice[(corner_of(state, seat) + k) % CORNERS])
        if colour != NO_COLOUR:
            out[at + colour] = 1.0
        at += COLOURS
    if ROLLING <= state.stage < ENDED and state.turn < int(box.turns[players]) * players:
        out[at + bonus_colour(box, state)] = 1.0
    at += COLOURS
    for shape in range(SHAPES):
        if state.shapes >> shape & 1:
            top = int(state.taken[shape])
            out[at + shape] = box.values[shape, top] / 5.0 if top < TILES else 0.0
            out[at + SHAPES + shape] = (TILES - top) / float(TILES)
    at += 2 * SHAPES
    for card in range(CARDS):
        if state.sides[card] >= 0:
            out[at + card * 2 + int(state.sides[card])] = 1.0
    at += CARDS * 2
    for colour in range(COLOURS):
        out[at + colour] = int(state.used[seat]) >> colour & 1
    at += COLOURS
    out[at + (active_seat(state) - seat) % players] = 1.0
    at += SEATS
    out[at] = state.turn / 24.0
    out[at + 1] = state.left[seat] / 3.0
    at += 2
    for k in range(players):
        out[at + k] = 1.0
