"""The points that a position of Lanternes Dice promises a seat, and sensible moves for playouts."""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled
from lampion.engine.rng import below
from lampion.games.dice.choices import (
    can_act,
    corner_of,
    dark_ponds,
    fits,
    free_zones,
    in_stock,
    may_pass,
    open_colours,
    open_ponds,
)
from lampion.games.dice.lake import PONDS, beside
from lampion.games.dice.scoring import boat_points, firework_points, group_points, key
from lampion.games.dice.state import (
    BONUS,
    CARDS,
    CORNERS,
    DIE,
    EMPEROR,
    EMPERORS,
    ENDED,
    LAUNCH,
    LAUNCHES,
    NOTHING,
    PASS,
    SHADES,
    SHADING,
    SHAPES,
    TRAY,
    TURNS,
)

# Points that a thing promises while there is time. A pond of the second-largest group:
SECOND = 0.35
# A complete pond, one without a firework, one of those beside another:
COMPLETE, DARK, DARK_PAIR = 0.15, 0.7, 0.4
# A half-shaded pond; beside others or dark ones; beside a dark one; that brings a platform's zone, or a gift:
HALF, HALF_PAIR, HALF_BESIDE_DARK, HALF_PLATFORM, HALF_PAVILION = -0.15, 0.33, 0.15, 0.6, 0.25
# An unshaded boat, one that lacks one or two zones, three or four:
BOAT, BOAT_CLOSE, BOAT_BEGUN = 0.4, 2.5, 0.65
# A free zone with a pavilion, a launch, a point that a firework lacking one zone has more than the best that is ready:
PAVILION, ONE_LAUNCH, NEARLY = 0.35, 0.9, 0.35
MANY_LAUNCHES = 4
# Points that a thing promises to the end: a gift, a zone to shade next, a turn bonus, a die that finishes a pond, one
# that does so beside dark ones.
GIFT, NEXT_ZONE, TURN_BONUS, GOOD_DIE, BETTER_DIE = 0.65, 1.1, 1.2, 0.7, 1.05
# The number of dice left at which half of the time is over.
HALF_TIME = 4.0
# The number of last turns in which a playout launches whatever it can.
LAST_TURNS = 2


@compiled
def estimate(box: Any, state: Any, seat: int, keys: Any) -> float:
    """Return the points of a sheet and what it promises: much while there is time, less and less towards the end."""
    if state.stage == ENDED:
        key(box, state, seat, keys)
        return float(keys[0])
    dice, bonuses, launches = steps_left(box, state, seat)
    time = dice / (dice + HALF_TIME)
    points = float(firework_points(box, state, seat) + boat_points(box, state, seat))
    points += (1.0 - time + SECOND * time) * group_points(state, seat)
    points += promise_of_fireworks(box, state, seat, launches, time)
    points += time * promise_of_ponds(box, state, seat)
    points += TURN_BONUS * bonuses
    zones = int(state.left[seat]) + (state.platform[seat] != 0)
    points += NEXT_ZONE * zones
    step = int(state.at[seat])
    if dice > 0 or TRAY <= step <= EMPEROR:
        points += GIFT * int(state.gifts[seat])
    if step == DIE:
        ponds = finished_by(box, state, seat, int(state.dice[corner_of(state, seat)]))
        if ponds:
            points += BETTER_DIE if ponds & beside(dark_ponds(state, seat)) else GOOD_DIE
    return points


@compiled
def steps_left(box: Any, state: Any, seat: int) -> tuple[int, int, int]:
    """Return the numbers of dice, turn bonuses and launches that a seat still has, those of this turn included."""
    players, turn = int(state.players), int(state.turn)
    turns = int(box.turns[players])
    last = turns * players
    order = (seat - int(state.first) + players) % players
    step = int(state.at[seat])
    if turn >= last:
        return 0, 0, 1 if order > turn - last or step == LAUNCH else 0
    own = turns - (turn - order + players - 1) // players
    dice = last - turn
    bonuses, launches = own, own + 1
    if state.stage == SHADING:
        dice -= step != DIE
        if turn % players == order:
            bonuses -= step == NOTHING or step > BONUS
            launches -= step == NOTHING
    return dice, bonuses, launches


