"""The rules of Lumens, in the order of a turn."""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.engine.event_log import note
from lampion.engine.rng import below
from lampion.games.core import CHANCE, EVERYONE, OVER
from lampion.games.lumens.cell_sets import (
    NO_CELLS,
    both,
    east_of,
    either,
    north_of,
    south_of,
    stored_cells,
    west_of,
    without,
)
from lampion.games.lumens.events import (
    ALONE,
    BY_CHANCE,
    BY_COVERING,
    BY_LINE,
    BY_PLACING,
    CHOSEN,
    COVERED,
    DIRECT,
    DREW,
    END,
    FINISHED,
    FIRST,
    FIRST_PLACE,
    FORCED,
    LEADS,
    PLACED,
    SCORED,
    SECOND_PLACE,
    SET_UP,
    STUCK,
    SUM,
    TIED,
)
from lampion.games.lumens.scoring import leaders, place_in, place_points
from lampion.games.lumens.state import (
    BANDS,
    CHOOSE_FIRST,
    DEAL_HAND,
    DEAL_START,
    DRAW,
    DRAWS,
    ENDED,
    FACE,
    FACES,
    FIRSTS,
    KINDS,
    NO_TOKEN,
    NOBODY,
    PASSAGE,
    PLACE,
    PLACES,
    ROOMS,
    SEATS,
    SOURCE_BAGS,
    SOURCE_FIRST,
    START_FACES,
    TOKENS,
    has_target,
)


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Fill the bags; leave the first tokens, and the first player if not chosen, to chance."""
    state.players = players
    for seat in range(SEATS):
        state.hands[seat] = NO_TOKEN
    for seat in range(players):
        for kind in range(KINDS):
            state.bags[seat, kind] = box.counts[kind]
        state.bagged[seat] = TOKENS
    state.first = options.first
    state.step = DEAL_START
    return 0


@compiled
def pending(box: Any, state: Any) -> int:
    """Return the bit of the active player, who alone decides; 0 at chance and at the end."""
    if state.step == PLACE or state.step == FACE:
        return 1 << int(state.active)
    return 0


@compiled
def actor(box: Any, state: Any) -> int:
    """Return the active player, CHANCE or OVER."""
    if state.step == PLACE or state.step == FACE:
        return int(state.active)
    return OVER if state.step == ENDED else CHANCE


@compiled
def source(box: Any, state: Any) -> int:
    """Return the source of chance: the draw of the first player, or the bag of the active player."""
    return SOURCE_FIRST if state.step == CHOOSE_FIRST else SOURCE_BAGS + int(state.active)


@compiled
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """List every seat as the first player, or the kinds of tokens in the bag, each token equally likely."""
    if state.step == CHOOSE_FIRST:
        for seat in range(state.players):
            ids[seat] = FIRSTS + seat
            weights[seat] = 1
        return int(state.players)
    n = 0
    if state.step == DRAW or state.step == DEAL_START or state.step == DEAL_HAND:
        for kind in range(KINDS):
            if state.bags[state.active, kind] > 0:
                ids[n] = DRAWS + kind
                weights[n] = state.bags[state.active, kind]
                n += 1
    return n


@compiled
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """List both faces of the token in hand, on the start marker in the set-up and on every target later."""
    if seat != state.active:
        return 0
    kind = int(state.hands[seat])
    if state.step == FACE:
        for face in range(2):
            ids[face] = START_FACES + int(box.faces[kind, face]) - 1
        return 2
    if state.step != PLACE:
        return 0
    n = 0
    low = int(box.faces[kind, 0]) - 1
    high = int(box.faces[kind, 1]) - 1
    for band in range(BANDS):
        left = int(state.targets[band])
        while left != 0:
            cell = band * 64 + lowest_bit(left)
            ids[n] = PLACES + cell * FACES + low
            ids[n + 1] = PLACES + cell * FACES + high
            left &= left - 1
            n += 2
    return n


@compiled
def pick(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return a move at random, counted instead of listed."""
    step = int(state.step)
    active = int(state.active)
    if step == CHOOSE_FIRST:
        return FIRSTS + below(rng, int(state.players))
    if step == FACE:
        return START_FACES + int(box.faces[state.hands[active], below(rng, 2)]) - 1
    if step != PLACE:
        return DRAWS + random_token(state, active, rng)
    cells = 0
    for band in range(BANDS):
        cells += popcount(int(state.targets[band]))
    k = below(rng, 2 * cells)
    face = int(box.faces[state.hands[active], k & 1]) - 1
    k >>= 1
    band = 0
    left = int(state.targets[0])
    n = popcount(left)
    while k >= n:
        k -= n
        band += 1
        left = int(state.targets[band])
        n = popcount(left)
    for _ in range(k):
        left &= left - 1
    return PLACES + (band * 64 + lowest_bit(left)) * FACES + face


