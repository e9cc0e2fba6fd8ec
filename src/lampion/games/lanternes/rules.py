"""The rules of Lanternes, in the order of a turn.

The lake has no border. Its cells are kept in a square wide enough for any shape that all tiles can make; a cell is
`row * WIDTH + column`, rows running north, so ascending cells are in (y, x) order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.engine.compile import compiled, inlined
from lampion.engine.event_log import note
from lampion.engine.rng import below
from lampion.engine.rules import pick_listed
from lampion.games.core import CHANCE, EVERYONE, OVER

COLOURS = 7
SEATS = 4
TILES = 35
START = TILES  # the start tile's number, behind the lake tiles
HAND = 3
HAND_LIMIT = 12
STACKS = 3
REWARDS = 9
TRIPLES = 35
EXCHANGE_BOATS = 2
NEUTRAL = STACKS  # the category of rewards from empty stacks

REACH = 34
WIDTH = 2 * REACH + 1
CELLS = WIDTH * WIDTH
CENTRE = REACH * WIDTH + REACH
BORDER = 68
RANKS = 66
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
NOBODY = -1
NO_TILE = 255
NO_CELL = 32767
FREE = 255

# Steps
CHOOSE_FIRST, DEAL, EXCHANGE, REWARD, DISCARD, PLACE, DRAW, ENDED = range(8)

# Combinations, also the reward stacks
FOUR, PAIRS, SEVEN = 0, 1, 2

# Move ids, one range after another
PLACES = 0
EXCHANGES = PLACES + TILES * 4 * RANKS
FOURS = EXCHANGES + COLOURS * COLOURS
PAIRS_OF = FOURS + COLOURS
SEVENS = PAIRS_OF + TRIPLES
DISCARDS = SEVENS + 1
PASS = DISCARDS + COLOURS
DRAWS = PASS + 1
FIRSTS = DRAWS + TILES
IDS = FIRSTS + SEATS
MOST = 600
ROWS = 48

# Events, and why they happen
(FIRST, DREW, GAVE, TOOK, PAID, REWARDED, DISCARDED, PLACED, RECEIVED, MISSED, BOAT, PASSED, LAST_TURN, END) = range(14)
(BY_CHANCE, SET_UP, EXCHANGED, COMBINED, OVER_LIMIT, MATCHED, FACING, OWN_PLATFORM, NEIGHBOUR_PLATFORM, CHOSEN) = range(
    10
)

SOURCE_FIRST, SOURCE_PILE = 0, 1

BOX = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("tiles", "i1", (TILES + 1, 4)),
                ("faces", "i1", (4 * (TILES + 1) + 1, 4)),
                ("symbols", "i1", (TILES + 1,)),
                ("turns", "i1", (TILES + 1,)),
                ("rewards", "i1", (SEATS + 1, STACKS, REWARDS)),
                ("stack_sizes", "i1", (SEATS + 1, STACKS)),
                ("neutral", "i1"),
                ("removed", "i1", (SEATS + 1,)),
                ("cards", "i1", (SEATS + 1,)),
                ("sides", "i1", (SEATS + 1, SEATS)),
                ("facing", "i1", (SEATS + 1, 4)),
                ("triples", "i1", (TRIPLES, 3)),
                ("triple_from", "i1", (COLOURS, COLOURS)),
                ("red", "i1"),
            ],
            align=True,
        ),
    )
)
"""`rewards`, `stack_sizes`, `removed`, `cards`, `sides` (of a seat) and `facing` (seat at a side) go by number of
players; `turns` is how many rotations of a tile look different; `faces` are the colours of a turned tile by its code on
the lake; `triples` are three different colours, and `triple_from[a, b]` + c is the number of the one with colours
a < b < c; `red` is the side of the start tile that faces the first player."""

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("border", "i2", (BORDER,)),
                ("points", "i2", (SEATS, STACKS + 1)),
                ("lake", "u1", (CELLS,)),
                ("unseen", "u1", (TILES,)),
                ("hands", "u1", (SEATS, HAND)),
                ("cards", "i1", (SEATS, COLOURS)),
                ("supply", "i1", (COLOURS,)),
                ("boats", "i1", (SEATS,)),
                ("taken", "i1", (STACKS,)),
                ("borders", "i1"),
                ("unseens", "i1"),
                ("pile", "i1"),
                ("placed", "i1"),
                ("players", "i1"),
                ("by_active", "i1"),
                ("step", "i1"),
                ("first", "i1"),
                ("active", "i1"),
                ("final", "i1"),
            ],
            align=True,
        ),
    )
)
"""`lake` holds 1 + tile * 4 + turn, FREE on the free cells beside a tile, else 0; `border` lists the free cells and
`unseen` the tiles nobody has seen, as `hands` ascending with NO_CELL or NO_TILE behind; `taken` counts the cards gone
from each stack; `pile` the draws left. Sorted lists with a large number behind are kept by short loops over all places,
without a branch."""


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Lay out the supply and the start tile; the first player, if not chosen, and the hands are left to chance."""
    state.players = players
    state.by_active = options.distribution
    for colour in range(COLOURS):
        state.supply[colour] = box.cards[players]
    for tile in range(TILES):
        state.unseen[tile] = tile
    for i in range(BORDER):
        state.border[i] = NO_CELL
    state.unseens = TILES
    state.pile = TILES - box.removed[players]
    for seat in range(SEATS):
        for slot in range(HAND):
            state.hands[seat, slot] = NO_TILE
    settle(state, CENTRE, 1 + START * 4)
    state.first = NOBODY
    state.active = NOBODY
    if options.first == CHANCE:
        state.step = CHOOSE_FIRST
        return 0
    return begin(box, state, options.first, CHOSEN, log)


