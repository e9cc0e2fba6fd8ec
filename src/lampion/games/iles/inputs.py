"""1001 Îles as numbers for its nets: what one seat knows, richer than the features and one step after a move.

First the other seats, clockwise, as items; then the seat itself in the same form, the table, the unseen tiles and
the course of the game. Tiles that the lookout alone has seen count, for the other player, as any unseen tile.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.games.iles.estimate import GEM_KINDS, copies
from lampion.games.iles.knowledge import secret_slots
from lampion.games.iles.seat_inputs import (
    AHEAD,
    FAR,
    GAIN_SCALE,
    ITEM,
    LEAD_SCALE,
    MEANS,
    OFFER,
    OWN,
    PART,
    PLACE,
    POINTS,
    POINTS_SCALE,
    UNSEEN_DREAMS,
    place,
    sees,
    to_come,
    write_seat,
)
from lampion.games.iles.state import (
    COPIES,
    COUNT,
    COUNTED,
    DRAW,
    DREAM,
    DREAMS,
    ELEMENTS,
    ENDED,
    HIDE,
    LAY,
    NOBODY,
    NONE,
    PILES,
    ROUNDS,
    ROUNDS_OF_A_PILE,
    RUBY,
    SEATS,
    SLOTS,
    TURN_UP,
    WIDTH,
)

ITEMS = (SEATS - 1, ITEM)

# After the own seat, the plain inputs
SUPPLY = MEANS + DREAM * ELEMENTS  # by element: the number expected to come on this seat's island
DREAMS_LEFT = SUPPLY + ELEMENTS  # by dream: at least one copy unseen, both
TABLE = DREAMS_LEFT + 2 * DREAMS
SLOT_TILE = 6  # there, not known, known to this seat alone, gains of the first to take, of this seat, of the best other
SLOT_PARTS = SLOT_TILE + ELEMENTS + DREAMS
NUMBER = TABLE + SLOTS * SLOT_PARTS  # of players, one-hot
STEP = NUMBER + SEATS - 1
OPEN = STEP + ENDED  # the open pile; none
OPENED = OPEN + PILES + 1  # by pile: a thermometer of rounds
PLAYED = OPENED + PILES * ROUNDS_OF_A_PILE  # one-hot
SEATS_NOW = PLAYED + ROUNDS + 1  # lookout, active, still to take, next lookout where it is certain
STANDING = SEATS_NOW + 4 * SEATS  # ahead of the best other: expected, now; how many others are ahead
LAST = STANDING + 3  # this seat's gain if all other waiting seats take first
INPUTS = LAST + 1

FURTHEST = 1e9

# Every second packed count in a lane of its own, wide enough for the sum over all tiles of a pile
LANE = 2 * WIDTH
A_LANE = (1 << LANE) - 1
EVEN = sum(COUNT << LANE * pair for pair in range(COUNTED // 2))

# Room in `notes` after what `seat_inputs` keeps there
IN_TURN = UNSEEN_DREAMS + 1  # by seat: the gain if all take their best in turn
BESTS = IN_TURN + SEATS  # by seat: the slot of its best tile
LEFT = BESTS + SEATS  # by seat: the gain if the first takes its best


@compiled
def net_inputs(box: Any, state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write what a seat knows: the others as items, itself, the table, the unseen tiles and the course of the game."""
    for i in range(INPUTS):
        out[i] = 0.0
    players = int(state.players)
    secret = secret_slots(state) if seat != state.lookout else 0
    notes[UNSEEN_DREAMS] = write_unseen(box, state, secret, out)
    for k in range(players):
        write_seat(box, state, seat, k, secret, notes, out)
    first = first_to_take(state)
    if state.pile != NONE:
        take_in_turn(state, seat, first, notes)
        for k in range(players):
            who = (seat + k) % players
            if int(state.waiting) >> who & 1:
                write_offer(state, seat, k, notes, out, place(k) + OFFER)
        write_table(box, state, seat, secret, first, notes, out)
        if int(state.waiting) >> seat & 1:
            out[LAST] = take_last(state, seat, first, notes) / (PART * GAIN_SCALE)
    for element in range(ELEMENTS):
        out[SUPPLY + element] = to_come(state, seat, element, out) / 3.0
    write_course(state, seat, out)
    write_standing(players, out)


