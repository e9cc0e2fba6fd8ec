"""What a net is given of a position of Lanternes Dice: the colours as items, then sheet, fireworks, seats, time.

The own sheet is written pond by pond; of the others, what it is close to (see `prospects`). Nothing is hidden.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.games.dice import prospects
from lampion.games.dice.choices import (
    active_seat,
    bonus_colour,
    can_act,
    corner_of,
    free_zones,
    open_colours,
    open_ponds,
)
from lampion.games.dice.estimate import estimate, steps_left
from lampion.games.dice.lake import PONDS, beside
from lampion.games.dice.scoring import firework_points
from lampion.games.dice.state import (
    ACTING,
    BOAT_POINTS,
    BONUS,
    CARDS,
    COLOURS,
    CORNERS,
    DIE,
    EMPEROR,
    ENDED,
    LAUNCH,
    NO_COLOUR,
    NO_SIDE,
    NOTHING,
    SEATS,
    SHADING,
    SHAPES,
    SIDES,
    TILES,
    TRAY,
)

# An item is a colour.
FINISHES = 0
FREE = FINISHES + 8
DICE = FREE + 2
BONUSES = DICE + 4
ACTION = BONUSES + 3
OTHERS_FINISH = ACTION + 2
OTHERS_DICE = OTHERS_FINISH + SEATS - 1
ITEM = OTHERS_DICE + SEATS - 1
ITEMS = (COLOURS, ITEM)

# The rest, one part after another.
PLANES = 4
SHEET = COLOURS * ITEM
FIREWORKS = SHEET + PLANES * PONDS
RIVAL = 12
OTHERS_READY = 13
FIREWORK = OTHERS_READY + 2 * (SEATS - 1)
SEAT = FIREWORKS + SHAPES * FIREWORK
STEP = 34
STEPS = LAUNCH + 1
OPEN = STEP + STEPS
OPEN_NUMBERS = 8
PER_SEAT = OPEN + OPEN_NUMBERS
PLAYERS = SEAT + SEATS * PER_SEAT
STAGE = PLAYERS + SEATS - 1
ACTIVE = STAGE + ENDED
FIRST = ACTIVE + SEATS
TIME = FIRST + SEATS
LAST_DICE = 12
LAUNCHES_LEFT = TIME + 2 + LAST_DICE
MOST_LAUNCHES = 6
EMPEROR_CARDS = LAUNCHES_LEFT + MOST_LAUNCHES
CARD = SIDES + 3
GROUPS = EMPEROR_CARDS + CARDS * CARD
LEAD = GROUPS + 7
INPUTS = LEAD + 2


@compiled
def net_inputs(box: Any, state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write the inputs of a net for a seat: others clockwise after it, counts scaled to about 1 or as thermometers."""
    for i in range(INPUTS):
        out[i] = 0.0
    players = int(state.players)
    best_points, best_promise = -100.0, -100.0
    points, promise = 0.0, 0.0
    for k in range(players):
        other = (seat + k) % players
        prospects.look_at_sheet(box, state, other, notes)
        at = SEAT + k * PER_SEAT
        its_promise = estimate(box, state, other, notes[prospects.END :])
        its_points = write_points(box, state, other, at, notes, out)
        write_chances(box, state, other, at, notes, out)
        write_open(box, state, other, at + OPEN, notes, out)
        write_places(box, state, seat, k, notes, out)
        if k == 0:
            points, promise = its_points, its_promise
            out[at], out[at + 1] = promise / 30.0, points / 30.0
            write_sheet(state, seat, notes, out)
            write_groups(box, notes, out)
            for colour in range(COLOURS):
                write_colour(box, state, seat, colour, notes, out[colour * ITEM :])
        else:
            out[at], out[at + 1] = (its_promise - promise) / 10.0, (its_points - points) / 10.0
            best_points, best_promise = max(best_points, its_points), max(best_promise, its_promise)
            write_colours_of_other(state, other, k, notes, out)
    out[LEAD], out[LEAD + 1] = (points - best_points) / 10.0, (promise - best_promise) / 10.0
    write_dice_and_bonuses(box, state, seat, out)
    write_time(box, state, seat, out)
    write_cards(box, state, seat, out)