@compiled
def begin(box: Any, state: Any, seat: int, why: int, log: Any) -> int:
    """The first player is known: the start tile shows them red, and everybody takes the card that faces them."""
    state.first = seat
    state.active = seat
    state.step = DEAL
    side = int(box.sides[state.players, seat])
    state.lake[CENTRE] = 1 + START * 4 + ((side - int(box.red)) & 3)
    row = note(log, 0, FIRST, seat, -1, 0, why, EVERYONE)
    return distribute(box, state, CENTRE, SET_UP, log, row)


@inlined
def has_tile(state: Any, cell: int) -> bool:
    """Whether a tile lies on a cell."""
    return 0 < int(state.lake[cell]) < FREE


@inlined
def side_colour(box: Any, state: Any, cell: int, side: int) -> int:
    """The colour that the tile on a cell shows towards a side."""
    return int(box.faces[int(state.lake[cell]), side])


@compiled
def neighbour(cell: int, side: int) -> int:
    """The cell beyond that side."""
    if side == NORTH:
        return cell + WIDTH
    if side == EAST:
        return cell + 1
    if side == SOUTH:
        return cell - WIDTH
    return cell - 1


@inlined
def settle(state: Any, cell: int, code: int) -> None:
    """Put a tile on a cell: it leaves the border and its untouched neighbours join.

    The loops over the border are in its own narrow type, so that the machine moves many entries at once.
    """
    border = state.border
    if state.lake[cell] == FREE:
        state.borders -= 1
        gone = np.int16(cell)
        for i in range(BORDER - 1):
            border[i] = border[i] if border[i] < gone else border[i + 1]
        border[BORDER - 1] = NO_CELL
    state.lake[cell] = code
    for side in range(4):
        free = neighbour(cell, side)
        if state.lake[free] == 0:
            state.lake[free] = FREE
            state.borders += 1
            new = np.int16(free)
            for i in range(BORDER - 1, 0, -1):
                border[i] = min(border[i], max(border[i - 1], new))
            border[0] = min(border[0], new)


