"""The rules of Fireflies, in the order of a night.

A brightness is a number from 1 to LIGHTS; counts by brightness have the dimmest first.

In a game of your own: what is in the box and in a position (BOX, STATE), then the functions, one a paragraph of the
rules. Keep the names and parameters of those that `lampion/games/core.py` lists; the helpers are yours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fireflies.events import (
    BRIGHTEST,
    BY_CHANCE,
    CHOSEN,
    DAZZLED,
    DREW,
    END,
    FIRST,
    RESTS,
    SHINES,
    SHOWN,
    WENT,
)
from lampion.engine.compile import compiled
from lampion.engine.event_log import note
from lampion.engine.rng import below
from lampion.games.core import CHANCE, EVERYONE, OVER

SEATS = 3
LIGHTS = 5
MOST_NIGHTS = 9
NOBODY = -1

CHOOSE_FIRST, DEAL, CHOOSE, ENDED = range(4)

EQUALS = ("nobody", "everybody")
FOR_NOBODY, FOR_EVERYBODY = range(2)
"""The option `equal`: for whom equally bright fireflies score."""

# Move ids
LET_GO = 0
SHOWS = 1
DEALS = SHOWS + LIGHTS
FIRSTS = DEALS + LIGHTS
IDS = FIRSTS + SEATS

SOURCE_FIRST, SOURCE_JAR = 0, 1
FEATURES = LIGHTS + 4 * SEATS + 1
INVARIANTS = ("players", "equal", "lights", "turns")
PLAYERS_FACT, EQUAL_FACT, LIGHTS_FACT, TURNS_FACT = range(1, 5)

BOX = np.dtype((np.record, np.dtype([("copies", "i1", (LIGHTS,)), ("nights", "i1")], align=True)))

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [  # wider fields first, and a whole number of the widest in all: NumPy would fill the gaps with padding
                ("light", "i2", (SEATS,)),
                ("rest", "i2", (SEATS,)),
                ("equal", "i2"),
                ("jar", "i1", (LIGHTS,)),
                ("spent", "i1", (LIGHTS,)),
                ("gone", "i1", (SEATS, LIGHTS)),
                ("hand", "i1", (SEATS,)),
                ("shown", "i1", (SEATS,)),
                ("players", "i1"),
                ("first", "i1"),
                ("active", "i1"),
                ("night", "i1"),
                ("step", "i1"),
            ],
            align=True,
        ),
    )
)
"""`equal` is the option as a number (as "i1", the sizes would not add up); `jar` counts what is still to be drawn,
`spent` what was shown in earlier nights, `gone` what each seat let go, which it alone remembers; `hand` and `shown`
hold a brightness or 0."""


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Begin a game: all fireflies are in the jar."""
    state.players = players
    state.equal = options.equal  # an option of the game is kept in the position
    for i in range(LIGHTS):
        state.jar[i] = box.copies[i]
    state.first = NOBODY
    state.active = NOBODY
    if options.first == CHANCE:
        return 0
    return begin(state, options.first, CHOSEN, log)


@compiled
def begin(state: Any, seat: int, why: int, log: Any) -> int:
    """Note who is first, and begin the first night."""
    state.first = seat
    state.active = seat
    state.step = DEAL
    return note(log, 0, FIRST, seat, -1, 0, why, EVERYONE)


@compiled
def leader(state: Any) -> int:
    """Return who begins this night: first the first player, then the next one clockwise."""
    return (int(state.first) + int(state.night)) % int(state.players)


@compiled
def pending(box: Any, state: Any) -> int:
    """Return the seats that owe a decision, as bits: at most one, since players act one after another."""
    return 1 << int(state.active) if state.step == CHOOSE else 0


@compiled
def actor(box: Any, state: Any) -> int:
    """Return who acts: the active player chooses, everything else is chance."""
    if state.step == ENDED:
        return OVER
    return int(state.active) if state.step == CHOOSE else CHANCE


@compiled
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """List the moves: let the firefly go, or show it, named by its brightness so that all see the same move."""
    if state.step != CHOOSE or seat != state.active:
        return 0
    ids[0] = LET_GO
    ids[1] = SHOWS + int(state.hand[seat]) - 1
    return 2