@compiled
def promise_of_fireworks(box: Any, state: Any, seat: int, launches: int, time: float) -> float:
    """Return what the best firework now, the next best beside it, and one that lacks a single zone promise."""
    if launches == 0:
        return 0.0
    half = int(state.shaded[seat, 0]) ^ int(state.shaded[seat, 1])
    dark = dark_ponds(state, seat)
    best = following = nearly = 0
    under = 0
    for shape in range(SHAPES):
        if in_stock(state, shape):
            value = int(box.values[shape, state.taken[shape]])
            for form in range(box.first_form[shape], box.first_form[shape + 1]):
                ready = int(box.anchors[form])
                lacking = 0
                for i in range(box.cells[shape]):
                    offset = int(box.offsets[form, i])
                    lacking = lacking & dark >> offset | ready & half >> offset
                    ready &= dark >> offset
                if ready and value > best:
                    best = value
                    under = int(box.forms[form]) << lowest_bit(ready)
                if lacking and value > nearly:
                    nearly = value
    if best and launches > 1:
        for form in range(box.first_form[SHAPES]):
            shape = int(box.shape_of[form])
            if in_stock(state, shape):
                value = int(box.values[shape, state.taken[shape]])
                if value > following and fits(box, form, dark & ~under):
                    following = value
    points = (1.0 - time) * (best + following)
    return points + time * (NEARLY * max(0, nearly - best) + ONE_LAUNCH * min(launches, MANY_LAUNCHES))


@compiled
def promise_of_ponds(box: Any, state: Any, seat: int) -> float:
    """Return what ponds, installations and boats promise while there is time."""
    upper, lower = int(state.shaded[seat, 0]), int(state.shaded[seat, 1])
    half, dark = upper ^ lower, dark_ponds(state, seat)
    points = COMPLETE * popcount(upper & lower) + DARK * popcount(dark) + DARK_PAIR * popcount(dark & beside(dark))
    points += HALF * popcount(half) + HALF_PAIR * popcount(half & beside(half | dark))
    points += HALF_BESIDE_DARK * popcount(half & beside(dark)) + HALF_PLATFORM * popcount(half & int(box.platforms))
    gifts_upper, gifts_lower = int(box.pavilions[0]) & ~upper, int(box.pavilions[1]) & ~lower
    points += PAVILION * (popcount(gifts_upper) + popcount(gifts_lower))
    points += HALF_PAVILION * popcount(half & (gifts_upper | gifts_lower))
    boats = int(box.boats) & ~(upper | lower)
    while boats:
        around = beside(boats & -boats)
        boats &= boats - 1
        lacking = 2 * popcount(around) - popcount(around & upper) - popcount(around & lower)
        points += BOAT
        if 0 < lacking <= 2:
            points += BOAT_CLOSE
        elif 2 < lacking <= 4:
            points += BOAT_BEGUN
    return points


@compiled
def finished_by(box: Any, state: Any, seat: int, colour: int) -> int:
    """Return the ponds of a seat that lack only a zone of this colour."""
    upper, lower = int(state.shaded[seat, 0]), int(state.shaded[seat, 1])
    return free_zones(box, state, seat, 0, 1 << colour) & lower | free_zones(box, state, seat, 1, 1 << colour) & upper


