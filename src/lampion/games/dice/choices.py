"""The legal moves of Lanternes Dice: zones that may be shaded, actions that can be paid, places where fireworks fit."""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit
from lampion.engine.compile import compiled
from lampion.games.dice.lake import LAKE, PONDS, beside
from lampion.games.dice.state import (
    ACTING,
    ALL_COLOURS,
    BONUS,
    CARDS,
    CORNERS,
    DIE,
    DIFFERENT,
    EMPEROR,
    EMPERORS,
    HALF_SHADED,
    LAUNCHES,
    NEXT_TO_FIREWORK,
    ON_A_DIE,
    ON_NO_DIE,
    ONE_UNSHADED_POND,
    PASS,
    REROLL,
    SAME,
    SHADES,
    SHAPES,
    TILES,
    TRAY,
    TURNS,
)


@compiled
def active_seat(state: Any) -> int:
    """Return the seat whose turn or final launch it is: clockwise from the lowest sheet."""
    return (int(state.first) + int(state.turn)) % int(state.players)


@compiled
def bonus_colour(box: Any, state: Any) -> int:
    """Return the colour of this turn's bonus on the active player's sheet."""
    players = int(state.players)
    return int(box.bonuses[players, state.sheets[active_seat(state)], int(state.turn) // players])


@compiled
def corner_of(state: Any, seat: int) -> int:
    """Return the corner of the tray at which a seat stands: two players face each other."""
    return seat * 2 if state.players == 2 else seat


@compiled
def action_colours(box: Any, state: Any, seat: int, card: int) -> int:
    """Return the colours, as bits, that an emperor action lets a seat shade next."""
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
    """Return the ponds in which an emperor action lets a seat shade next."""
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
    """Return the colours, as bits, that a seat may shade now: by its die, bonus or action; any by a platform."""
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
    """Return the ponds in which a seat may shade now."""
    if state.platform[seat]:
        return beside(1 << (int(state.platform[seat]) - 1))
    return action_ponds(box, state, seat, int(state.card[seat]) - 1) if state.at[seat] == ACTING else LAKE


@compiled
def free_zones(box: Any, state: Any, seat: int, half: int, colours: int) -> int:
    """Return the upper or lower zones of these colours that a seat has not shaded."""
    return int(box.colours[colours, half]) & ~int(state.shaded[seat, half])


@compiled
def can_shade(box: Any, state: Any, seat: int, colours: int, ponds: int) -> bool:
    """Return whether a seat has a free zone of these colours in these ponds."""
    return ((free_zones(box, state, seat, 0, colours) | free_zones(box, state, seat, 1, colours)) & ponds) != 0


@compiled
def can_act(box: Any, state: Any, seat: int, card: int) -> bool:
    """Return whether a seat can pay for an emperor action and has a zone to shade with it."""
    if state.gifts[seat] <= card:
        return False
    ponds = action_ponds(box, state, seat, card)
    return can_shade(box, state, seat, action_colours(box, state, seat, card), ponds)


@compiled
def fits(box: Any, form: int, ponds: int) -> int:
    """Return the places, as bits, where all ponds of a form are among these."""
    anchors = int(box.anchors[form])
    for i in range(box.cells[box.shape_of[form]]):
        anchors &= ponds >> int(box.offsets[form, i])
    return anchors


@compiled
def dark_ponds(state: Any, seat: int) -> int:
    """Return the complete ponds of a seat without a firework."""
    return int(state.shaded[seat, 0]) & int(state.shaded[seat, 1]) & ~int(state.lit[seat])


@compiled
def in_stock(state: Any, shape: int) -> bool:
    """Return whether a firework is in play and its stack is not empty."""
    return (int(state.shapes) >> shape & 1) != 0 and state.taken[shape] < TILES


@compiled
def can_launch(box: Any, state: Any, seat: int) -> bool:
    """Return whether a seat has the ponds for any firework."""
    ponds = dark_ponds(state, seat)
    if ponds & beside(ponds) == 0:  # no shape lies on single ponds
        return False
    for shape in range(SHAPES):
        if in_stock(state, shape):
            for form in range(box.first_form[shape], box.first_form[shape + 1]):
                if fits(box, form, ponds):
                    return True
    return False


@compiled
def may_pass(state: Any, seat: int) -> bool:
    """Return whether a seat may pass: always but at the tray and at the first zone of an action."""
    step = int(state.at[seat])
    return state.platform[seat] != 0 or (step > TRAY and (step != ACTING or state.used[seat] != 0))


@compiled
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """List what a seat may do in its step; return the number of moves."""
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
    """List every zone that a seat may shade now; return their number."""
    colours = open_colours(box, state, seat)
    ponds = open_ponds(box, state, seat)
    upper = free_zones(box, state, seat, 0, colours) & ponds
    lower = free_zones(box, state, seat, 1, colours) & ponds
    ponds = upper | lower
    n = 0
    while ponds:
        pond = lowest_bit(ponds)
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
    """List every way to lay a firework on complete ponds that carry none; return their number."""
    ponds = dark_ponds(state, seat)
    n = 0
    for form in range(box.first_form[SHAPES]):
        if in_stock(state, int(box.shape_of[form])):
            anchors = fits(box, form, ponds)
            while anchors:
                ids[n] = LAUNCHES + form * PONDS + lowest_bit(anchors)
                anchors &= anchors - 1
                n += 1
    return n