@compiled
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """List what chance may bring: any player may be first, any firefly in the jar may be drawn."""
    n = 0
    if state.step == CHOOSE_FIRST:
        for seat in range(state.players):
            ids[n] = FIRSTS + seat
            weights[n] = 1
            n += 1
    elif state.step == DEAL:
        for i in range(LIGHTS):
            if state.jar[i] > 0:
                ids[n] = DEALS + i
                weights[n] = state.jar[i]
                n += 1
    return n


@compiled
def source(box: Any, state: Any) -> int:
    """Return what is drawn from: the first player is drawn apart from the fireflies."""
    return SOURCE_FIRST if state.step == CHOOSE_FIRST else SOURCE_JAR


@compiled
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make one legal move and go on to the next player, and from the last one to the next part of the night."""
    if move >= FIRSTS:
        return begin(state, move - FIRSTS, BY_CHANCE, log)
    active = int(state.active)
    if move >= DEALS:
        row = draw(state, active, move - DEALS, log)
    elif move >= SHOWS:
        row = show(state, active, log)
    else:
        row = let_go(state, active, log)
    state.active = (active + 1) % int(state.players)
    if state.active == leader(state):
        if state.step == DEAL:
            state.step = CHOOSE
        else:
            row = end_night(box, state, log, row)
    return row


@compiled
def draw(state: Any, seat: int, i: int, log: Any) -> int:
    """Give a player a firefly from the jar, which nobody else sees."""
    state.jar[i] -= 1
    state.hand[seat] = i + 1
    return note(log, 0, DREW, seat, i + 1, 1, BY_CHANCE, 1 << seat)


@compiled
def show(state: Any, seat: int, log: Any) -> int:
    """Show the firefly in hand to everybody."""
    state.shown[seat] = state.hand[seat]
    state.hand[seat] = 0
    return note(log, 0, SHOWN, seat, int(state.shown[seat]), 1, CHOSEN, EVERYONE)


@compiled
def let_go(state: Any, seat: int, log: Any) -> int:
    """Let the firefly in hand go, unseen by the others."""
    light = int(state.hand[seat])
    state.gone[seat, light - 1] += 1
    state.hand[seat] = 0
    return note(log, 0, WENT, seat, light, 1, CHOSEN, 1 << seat)


@compiled
def end_night(box: Any, state: Any, log: Any, row: int) -> int:
    """Score the night: the brightest firefly its brightness, several by the option; letting one go a point."""
    brightest, alike = 1, 0
    for seat in range(state.players):
        light = int(state.shown[seat])
        if light > brightest:
            brightest, alike = light, 1
        elif light == brightest:
            alike += 1
    if alike == 1 or state.equal == FOR_EVERYBODY:
        for seat in range(state.players):
            if state.shown[seat] == brightest:
                state.light[seat] += brightest
                row = note(log, row, SHINES, seat, -1, brightest, BRIGHTEST, EVERYONE)
    elif alike > 1:
        row = note(log, row, DAZZLED, -1, -1, brightest, BRIGHTEST, EVERYONE)
    for seat in range(state.players):
        if state.shown[seat] == 0:
            state.rest[seat] += 1
            row = note(log, row, RESTS, seat, -1, 1, CHOSEN, EVERYONE)
        else:
            state.spent[state.shown[seat] - 1] += 1
            state.shown[seat] = 0
    state.night += 1
    state.active = leader(state)
    state.step = ENDED if state.night == box.nights else DEAL
    return note(log, row, END, -1, -1, 0, CHOSEN, EVERYONE) if state.step == ENDED else row


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Return what a viewer sees of a move: everything but what another player draws."""
    return DEALS if DEALS <= move < FIRSTS and viewer != state.active else move


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """Put what the others hold and let go back into the jar, and draw it again."""
    for seat in range(state.players):
        if seat != viewer:
            if state.hand[seat] > 0:
                state.jar[state.hand[seat] - 1] += 1
            for i in range(LIGHTS):
                state.jar[i] += state.gone[seat, i]
    for seat in range(state.players):
        if seat != viewer:
            if state.hand[seat] > 0:
                state.hand[seat] = 1 + redraw(state, rng)
            number = 0
            for i in range(LIGHTS):
                number += int(state.gone[seat, i])
                state.gone[seat, i] = 0
            for _ in range(number):
                state.gone[seat, redraw(state, rng)] += 1