@compiled
def playout_move(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return a sensible move: finish ponds that earn something or lie together, launch the most points, spend gifts."""
    step = int(state.at[seat])
    if not state.platform[seat]:
        if step == TRAY:
            return turn_to_use(box, state, seat, rng)
        if step == EMPEROR:
            return spend(box, state, seat, rng)
        if step == LAUNCH:
            return launch_best(box, state, seat, rng)
    return shade_well(box, state, seat, rng)


@compiled
def turn_to_use(box: Any, state: Any, seat: int, rng: Any) -> int:
    """Return a turn of the tray that shows the seat a colour to finish a pond with, else any."""
    corner = corner_of(state, seat)
    start = below(rng, CORNERS)
    for i in range(CORNERS):
        turn = (start + i) % CORNERS
        if finished_by(box, state, seat, int(state.dice[(corner + turn) % CORNERS])):
            return TURNS + turn
    return TURNS + start


@compiled
def spend(box: Any, state: Any, seat: int, rng: Any) -> int:
    """Return any action that can be paid, three times in four, else a pass."""
    start = below(rng, CARDS + 1)
    if start < CARDS:
        for i in range(CARDS):
            card = (start + i) % CARDS
            if can_act(box, state, seat, card):
                return EMPERORS + card
    return PASS


@compiled
def launch_best(box: Any, state: Any, seat: int, rng: Any) -> int:
    """Return a launch of the most points; while there is time, none with less than a point a pond."""
    ponds = dark_ponds(state, seat)
    players = int(state.players)
    waits = int(state.turn) < (int(box.turns[players]) - LAST_TURNS) * players
    most = 0
    best = PASS
    for shape in range(SHAPES):
        if in_stock(state, shape):
            value = int(box.values[shape, state.taken[shape]])
            if value > most and (value >= box.cells[shape] or not waits):
                for form in range(box.first_form[shape], box.first_form[shape + 1]):
                    anchors = fits(box, form, ponds)
                    if anchors:
                        most = value
                        best = LAUNCHES + form * PONDS + some_pond(anchors, rng)
    return best


@compiled
def some_pond(ponds: int, rng: Any) -> int:
    """Return one of these ponds, which must not be empty; they are not all equally likely."""
    at = below(rng, PONDS)
    behind = ponds >> at << at
    return lowest_bit(behind if behind else ponds)


@compiled
def some_zone(upper: int, lower: int, rng: Any) -> int:
    """Return the move that shades one of these zones, which must not be empty."""
    half = below(rng, 2)
    if (lower if half else upper) == 0:
        half = 1 - half
    return SHADES + some_pond(lower if half else upper, rng) * 2 + half


@compiled
def shade_well(box: Any, state: Any, seat: int, rng: Any) -> int:
    """Return a move that shades one of the open zones.

    Those that finish a pond come first, else those outside of boats; of these those that earn something, else those
    beside complete ponds, round boats first.
    """
    colours, ponds = open_colours(box, state, seat), open_ponds(box, state, seat)
    upper = free_zones(box, state, seat, 0, colours) & ponds
    lower = free_zones(box, state, seat, 1, colours) & ponds
    shaded_upper, shaded_lower = int(state.shaded[seat, 0]), int(state.shaded[seat, 1])
    touched = shaded_upper | shaded_lower
    boats = int(box.boats) & ~touched
    near = beside(dark_ponds(state, seat))
    platforms = 0
    if upper & shaded_lower | lower & shaded_upper:
        upper &= shaded_lower
        lower &= shaded_upper
        platforms = int(box.platforms)
    elif (upper | lower) & ~boats:
        upper &= ~boats
        lower &= ~boats
    elif may_pass(state, seat):
        return PASS
    earning_upper = upper & (int(box.pavilions[0]) | platforms)
    earning_lower = lower & (int(box.pavilions[1]) | platforms)
    if earning_upper | earning_lower:
        return some_zone(earning_upper, earning_lower, rng)
    around = beside(boats)
    if (upper | lower) & near & around:
        near &= around
    elif (upper | lower) & near == 0:
        near = around | beside(touched)
    if (upper | lower) & near:
        return some_zone(upper & near, lower & near, rng)
    return some_zone(upper, lower, rng)