@inlined
def thermometer(out: Any, at: int, number: int, least: int, places: int) -> None:
    """Write 1 at each i-th of `places` places from `at` on where `number` is at least `least` + i."""
    for i in range(min(number - least + 1, places)):
        out[at + i] = 1.0


@compiled
def write_points(box: Any, state: Any, other: int, at: int, notes: Any, out: Any) -> float:
    """Write what a seat has scored and how near its next points are; return its points so far."""
    fireworks = firework_points(box, state, other)
    second = popcount(int(notes[prospects.SECOND]))
    boats = int(notes[prospects.BOATS_DONE])
    out[at + 2] = fireworks / 20.0
    out[at + 3] = second / 8.0
    out[at + 4] = popcount(int(notes[prospects.LARGEST])) / 12.0
    out[at + 5] = notes[prospects.THIRD_SIZE] / 5.0
    out[at + 6] = boats / 2.0
    out[at + 7] = notes[prospects.BOATS_CLOSE] / 2.0
    out[at + 8] = notes[prospects.BOATS_BEGUN] / 2.0
    out[at + 9] = notes[prospects.BOATS_FAR] / 3.0
    out[at + 10] = notes[prospects.BOATS] / 5.0
    out[at + 11] = notes[prospects.BEST] / 6.0
    out[at + 12] = notes[prospects.BEST + 1] / 6.0
    out[at + 13] = notes[prospects.BEST + 2] / 6.0
    out[at + 14] = notes[prospects.BEST_NEARLY] / 6.0
    out[at + 15] = notes[prospects.BEST_SOON] / 6.0
    return float(fireworks + second + BOAT_POINTS * boats)


@compiled
def write_chances(box: Any, state: Any, other: int, at: int, notes: Any, out: Any) -> None:
    """Write the gifts and ponds of a seat, the colours that would finish one, its time left and its step."""
    upper, lower = int(notes[prospects.UPPER]), int(notes[prospects.LOWER])
    half, dark, near = int(notes[prospects.HALF]), int(notes[prospects.DARK]), int(notes[prospects.NEAR])
    gifts = int(state.gifts[other])
    out[at + 16] = gifts / 4.0
    thermometer(out, at + 17, gifts, 1, 4)
    pavilions = int(box.pavilions[0]) & ~upper | int(box.pavilions[1]) & ~lower
    out[at + 21] = popcount(pavilions) / 12.0
    out[at + 22] = popcount(upper & lower) / 30.0
    out[at + 23] = popcount(dark) / 10.0
    out[at + 24] = popcount(half) / 10.0
    out[at + 25] = popcount(dark & near) / 8.0
    out[at + 26] = popcount(half & near) / 5.0
    out[at + 27] = popcount(half & int(box.platforms)) / 3.0
    out[at + 28] = popcount(half & pavilions) / 3.0
    colours, good = 0, 0
    for colour in range(COLOURS):
        ponds = int(notes[prospects.FINISHED + colour])
        colours += ponds != 0
        good += ponds & near != 0
    out[at + 29] = colours / 6.0
    out[at + 30] = good / 6.0
    dice, bonuses, launches = steps_left(box, state, other)
    out[at + 31] = dice / 20.0
    out[at + 32] = bonuses / 10.0
    out[at + 33] = launches / 10.0
    out[at + STEP + int(state.at[other])] = 1.0


@compiled
def write_open(box: Any, state: Any, other: int, at: int, notes: Any, out: Any) -> None:
    """Write what the zones that a seat may shade now would bring."""
    step = int(state.at[other])
    out[at] = state.platform[other] != 0
    out[at + 1] = state.left[other] / 3.0
    if state.platform[other] == 0 and step != DIE and step != BONUS and step != ACTING:
        return
    colours, ponds = open_colours(box, state, other), open_ponds(box, state, other)
    upper = free_zones(box, state, other, 0, colours) & ponds
    lower = free_zones(box, state, other, 1, colours) & ponds
    finished = upper & int(notes[prospects.LOWER]) | lower & int(notes[prospects.UPPER])
    best = 0
    for shape in range(SHAPES):
        if finished & int(notes[prospects.NEARLY + shape]):
            best = max(best, int(box.values[shape, state.taken[shape]]))
    out[at + 2] = popcount(finished) / 3.0
    out[at + 3] = finished & int(notes[prospects.NEAR]) != 0
    out[at + 4] = finished & int(box.platforms) != 0
    out[at + 5] = (upper & int(box.pavilions[0]) | lower & int(box.pavilions[1])) != 0
    out[at + 6] = best / 6.0
    out[at + 7] = (upper | lower) & int(notes[prospects.ROUND_BOATS]) != 0