@compiled
def redraw(state: Any, rng: Any) -> int:
    """Draw a firefly from the jar, each equally likely; return its brightness less 1."""
    total = 0
    for i in range(LIGHTS):
        total += int(state.jar[i])
    left = below(rng, total)
    i = 0
    while left >= state.jar[i]:
        left -= int(state.jar[i])
        i += 1
    state.jar[i] -= 1
    return i


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write a seat's points by category: for light, and for rest."""
    out[0] = state.light[seat]
    out[1] = state.rest[seat]


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write what places are decided by: most points, then most of them for light."""
    out[0] = int(state.light[seat]) + int(state.rest[seat])
    out[1] = state.light[seat]


@compiled
def features(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write the own firefly one-hot; clockwise from this seat points, what is shown, who still chooses; nights left."""
    for i in range(FEATURES):
        out[i] = 0.0
    if state.hand[seat] > 0:
        out[state.hand[seat] - 1] = 1.0
    for k in range(state.players):
        other = (seat + k) % int(state.players)
        at = LIGHTS + 4 * k
        out[at] = state.light[other] / 20.0
        out[at + 1] = state.rest[other] / 5.0
        out[at + 2] = state.shown[other] / 5.0
        out[at + 3] = 1.0 if state.hand[other] > 0 else 0.0
    out[FEATURES - 1] = (int(box.nights) - int(state.night)) / 5.0


@compiled
def broken_invariant(box: Any, state: Any) -> int:
    """Return 0, or the number of the first invariant that is broken.

    No firefly is lost, and what everybody holds fits the turns played.
    """
    players = int(state.players)
    if not (2 <= players <= SEATS and NOBODY <= state.first < players and NOBODY <= state.active < players):
        return PLAYERS_FACT
    if not FOR_NOBODY <= state.equal <= FOR_EVERYBODY:
        return EQUAL_FACT
    for i in range(LIGHTS):
        total = int(state.jar[i]) + int(state.spent[i])
        for seat in range(players):
            total += int(state.gone[seat, i])
            total += 1 if state.hand[seat] == i + 1 else 0
            total += 1 if state.shown[seat] == i + 1 else 0
            if state.gone[seat, i] < 0:
                return LIGHTS_FACT
        if state.jar[i] < 0 or state.spent[i] < 0 or total != box.copies[i]:
            return LIGHTS_FACT
    return 0 if are_turns_right(box, state) else TURNS_FACT


@compiled
def are_turns_right(box: Any, state: Any) -> bool:
    """Return whether deals and choices went round clockwise from the seat that began the night."""
    step = int(state.step)
    if not CHOOSE_FIRST <= step <= ENDED or (state.first == NOBODY) != (step == CHOOSE_FIRST):
        return False
    if (state.active == NOBODY) != (step == CHOOSE_FIRST) or (state.night == box.nights) != (step == ENDED):
        return False
    if not 0 <= state.night <= box.nights or (step == CHOOSE_FIRST and state.night > 0):
        return False
    players = int(state.players)
    now = (int(state.active) - leader(state)) % players if step in (DEAL, CHOOSE) else 0
    chosen = 0
    for i in range(LIGHTS):
        chosen += int(state.spent[i])
    for seat in range(players):
        turn = (seat - leader(state)) % players
        has_chosen = step == CHOOSE and turn < now
        has_firefly = (step == DEAL and turn < now) or (step == CHOOSE and turn >= now)
        went = 0
        for i in range(LIGHTS):
            went += int(state.gone[seat, i])
        resting = 1 if has_chosen and state.shown[seat] == 0 else 0
        if (state.hand[seat] > 0) != has_firefly or (state.shown[seat] > 0 and not has_chosen):
            return False
        if state.rest[seat] != went - resting or not 0 <= state.rest[seat] <= state.night:
            return False
        if not 0 <= state.light[seat] <= LIGHTS * (int(state.night) - int(state.rest[seat])):
            return False
        chosen += int(state.rest[seat])
    return chosen == players * int(state.night)