@compiled
def pending(box: Any, state: Any) -> int:
    """The active player alone decides."""
    step = int(state.step)
    if EXCHANGE <= step <= PLACE:
        return 1 << int(state.active)
    return 0


@compiled
def actor(box: Any, state: Any) -> int:
    """Who moves now."""
    step = int(state.step)
    if EXCHANGE <= step <= PLACE:
        return int(state.active)
    return OVER if step == ENDED else CHANCE


@compiled
def source(box: Any, state: Any) -> int:
    """The first player is drawn once; every tile comes from the one pile."""
    return SOURCE_FIRST if state.step == CHOOSE_FIRST else SOURCE_PILE


@inlined
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """Every seat may be first; every unseen tile is equally likely, for those out of the game were never seen."""
    if state.step == CHOOSE_FIRST:
        for seat in range(state.players):
            ids[seat] = FIRSTS + seat
            weights[seat] = 1
        return int(state.players)
    if state.step == DEAL or state.step == DRAW:
        for i in range(state.unseens):
            ids[i] = DRAWS + int(state.unseen[i])
            weights[i] = 1
        return int(state.unseens)
    return 0


@compiled
def held(state: Any, seat: int) -> int:
    """How many lantern cards lie in front of a seat."""
    total = 0
    for colour in range(COLOURS):
        total += int(state.cards[seat, colour])
    return total


@compiled
def can_exchange(state: Any, seat: int) -> bool:
    """Whether two boats can buy a card of another colour."""
    if state.boats[seat] < EXCHANGE_BOATS:
        return False
    for give in range(COLOURS):
        if state.cards[seat, give] > 0:
            for take in range(COLOURS):
                if take != give and state.supply[take] > 0:
                    return True
    return False


@compiled
def can_reward(state: Any, seat: int) -> bool:
    """Whether the cards in front of a seat make a combination."""
    kinds = 0
    pairs = 0
    fours = 0
    for colour in range(COLOURS):
        have = int(state.cards[seat, colour])
        kinds += have >= 1
        pairs += have >= 2
        fours += have >= 4
    return fours > 0 or pairs >= 3 or kinds == COLOURS


@inlined
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """What the active player may do in this step."""
    step = int(state.step)
    if seat != state.active or step < EXCHANGE or step > PLACE:
        return 0
    if step == PLACE:
        return legal_places(box, state, seat, ids)
    if step == EXCHANGE:
        n = legal_exchanges(state, seat, ids)
    elif step == REWARD:
        n = legal_rewards(box, state, seat, ids)
        if over_limit(state, seat):
            return legal_discards(state, seat, ids, n)
    else:
        return legal_discards(state, seat, ids, 0)
    ids[n] = PASS
    return n + 1


@compiled
def over_limit(state: Any, seat: int) -> bool:
    """More than twelve cards bind the active player, but not in the final turn, which places no tile."""
    return state.final == 0 and held(state, seat) > HAND_LIMIT


@inlined
def legal_exchanges(state: Any, seat: int, ids: Any) -> int:
    """One card back, one of another colour from the supply."""
    n = 0
    for give in range(COLOURS):
        if state.cards[seat, give] > 0:
            for take in range(COLOURS):
                if take != give and state.supply[take] > 0:
                    ids[n] = EXCHANGES + give * COLOURS + take
                    n += 1
    return n


@inlined
def legal_rewards(box: Any, state: Any, seat: int, ids: Any) -> int:
    """Four alike, three pairs of different colours, or all seven colours."""
    n = 0
    kinds = 0
    for colour in range(COLOURS):
        have = int(state.cards[seat, colour])
        kinds += have >= 1
        if have >= 4:
            ids[n] = FOURS + colour
            n += 1
    for a in range(COLOURS - 2):
        if state.cards[seat, a] >= 2:
            for b in range(a + 1, COLOURS - 1):
                if state.cards[seat, b] >= 2:
                    for c in range(b + 1, COLOURS):
                        if state.cards[seat, c] >= 2:
                            ids[n] = PAIRS_OF + int(box.triple_from[a, b]) + c
                            n += 1
    if kinds == COLOURS:
        ids[n] = SEVENS
        n += 1
    return n