@inlined
def launches_earlier(state: Any, seat: int, k: int) -> bool:
    """Return whether the k-th player after a seat has its next launch before the seat has."""
    players = int(state.players)
    active = (active_seat(state) - seat) % players
    if active == 0:  # the own launch of this turn comes first, unless it is over
        return state.stage == SHADING and state.at[seat] == NOTHING
    return k >= active


@compiled
def write_places(box: Any, state: Any, seat: int, k: int, notes: Any, out: Any) -> None:
    """Write by firework in stock whether the k-th player after the seat can launch it, and what it lacks."""
    earlier = k > 0 and launches_earlier(state, seat, k)
    for shape in range(SHAPES):
        top = int(state.taken[shape])
        value = prospects.points_on(box, state, shape, top)
        if value == 0:
            continue
        at = FIREWORKS + shape * FIREWORK
        places, lacking = int(notes[prospects.READY + shape]), int(notes[prospects.LACKING + shape])
        if k > 0:
            nearly = notes[prospects.NEARLY + shape] != 0
            out[at + OTHERS_READY + 2 * (k - 1)] = places > 0
            out[at + OTHERS_READY + 2 * (k - 1) + 1] = nearly
            if earlier:
                out[at + RIVAL] = max(float(out[at + RIVAL]), 1.0 if places > 0 else 0.5 if nearly else 0.0)
            continue
        out[at] = 1.0
        out[at + 1] = value / 6.0
        out[at + 2] = (value - prospects.points_on(box, state, shape, top + 1)) / 2.0
        out[at + 3] = (TILES - top) / 6.0
        thermometer(out, at + 4, places, 1, 3)
        thermometer(out, at + 7, prospects.MANY - 1 - lacking, 0, 4)  # lacks at most 4, 3, 2, 1 zones
        if places > 0:
            out[at + 11] = value / 6.0


@inlined
def write_plane(ponds: int, at: int, out: Any) -> None:
    """Write 1 for each pond of a set."""
    while ponds:
        out[at + lowest_bit(ponds)] = 1.0
        ponds &= ponds - 1


