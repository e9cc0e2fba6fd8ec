"""The rules of Lanternes Dice, in the order of a turn.

A zone is `pond * 2`, one more for the lower triangle; a set of zones is two sets of ponds, upper and lower (see
`lake`). Once the tray is turned every seat goes through its own steps and waits for nobody: `at[seat]` is where it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.games.compiled import compiled
from lampion.games.core import CHANCE, EVERYONE, OVER, lowest_seat, note, pick_listed
from lampion.games.dice.lake import LAKE, PONDS, beside, count, lowest, second_group, surrounded
from lampion.games.rng import below

SEATS = 4
COLOURS = 6
ALL_COLOURS = (1 << COLOURS) - 1
CORNERS = 4
SHEETS = 4
CARDS = 3
SIDES = 2
ZONES = 2 * PONDS
MOST_TURNS = 10
ALL_TURNS = 24  # turns of all players together
MOST_GIFTS = 24
MOST_ZONES = 3  # of one emperor action
SHAPES = 8
IN_PLAY = 4
TILES = 6
FORMS = 28  # all ways to turn and flip the eight shapes
MOST_CELLS = 6
LAUNCHES_EACH = MOST_TURNS + 1
BOAT_POINTS = 4
SMALL, MEDIUM, LARGE = 0, 1, 2
NO_COLOUR = -1
NO_SIDE = -1

# Stages of the game
DRAW_FIREWORKS, DRAW_SIDES, ROLLING, TURNING, SHADING, FINISHING, ENDED = range(7)

# Steps of a seat
NOTHING, TRAY, DIE, BONUS, EMPEROR, ACTING, LAUNCH, THROUGH = range(8)

# What an emperor action asks of a zone
ANY, ON_A_DIE, ON_NO_DIE, DIFFERENT, SAME = range(5)
ANYWHERE, HALF_SHADED, NEXT_TO_FIREWORK, ONE_UNSHADED_POND = range(4)

# Move ids, one range after another
SHADES = 0
EMPERORS = SHADES + ZONES
LAUNCHES = EMPERORS + CARDS
REROLL = LAUNCHES + FORMS * PONDS
TURNS = REROLL + 1
PASS = TURNS + CORNERS
ROLLS = PASS + 1
FIREWORKS = ROLLS + COLOURS
SIDES_OF = FIREWORKS + SHAPES
IDS = SIDES_OF + CARDS * SIDES
MOST = FORMS * PONDS + 1
ROWS = 16

LONGEST = (
    IN_PLAY
    + CARDS
    + ALL_TURNS * (CORNERS + 1)  # roll, turn the tray
    + ALL_TURNS * (2 * SEATS + 2)  # die, emperor; bonus, launch
    + SEATS * MOST_GIFTS * (CORNERS + 1)  # a gift buys a roll, which is longer than any action
    + SEATS * PONDS  # a platform each
    + SEATS  # final launches
)

# Events, and why they happen
(
    FIREWORK,
    SIDE,
    FIRST,
    BEGAN,
    ROLLED,
    TURNED,
    FACED,
    SHADED,
    COMPLETED,
    GIFT,
    OFFERED,
    LOST,
    MISSED,
    PAID,
    ACTION,
    LAUNCHED,
    EMPTIED,
    PASSED,
    FINAL_LAUNCHES,
    END,
) = range(20)
(
    BY_CHANCE,
    CHOSEN,
    LOWEST_SHEET,
    OWN_DIE,
    TURN_BONUS,
    EMPEROR_ACTION,
    PLATFORM,
    PAVILION,
    REROLLED,
    NOTHING_FREE,
    FINAL_LAUNCH,
) = range(11)

SOURCE_FIREWORKS = 0
SOURCE_SIDES = SOURCE_FIREWORKS + IN_PLAY
SOURCE_DICE = SOURCE_SIDES + CARDS
SOURCES = SOURCE_DICE + ALL_TURNS * CORNERS

BOX = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("colours", "i8", (COLOURS, 2)),
                ("pavilions", "i8", (2,)),
                ("platforms", "i8"),
                ("boats", "i8"),
                ("falling", "i8"),
                ("anchors", "i8", (FORMS,)),
                ("forms", "i8", (FORMS,)),
                ("offsets", "i1", (FORMS, MOST_CELLS)),
                ("shape_of", "i1", (FORMS,)),
                ("first_form", "i1", (SHAPES + 1,)),
                ("cells", "i1", (SHAPES,)),
                ("sizes", "i1", (SHAPES,)),
                ("values", "i1", (SHAPES, TILES)),
                ("first_game", "u1"),
                ("zones", "i1", (ZONES,)),
                ("bonuses", "i1", (SEATS + 1, SHEETS, MOST_TURNS)),
                ("turns", "i1", (SEATS + 1,)),
                ("actions", "i1", (CARDS, SIDES, 3)),
                ("gifts", "i1"),
            ],
            align=True,
        ),
    )
)
"""`colours` and `pavilions` are zones as sets of ponds, upper and lower; `zones` the colour of each; `falling` the
ponds whose diagonal runs down to the right. A form is one way to turn and flip a shape: its ponds when it stands at the
top left (`forms`, `offsets`), and where its top left can stand (`anchors`); a shape's forms begin at `first_form`.
`bonuses` and `turns` go by number of players; an action is how many zones, of what colour, where."""

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("shaded", "i8", (SEATS, 2)),
                ("lit", "i8", (SEATS,)),
                ("launched", "i2", (SEATS, LAUNCHES_EACH)),
                ("shapes", "i2"),
                ("turn", "i2"),
                ("owing", "i2"),
                ("gifts", "i1", (SEATS,)),
                ("at", "i1", (SEATS,)),
                ("platform", "i1", (SEATS,)),
                ("card", "i1", (SEATS,)),
                ("left", "i1", (SEATS,)),
                ("used", "i1", (SEATS,)),
                ("pond", "i1", (SEATS,)),
                ("sheets", "i1", (SEATS,)),
                ("dice", "i1", (CORNERS,)),
                ("taken", "i1", (SHAPES,)),
                ("sides", "i1", (CARDS,)),
                ("players", "i1"),
                ("first", "i1"),
                ("stage", "i1"),
            ],
            align=True,
        ),
    )
)
"""`shaded` is upper and lower zones; `lit` the ponds under fireworks; `launched` 1 + (form * PONDS + anchor) * TILES +
tile, ascending, 0 behind; `taken` how many tiles are gone from a shape's stack; `shapes` the bits of those in play.
`turn` counts the turns of all players and then the final launches. `dice` lie as their corners see them. `owing` is the
bits of the seats that are asked something.

