"""Lumens as numbers for its nets: what one seat knows, richer than the features and one step after a move.

First the rooms, as items: who is how far ahead and what the next token of each seat can change there. Then the
seats clockwise, the course of the game and the cells of the board, turned so that the own start is in its north-west.
The tokens in the hands of the others are known only as tokens not yet placed.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.games.lumens.estimate import SUM_BITS as CLAIM_BITS
from lampion.games.lumens.estimate import WAY_BITS, claim, is_on_board, points_in, unplaced
from lampion.games.lumens.estimate import WAYS as MOST_WAYS
from lampion.games.lumens.scoring import place_in, points
from lampion.games.lumens.state import BANDS, ENDED, FACES, KINDS, NO_TOKEN, NOBODY, ROOMS, SEATS, SIZE, TOKENS, WIDTH
from lampion.games.lumens.threats import (
    A_FACE,
    A_KIND,
    A_SUM,
    ATTACKED,
    COUNT,
    EMPTY_ONES,
    FACE_BITS,
    FIRM,
    FREE,
    KIND_BITS,
    KINDS_LEFT,
    LARGEST,
    LARGEST_ATTACKED,
    LARGEST_NEXT,
    LATER_ONES,
    NEXT,
    OTHERS_ONES,
    OWN_ONES,
    SURE_ONES,
    TARGETS,
    TOKENS_IN,
    WAYS,
    note_threats,
    seat_after,
    steps_between,
    sum_in,
)

# A seat in a room
SUMS = 0  # what nobody else can cover, the rest, what somebody can cover next turn
AT_RISK = SUMS + 3  # the largest token that anybody can cover, and that the next to place can cover
WAYS_IN = AT_RISK + 2  # empty targets: one, two, how many; tokens of others: one, how many, the largest; own tokens
SURE_WAYS = WAYS_IN + 7  # targets that one token cannot cut off: one, how many
LATER_WAYS = SURE_WAYS + 2  # targets after one more token
CHANCES = LATER_WAYS + 1  # to be first alone, or tied, after the next own token if it is placed here
PLACES_NOW = CHANCES + 2  # first alone, first and tied, second
HOPE = PLACES_NOW + 3  # expected points
MARKER = HOPE + 1  # the start marker is here
PRESENCE = MARKER + 1

# A room: the seats, then what they share
PRESENT = SEATS * PRESENCE  # the room is on the board; it is the central one; it is empty
CELLS_IN = PRESENT + 3  # all, free, with one token, closed
MIDDLE = CELLS_IN + 4  # where the room is, from the own start
MARGIN = MIDDLE + 2  # to the best and the second best other
STEPS_AHEAD = (1, 3, 6, 10)
AHEAD = MARGIN + 2  # thermometers of being ahead and behind; level
CONTEST = AHEAD + 2 * len(STEPS_AHEAD) + 1  # to gain the lead, to lose it to anybody, to the next to place
QUIET = CONTEST + 3  # no other has a target, no other will have one after one more token
ROOM = QUIET + 2
ITEMS = (ROOMS, ROOM)

# A seat
EXPECTED = 0  # points expected, ahead of the best other, beyond those of this seat; the same of points now
LEFT = EXPECTED + 6  # tokens to place, a thermometer of the last ones
FEW = (0, 1, 2, 3, 5, 8)
KINDS_OF = LEFT + 1 + len(FEW)
MOBILITY = KINDS_OF + KINDS  # targets, targets in rooms, none, own start open, out
TURN = MOBILITY + 5  # active, next to place
FACES_SHOWN = TURN + 2
LEADS = FACES_SHOWN + FACES  # rooms where first alone, first and tied; leads to gain, the surest of them; to lose
CENTRAL = LEADS + 5  # sum in the central room, beyond that of this seat
SEAT = CENTRAL + 2

SEATS_AT = ROOMS * ROOM
HAND = SEATS_AT + SEATS * SEAT  # the own token in hand, by kind; none
BAG = HAND + KINDS + 1  # the own bag, by kind
NUMBER = BAG + KINDS  # of players, one-hot
STEP = NUMBER + SEATS - 1
FIRST = STEP + ENDED  # the first player
TIME = FIRST + SEATS  # one-hot: tokens to place, the mean of the seats
MOST_TIME = 12
BOARD = TIME + MOST_TIME + 1
CELL_PARTS = 5  # own face, face of another, closed, own target, target of another
INPUTS = BOARD + SIZE * SIZE * CELL_PARTS

POINTS_SCALE, LEAD_SCALE, SUM_SCALE = 30.0, 15.0, 10.0


@compiled
def net_inputs(box: Any, state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write what a seat knows: the rooms as items, the seats, the course of the game and the board."""
    for i in range(INPUTS):
        out[i] = 0.0
    players = int(state.players)
    note_threats(box, state, seat, notes)
    left = 0
    for who in range(players):
        left += unplaced(state, who)
    for room in range(ROOMS):
        if is_on_board(box, players, room):
            write_room(box, state, seat, room, left / players, notes, out)
    for k in range(players):
        write_seat(box, state, seat, k, notes, out)
    write_standing(players, out)
    write_course(state, seat, left // players, out)
    write_board(box, state, seat, notes, out)


@inlined
def add(out: Any, at: int, number: float) -> None:
    """Add to an input in double precision, interpreted or compiled."""
    out[at] = float(out[at]) + number


@compiled
def write_room(box: Any, state: Any, seat: int, room: int, left: float, notes: Any, out: Any) -> None:
    """Write a room: each seat in it, its cells, the margin and who can gain the lead next turn."""
    players = int(state.players)
    at = room * ROOM
    own, best, second, all_ways, all_later = sum_in(state, room, seat), 0, 0, 0, 0
    for k in range(players):
        write_presence(box, state, seat, k, room, notes, out)
        if k:
            its = sum_in(state, room, seat_after(players, seat, k))
            second = max(second, min(best, its))
            best = max(best, its)
            ways = int(notes[WAYS + room * SEATS + k])
            all_ways += (ways >> EMPTY_ONES & COUNT) + (ways >> OTHERS_ONES & COUNT)
            all_later += ways >> LATER_ONES & COUNT
    write_hopes(box, state, seat, room, left, notes, out)
    out[at + PRESENT] = 1.0
    out[at + PRESENT + 1] = 1.0 if room == box.central[players] else 0.0
    out[at + PRESENT + 2] = 1.0 if own + best == 0 else 0.0
    cells, free, closed = 0, 0, 0
    for band in range(BANDS):
        hall = int(box.halls[players, room, band])
        cells += popcount(hall)
        free += popcount(hall & int(notes[FREE + band]))
        closed += popcount(hall & int(state.closed[band]))
    out[at + CELLS_IN] = cells / 10.0
    out[at + CELLS_IN + 1] = free / 10.0
    out[at + CELLS_IN + 2] = (cells - free - closed) / 10.0
    out[at + CELLS_IN + 3] = closed / 10.0
    turned = turn_of(box, players, seat)
    x, y = float(box.middles[players, room, 0]), float(box.middles[players, room, 1])
    out[at + MIDDLE] = 1.0 - x if turned & 1 else x
    out[at + MIDDLE + 1] = 1.0 - y if turned & 2 else y
    out[at + MARGIN] = max(-2.0, min(2.0, (own - best) / 8.0))
    out[at + MARGIN + 1] = max(-2.0, min(2.0, (own - second) / 8.0))
    for i in range(len(STEPS_AHEAD)):
        out[at + AHEAD + i] = 1.0 if own - best >= STEPS_AHEAD[i] else 0.0
        out[at + AHEAD + len(STEPS_AHEAD) + i] = 1.0 if best - own >= STEPS_AHEAD[i] else 0.0
    out[at + AHEAD + 2 * len(STEPS_AHEAD)] = 1.0 if own == best else 0.0
    out[at + QUIET] = 1.0 if all_ways == 0 else 0.0
    out[at + QUIET + 1] = 1.0 if all_later == 0 else 0.0
    write_contest(state, seat, room, own, best, int(notes[NEXT]), out)


@compiled
def write_presence(box: Any, state: Any, seat: int, k: int, room: int, notes: Any, out: Any) -> None:
    """Write the tokens and targets of the k-th seat in a room, its place, and its chance to be first next turn."""
    players = int(state.players)
    who = seat_after(players, seat, k)
    at = room * ROOM + k * PRESENCE
    tokens, ways = int(notes[TOKENS_IN + room * SEATS + k]), int(notes[WAYS + room * SEATS + k])
    firm, own = tokens >> FIRM & A_SUM, sum_in(state, room, who)
    if own:
        out[at + SUMS] = firm / SUM_SCALE
        out[at + SUMS + 1] = (own - firm) / SUM_SCALE
        out[at + SUMS + 2] = (tokens >> ATTACKED & A_SUM) / SUM_SCALE
        out[at + AT_RISK] = (tokens >> LARGEST_ATTACKED & A_FACE) / FACES
        out[at + AT_RISK + 1] = (tokens >> LARGEST_NEXT & A_FACE) / FACES
    if ways:
        write_ways(at, ways, out)
    leader, best, second = NOBODY, 0, 0
    for other in range(players):
        if other != k:
            its = sum_in(state, room, seat_after(players, seat, other))
            second = max(second, min(best, its))
            if its > best:
                leader, best = other, its
    if own > best:
        out[at + PLACES_NOW] = 1.0
    elif own > 0 and own == best:
        out[at + PLACES_NOW + 1] = 1.0
    elif place_in(box, state, room, who) == 1:
        out[at + PLACES_NOW + 2] = 1.0
    if own > best:
        out[at + CHANCES] = 1.0
    elif ways >> EMPTY_ONES & COUNT or ways >> OTHERS_ONES & COUNT:
        if leader != NOBODY:
            best = max(second, best - (ways >> LARGEST + FACE_BITS * leader & A_FACE))
        kinds = int(notes[KINDS_LEFT + k])
        out[at + CHANCES] = chance_above(box, kinds, best - own)
        out[at + CHANCES + 1] = chance_above(box, kinds, best - own - 1)
    start = int(box.starts[players, who])
    out[at + MARKER] = 1.0 if box.rooms[players, start] == room else 0.0


@inlined
def write_ways(at: int, ways: int, out: Any) -> None:
    """Write the targets of a seat in a room."""
    empty, others, sure = ways >> EMPTY_ONES & COUNT, ways >> OTHERS_ONES & COUNT, ways >> SURE_ONES & COUNT
    out[at + WAYS_IN] = 1.0 if empty > 0 else 0.0
    out[at + WAYS_IN + 1] = 1.0 if empty > 1 else 0.0
    out[at + WAYS_IN + 2] = empty / 4.0
    largest = 0
    for other in range(SEATS):
        largest = max(largest, ways >> LARGEST + FACE_BITS * other & A_FACE)
    out[at + WAYS_IN + 3] = 1.0 if others > 0 else 0.0
    out[at + WAYS_IN + 4] = others / 3.0
    out[at + WAYS_IN + 5] = largest / FACES
    out[at + WAYS_IN + 6] = (ways >> OWN_ONES & COUNT) / 3.0
    out[at + SURE_WAYS] = 1.0 if sure > 0 else 0.0
    out[at + SURE_WAYS + 1] = sure / 3.0
    out[at + LATER_WAYS] = (ways >> LATER_ONES & COUNT) / 6.0


@inlined
def chance_above(box: Any, kinds: int, number: int) -> float:
    """Return the chance that one token of these has a face above a number."""
    total, above = 0, 0
    for kind in range(KINDS):
        count = kinds >> KIND_BITS * kind & A_KIND
        total += count
        if box.faces[kind, 1] > number:
            above += count
    return above / max(1, total)


@compiled
def write_hopes(box: Any, state: Any, seat: int, room: int, left: float, notes: Any, out: Any) -> None:
    """Write the expected points of all seats in a room as `estimate` has them, and add them up by seat."""
    players = int(state.players)
    claimed = (
        claim_of(state, seat, 0, room, left, notes),
        claim_of(state, seat, 1, room, left, notes),
        claim_of(state, seat, 2, room, left, notes),
        claim_of(state, seat, 3, room, left, notes),
    )
    for k in range(players):
        hope = points_in(box, players, k, claimed)
        out[room * ROOM + k * PRESENCE + HOPE] = hope / 4.0
        add(out, SEATS_AT + k * SEAT + EXPECTED, hope / POINTS_SCALE)


@inlined
def claim_of(state: Any, seat: int, k: int, room: int, left: float, notes: Any) -> float:
    """Return the claim of the k-th seat in a room; 0.0 if there are fewer seats."""
    players = int(state.players)
    if k >= players:
        return 0.0
    who = seat_after(players, seat, k)
    ways = int(notes[WAYS + room * SEATS + k])
    counted = min(MOST_WAYS, (ways >> EMPTY_ONES & COUNT) + 2 * (ways >> OTHERS_ONES & COUNT))
    firm = int(notes[TOKENS_IN + room * SEATS + k]) >> FIRM & A_SUM
    return claim(state, who, room, firm << CLAIM_BITS * who, counted << WAY_BITS * room, left)


@inlined
def write_contest(state: Any, seat: int, room: int, own: int, best: int, following: int, out: Any) -> None:
    """Write the chance to gain or lose the lead in a room next turn, and count leads and such chances by seat."""
    players = int(state.players)
    at = room * ROOM
    lost = 0.0
    for k in range(players):
        chance = float(out[at + k * PRESENCE + CHANCES])
        counted = SEATS_AT + k * SEAT + LEADS
        if out[at + k * PRESENCE + PLACES_NOW] > 0.0:
            add(out, counted, 0.2)
            rival = 0.0
            for other in range(players):
                if other != k:
                    rival = max(rival, float(out[at + other * PRESENCE + CHANCES]))
            add(out, counted + 4, rival / 3.0)
        else:
            add(out, counted + 1, float(out[at + k * PRESENCE + PLACES_NOW + 1]) / 3.0)
            add(out, counted + 2, chance / 3.0)
            out[counted + 3] = max(float(out[counted + 3]), chance)
            if k == 0:
                out[at + CONTEST] = chance
        if k:
            lost = max(lost, chance)
    if own > 0 and own >= best:
        out[at + CONTEST + 1] = lost
        if following != NOBODY and following != seat:
            out[at + CONTEST + 2] = out[at + steps_between(players, seat, following) * PRESENCE + CHANCES]


@compiled
def write_seat(box: Any, state: Any, seat: int, k: int, notes: Any, out: Any) -> None:
    """Write the tokens left, the mobility and the turn of the k-th seat."""
    players = int(state.players)
    who, at = seat_after(players, seat, k), SEATS_AT + k * SEAT
    left = unplaced(state, who)
    out[at + EXPECTED + 3] = points(box, state, who) / POINTS_SCALE
    out[at + LEFT] = left / TOKENS
    for i in range(len(FEW)):
        out[at + LEFT + 1 + i] = 1.0 if left <= FEW[i] else 0.0
    for kind in range(KINDS):
        unseen = int(state.bags[who, kind]) + (1 if state.hands[who] == kind else 0)
        out[at + KINDS_OF + kind] = unseen / 8.0
    targets, roomed = 0, 0
    for band in range(BANDS):
        cells = int(notes[TARGETS + k * BANDS + band])
        targets += popcount(cells)
        roomed += popcount(cells & int(box.roomed[players, band]))
        own = int(state.owned[who, band])
        for face in range(FACES):
            add(out, at + FACES_SHOWN + face, popcount(own & int(state.shows[face, band])) / 4.0)
    start = int(box.starts[players, who])
    out[at + MOBILITY] = targets / 12.0
    out[at + MOBILITY + 1] = roomed / 8.0
    out[at + MOBILITY + 2] = 1.0 if targets == 0 else 0.0
    out[at + MOBILITY + 3] = float(1 - (int(state.closed[start >> 6]) >> (start & 63) & 1))
    out[at + MOBILITY + 4] = float(state.out[who])
    out[at + TURN] = 1.0 if who == state.active else 0.0
    out[at + TURN + 1] = 1.0 if who == notes[NEXT] else 0.0
    central = int(box.central[players])
    out[at + CENTRAL] = sum_in(state, central, who) / SUM_SCALE
    out[at + CENTRAL + 1] = (sum_in(state, central, who) - sum_in(state, central, seat)) / SUM_SCALE


@inlined
def write_standing(players: int, out: Any) -> None:
    """Write how far each seat is ahead of the best other and of the viewer, in points expected and now."""
    scale = POINTS_SCALE / LEAD_SCALE
    for part in range(EXPECTED, LEFT, 3):
        for k in range(players):
            at = SEATS_AT + k * SEAT + part
            best = 0.0
            for other in range(players):
                if other != k:
                    best = max(best, float(out[SEATS_AT + other * SEAT + part]))
            out[at + 1] = (float(out[at]) - best) * scale
            out[at + 2] = (float(out[at]) - float(out[SEATS_AT + part])) * scale


@inlined
def write_course(state: Any, seat: int, left: int, out: Any) -> None:
    """Write the own tokens, the number of players, the step, the first player and how much of the game is left."""
    players = int(state.players)
    held = int(state.hands[seat])
    out[HAND + (KINDS if held == NO_TOKEN else held)] = 1.0
    for kind in range(KINDS):
        out[BAG + kind] = int(state.bags[seat, kind]) / 8.0
    out[NUMBER + players - 2] = 1.0
    if state.step < ENDED:
        out[STEP + int(state.step)] = 1.0
    if state.first != NOBODY:
        out[FIRST + steps_between(players, seat, int(state.first))] = 1.0
    out[TIME + min(MOST_TIME, left)] = 1.0


@inlined
def turn_of(box: Any, players: int, seat: int) -> int:
    """Return how the board is turned for a seat: 1 if east and west change places, 2 if north and south do, or both."""
    start = int(box.starts[players, seat])
    turned = 1 if 2 * (start % WIDTH) >= int(box.columns[players]) else 0
    return turned + (2 if 2 * (start // WIDTH) >= int(box.rows[players]) else 0)


@compiled
def write_board(box: Any, state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write the visible tokens, closed cells and targets."""
    players = int(state.players)
    columns, rows, turned = int(box.columns[players]), int(box.rows[players]), turn_of(box, players, seat)
    for band in range(BANDS):
        own_targets, targets = int(notes[TARGETS + band]), 0
        for k in range(1, players):
            targets |= int(notes[TARGETS + k * BANDS + band])
        left = int(box.inside[players, band]) & ~int(notes[FREE + band]) | own_targets | targets
        while left != 0:
            bit = left & -left
            cell = band * 64 + lowest_bit(left)
            left -= bit
            x, y = cell % WIDTH, cell // WIDTH
            if turned & 1:
                x = columns - 1 - x
            if turned & 2:
                y = rows - 1 - y
            at = BOARD + (y * SIZE + x) * CELL_PARTS
            token = int(state.top[cell]) - 1
            if token >= 0:
                out[at + (0 if token // FACES == seat else 1)] = (token % FACES + 1) / FACES
            out[at + 2] = 1.0 if int(state.closed[band]) & bit else 0.0
            out[at + 3] = 1.0 if own_targets & bit else 0.0
            out[at + 4] = 1.0 if targets & bit else 0.0