@compiled
def write_sheet(state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write the seat's ponds: only the upper zone shaded, only the lower one, complete, under a firework."""
    half, upper = int(notes[prospects.HALF]), int(notes[prospects.UPPER])
    write_plane(half & upper, SHEET, out)
    write_plane(half & ~upper, SHEET + PONDS, out)
    write_plane(int(notes[prospects.DARK]), SHEET + 2 * PONDS, out)
    write_plane(int(state.lit[seat]), SHEET + 3 * PONDS, out)


@compiled
def write_groups(box: Any, notes: Any, out: Any) -> None:
    """Write where the seat's second-largest group can grow or would join the largest, and chains of platforms."""
    largest, second = beside(int(notes[prospects.LARGEST])), beside(int(notes[prospects.SECOND]))
    half = int(notes[prospects.HALF])
    empty = ~(int(notes[prospects.UPPER]) | int(notes[prospects.LOWER]))
    out[GROUPS] = notes[prospects.GROUPS] / 6.0
    out[GROUPS + 1] = popcount(half & second & ~largest) / 3.0
    out[GROUPS + 2] = popcount(empty & second & ~largest) / 6.0
    out[GROUPS + 3] = popcount(half & second & largest) / 2.0
    out[GROUPS + 4] = popcount(empty & second & largest) / 3.0
    platforms = half & int(box.platforms)
    out[GROUPS + 5] = popcount(half & beside(platforms)) / 5.0
    out[GROUPS + 6] = platforms & beside(platforms) != 0


@compiled
def write_colour(box: Any, state: Any, seat: int, colour: int, notes: Any, out: Any) -> None:
    """Write what a zone of a colour would bring the seat, and how many are free."""
    upper = free_zones(box, state, seat, 0, 1 << colour)
    lower = free_zones(box, state, seat, 1, 1 << colour)
    with_gift = upper & int(box.pavilions[0]) | lower & int(box.pavilions[1])
    finished = int(notes[prospects.FINISHED + colour])
    thermometer(out, FINISHES, popcount(finished), 1, 3)
    out[FINISHES + 3] = finished & int(notes[prospects.NEAR]) != 0
    out[FINISHES + 4] = finished & int(box.platforms) != 0
    out[FINISHES + 5] = finished & with_gift != 0
    best = 0
    for shape in range(SHAPES):
        if finished & int(notes[prospects.NEARLY + shape]):
            best = max(best, int(box.values[shape, state.taken[shape]]))
    out[FINISHES + 6] = best / 6.0
    out[FINISHES + 7] = (upper | lower) & int(notes[prospects.ROUND_BOATS]) != 0
    out[FREE] = (popcount(upper) + popcount(lower)) / 18.0
    out[FREE + 1] = popcount(with_gift) / 2.0


@inlined
def faced(state: Any, seat: int) -> int:
    """Return the colour of the die that a seat has still to use, or NO_COLOUR."""
    if state.at[seat] == DIE:
        return int(state.dice[corner_of(state, seat)])
    return NO_COLOUR


@compiled
def write_colours_of_other(state: Any, other: int, k: int, notes: Any, out: Any) -> None:
    """Write which colours would finish a pond of the k-th player after the seat, and the die it has still to use."""
    for colour in range(COLOURS):
        out[colour * ITEM + OTHERS_FINISH + k - 1] = notes[prospects.FINISHED + colour] != 0
    if faced(state, other) >= 0:
        out[faced(state, other) * ITEM + OTHERS_DICE + k - 1] = 1.0


@compiled
def write_dice_and_bonuses(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write by colour the dice in the tray, the seat's die, the turn bonuses to come, and what an action has used."""
    players, turns = int(state.players), int(box.turns[state.players])
    for corner in range(CORNERS):
        colour = int(state.dice[corner])
        if colour != NO_COLOUR:
            at = colour * ITEM + DICE
            out[at + 1] = out[at]
            out[at] = 1.0
            out[at + 3] = state.at[seat] == TRAY
    if faced(state, seat) >= 0:
        out[faced(state, seat) * ITEM + DICE + 2] = 1.0
    _, bonuses, _ = steps_left(box, state, seat)
    for turn in range(turns - bonuses, turns):
        out[int(box.bonuses[players, state.sheets[seat], turn]) * ITEM + BONUSES] += 0.25
    if bonuses > 0:
        out[int(box.bonuses[players, state.sheets[seat], turns - bonuses]) * ITEM + BONUSES + 1] = 1.0
        if state.stage == SHADING and active_seat(state) == seat:
            step = int(state.at[seat])
            if DIE <= step <= BONUS:
                out[bonus_colour(box, state) * ITEM + BONUSES + 2] = 1.0
    if state.at[seat] == ACTING or state.platform[seat] != 0:
        colours, used = open_colours(box, state, seat), int(state.used[seat])
        for colour in range(COLOURS):
            out[colour * ITEM + ACTION] = colours >> colour & 1
            out[colour * ITEM + ACTION + 1] = used >> colour & 1


@compiled
def write_time(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write the number of players, the stage, whose turn it is, who began, and the dice and launches left."""
    players = int(state.players)
    out[PLAYERS + players - 2] = 1.0
    out[STAGE + min(int(state.stage), ENDED - 1)] = 1.0
    out[ACTIVE + (active_seat(state) - seat) % players] = 1.0
    out[FIRST + (int(state.first) - seat) % players] = 1.0
    dice, _, launches = steps_left(box, state, seat)
    out[TIME] = state.turn / 24.0
    out[TIME + 1] = dice / (dice + 4.0)
    thermometer(out, TIME + 2, dice, 1, LAST_DICE)
    thermometer(out, LAUNCHES_LEFT, launches, 1, MOST_LAUNCHES)


@compiled
def write_cards(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write of every emperor card its side, whether the seat can pay for it now or later, and whether it acts by it."""
    now = state.stage == SHADING and DIE <= int(state.at[seat]) <= EMPEROR
    for card in range(CARDS):
        at = EMPEROR_CARDS + card * CARD
        if state.sides[card] != NO_SIDE:
            out[at + int(state.sides[card])] = 1.0
        out[at + SIDES] = state.gifts[seat] > card
        out[at + SIDES + 1] = now and can_act(box, state, seat, card)
        out[at + SIDES + 2] = state.card[seat] == card + 1
