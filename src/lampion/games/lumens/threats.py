"""Who can place where in Lumens next turn and the turn after, noted room by room for the inputs of nets.

All is public: where a seat can place follows from its visible tokens, whatever it holds. Seats go from the viewer
clockwise. The notes are whole numbers, small ones packed together.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.games.lumens.cell_sets import NO_CELLS, both, east_of, either, north_of, south_of, stored_cells, west_of
from lampion.games.lumens.estimate import unplaced
from lampion.games.lumens.state import BANDS, FACES, KINDS, NO_TOKEN, NOBODY, PLACE, ROOMS, SEATS

# Places of the notes
TARGETS = 0  # by seat: the cells where it can place, a set
WAYS = TARGETS + SEATS * BANDS  # by room and seat: the targets there, packed
TOKENS_IN = WAYS + ROOMS * SEATS  # by room and seat: the visible tokens there, packed
FREE = TOKENS_IN + ROOMS * SEATS  # the cells without a token, a set
KINDS_LEFT = FREE + BANDS  # by seat: how many tokens of each kind it has, packed
NEXT = KINDS_LEFT + SEATS  # the seat that places next, or NOBODY

# Used while lines are followed, before the tokens are counted
JOINS = TOKENS_IN  # by face: the cells where lines of that length begin, sets
ALLOWED = JOINS + FACES * BANDS  # the cells where a line may end, a set
ENDS = ALLOWED + BANDS  # the cells where a line ends, a set
SURE = ENDS + BANDS  # those where one token cannot cut all lines, a set

# Parts of a note of WAYS: numbers of targets, then the largest token of each seat that can be covered
COUNT_BITS = 8
COUNT = (1 << COUNT_BITS) - 1
EMPTY_ONES, OTHERS_ONES, OWN_ONES, SURE_ONES, LATER_ONES = 0, COUNT_BITS, 2 * COUNT_BITS, 3 * COUNT_BITS, 4 * COUNT_BITS
LARGEST = 5 * COUNT_BITS
FACE_BITS = 3
A_FACE = (1 << FACE_BITS) - 1

# Parts of a note of TOKENS_IN: sums, then largest faces
SUM_BITS = 12
A_SUM = (1 << SUM_BITS) - 1
FIRM, ATTACKED = 0, SUM_BITS
LARGEST_ATTACKED = 2 * SUM_BITS
LARGEST_NEXT = LARGEST_ATTACKED + FACE_BITS

KIND_BITS = 8
A_KIND = (1 << KIND_BITS) - 1


@inlined
def seat_after(players: int, seat: int, k: int) -> int:
    """Return the k-th seat clockwise from one."""
    return seat + k if seat + k < players else seat + k - players


@inlined
def steps_between(players: int, seat: int, other: int) -> int:
    """Return how many seats clockwise from one the other sits."""
    return other - seat if other >= seat else other - seat + players


@inlined
def sum_in(state: Any, room: int, who: int) -> int:
    """Return the sum of a seat in a room as a signed number."""
    return 0 + int(state.sums[room, who])


@compiled
def note_threats(box: Any, state: Any, seat: int, notes: Any) -> None:
    """Note everybody's targets now and a turn later, and which tokens are firm or can be covered."""
    players = int(state.players)
    for i in range(WAYS, TOKENS_IN):
        notes[i] = 0
    for band in range(BANDS):
        free = int(box.inside[players, band])
        for other in range(players):
            free &= ~int(state.owned[other, band])
        notes[FREE + band] = free
    for k in range(players):
        who = seat_after(players, seat, k)
        kinds = 0
        for kind in range(KINDS):
            held = 1 if state.hands[who] == kind else 0
            kinds |= (int(state.bags[who, kind]) + held) << KIND_BITS * kind
        if k == 0 and state.hands[seat] != NO_TOKEN:
            kinds = 1 << KIND_BITS * int(state.hands[seat])
        notes[KINDS_LEFT + k] = kinds
        note_targets(box, state, seat, who, k, notes)
    notes[NEXT] = next_to_place(state)
    for i in range(TOKENS_IN, FREE):
        notes[i] = 0
    note_tokens(box, state, seat, notes)


@inlined
def next_to_place(state: Any) -> int:
    """Return the seat that places the next token as far as everybody knows; NOBODY where that is drawn later."""
    players = int(state.players)
    if state.step < PLACE:
        return int(state.first)
    at = int(state.active)
    if state.step == PLACE:
        return at
    for _ in range(players):
        at = at + 1 if at + 1 < players else 0
        if state.out[at] == 0 and unplaced(state, at) > 0:
            return at
    return NOBODY