A seat's `platform` is 1 + the pond whose bonus it may use now, before it goes on with `at`. While it performs an
action: 1 + the `card`, zones `left`, colours `used`, and 1 + the `pond` begun where both zones of one are asked for.

The fields fill the record to its last byte: what lies between fields is not kept when NumPy copies one."""


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Hand out the sheets and gifts; fireworks and sides that were not chosen are left to chance."""
    state.players = players
    state.shapes = box.first_game if options[0] == 1 else options[0]
    for card in range(CARDS):
        state.sides[card] = NO_SIDE if options[1] < 0 else options[1] >> card & 1
    for corner in range(CORNERS):
        state.dice[corner] = NO_COLOUR
    first = 0
    for seat in range(players):
        state.sheets[seat] = options[2] >> 2 * seat & 3
        state.gifts[seat] = box.gifts
        if state.sheets[seat] < state.sheets[first]:
            first = seat
    state.first = first
    row = note(log, 0, FIRST, first, int(state.sheets[first]), 0, LOWEST_SHEET, EVERYONE)
    return prepare(box, state, log, row)


@compiled
def prepare(box: Any, state: Any, log: Any, row: int) -> int:
    """Four fireworks, then a side of every emperor card, then the first turn."""
    if count(int(state.shapes)) < IN_PLAY:
        state.stage = DRAW_FIREWORKS
    elif state.sides[CARDS - 1] == NO_SIDE:
        state.stage = DRAW_SIDES
    else:
        return begin_turn(box, state, log, row)
    return row


