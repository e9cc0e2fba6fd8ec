"""The rules of Lanternes Dice, in the order of a turn.

Once the tray is turned every seat goes through its own steps and waits for nobody: `at[seat]` is its step. The legal
moves are in `choices`, the points in `scoring`.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled
from lampion.engine.event_log import note
from lampion.engine.rng import below
from lampion.engine.rules import pick_listed
from lampion.games.core import CHANCE, EVERYONE, OVER
from lampion.games.dice.choices import (
    action_colours,
    action_ponds,
    active_seat,
    bonus_colour,
    can_act,
    can_launch,
    can_shade,
    corner_of,
)
from lampion.games.dice.events import (
    ACTION,
    BEGAN,
    BY_CHANCE,
    CHOSEN,
    COMPLETED,
    EMPEROR_ACTION,
    EMPTIED,
    END,
    FACED,
    FINAL_LAUNCH,
    FINAL_LAUNCHES,
    FIREWORK,
    FIRST,
    GIFT,
    LAUNCHED,
    LOST,
    LOWEST_SHEET,
    MISSED,
    NOTHING_FREE,
    OFFERED,
    OWN_DIE,
    PAID,
    PASSED,
    PAVILION,
    PLATFORM,
    REROLLED,
    ROLLED,
    SHADED,
    SIDE,
    TURN_BONUS,
    TURNED,
)
from lampion.games.dice.lake import LAKE, PONDS, beside
from lampion.games.dice.state import (
    ACTING,
    BONUS,
    CARDS,
    COLOURS,
    CORNERS,
    DIE,
    DRAW_FIREWORKS,
    DRAW_SIDES,
    EMPEROR,
    EMPERORS,
    ENDED,
    FINISHING,
    FIREWORKS,
    IN_PLAY,
    LARGE,
    LAUNCH,
    LAUNCHES,
    MEDIUM,
    NO_COLOUR,
    NO_SIDE,
    NOTHING,
    ONE_UNSHADED_POND,
    PASS,
    REROLL,
    ROLLING,
    ROLLS,
    SHADES,
    SHADING,
    SHAPES,
    SIDES,
    SIDES_OF,
    SMALL,
    SOURCE_DICE,
    SOURCE_FIREWORKS,
    SOURCE_SIDES,
    THROUGH,
    TILES,
    TRAY,
    TURNING,
    TURNS,
)


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Hand out the sheets and gifts; chance draws the fireworks and sides that were not chosen."""
    state.players = players
    state.shapes = box.first_game if options.fireworks == 1 else options.fireworks
    for card in range(CARDS):
        state.sides[card] = NO_SIDE if options.sides < 0 else options.sides >> card & 1
    for corner in range(CORNERS):
        state.dice[corner] = NO_COLOUR
    first = 0
    for seat in range(players):
        state.sheets[seat] = options.sheets >> 2 * seat & 3
        state.gifts[seat] = box.gifts
        if state.sheets[seat] < state.sheets[first]:
            first = seat
    state.first = first
    row = note(log, 0, FIRST, first, int(state.sheets[first]), 0, LOWEST_SHEET, EVERYONE)
    return prepare(box, state, log, row)


@compiled
def prepare(box: Any, state: Any, log: Any, row: int) -> int:
    """Go on to the draw of fireworks, then of a side of every emperor card, then to the first turn."""
    if popcount(int(state.shapes)) < IN_PLAY:
        state.stage = DRAW_FIREWORKS
    elif state.sides[CARDS - 1] == NO_SIDE:
        state.stage = DRAW_SIDES
    else:
        return begin_turn(box, state, log, row)
    return row


@compiled
def begin_turn(box: Any, state: Any, log: Any, row: int) -> int:
    """Begin the active player's turn with the roll of the dice."""
    state.stage = ROLLING
    for corner in range(CORNERS):
        state.dice[corner] = NO_COLOUR
    number = int(state.turn) // int(state.players) + 1
    return note(log, row, BEGAN, active_seat(state), bonus_colour(box, state), number, CHOSEN, EVERYONE)


