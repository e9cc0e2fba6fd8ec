"""What must be true in Lanternes Dice after every move."""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import popcount
from lampion.engine.compile import compiled
from lampion.games.dice.choices import active_seat, can_act, can_launch, can_shade, open_colours, open_ponds
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
    ENDED,
    FINISHING,
    IN_PLAY,
    LARGE,
    LAUNCH,
    LAUNCHES_EACH,
    MEDIUM,
    NO_COLOUR,
    NO_SIDE,
    NOTHING,
    ONE_UNSHADED_POND,
    ROLLING,
    SEATS,
    SHADING,
    SHAPES,
    SHEETS,
    SIDES,
    SMALL,
    TILES,
    TRAY,
    TURNING,
)

INVARIANTS = ("players", "sheets", "setup", "zones", "gifts", "fireworks", "stacks", "launches", "dice", "step")
(
    PLAYERS_FACT,
    SHEETS_FACT,
    SETUP_FACT,
    ZONES_FACT,
    GIFTS_FACT,
    FIREWORKS_FACT,
    STACKS_FACT,
    LAUNCHES_FACT,
    DICE_FACT,
    STEP_FACT,
) = range(1, len(INVARIANTS) + 1)


@compiled
def broken_invariant(box: Any, state: Any) -> int:
    """Return 0, or the number of the first of INVARIANTS that is broken."""
    players = int(state.players)
    if not (2 <= players <= SEATS and 0 <= state.first < players and DRAW_FIREWORKS <= state.stage <= ENDED):
        return PLAYERS_FACT
    if not are_sheets_right(state):
        return SHEETS_FACT
    if not is_setup_right(box, state):
        return SETUP_FACT
    for seat in range(SEATS):
        for half in range(2):
            zones = int(state.shaded[seat, half])
            if zones & ~LAKE or (zones and seat >= players):
                return ZONES_FACT
        earned = int(box.gifts) if seat < players else 0
        for half in range(2):
            earned += popcount(int(box.pavilions[half]) & int(state.shaded[seat, half]))
        if not 0 <= state.gifts[seat] <= earned:
            return GIFTS_FACT
        if not are_fireworks_right(box, state, seat):
            return FIREWORKS_FACT
    if not are_stacks_right(box, state):
        return STACKS_FACT
    for seat in range(SEATS):
        if not are_launches_right(state, seat):
            return LAUNCHES_FACT
    if not are_dice_right(state):
        return DICE_FACT
    for seat in range(SEATS):
        if not is_step_right(box, state, seat):
            return STEP_FACT
    return 0


@compiled
def are_sheets_right(state: Any) -> bool:
    """Return whether the sheets are different and the first player has the lowest."""
    letters = 0
    for seat in range(SEATS):
        letter = int(state.sheets[seat])
        if seat >= state.players:
            if letter != 0:
                return False
        elif not 0 <= letter < SHEETS or letters >> letter & 1 or letter < state.sheets[state.first]:
            return False
        else:
            letters |= 1 << letter
    return True


@compiled
def is_setup_right(box: Any, state: Any) -> bool:
    """Return whether fireworks and sides are complete or being drawn, and the turn is one of the stage."""
    stage = int(state.stage)
    known = 0
    for card in range(CARDS):
        if not NO_SIDE <= state.sides[card] < SIDES or (known < card and state.sides[card] != NO_SIDE):
            return False
        known += state.sides[card] != NO_SIDE
    sizes = 0
    for shape in range(SHAPES):
        if state.shapes >> shape & 1:
            sizes += 1 << 4 * int(box.sizes[shape])
    small, medium, large = sizes >> 4 * SMALL & 15, sizes >> 4 * MEDIUM & 15, sizes >> 4 * LARGE & 15
    if stage == DRAW_FIREWORKS:
        if small + medium + large >= IN_PLAY or small > 1 or medium > 2 * small or large > 0 or 0 < known < CARDS:
            return False
    elif small + medium + large != IN_PLAY or (known < CARDS) != (stage == DRAW_SIDES):
        return False
    turns = int(box.turns[state.players]) * int(state.players)
    if stage <= DRAW_SIDES:
        return state.turn == 0
    if stage < FINISHING:
        return 0 <= state.turn < turns
    if stage == FINISHING:
        return turns <= state.turn < turns + state.players
    return state.turn == turns + state.players


@compiled
def are_fireworks_right(box: Any, state: Any, seat: int) -> bool:
    """Return whether the fireworks of a sheet are in order, do not overlap and cover complete ponds only."""
    lit = 0
    before = 0
    for i in range(LAUNCHES_EACH):
        code = int(state.launched[seat, i])
        if code == 0:
            before = -1
            continue
        where = (code - 1) // TILES
        form = where // PONDS
        if before < 0 or code <= before or form >= box.first_form[SHAPES]:
            return False
        before = code
        ponds = int(box.forms[form]) << where % PONDS
        if not int(box.anchors[form]) >> where % PONDS & 1 or lit & ponds:
            return False
        if not int(state.shapes) >> int(box.shape_of[form]) & 1:
            return False
        lit |= ponds
    return lit == state.lit[seat] and (lit & ~(int(state.shaded[seat, 0]) & int(state.shaded[seat, 1]))) == 0