@inlined
def legal_discards(state: Any, seat: int, ids: Any, n: int) -> int:
    """Any single card."""
    for colour in range(COLOURS):
        if state.cards[seat, colour] > 0:
            ids[n] = DISCARDS + colour
            n += 1
    return n


@compiled
def legal_places(box: Any, state: Any, seat: int, ids: Any) -> int:
    """Every tile in hand, every rotation that looks different, every free cell beside the lake."""
    n = 0
    for slot in range(HAND):
        tile = int(state.hands[seat, slot])
        if tile != NO_TILE:
            for turn in range(box.turns[tile]):
                for rank in range(state.borders):
                    ids[n] = PLACES + (tile * 4 + turn) * RANKS + rank
                    n += 1
    return n


@inlined
def pick(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """One move at random; placements and draws, the many, are counted instead of listed."""
    if state.step == DEAL or state.step == DRAW:
        return DRAWS + int(state.unseen[below(rng, int(state.unseens))])
    if state.step != PLACE:
        return pick_listed(box, state, seat, rng, ids, weights)
    rotations = 0
    for slot in range(HAND):
        tile = int(state.hands[seat, slot])
        if tile != NO_TILE:
            rotations += int(box.turns[tile])
    k = below(rng, rotations * int(state.borders))
    turn = k // int(state.borders)
    slot = 0
    while turn >= box.turns[state.hands[seat, slot]]:
        turn -= int(box.turns[state.hands[seat, slot]])
        slot += 1
    return PLACES + (int(state.hands[seat, slot]) * 4 + turn) * RANKS + k % int(state.borders)


@inlined
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make one legal move and go on to the next question."""
    active = int(state.active)
    if move < EXCHANGES:
        row = place(box, state, active, move, log)
        return proceed(state, DRAW, log, row)
    if move >= FIRSTS:
        return begin(box, state, move - FIRSTS, BY_CHANCE, log)
    if move >= DRAWS:
        return draw(state, active, move - DRAWS, log)
    if move == PASS:
        row = note(log, 0, PASSED, active, -1, int(state.step), CHOSEN, EVERYONE)
        return proceed(state, int(state.step) + 1, log, row)
    if move >= DISCARDS:
        row = discard(state, active, move - DISCARDS, log)
        return proceed(state, DISCARD, log, row)
    if move >= FOURS:
        row = take_reward(box, state, active, move, log)
        return proceed(state, DISCARD, log, row)
    row = exchange(state, active, move - EXCHANGES, log)
    return proceed(state, REWARD, log, row)


@inlined
def proceed(state: Any, step: int, log: Any, row: int) -> int:
    """From `step` on, stop at the first step that has something to ask; the end of a turn is behind the last."""
    seat = int(state.active)
    while True:
        if step == EXCHANGE:
            if can_exchange(state, seat):
                break
        elif step == REWARD:
            if can_reward(state, seat) or over_limit(state, seat):
                break
        elif step == DISCARD:
            if over_limit(state, seat):
                break
        elif step == PLACE:
            if state.final == 0:
                break
        elif step == DRAW:
            if state.pile > 0 and state.final == 0:
                break
        else:
            seat = seat + 1 if seat + 1 < state.players else 0
            if seat == state.first:
                if state.final:
                    row = note(log, row, END, -1, -1, 0, CHOSEN, EVERYONE)
                    break
                if state.hands[seat, 0] == NO_TILE:
                    state.final = 1
                    row = note(log, row, LAST_TURN, -1, -1, 0, CHOSEN, EVERYONE)
            step = EXCHANGE - 1
        step += 1
    state.active = seat
    state.step = step
    return row


@compiled
def exchange(state: Any, seat: int, move: int, log: Any) -> int:
    """Two boats and a card for a card of another colour."""
    give = move // COLOURS
    take = move % COLOURS
    state.boats[seat] -= EXCHANGE_BOATS
    state.cards[seat, give] -= 1
    state.supply[give] += 1
    state.supply[take] -= 1
    state.cards[seat, take] += 1
    row = note(log, 0, BOAT, seat, -1, -EXCHANGE_BOATS, EXCHANGED, EVERYONE)
    row = note(log, row, GAVE, seat, give, 1, EXCHANGED, EVERYONE)
    return note(log, row, TOOK, seat, take, 1, EXCHANGED, EVERYONE)


@compiled
def pay(state: Any, seat: int, colour: int, number: int, log: Any, row: int) -> int:
    """Cards go back to the supply for a combination."""
    state.cards[seat, colour] -= number
    state.supply[colour] += number
    return note(log, row, PAID, seat, colour, number, COMBINED, EVERYONE)


@compiled
def take_reward(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Pay a combination and take the top card of its stack, or four points where the stack is empty."""
    row = 0
    if move == SEVENS:
        stack = SEVEN
        for colour in range(COLOURS):
            row = pay(state, seat, colour, 1, log, row)
    elif move >= PAIRS_OF:
        stack = PAIRS
        for i in range(3):
            row = pay(state, seat, int(box.triples[move - PAIRS_OF, i]), 2, log, row)
    else:
        stack = FOUR
        row = pay(state, seat, move - FOURS, 4, log, row)
    top = int(state.taken[stack])
    if top < box.stack_sizes[state.players, stack]:
        points = int(box.rewards[state.players, stack, top])
        state.taken[stack] += 1
        state.points[seat, stack] += points
    else:
        points = int(box.neutral)
        state.points[seat, NEUTRAL] += points
        stack = NEUTRAL
    return note(log, row, REWARDED, seat, stack, points, COMBINED, EVERYONE)


@compiled
def discard(state: Any, seat: int, colour: int, log: Any) -> int:
    """A card too many goes back to the supply."""
    state.cards[seat, colour] -= 1
    state.supply[colour] += 1
    return note(log, 0, DISCARDED, seat, colour, 1, OVER_LIMIT, EVERYONE)


@inlined
def place(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Lay a tile from hand, then match bonus, then distribution."""
    tile = move // (4 * RANKS)
    turn = move // RANKS & 3
    cell = int(state.border[move % RANKS])
    for slot in range(HAND - 1):
        here = int(state.hands[seat, slot])
        state.hands[seat, slot] = here if here < tile else int(state.hands[seat, slot + 1])
    state.hands[seat, HAND - 1] = NO_TILE
    settle(state, cell, 1 + tile * 4 + turn)
    state.placed += 1
    row = note(log, 0, PLACED, seat, cell * TILES + tile, turn, CHOSEN, EVERYONE)
    row = match_bonus(box, state, seat, cell, log, row)
    return distribute(box, state, cell, FACING, log, row)


@inlined
def match_bonus(box: Any, state: Any, seat: int, cell: int, log: Any, row: int) -> int:
    """A card for each side that meets its own colour; then a boat for each tile of the matches that has a symbol."""
    own = int(box.symbols[(int(state.lake[cell]) - 1) >> 2])
    for side in range(4):
        beside = neighbour(cell, side)
        if has_tile(state, beside):
            colour = side_colour(box, state, cell, side)
            if colour == side_colour(box, state, beside, (side + 2) & 3):
                row = receive(state, seat, colour, MATCHED, log, row)
                if own:
                    own = 0
                    state.boats[seat] += 1
                    row = note(log, row, BOAT, seat, -1, 1, OWN_PLATFORM, EVERYONE)
                if box.symbols[(int(state.lake[beside]) - 1) >> 2]:
                    state.boats[seat] += 1
                    row = note(log, row, BOAT, seat, -1, 1, NEIGHBOUR_PLATFORM, EVERYONE)
    return row


@inlined
def distribute(box: Any, state: Any, cell: int, why: int, log: Any, row: int) -> int:
    """Everybody takes a card of the colour that faces them, clockwise from the first player or the active one."""
    players = int(state.players)
    seat = int(state.active) if state.by_active else int(state.first)
    for _ in range(players):
        row = receive(state, seat, side_colour(box, state, cell, int(box.sides[players, seat])), why, log, row)
        seat = seat + 1 if seat + 1 < players else 0
    return row


@inlined
def receive(state: Any, seat: int, colour: int, why: int, log: Any, row: int) -> int:
    """One lantern card from the supply, if there is one left."""
    if state.supply[colour] == 0:
        return note(log, row, MISSED, seat, colour, 1, why, EVERYONE)
    state.supply[colour] -= 1
    state.cards[seat, colour] += 1
    return note(log, row, RECEIVED, seat, colour, 1, why, EVERYONE)


@inlined
def draw(state: Any, seat: int, tile: int, log: Any) -> int:
    """A tile from the pile into the hand, which only its owner sees."""
    leave_unseen(state, tile)
    state.pile -= 1
    take_in_hand(state, seat, tile)
    row = note(log, 0, DREW, seat, tile, 1, BY_CHANCE, 1 << seat)
    if state.step == DRAW:
        return proceed(state, ENDED, log, row)
    if state.hands[seat, HAND - 1] != NO_TILE:
        state.active = seat + 1 if seat + 1 < state.players else 0
        if state.active == state.first:
            return proceed(state, EXCHANGE, log, row)
    return row


@compiled
def leave_unseen(state: Any, tile: int) -> None:
    """A tile is unseen no more."""
    unseen = state.unseen
    gone = np.uint8(tile)
    for i in range(TILES - 1):
        unseen[i] = unseen[i] if unseen[i] < gone else unseen[i + 1]
    unseen[TILES - 1] = NO_TILE
    state.unseens -= 1


@compiled
def take_in_hand(state: Any, seat: int, tile: int) -> None:
    """Hands are kept ascending."""
    for slot in range(HAND - 1, 0, -1):
        state.hands[seat, slot] = min(int(state.hands[seat, slot]), max(int(state.hands[seat, slot - 1]), tile))
    state.hands[seat, 0] = min(int(state.hands[seat, 0]), tile)


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Everything is open but the tile that somebody draws."""
    if DRAWS <= move < FIRSTS and viewer != state.active:
        return DRAWS
    return move


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """Put the others' hands back among the unseen tiles and deal them anew."""
    present = np.uint64(0)
    one = np.uint64(1)
    for i in range(state.unseens):
        present |= one << np.uint64(state.unseen[i])
    for seat in range(state.players):
        if seat != viewer:
            for slot in range(HAND):
                if state.hands[seat, slot] != NO_TILE:
                    present |= one << np.uint64(state.hands[seat, slot])
    state.unseens = 0
    for tile in range(TILES):
        if present >> np.uint64(tile) & one:
            state.unseen[int(state.unseens)] = tile
            state.unseens += 1
    for seat in range(state.players):
        if seat != viewer:
            count = 0
            for slot in range(HAND):
                count += state.hands[seat, slot] != NO_TILE
                state.hands[seat, slot] = NO_TILE
            for _ in range(count):
                tile = int(state.unseen[below(rng, int(state.unseens))])
                leave_unseen(state, tile)
                take_in_hand(state, seat, tile)


@compiled
def tally(box: Any, state: Any, seat: int, out: Any) -> None:
    """Points on rewards, by stack, and those from empty stacks."""
    for stack in range(STACKS + 1):
        out[stack] = state.points[seat, stack]


@compiled
def key(box: Any, state: Any, seat: int, out: Any) -> None:
    """Most points, then most boats, then most lantern cards."""
    out[0] = 0
    for stack in range(STACKS + 1):
        out[0] += int(state.points[seat, stack])
    out[1] = state.boats[seat]
    out[2] = held(state, seat)
