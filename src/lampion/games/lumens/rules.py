"""The rules of Lumens, in the order of a turn.

A cell is `row * WIDTH + column`, rows running south. A set of cells is four whole numbers, one for each band of four
rows; the last of the sixteen columns is never part of a board, so no set reaches the sign bit, and a step off the east
or west side leaves the board instead of changing rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.engine.event_log import note
from lampion.engine.rng import below
from lampion.games.core import CHANCE, EVERYONE, OVER

SEATS = 4
KINDS = 3
FACES = 6
TOKENS = 24
ROOMS = 11
SIZE = 15  # most columns, most rows
WIDTH = 16
CELLS = WIDTH * SIZE
BANDS = 4
NOBODY = -1
NO_TOKEN = -1
PASSAGE = -1

# Steps
DEAL_START, FACE, DEAL_HAND, CHOOSE_FIRST, PLACE, DRAW, ENDED = range(7)

# Move ids, one range after another; faces are named by their number less one
PLACES = 0
START_FACES = PLACES + CELLS * FACES
DRAWS = START_FACES + FACES
FIRSTS = DRAWS + KINDS
IDS = FIRSTS + SEATS
MOST = 2 * (4 * TOKENS + 1)
ROWS = 64
LONGEST = 2 * TOKENS * SEATS + 1

# Events, and why they happen
FIRST, DREW, PLACED, COVERED, SUM, LEADS, FINISHED, STUCK, SCORED, END = range(10)
BY_CHANCE, CHOSEN, SET_UP, BY_LINE, DIRECT, FORCED = range(6)
BY_PLACING, BY_COVERING, ALONE, TIED, FIRST_PLACE, SECOND_PLACE = range(6, 12)

SOURCE_FIRST, SOURCE_BAGS = 0, 1
SOURCES = SOURCE_BAGS + SEATS

BOX = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("inside", "i8", (SEATS + 1, BANDS)),
                ("allowed", "i8", (SEATS + 1, SEATS, BANDS)),
                ("roomed", "i8", (SEATS + 1, BANDS)),
                ("halls", "i8", (SEATS + 1, ROOMS, BANDS)),
                ("starts", "i2", (SEATS + 1, SEATS)),
                ("rooms", "i1", (SEATS + 1, CELLS)),
                ("central", "i1", (SEATS + 1,)),
                ("columns", "i1", (SEATS + 1,)),
                ("rows", "i1", (SEATS + 1,)),
                ("faces", "i1", (KINDS, 2)),
                ("kinds", "i1", (FACES + 1,)),
                ("counts", "i1", (KINDS,)),
                ("first", "i1"),
                ("second", "i1"),
                ("second_from", "i1"),
            ],
            align=True,
        ),
    )
)
"""The board's tables go by number of players: `inside` are its cells, `allowed` those without the other seats' start
markers, `roomed` those of all rooms, `halls` of each; `rooms` holds PASSAGE or the number of a cell's room. `faces` of
a kind ascend; `kinds` goes by face."""

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("shows", "i8", (FACES, BANDS)),
                ("owned", "i8", (SEATS, BANDS)),
                ("closed", "i8", (BANDS,)),
                ("targets", "i8", (BANDS,)),
                ("top", "u1", (CELLS,)),
                ("under", "u1", (CELLS,)),
                ("sums", "u1", (ROOMS, SEATS)),
                ("bags", "i1", (SEATS, KINDS)),
                ("bagged", "i1", (SEATS,)),
                ("hands", "i1", (SEATS,)),
                ("out", "i1", (SEATS,)),
                ("players", "i1"),
                ("step", "i1"),
                ("first", "i1"),
                ("active", "i1"),
            ],
            align=True,
        ),
    )
)
"""`top` and `under`, the visible and the covered token of a cell, hold 0 or seat * FACES + face. Sets of cells, read
off those two: `shows` by visible face, `owned` by owner of the visible token, `closed` with two tokens, `targets` where
the active player may place, empty in other steps. `sums` are those of the visible tokens by room. `bags` count by kind,
`bagged` in all; `hands` name a kind, in the set-up that of the token for the start marker; `out` is 0 or 1."""


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Fill the bags; the first tokens, and the first player if not chosen, are left to chance."""
    state.players = players
    for seat in range(SEATS):
        state.hands[seat] = NO_TOKEN
    for seat in range(players):
        for kind in range(KINDS):
            state.bags[seat, kind] = box.counts[kind]
        state.bagged[seat] = TOKENS
    state.first = options[0]
    state.step = DEAL_START
    return 0


@compiled
def pending(box: Any, state: Any) -> int:
    """The active player alone decides."""
    if state.step == PLACE or state.step == FACE:
        return 1 << int(state.active)
    return 0