@compiled
def unrolled(state: Any) -> int:
    """Return the first corner without a die, CORNERS where there is none."""
    corner = 0
    while corner < CORNERS and state.dice[corner] != NO_COLOUR:
        corner += 1
    return corner


@compiled
def missing_size(box: Any, state: Any) -> int:
    """Return the size of the firework to draw next: a small one, then two medium ones, then a large one."""
    mediums = 0
    smalls = 0
    for shape in range(SHAPES):
        if state.shapes >> shape & 1:
            smalls += box.sizes[shape] == SMALL
            mediums += box.sizes[shape] == MEDIUM
    if smalls == 0:
        return SMALL
    return MEDIUM if mediums < 2 else LARGE


@compiled
def pending(box: Any, state: Any) -> int:
    """Return the seats that owe a decision."""
    return int(state.owing)


@compiled
def actor(box: Any, state: Any) -> int:
    """Return the lowest seat that owes a decision, CHANCE or OVER."""
    if state.owing:
        return lowest_bit(int(state.owing))
    return OVER if state.stage == ENDED else CHANCE


@compiled
def source(box: Any, state: Any) -> int:
    """Return what chance draws from: one source for each firework, each side, and each corner of each turn."""
    if state.stage == DRAW_FIREWORKS:
        return SOURCE_FIREWORKS + popcount(int(state.shapes))
    if state.stage == DRAW_SIDES:
        return SOURCE_SIDES + next_card(state)
    return SOURCE_DICE + int(state.turn) * CORNERS + unrolled(state)


@compiled
def next_card(state: Any) -> int:
    """Return the first emperor card whose side is not known."""
    card = 0
    while state.sides[card] != NO_SIDE:
        card += 1
    return card


@compiled
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """List the colours of a die, the fireworks of the missing size, or the sides of a card; return their number."""
    n = 0
    if state.stage == ROLLING:
        for colour in range(COLOURS):
            ids[n] = ROLLS + colour
            n += 1
    elif state.stage == DRAW_FIREWORKS:
        size = missing_size(box, state)
        for shape in range(SHAPES):
            if box.sizes[shape] == size and not state.shapes >> shape & 1:
                ids[n] = FIREWORKS + shape
                n += 1
    elif state.stage == DRAW_SIDES:
        card = next_card(state)
        for side in range(SIDES):
            ids[n] = SIDES_OF + card * SIDES + side
            n += 1
    for i in range(n):
        weights[i] = 1
    return n