@compiled
def are_stacks_right(box: Any, state: Any) -> bool:
    """Return whether the tiles gone from each stack, from the top without a gap, lie on the sheets."""
    for shape in range(SHAPES):
        gone = 0
        number = 0
        for seat in range(state.players):
            for i in range(LAUNCHES_EACH):
                code = int(state.launched[seat, i]) - 1
                if code >= 0 and box.shape_of[code // (TILES * PONDS)] == shape:
                    gone |= 1 << code % TILES
                    number += 1
        if number != state.taken[shape] or number > TILES or gone != (1 << number) - 1:
            return False
    return True


@compiled
def are_launches_right(state: Any, seat: int) -> bool:
    """Return whether a seat launched at most once a turn, and once after the last."""
    players = int(state.players)
    launched = 0
    for i in range(LAUNCHES_EACH):
        launched += state.launched[seat, i] != 0
    if seat >= players:
        return launched == 0
    turns = (int(state.turn) - (seat - int(state.first)) % players + players - 1) // players
    if state.stage == SHADING and seat == active_seat(state) and state.at[seat] == NOTHING:
        turns += 1
    return launched <= turns


@compiled
def are_dice_right(state: Any) -> bool:
    """Return whether the dice are rolled corner after corner, and lie in the tray in the stages that need them."""
    rolled = 0
    for corner in range(CORNERS):
        if not NO_COLOUR <= state.dice[corner] < COLOURS:
            return False
        if state.dice[corner] != NO_COLOUR:
            if corner != rolled:
                return False
            rolled += 1
    if state.stage == ROLLING:
        return rolled < CORNERS
    return rolled == (CORNERS if state.stage == TURNING or state.stage == SHADING else 0)


@compiled
def is_step_right(box: Any, state: Any, seat: int) -> bool:
    """Return whether a seat is at a step of this stage that asks something, and owes a decision exactly then."""
    step = int(state.at[seat])
    stage = int(state.stage)
    if (int(state.owing) >> seat & 1) != (step != NOTHING) or state.owing >> SEATS != 0:
        return False
    active = seat == active_seat(state)
    if stage == SHADING:
        if seat >= state.players or state.owing == 0:
            return step == NOTHING and state.owing != 0
    else:
        expected = TRAY if stage == TURNING else (LAUNCH if stage == FINISHING else NOTHING)
        if step != (expected if active and seat < state.players else NOTHING):
            return False
    if not is_action_right(box, state, seat):
        return False
    if state.platform[seat]:
        pond = int(state.platform[seat]) - 1
        if not 0 <= pond < PONDS or not int(box.platforms) >> pond & 1:
            return False
        if not (int(state.shaded[seat, 0]) & int(state.shaded[seat, 1])) >> pond & 1:
            return False
        free = ~(int(state.shaded[seat, 0]) & int(state.shaded[seat, 1]))
        return (beside(1 << pond) & free) != 0 and (BONUS <= step <= ACTING) and (active or step != BONUS)
    if step == EMPEROR:
        return can_act(box, state, seat, 0) or can_act(box, state, seat, 1) or can_act(box, state, seat, 2)
    if step == LAUNCH:
        return active and can_launch(box, state, seat)
    if DIE <= step <= BONUS or step == ACTING:
        colours, ponds = open_colours(box, state, seat), open_ponds(box, state, seat)
        return (active or step != BONUS) and can_shade(box, state, seat, colours, ponds)
    return step != TRAY or stage == TURNING


@compiled
def is_action_right(box: Any, state: Any, seat: int) -> bool:
    """Return whether the action under way, if the seat is at one, has zones and colours that fit its card."""
    card = int(state.card[seat]) - 1
    left = int(state.left[seat])
    used = int(state.used[seat])
    pond = int(state.pond[seat])
    if state.at[seat] != ACTING:
        return card == -1 and left == 0 and used == 0 and pond == 0
    if not 0 <= card < CARDS or not 0 <= used < 1 << COLOURS or not 0 <= pond <= PONDS:
        return False
    shaded = int(box.actions[card, state.sides[card], 0]) - left
    if left < 0 or shaded < 0 or (shaded == 0) != (used == 0) or popcount(used) > shaded:
        return False
    if (pond != 0) != (box.actions[card, state.sides[card], 2] == ONE_UNSHADED_POND and shaded > 0):
        return False
    return state.platform[seat] == 0 or shaded > 0