@compiled
def active_seat(state: Any) -> int:
    """Whose turn it is: clockwise from the lowest sheet, in the final launches as before."""
    return (int(state.first) + int(state.turn)) % int(state.players)


@compiled
def bonus_colour(box: Any, state: Any) -> int:
    """This turn's bonus on the active player's sheet."""
    players = int(state.players)
    return int(box.bonuses[players, state.sheets[active_seat(state)], int(state.turn) // players])


@compiled
def begin_turn(box: Any, state: Any, log: Any, row: int) -> int:
    """The active player takes up the dice."""
    state.stage = ROLLING
    for corner in range(CORNERS):
        state.dice[corner] = NO_COLOUR
    number = int(state.turn) // int(state.players) + 1
    return note(log, row, BEGAN, active_seat(state), bonus_colour(box, state), number, CHOSEN, EVERYONE)


@compiled
def corner_of(state: Any, seat: int) -> int:
    """Where a seat stands round the tray: two players face each other."""
    return seat * 2 if state.players == 2 else seat


@compiled
def unrolled(state: Any) -> int:
    """The first corner without a die, CORNERS when all lie there."""
    corner = 0
    while corner < CORNERS and state.dice[corner] != NO_COLOUR:
        corner += 1
    return corner


@compiled
def missing_size(box: Any, state: Any) -> int:
    """One small firework is drawn, then two medium ones, then a large one."""
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
    """The active player at the tray and in the final launches, in between everybody who is not through."""
    return int(state.owing)


@compiled
def actor(box: Any, state: Any) -> int:
    """Who moves now."""
    if state.owing:
        return lowest_seat(int(state.owing))
    return OVER if state.stage == ENDED else CHANCE


@compiled
def source(box: Any, state: Any) -> int:
    """Every firework and side that is drawn, and in every turn every corner; a re-roll is the corner's next draw."""
    if state.stage == DRAW_FIREWORKS:
        return SOURCE_FIREWORKS + count(int(state.shapes))
    if state.stage == DRAW_SIDES:
        return SOURCE_SIDES + next_card(state)
    return SOURCE_DICE + int(state.turn) * CORNERS + unrolled(state)


@compiled
def next_card(state: Any) -> int:
    """The first emperor card whose side is not known."""
    card = 0
    while state.sides[card] != NO_SIDE:
        card += 1
    return card


@compiled
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """Every colour of a die, every firework of the size that is missing, both sides of a card."""
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
def action_colours(box: Any, state: Any, seat: int, card: int) -> int:
    """The colours, as bits, that an emperor action lets a seat shade next."""
    colour = int(box.actions[card, state.sides[card], 1])
    if ON_A_DIE <= colour <= ON_NO_DIE:
        on_dice = 0
        for corner in range(CORNERS):
            on_dice |= 1 << int(state.dice[corner])
        return on_dice if colour == ON_A_DIE else ALL_COLOURS & ~on_dice
    used = int(state.used[seat])
    if colour == DIFFERENT:
        return ALL_COLOURS & ~used
    return used if colour == SAME and used else ALL_COLOURS


@compiled
def action_ponds(box: Any, state: Any, seat: int, card: int) -> int:
    """The ponds in which an emperor action lets a seat shade next."""
    where = int(box.actions[card, state.sides[card], 2])
    if where == HALF_SHADED:
        return int(state.shaded[seat, 0]) ^ int(state.shaded[seat, 1])
    if where == NEXT_TO_FIREWORK:
        return beside(int(state.lit[seat]))
    if where == ONE_UNSHADED_POND:
        if state.pond[seat]:
            return 1 << (int(state.pond[seat]) - 1)
        return LAKE & ~(int(state.shaded[seat, 0]) | int(state.shaded[seat, 1]))
    return LAKE


@compiled
def open_colours(box: Any, state: Any, seat: int) -> int:
    """The colours, as bits, that a seat may shade now: the die's, the bonus's or the action's; by a platform any."""
    step = int(state.at[seat])
    if state.platform[seat]:
        return ALL_COLOURS
    if step == DIE:
        return 1 << int(state.dice[corner_of(state, seat)])
    if step == BONUS:
        return 1 << bonus_colour(box, state)
    return action_colours(box, state, seat, int(state.card[seat]) - 1) if step == ACTING else 0


@compiled
def open_ponds(box: Any, state: Any, seat: int) -> int:
    """The ponds in which a seat may shade now."""
    if state.platform[seat]:
        return beside(1 << (int(state.platform[seat]) - 1))
    return action_ponds(box, state, seat, int(state.card[seat]) - 1) if state.at[seat] == ACTING else LAKE


@compiled
def free_zones(box: Any, state: Any, seat: int, half: int, colours: int) -> int:
    """A seat's free upper or lower zones of these colours."""
    zones = LAKE
    if colours != ALL_COLOURS:
        zones = 0
        for colour in range(COLOURS):
            if colours >> colour & 1:
                zones |= int(box.colours[colour, half])
    return zones & ~int(state.shaded[seat, half])


@compiled
def can_shade(box: Any, state: Any, seat: int, colours: int, ponds: int) -> bool:
    """Whether a free zone of these colours is in these ponds."""
    return ((free_zones(box, state, seat, 0, colours) | free_zones(box, state, seat, 1, colours)) & ponds) != 0


@compiled
def can_act(box: Any, state: Any, seat: int, card: int) -> bool:
    """Whether a seat can pay for an emperor action and it has an effect."""
    if state.gifts[seat] <= card:
        return False
    ponds = action_ponds(box, state, seat, card)
    return can_shade(box, state, seat, action_colours(box, state, seat, card), ponds)


@compiled
def fits(box: Any, form: int, ponds: int) -> int:
    """Where a form can stand so that all its ponds are among these."""
    anchors = int(box.anchors[form])
    for i in range(box.cells[box.shape_of[form]]):
        anchors &= ponds >> int(box.offsets[form, i])
    return anchors


@compiled
def dark_ponds(state: Any, seat: int) -> int:
    """A seat's complete ponds without a firework."""
    return int(state.shaded[seat, 0]) & int(state.shaded[seat, 1]) & ~int(state.lit[seat])


@compiled
def in_stock(state: Any, shape: int) -> bool:
    """Whether a firework is in play and its stack not empty."""
    return (int(state.shapes) >> shape & 1) != 0 and state.taken[shape] < TILES


@compiled
def can_launch(box: Any, state: Any, seat: int) -> bool:
    """Whether a seat has the ponds for a firework."""
    ponds = dark_ponds(state, seat)
    if ponds == 0:
        return False
    for shape in range(SHAPES):
        if in_stock(state, shape):
            for form in range(box.first_form[shape], box.first_form[shape + 1]):
                if fits(box, form, ponds):
                    return True
    return False


@compiled
def may_pass(state: Any, seat: int) -> bool:
    """Everything may be declined but the tray and the first zone of an action that was paid."""
    step = int(state.at[seat])
    return state.platform[seat] != 0 or (step > TRAY and (step != ACTING or state.used[seat] != 0))


@compiled
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """What a seat may do in its step."""
    if seat < 0 or not int(state.owing) >> seat & 1:
        return 0
    step = int(state.at[seat])
    n = 0
    if state.platform[seat] or DIE <= step <= BONUS or step == ACTING:
        n = legal_shades(box, state, seat, ids)
    elif step == TRAY:
        if state.gifts[seat] > 0:
            ids[n] = REROLL
            n += 1
        for turn in range(CORNERS):
            ids[n] = TURNS + turn
            n += 1
    elif step == EMPEROR:
        for card in range(CARDS):
            if can_act(box, state, seat, card):
                ids[n] = EMPERORS + card
                n += 1
    else:
        n = legal_launches(box, state, seat, ids)
    if may_pass(state, seat):
        ids[n] = PASS
        n += 1
    return n


@compiled
def legal_shades(box: Any, state: Any, seat: int, ids: Any) -> int:
    """Every zone that is open to the seat."""
    colours = open_colours(box, state, seat)
    ponds = open_ponds(box, state, seat)
    upper = free_zones(box, state, seat, 0, colours) & ponds
    lower = free_zones(box, state, seat, 1, colours) & ponds
    ponds = upper | lower
    n = 0
    while ponds:
        pond = lowest(ponds)
        ponds &= ponds - 1
        if upper >> pond & 1:
            ids[n] = SHADES + pond * 2
            n += 1
        if lower >> pond & 1:
            ids[n] = SHADES + pond * 2 + 1
            n += 1
    return n


@compiled
def legal_launches(box: Any, state: Any, seat: int, ids: Any) -> int:
    """Every way to lay a firework on complete ponds that carry none."""
    ponds = dark_ponds(state, seat)
    n = 0
    for form in range(box.first_form[SHAPES]):
        if in_stock(state, int(box.shape_of[form])):
            anchors = fits(box, form, ponds)
            while anchors:
                ids[n] = LAUNCHES + form * PONDS + lowest(anchors)
                anchors &= anchors - 1
                n += 1
    return n


@compiled
def pick(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """One move at random; dice, the most frequent, need no list."""
    if state.stage == ROLLING:
        return ROLLS + below(rng, COLOURS)
    return pick_listed(box, state, seat, rng, ids, weights)


@compiled
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make one legal move and go on to the next question."""
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
    """A firework or a side is drawn, or a die comes to rest."""
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
    """One gift re-rolls all four dice."""
    state.gifts[seat] -= 1
    state.at[seat] = NOTHING
    state.owing = 0
    state.stage = ROLLING
    for corner in range(CORNERS):
        state.dice[corner] = NO_COLOUR
    return note(log, 0, PAID, seat, -1, 1, REROLLED, EVERYONE)


@compiled
def turn_tray(box: Any, state: Any, seat: int, turn: int, log: Any) -> int:
    """The player at corner k now faces the die that lay at (k + turn) mod 4, and everybody begins."""
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
    """From the step at which a seat is, stop at the first that has something to ask; behind the last it is through."""
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
    """Leave out a step, the rest of an action, or a platform's bonus."""
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
        state.at[seat] = step + 1
    state.shaded[seat, zone & 1] |= bit
    row = note(log, 0, SHADED, seat, zone, 1, why, EVERYONE)
    if int(box.pavilions[zone & 1]) & bit:
        state.gifts[seat] += 1
        row = note(log, row, GIFT, seat, zone, 1, PAVILION, EVERYONE)
    if int(state.shaded[seat, 1 - (zone & 1)]) & bit:
        row = note(log, row, COMPLETED, seat, pond, 1, why, EVERYONE)
        if int(box.platforms) & bit:
            zones = beside(bit)
            free = count(zones & ~int(state.shaded[seat, 0])) + count(zones & ~int(state.shaded[seat, 1]))
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
    """Nobody owes a decision: the next player rolls; after the last turn everybody may launch once more in order."""
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


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Everything is open."""
    return move


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """Nothing is hidden."""


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
def boat_points(box: Any, state: Any, seat: int) -> int:
    """Four points for a boat whose pond is wholly unshaded and whose four neighbours are complete."""
    upper, lower = int(state.shaded[seat, 0]), int(state.shaded[seat, 1])
    return BOAT_POINTS * surrounded(int(box.boats) & ~(upper | lower), upper & lower)


@compiled
def group_points(state: Any, seat: int) -> int:
    """One point a pond of the second-largest group of complete ponds."""
    return second_group(int(state.shaded[seat, 0]) & int(state.shaded[seat, 1]))


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