@inlined
def write_unseen(box: Any, state: Any, secret: int, out: Any) -> int:
    """Write the mean of each element on unseen tiles and the dreams left; return the set of unseen dreams."""
    for pile in range(PILES):
        unseen = int(state.unseen[pile])
        if pile == state.pile:
            for slot in range(SLOTS):
                if secret >> slot & 1:
                    tile = int(state.table[slot]) - 1
                    bit = 1 << (COPIES * tile if pile == DREAM else tile)
                    unseen |= bit << 1 if unseen & bit else bit
        if pile == DREAM:
            break
        share = 1.0 / max(1, popcount(unseen))
        even, odd, gems = 0, 0, 0
        while unseen:
            tile = lowest_bit(unseen)
            unseen &= unseen - 1
            packed, found = int(box.packed[pile, tile]), int(box.gems[pile, tile])
            even += packed & EVEN
            odd += packed >> WIDTH & EVEN
            gems += found & 1 | (found & 2) << LANE - 1 | (found & 4) << 2 * LANE - 2
        at = MEANS + pile * ELEMENTS
        for pair in range(COUNTED // 2):
            out[at + 2 * pair] = (even >> LANE * pair & A_LANE) * share
            out[at + 2 * pair + 1] = (odd >> LANE * pair & A_LANE) * share
        for gem in range(GEM_KINDS):
            out[at + RUBY + gem] = (gems >> LANE * gem & A_LANE) * share
    for dream in range(DREAMS):
        left = copies(unseen, dream)
        out[DREAMS_LEFT + 2 * dream] = 1.0 if left > 0 else 0.0
        out[DREAMS_LEFT + 2 * dream + 1] = 1.0 if left > 1 else 0.0
    return unseen


@inlined
def first_to_take(state: Any) -> int:
    """Return the seat that takes next, or that would if the next seat clockwise is named; NOBODY between rounds."""
    players, waiting, at = int(state.players), int(state.waiting), int(state.active)
    if waiting == 0:
        return NOBODY
    if state.players == 2 and (state.step == DRAW or state.step == HIDE):
        return 1 - at
    while not waiting >> at & 1:
        at = (at + 1) % players
    return at


@inlined
def choose(state: Any, who: int, k: int, left: int, notes: Any) -> int:
    """Return the slot of `left` that brings most to the k-th seat as far as it sees; NONE if nothing is left."""
    chosen, best = NONE, 0
    for slot in range(SLOTS):
        if left >> slot & 1:
            gain = int(notes[k * SLOTS + slot]) if sees(state, who, slot) else 0
            if chosen == NONE or gain > best:
                chosen, best = slot, gain
    return chosen


@inlined
def on_table(state: Any) -> int:
    """Return the slots that hold a tile, as bits."""
    left = 0
    for slot in range(SLOTS):
        if state.table[slot] != 0:
            left |= 1 << slot
    return left


@compiled
def take_in_turn(state: Any, seat: int, first: int, notes: Any) -> None:
    """Note what everybody who waits gets if all take their best, clockwise from the first, and its best of all."""
    players, table = int(state.players), on_table(state)
    left = table
    after_first = table
    for i in range(players):
        who = (first + i) % players
        k = (who - seat + players) % players
        notes[IN_TURN + k] = 0
        notes[LEFT + k] = 0
        notes[BESTS + k] = NONE
        if int(state.waiting) >> who & 1 and left:
            slot = choose(state, who, k, left, notes)
            if i == 0:
                if state.step == TURN_UP or state.step == LAY:
                    slot = int(state.hidden)
                after_first = table & ~(1 << slot)
            rest = choose(state, who, k, after_first, notes) if i else slot
            notes[IN_TURN + k] = notes[k * SLOTS + slot]
            notes[BESTS + k] = choose(state, who, k, table, notes)
            if rest != NONE:
                notes[LEFT + k] = notes[k * SLOTS + rest]
            left &= ~(1 << slot)


@compiled
def take_last(state: Any, seat: int, first: int, notes: Any) -> int:
    """Return the gain of this seat if all others who wait take their best before it; 0 if nothing is left."""
    players, left = int(state.players), on_table(state)
    for i in range(players):
        who = (first + i) % players
        if who != seat and int(state.waiting) >> who & 1 and left:
            left &= ~(1 << choose(state, who, (who - seat + players) % players, left, notes))
    slot = choose(state, seat, 0, left, notes)
    return int(notes[slot]) if slot != NONE else 0


@inlined
def write_offer(state: Any, seat: int, k: int, notes: Any, out: Any, at: int) -> None:
    """Write what the table offers to the k-th seat, which is still to take."""
    players = int(state.players)
    who = (seat + k) % players
    best, second, last, total, count = FAR, FAR, -FAR, 0, 0
    for slot in range(SLOTS):
        if state.table[slot] != 0:
            gain = int(notes[k * SLOTS + slot]) if sees(state, who, slot) else 0
            second = max(second, min(best, gain))
            best = max(best, gain)
            last = min(last, gain)
            total += gain
            count += 1
    if count == 0:
        return
    scale = 1.0 / (PART * GAIN_SCALE)
    out[at] = best * scale
    if count > 1:
        out[at + 1] = (best - second) * scale
    out[at + 2] = (best - last) * scale
    out[at + 3] = total * scale / count
    out[at + 4] = float(notes[LEFT + k]) * scale
    out[at + 5] = float(notes[IN_TURN + k]) * scale
    for other in range(players):
        if (
            other != k
            and int(state.waiting) >> (seat + other) % players & 1
            and notes[BESTS + k] == notes[BESTS + other]
        ):
            out[at + 6] = 1.0


@compiled
def write_table(box: Any, state: Any, seat: int, secret: int, first: int, notes: Any, out: Any) -> None:
    """Write the tiles on the table, best for the first to take first, with what they bring and to whom."""
    players, pile, left = int(state.players), int(state.pile), on_table(state)
    scale = 1.0 / (PART * GAIN_SCALE)
    next_taker = (first - seat + players) % players
    at = TABLE
    while left:
        slot = choose(state, first, next_taker, left, notes)
        left &= ~(1 << slot)
        tile = int(state.table[slot]) - 1
        out[at] = 1.0
        out[at + 3] = float(notes[next_taker * SLOTS + slot]) * scale
        if int(state.waiting) >> seat & 1:
            out[at + 4] = float(notes[slot]) * scale
        most = FAR
        for k in range(1, players):
            if int(state.waiting) >> (seat + k) % players & 1:
                most = max(most, int(notes[k * SLOTS + slot]))
        out[at + 5] = most * scale if most > FAR else 0.0
        if secret >> slot & 1:
            out[at + 1] = 1.0
        else:
            out[at + 2] = 1.0 if slot == state.hidden and state.step != LAY else 0.0
            if pile == DREAM:
                out[at + SLOT_TILE + ELEMENTS + tile] = 1.0
            else:
                for element in range(ELEMENTS):
                    out[at + SLOT_TILE + element] = float(box.elements[pile, tile, element])
        at += SLOT_PARTS


@inlined
def write_course(state: Any, seat: int, out: Any) -> None:
    """Write the number of players, the step, the rounds, and who is lookout, active, still to take and lookout next."""
    players, waiting = int(state.players), int(state.waiting)
    out[NUMBER + players - 2] = 1.0
    if state.step < ENDED:
        out[STEP + int(state.step)] = 1.0
    out[OPEN + (PILES if state.pile == NONE else int(state.pile))] = 1.0
    rounds = 0
    for pile in range(PILES):
        opened = int(state.rounds[pile])
        rounds += opened
        for i in range(opened):
            out[OPENED + pile * ROUNDS_OF_A_PILE + i] = 1.0
    out[PLAYED + rounds] = 1.0
    if state.lookout == NOBODY:
        return
    following = NOBODY
    if waiting and players == 2:
        following = 1 - int(state.lookout)
    elif waiting and waiting & waiting - 1 == 0:
        following = lowest_bit(waiting)
    for k in range(players):
        who = (seat + k) % players
        out[SEATS_NOW + k] = 1.0 if who == state.lookout else 0.0
        out[SEATS_NOW + SEATS + k] = 1.0 if who == state.active else 0.0
        out[SEATS_NOW + 2 * SEATS + k] = float(waiting >> who & 1)
        out[SEATS_NOW + 3 * SEATS + k] = 1.0 if who == following else 0.0


@inlined
def write_standing(players: int, out: Any) -> None:
    """Write where each other seat sits and how far it is ahead, and how far this one is ahead of the best other."""
    now, expected = float(out[OWN + POINTS]), float(out[OWN + POINTS + 1])
    scale = POINTS_SCALE / LEAD_SCALE
    most_now, most_expected, ahead = -FURTHEST, -FURTHEST, 0
    for k in range(1, players):
        at = place(k)
        its_now, its_expected = float(out[at + POINTS]), float(out[at + POINTS + 1])
        out[at + PLACE + k - 1] = 1.0
        out[at + AHEAD] = (its_expected - expected) * scale
        out[at + AHEAD + 1] = max(0.0, its_expected - expected) * scale
        out[at + AHEAD + 2] = (its_now - now) * scale
        most_now = max(most_now, its_now)
        most_expected = max(most_expected, its_expected)
        ahead += its_expected > expected
    out[STANDING] = (expected - most_expected) * scale
    out[STANDING + 1] = (now - most_now) * scale
    out[STANDING + 2] = ahead / (SEATS - 1)