@compiled
def random_token(state: Any, seat: int, rng: Any) -> int:
    """Return the kind of a token of a bag, all tokens in it equally likely."""
    left = below(rng, int(state.bagged[seat]))
    kind = 0
    while left >= state.bags[seat, kind]:
        left -= int(state.bags[seat, kind])
        kind += 1
    return kind


@compiled
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make a legal move and go on to the next decision or draw."""
    active = int(state.active)
    if move < START_FACES:
        why = way_to(box, state, active, move // FACES)
        row = put(box, state, active, move // FACES, move % FACES + 1, why, log)
        if state.bagged[active] > 0:
            state.step = DRAW
            return row
        row = note(log, row, FINISHED, active, -1, 0, CHOSEN, EVERYONE)
        return next_turn(box, state, active + 1, log, row)
    if move >= FIRSTS:
        return begin(box, state, move - FIRSTS, BY_CHANCE, log, 0)
    if move >= DRAWS:
        return draw(box, state, active, move - DRAWS, log)
    row = put(box, state, active, int(box.starts[state.players, active]), move - START_FACES + 1, SET_UP, log)
    deal_on(state, active)
    return row


@compiled
def deal_on(state: Any, seat: int) -> None:
    """Go on with the set-up, three rounds in seat order: draw a token, choose its face, draw a token to hold."""
    if seat + 1 < state.players:
        state.active = seat + 1
    else:
        state.active = 0
        state.step += 1


@compiled
def draw(box: Any, state: Any, seat: int, kind: int, log: Any) -> int:
    """Move a token from the bag into the hand, which only its owner sees; then the next player has a turn."""
    state.bags[seat, kind] -= 1
    state.bagged[seat] -= 1
    state.hands[seat] = kind
    row = note(log, 0, DREW, seat, kind, 1, BY_CHANCE, 1 << seat)
    if state.step == DRAW:
        return next_turn(box, state, seat + 1, log, row)
    deal_on(state, seat)
    if state.step == CHOOSE_FIRST:
        state.active = NOBODY
        if state.first != NOBODY:
            return begin(box, state, int(state.first), CHOSEN, log, row)
    return row


@compiled
def begin(box: Any, state: Any, seat: int, why: int, log: Any, row: int) -> int:
    """Give the first turn to the first player."""
    state.first = seat
    row = note(log, row, FIRST, seat, -1, 0, why, EVERYONE)
    return next_turn(box, state, seat, log, row)


@compiled
def next_turn(box: Any, state: Any, seat: int, log: Any, row: int) -> int:
    """Give the turn to the first player from `seat` clockwise who can place a token; end the game if nobody can.

    A player with a token and no target for it is out.
    """
    players = int(state.players)
    for _ in range(players):
        if seat >= players:
            seat -= players
        if state.hands[seat] != NO_TOKEN and state.out[seat] == 0:
            find_targets(box, state, seat)
            if has_target(state):
                state.active = seat
                state.step = PLACE
                return row
            state.out[seat] = 1
            row = note(log, row, STUCK, seat, -1, 0, FORCED, EVERYONE)
        seat += 1
    state.active = NOBODY
    state.step = ENDED
    return count_rooms(box, state, log, row)


@compiled
def find_targets(box: Any, state: Any, seat: int) -> None:
    """Set the targets: the ends of a seat's lines, and its own start marker while that holds one token."""
    follow_lines(box, state, seat, state.targets)
    start = int(box.starts[state.players, seat])
    if not int(state.closed[start >> 6]) >> (start & 63) & 1:
        state.targets[start >> 6] |= 1 << (start & 63)