@compiled
def pick(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return one move at random; dice, the most frequent, need no list."""
    if state.stage == ROLLING:
        return ROLLS + below(rng, COLOURS)
    return pick_listed(box, state, seat, rng, ids, weights)


@compiled
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make one legal move and go on to the next step that asks something."""
    if move >= ROLLS:
        return chance_decides(box, state, move, log)
    if move >= REROLL and move < PASS:
        return roll_again(state, seat, log) if move == REROLL else turn_tray(box, state, seat, move - TURNS, log)
    if move == PASS:
        row = decline(state, seat, log)
    elif move >= LAUNCHES:
        row = launch(box, state, seat, move - LAUNCHES, log)
    elif move >= EMPERORS:
        row = pay_emperor(box, state, seat, move - EMPERORS, log)
    else:
        row = shade(box, state, seat, move - SHADES, log)
    if state.platform[seat]:
        return row
    row = ask(box, state, seat, log, row)
    return row if state.owing else next_turn(box, state, log, row)


@compiled
def chance_decides(box: Any, state: Any, move: int, log: Any) -> int:
    """Apply a move of chance: a firework, a side, or a die."""
    if move >= SIDES_OF:
        state.sides[(move - SIDES_OF) // SIDES] = (move - SIDES_OF) % SIDES
        row = note(log, 0, SIDE, -1, move - SIDES_OF, 1, BY_CHANCE, EVERYONE)
        return prepare(box, state, log, row)
    if move >= FIREWORKS:
        shape = move - FIREWORKS
        state.shapes = int(state.shapes) | 1 << shape
        row = note(log, 0, FIREWORK, -1, shape, 1, BY_CHANCE, EVERYONE)
        return prepare(box, state, log, row)
    corner = unrolled(state)
    state.dice[corner] = move - ROLLS
    seat = active_seat(state)
    if corner == CORNERS - 1:
        state.stage = TURNING
        state.at[seat] = TRAY
        state.owing = 1 << seat
    return note(log, 0, ROLLED, seat, move - ROLLS, corner, BY_CHANCE, EVERYONE)


@compiled
def roll_again(state: Any, seat: int, log: Any) -> int:
    """Pay one gift to roll all four dice again."""
    state.gifts[seat] -= 1
    state.at[seat] = NOTHING
    state.owing = 0
    state.stage = ROLLING
    for corner in range(CORNERS):
        state.dice[corner] = NO_COLOUR
    return note(log, 0, PAID, seat, -1, 1, REROLLED, EVERYONE)


@compiled
def turn_tray(box: Any, state: Any, seat: int, turn: int, log: Any) -> int:
    """Turn the tray: the player at corner k now faces the die that lay at (k + turn) mod 4, and everybody begins."""
    row = note(log, 0, TURNED, seat, -1, turn, CHOSEN, EVERYONE)
    for _ in range(turn):
        moved = state.dice[0]
        for corner in range(CORNERS - 1):
            state.dice[corner] = state.dice[corner + 1]
        state.dice[CORNERS - 1] = moved
    state.stage = SHADING
    for other in range(state.players):
        corner = corner_of(state, other)
        row = note(log, row, FACED, other, int(state.dice[corner]), corner, CHOSEN, EVERYONE)
    for other in range(state.players):
        state.at[other] = DIE
        row = ask(box, state, other, log, row)
    return row if state.owing else next_turn(box, state, log, row)


@compiled
def ask(box: Any, state: Any, seat: int, log: Any, row: int) -> int:
    """Move a seat on to its first step that asks something; behind the last it owes nothing."""
    active = seat == active_seat(state)
    asked = False
    while not asked and state.at[seat] < THROUGH:
        step = int(state.at[seat])
        if step == DIE or (step == BONUS and active):
            colour = bonus_colour(box, state) if step == BONUS else int(state.dice[corner_of(state, seat)])
            asked = can_shade(box, state, seat, 1 << colour, LAKE)
            if not asked:
                why = TURN_BONUS if step == BONUS else OWN_DIE
                row = note(log, row, MISSED, seat, colour, 1, why, EVERYONE)
        elif step == EMPEROR:
            for card in range(CARDS):
                asked = asked or can_act(box, state, seat, card)
        elif step == ACTING:
            if state.left[seat] > 0:
                card = int(state.card[seat]) - 1
                ponds = action_ponds(box, state, seat, card)
                asked = can_shade(box, state, seat, action_colours(box, state, seat, card), ponds)
            if not asked:
                state.card[seat] = 0
                state.left[seat] = 0
                state.used[seat] = 0
                state.pond[seat] = 0
        elif step == LAUNCH and active:
            asked = can_launch(box, state, seat)
        if not asked:
            state.at[seat] = step + 1
    if asked:
        state.owing |= 1 << seat
    else:
        state.at[seat] = NOTHING
        state.owing &= ~(1 << seat)
    return row


@compiled
def decline(state: Any, seat: int, log: Any) -> int:
    """Pass on a step, the rest of an action, or a platform's bonus."""
    if state.platform[seat]:
        pond = int(state.platform[seat]) - 1
        state.platform[seat] = 0
        return note(log, 0, LOST, seat, pond, 1, CHOSEN, EVERYONE)
    step = int(state.at[seat])
    if step == ACTING:
        state.left[seat] = 0
    else:
        state.at[seat] = step + 1
    return note(log, 0, PASSED, seat, step, 1, CHOSEN, EVERYONE)


@compiled
def shade(box: Any, state: Any, seat: int, zone: int, log: Any) -> int:
    """Shade a zone; a pavilion in it gives a gift, and a platform whose pond it completes a zone next to it."""
    step = int(state.at[seat])
    pond = zone >> 1
    bit = 1 << pond
    if state.platform[seat]:
        why = PLATFORM
        state.platform[seat] = 0
    elif step == ACTING:
        why = EMPEROR_ACTION
        state.left[seat] -= 1
        state.used[seat] |= 1 << int(box.zones[zone])
        card = int(state.card[seat]) - 1
        if box.actions[card, state.sides[card], 2] == ONE_UNSHADED_POND:
            state.pond[seat] = pond + 1
    else:
        why = OWN_DIE if step == DIE else TURN_BONUS
        # A platform may be asked before the next step, so this must be one that the seat has.
        state.at[seat] = BONUS if step == DIE and seat == active_seat(state) else EMPEROR
    state.shaded[seat, zone & 1] |= bit
    row = note(log, 0, SHADED, seat, zone, 1, why, EVERYONE)
    if int(box.pavilions[zone & 1]) & bit:
        state.gifts[seat] += 1
        row = note(log, row, GIFT, seat, zone, 1, PAVILION, EVERYONE)
    if int(state.shaded[seat, 1 - (zone & 1)]) & bit:
        row = note(log, row, COMPLETED, seat, pond, 1, why, EVERYONE)
        if int(box.platforms) & bit:
            zones = beside(bit)
            free = popcount(zones & ~int(state.shaded[seat, 0])) + popcount(zones & ~int(state.shaded[seat, 1]))
            if free == 0:
                return note(log, row, LOST, seat, pond, 1, NOTHING_FREE, EVERYONE)
            state.platform[seat] = pond + 1
            row = note(log, row, OFFERED, seat, pond, free, PLATFORM, EVERYONE)
    return row


@compiled
def pay_emperor(box: Any, state: Any, seat: int, card: int, log: Any) -> int:
    """Pay for an emperor action; its zones follow."""
    side = int(state.sides[card])
    state.gifts[seat] -= card + 1
    state.card[seat] = card + 1
    state.left[seat] = box.actions[card, side, 0]
    state.at[seat] = ACTING
    row = note(log, 0, PAID, seat, card, card + 1, EMPEROR_ACTION, EVERYONE)
    return note(log, row, ACTION, seat, card * SIDES + side, 1, CHOSEN, EVERYONE)


@compiled
def launch(box: Any, state: Any, seat: int, where: int, log: Any) -> int:
    """Take the top tile of a stack and lay it on complete ponds that carry no firework."""
    form = where // PONDS
    shape = int(box.shape_of[form])
    tile = int(state.taken[shape])
    state.taken[shape] += 1
    state.lit[seat] |= int(box.forms[form]) << where % PONDS
    code = 1 + where * TILES + tile
    i = 0
    while state.launched[seat, i] != 0 and state.launched[seat, i] < code:
        i += 1
    while code != 0:
        moved = int(state.launched[seat, i])
        state.launched[seat, i] = code
        code = moved
        i += 1
    state.at[seat] = THROUGH
    row = note(log, 0, LAUNCHED, seat, where, int(box.values[shape, tile]), CHOSEN, EVERYONE)
    if tile == TILES - 1:
        row = note(log, row, EMPTIED, -1, shape, 0, CHOSEN, EVERYONE)
    return row


@compiled
def next_turn(box: Any, state: Any, log: Any, row: int) -> int:
    """Go on to the next player's roll; after the last turn everybody may launch once more, in order."""
    state.turn += 1
    turns = int(box.turns[state.players]) * int(state.players)
    if state.turn < turns:
        return begin_turn(box, state, log, row)
    if state.turn == turns:
        state.stage = FINISHING
        for corner in range(CORNERS):
            state.dice[corner] = NO_COLOUR
        row = note(log, row, FINAL_LAUNCHES, -1, -1, 0, CHOSEN, EVERYONE)
    while state.turn < turns + state.players:
        seat = active_seat(state)
        if can_launch(box, state, seat):
            state.at[seat] = LAUNCH
            state.owing = 1 << seat
            return row
        row = note(log, row, MISSED, seat, -1, 1, FINAL_LAUNCH, EVERYONE)
        state.turn += 1
    state.stage = ENDED
    return note(log, row, END, -1, -1, 0, CHOSEN, EVERYONE)