@compiled
def actor(box: Any, state: Any) -> int:
    """Who moves now."""
    if state.step == PLACE or state.step == FACE:
        return int(state.active)
    return OVER if state.step == ENDED else CHANCE


@compiled
def source(box: Any, state: Any) -> int:
    """The first player is drawn once; every player draws tokens from a bag of their own."""
    return SOURCE_FIRST if state.step == CHOOSE_FIRST else SOURCE_BAGS + int(state.active)


@compiled
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """Every seat may be first; every token left in the bag is equally likely."""
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
    """Either face of the token in hand; on the start marker in the set-up, later on every target."""
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
    """One move at random, counted instead of listed."""
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
    """The kind of one token of a bag, all tokens in it equally likely."""
    left = below(rng, int(state.bagged[seat]))
    kind = 0
    while left >= state.bags[seat, kind]:
        left -= int(state.bags[seat, kind])
        kind += 1
    return kind


@compiled
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make one legal move and go on to the next question."""
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
    """The set-up goes round three times in seat order: a token each, its face, a token in hand each."""
    if seat + 1 < state.players:
        state.active = seat + 1
    else:
        state.active = 0
        state.step += 1


@compiled
def draw(box: Any, state: Any, seat: int, kind: int, log: Any) -> int:
    """A token from the bag into the hand, which only its owner sees; then it is the next player's turn."""
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
    """The first player is known and has the first turn."""
    state.first = seat
    row = note(log, row, FIRST, seat, -1, 0, why, EVERYONE)
    return next_turn(box, state, seat, log, row)


@compiled
def next_turn(box: Any, state: Any, seat: int, log: Any, row: int) -> int:
    """Clockwise from `seat`, who holds a token and can place it; who cannot is out; with nobody left, the game ends."""
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
def has_target(state: Any) -> bool:
    """Whether the token can go anywhere."""
    return state.targets[0] != 0 or state.targets[1] != 0 or state.targets[2] != 0 or state.targets[3] != 0


@compiled
def find_targets(box: Any, state: Any, seat: int) -> None:
    """The ends of a seat's lines, and its own start marker while that holds one token."""
    follow_lines(box, state, seat, state.targets)
    start = int(box.starts[state.players, seat])
    if not int(state.closed[start >> 6]) >> (start & 63) & 1:
        state.targets[start >> 6] |= 1 << (start & 63)


@inlined
def follow_lines(box: Any, state: Any, seat: int, ends: Any) -> None:
    """From every own visible token as many cells straight on as it shows, none between them taken, the last not closed.

    Light runs from all tokens at once: the sixes start, after each step the next lower number joins them, and what
    meets a token on the way goes out. After the ones have joined, one more step reaches every end. Bands are a to d.
    """
    players = int(state.players)
    own_a, own_b = int(state.owned[seat, 0]), int(state.owned[seat, 1])
    own_c, own_d = int(state.owned[seat, 2]), int(state.owned[seat, 3])
    free_a, free_b = int(box.inside[players, 0]), int(box.inside[players, 1])
    free_c, free_d = int(box.inside[players, 2]), int(box.inside[players, 3])
    for other in range(SEATS):
        free_a &= ~int(state.owned[other, 0])
        free_b &= ~int(state.owned[other, 1])
        free_c &= ~int(state.owned[other, 2])
        free_d &= ~int(state.owned[other, 3])
    east_a, east_b, east_c, east_d = 0, 0, 0, 0
    west_a, west_b, west_c, west_d = 0, 0, 0, 0
    south_a, south_b, south_c, south_d = 0, 0, 0, 0
    north_a, north_b, north_c, north_d = 0, 0, 0, 0
    for face in range(FACES - 1, -1, -1):
        join_a = int(state.shows[face, 0]) & own_a
        join_b = int(state.shows[face, 1]) & own_b
        join_c = int(state.shows[face, 2]) & own_c
        join_d = int(state.shows[face, 3]) & own_d
        east_a = ((east_a << 1) & free_a) | join_a
        east_b = ((east_b << 1) & free_b) | join_b
        east_c = ((east_c << 1) & free_c) | join_c
        east_d = ((east_d << 1) & free_d) | join_d
        west_a = ((west_a >> 1) & free_a) | join_a
        west_b = ((west_b >> 1) & free_b) | join_b
        west_c = ((west_c >> 1) & free_c) | join_c
        west_d = ((west_d >> 1) & free_d) | join_d
        south_d = ((south_d << 16 | south_c >> 48) & free_d) | join_d
        south_c = ((south_c << 16 | south_b >> 48) & free_c) | join_c
        south_b = ((south_b << 16 | south_a >> 48) & free_b) | join_b
        south_a = ((south_a << 16) & free_a) | join_a
        north_a = ((north_a >> 16 | north_b << 48) & free_a) | join_a
        north_b = ((north_b >> 16 | north_c << 48) & free_b) | join_b
        north_c = ((north_c >> 16 | north_d << 48) & free_c) | join_c
        north_d = ((north_d >> 16) & free_d) | join_d
    end_a = east_a << 1 | west_a >> 1 | south_a << 16 | north_a >> 16 | north_b << 48
    end_b = east_b << 1 | west_b >> 1 | south_b << 16 | south_a >> 48 | north_b >> 16 | north_c << 48
    end_c = east_c << 1 | west_c >> 1 | south_c << 16 | south_b >> 48 | north_c >> 16 | north_d << 48
    end_d = east_d << 1 | west_d >> 1 | south_d << 16 | south_c >> 48 | north_d >> 16
    ends[0] = end_a & int(box.allowed[players, seat, 0]) & ~int(state.closed[0])
    ends[1] = end_b & int(box.allowed[players, seat, 1]) & ~int(state.closed[1])
    ends[2] = end_c & int(box.allowed[players, seat, 2]) & ~int(state.closed[2])
    ends[3] = end_d & int(box.allowed[players, seat, 3]) & ~int(state.closed[3])