@compiled
def note_targets(box: Any, state: Any, seat: int, who: int, k: int, notes: Any) -> None:
    """Note the targets of the k-th seat by room, and how many there will be after one more token."""
    players = int(state.players)
    for band in range(BANDS):
        notes[TARGETS + k * BANDS + band] = 0
    if unplaced(state, who) == 0 or state.out[who] != 0:
        return
    for band in range(BANDS):
        own = int(state.owned[who, band])
        for face in range(FACES):
            notes[JOINS + face * BANDS + band] = int(state.shows[face, band]) & own
        notes[ALLOWED + band] = int(box.allowed[players, who, band]) & ~int(state.closed[band])
    follow(notes)
    start = int(box.starts[players, who])
    for band in range(BANDS):
        targets = int(notes[ENDS + band])
        if start >> 6 == band:
            targets |= 1 << (start & 63) & int(notes[ALLOWED + band])
        notes[TARGETS + k * BANDS + band] = targets
        left = targets & int(box.roomed[players, band])
        while left != 0:
            cell = band * 64 + lowest_bit(left)
            place = WAYS + int(box.rooms[players, cell]) * SEATS + k
            notes[place] = with_target(state, seat, who, cell, int(notes[place]))
            if int(notes[SURE + band]) & left & -left:
                notes[place] += 1 << SURE_ONES
            left &= left - 1
        for face in range(FACES):
            kind = int(box.kinds[face + 1])
            notes[JOINS + face * BANDS + band] = (
                targets if int(notes[KINDS_LEFT + k]) >> KIND_BITS * kind & A_KIND else 0
            )
    follow(notes)
    for room in range(ROOMS):
        later = 0
        for band in range(BANDS):
            ends = int(notes[ENDS + band]) & ~int(state.owned[who, band])
            later += popcount(ends & int(box.halls[players, room, band]))
        notes[WAYS + room * SEATS + k] += min(COUNT, later) << LATER_ONES


@inlined
def with_target(state: Any, seat: int, who: int, cell: int, noted: int) -> int:
    """Return a note of ways with one more target."""
    token = int(state.top[cell]) - 1
    if token < 0:
        return noted + (1 << EMPTY_ONES)
    owner = token // FACES
    if owner == who:
        return noted + (1 << OWN_ONES)
    shift = LARGEST + FACE_BITS * steps_between(int(state.players), seat, owner)
    face = max(token % FACES + 1, noted >> shift & A_FACE)
    return (noted & ~(A_FACE << shift) | face << shift) + (1 << OTHERS_ONES)


@compiled
def note_tokens(box: Any, state: Any, seat: int, notes: Any) -> None:
    """Note by room and seat the tokens that nobody else can cover, and those that somebody can cover next turn."""
    players = int(state.players)
    following = int(notes[NEXT])
    if following != NOBODY:
        following = steps_between(players, seat, following)
    for band in range(BANDS):
        left = int(box.roomed[players, band]) & ~int(notes[FREE + band])
        while left != 0:
            bit = left & -left
            cell = band * 64 + lowest_bit(left)
            left -= bit
            token = int(state.top[cell]) - 1
            face, owner = token % FACES + 1, token // FACES
            k = steps_between(players, seat, owner)
            place = TOKENS_IN + int(box.rooms[players, cell]) * SEATS + k
            noted = int(notes[place])
            if int(state.closed[band]) & bit or cell == box.starts[players, owner]:
                notes[place] = noted + (face << FIRM)
                continue
            attacked = False
            for other in range(players):
                if other != k and int(notes[TARGETS + other * BANDS + band]) & bit:
                    attacked = True
                    if other == following:
                        noted = with_largest(noted, LARGEST_NEXT, face)
            if attacked:
                noted = with_largest(noted, LARGEST_ATTACKED, face) + (face << ATTACKED)
            notes[place] = noted


@inlined
def with_largest(noted: int, shift: int, face: int) -> int:
    """Return a note in which a largest face is at least this one."""
    return noted & ~(A_FACE << shift) | max(face, noted >> shift & A_FACE) << shift


@inlined
def follow(notes: Any) -> None:
    """Write where the lines of JOINS end, and which of these ends one token between cannot take away.

    Those are reached from two sides, or from the next cell. For how lines grow see `rules.follow_lines`.
    """
    free, allowed = stored_cells(notes[FREE:]), stored_cells(notes[ALLOWED:])
    east, west, south, north, join = NO_CELLS, NO_CELLS, NO_CELLS, NO_CELLS, NO_CELLS
    for face in range(FACES - 1, -1, -1):
        join = stored_cells(notes[JOINS + face * BANDS :])
        east = either(both(east_of(east), free), join)
        west = either(both(west_of(west), free), join)
        south = either(both(south_of(south), free), join)
        north = either(both(north_of(north), free), join)
    east, west, south, north = east_of(east), west_of(west), south_of(south), north_of(north)
    row, column = either(east, west), either(south, north)
    twice = either(both(row, column), either(both(east, west), both(south, north)))
    beside = either(either(east_of(join), west_of(join)), either(south_of(join), north_of(join)))
    notes[ENDS], notes[ENDS + 1], notes[ENDS + 2], notes[ENDS + 3] = both(either(row, column), allowed)
    notes[SURE], notes[SURE + 1], notes[SURE + 2], notes[SURE + 3] = both(either(twice, beside), allowed)