@inlined
def follow_lines(box: Any, state: Any, seat: int, ends: Any) -> None:
    """Write into `ends` the cells at the ends of a seat's lines.

    A line runs straight from a visible token, as many cells as the token shows; the cells between must be empty, the
    last not closed. All lines grow at once, a cell in each step: the sixes start, after each step the next lower number
    joins, and a line that meets a token stops. After the ones have joined, one more step reaches every end.
    """
    players = int(state.players)
    own, taken = stored_cells(state.owned[seat]), NO_CELLS
    for other in range(SEATS):
        taken = either(taken, stored_cells(state.owned[other]))
    free = without(stored_cells(box.inside[players]), taken)
    east, west, south, north = NO_CELLS, NO_CELLS, NO_CELLS, NO_CELLS
    for face in range(FACES - 1, -1, -1):
        join = both(stored_cells(state.shows[face]), own)
        east = either(both(east_of(east), free), join)
        west = either(both(west_of(west), free), join)
        south = either(both(south_of(south), free), join)
        north = either(both(north_of(north), free), join)
    reached = either(either(east_of(east), west_of(west)), either(south_of(south), north_of(north)))
    allowed = without(stored_cells(box.allowed[players, seat]), stored_cells(state.closed))
    ends[0], ends[1], ends[2], ends[3] = both(reached, allowed)


@compiled
def list_lines(box: Any, state: Any, alone: Any, lines: Any) -> int:
    """List the active player's lines as (cell of the token, cell at the end), by these cells; return their number.

    `alone` is a copy of the state, to be overwritten: in it each token in turn is the only one that shows its number.
    """
    n = 0
    if state.step != PLACE:
        return n
    seat = int(state.active)
    for face in range(FACES):
        for band in range(BANDS):
            alone.shows[face, band] = 0
    for band in range(BANDS):
        left = int(state.owned[seat, band])
        while left != 0:
            cell = band * 64 + lowest_bit(left)
            face = (int(state.top[cell]) - 1) % FACES
            alone.shows[face, band] = 1 << (cell & 63)
            follow_lines(box, alone, seat, alone.targets)
            alone.shows[face, band] = 0
            for i in range(BANDS):
                ends = int(alone.targets[i])
                while ends != 0:
                    lines[n, 0] = cell
                    lines[n, 1] = i * 64 + lowest_bit(ends)
                    ends &= ends - 1
                    n += 1
            left &= left - 1
    return n


@compiled
def way_to(box: Any, state: Any, seat: int, cell: int) -> int:
    """Return why a token may go to its cell: BY_LINE or, on the own start marker, DIRECT (by choice) or FORCED."""
    if cell != box.starts[state.players, seat]:
        return BY_LINE
    follow_lines(box, state, seat, state.targets)
    if int(state.targets[cell >> 6]) >> (cell & 63) & 1:
        return BY_LINE
    return DIRECT if has_target(state) else FORCED


@compiled
def put(box: Any, state: Any, seat: int, cell: int, face: int, why: int, log: Any) -> int:
    """Place the token in hand on a cell, covering any player's token there; two tokens close the cell."""
    band = cell >> 6
    bit = 1 << (cell & 63)
    room = int(box.rooms[state.players, cell])
    before = leaders(state, room)
    row = note(log, 0, PLACED, seat, cell, face, why, EVERYONE)
    below_it = int(state.top[cell])
    if below_it != 0:
        owner = (below_it - 1) // FACES
        covered = (below_it - 1) % FACES
        state.under[cell] = below_it
        state.closed[band] |= bit
        state.owned[owner, band] &= ~bit
        state.shows[covered, band] &= ~bit
        row = note(log, row, COVERED, owner, cell, covered + 1, why, EVERYONE)
        if room != PASSAGE:
            state.sums[room, owner] -= covered + 1
            if owner != seat:
                row = note(log, row, SUM, owner, room, int(state.sums[room, owner]), BY_COVERING, EVERYONE)
    state.top[cell] = seat * FACES + face
    state.owned[seat, band] |= bit
    state.shows[face - 1, band] |= bit
    if room != PASSAGE:
        state.sums[room, seat] += face
        row = note(log, row, SUM, seat, room, int(state.sums[room, seat]), BY_PLACING, EVERYONE)
    state.hands[seat] = NO_TOKEN
    for i in range(BANDS):
        state.targets[i] = 0
    after = leaders(state, room)
    if after != before:
        alone = after & (after - 1) == 0
        for leader in range(SEATS):
            if after >> leader & 1:
                total = int(state.sums[room, leader])
                row = note(log, row, LEADS, leader, room, total, ALONE if alone else TIED, EVERYONE)
    return row


@compiled
def count_rooms(box: Any, state: Any, log: Any, row: int) -> int:
    """Log the final score, room by room."""
    for room in range(ROOMS):
        for place in range(2):
            for seat in range(state.players):
                if place_in(box, state, room, seat) == place:
                    points = place_points(box, place)
                    why = SECOND_PLACE if place else FIRST_PLACE
                    row = note(log, row, SCORED, seat, room, points, why, EVERYONE)
    return note(log, row, END, -1, -1, 0, CHOSEN, EVERYONE)