@compiled
def way_to(box: Any, state: Any, seat: int, cell: int) -> int:
    """How a token comes to its cell: by a line or, on the own start marker, without one, by choice or by force."""
    if cell != box.starts[state.players, seat]:
        return BY_LINE
    follow_lines(box, state, seat, state.targets)
    if int(state.targets[cell >> 6]) >> (cell & 63) & 1:
        return BY_LINE
    return DIRECT if has_target(state) else FORCED


@compiled
def put(box: Any, state: Any, seat: int, cell: int, face: int, why: int, log: Any) -> int:
    """The token in hand goes on a cell and covers the one that lies there, whosever it is; two close the cell."""
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
def leaders(state: Any, room: int) -> int:
    """Bits of the seats with the largest sum in a room; none in a passage or an empty room."""
    bits = 0
    if room != PASSAGE:
        most = 1
        for seat in range(SEATS):
            mine = int(state.sums[room, seat])
            if mine > most:
                bits = 0
                most = mine
            if mine == most:
                bits |= 1 << seat
    return bits


@compiled
def count_rooms(box: Any, state: Any, log: Any, row: int) -> int:
    """The final count, room by room."""
    for room in range(ROOMS):
        for place in range(2):
            for seat in range(state.players):
                if place_in(box, state, room, seat) == place:
                    points = int(box.second) if place else int(box.first)
                    row = note(log, row, SCORED, seat, room, points, FIRST_PLACE + place, EVERYONE)
    return note(log, row, END, -1, -1, 0, CHOSEN, EVERYONE)


@compiled
def place_in(box: Any, state: Any, room: int, seat: int) -> int:
    """0 for first place in a room, 1 for second, else -1; behind a tie, or with two players, nobody is second."""
    mine = int(state.sums[room, seat])
    if mine == 0:
        return -1
    before = 0
    for other in range(SEATS):
        before += state.sums[room, other] > mine
    if before == 0:
        return 0
    return 1 if before == 1 and state.players >= box.second_from else -1


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Everything is open but the token that somebody draws."""
    if DRAWS <= move < FIRSTS and viewer != state.active:
        return DRAWS
    return move


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """The others put the token in hand back into their bag and draw anew."""
    for seat in range(state.players):
        if seat != viewer and state.hands[seat] != NO_TOKEN:
            state.bags[seat, state.hands[seat]] += 1
            state.bagged[seat] += 1
            kind = random_token(state, seat, rng)
            state.bags[seat, kind] -= 1
            state.bagged[seat] -= 1
            state.hands[seat] = kind


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """Victory points by room."""
    for room in range(ROOMS):
        place = place_in(box, state, room, seat)
        out[room] = 0 if place < 0 else int(box.second) if place else int(box.first)


@compiled
def tallies(box: Any, state: Any, out: Any) -> None:
    """Victory points by seat and room."""
    for seat in range(state.players):
        tally(box, state, seat, out[seat])


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Most victory points, then the larger sum in the central room, none at all being the least."""
    points = 0
    for room in range(ROOMS):
        place = place_in(box, state, room, seat)
        points += 0 if place < 0 else int(box.second) if place else int(box.first)
    out[0] = points
    out[1] = int(state.sums[box.central[state.players], seat])
