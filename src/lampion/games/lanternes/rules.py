"""The rules of Lanternes, in the order of a turn: set-up, what may be done, what a move does."""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import np
from lampion.engine.compile import compiled, inlined
from lampion.engine.event_log import note
from lampion.engine.rng import below
from lampion.engine.rules import pick_listed
from lampion.games.core import CHANCE, EVERYONE, OVER
from lampion.games.lanternes.events import (
    BOAT,
    BY_CHANCE,
    CHOSEN,
    COMBINED,
    DISCARDED,
    DREW,
    END,
    EXCHANGED,
    FACING,
    FIRST,
    GAVE,
    LAST_TURN,
    MATCHED,
    MISSED,
    NEIGHBOUR_PLATFORM,
    OVER_LIMIT,
    OWN_PLATFORM,
    PAID,
    PASSED,
    PLACED,
    RECEIVED,
    REWARDED,
    SET_UP,
    TOOK,
)
from lampion.games.lanternes.state import (
    BORDER,
    CENTRE,
    CHOOSE_FIRST,
    COLOURS,
    DEAL,
    DISCARD,
    DISCARDS,
    DRAW,
    DRAWS,
    ENDED,
    EXCHANGE,
    EXCHANGE_BOATS,
    EXCHANGES,
    FIRSTS,
    FOUR,
    FOURS,
    FREE,
    HAND,
    HAND_LIMIT,
    NEUTRAL,
    NO_CELL,
    NO_TILE,
    NOBODY,
    PAIRS,
    PAIRS_OF,
    PASS,
    PLACE,
    PLACES,
    RANKS,
    REWARD,
    SEATS,
    SEVEN,
    SEVENS,
    SOURCE_FIRST,
    SOURCE_PILE,
    START,
    TILES,
    has_tile,
    held,
    neighbour,
    side_colour,
)


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Lay out the supply and the start tile; chance draws the first player, if not chosen, and the hands."""
    state.players = players
    state.by_active = options.distribution
    for colour in range(COLOURS):
        state.supply[colour] = box.cards[players]
    for tile in range(TILES):
        state.unseen[tile] = tile
    for i in range(BORDER):
        state.border[i] = NO_CELL
    state.unseen_count = TILES
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
    """Begin with a first player: turn the start tile's red side to them, and give everybody the card they face."""
    state.first = seat
    state.active = seat
    state.step = DEAL
    side = int(box.sides[state.players, seat])
    state.lake[CENTRE] = 1 + START * 4 + ((side - int(box.red)) & 3)
    row = note(log, 0, FIRST, seat, -1, 0, why, EVERYONE)
    return distribute(box, state, CENTRE, SET_UP, log, row)


@inlined
def settle(state: Any, cell: int, code: int) -> None:
    """Put a tile on a cell: remove the cell from the border and add its empty neighbours.

    The loops over the border use its own narrow type, so that they are vectorised.
    """
    border = state.border
    if state.lake[cell] == FREE:
        state.border_count -= 1
        gone = np.int16(cell)
        for i in range(BORDER - 1):
            border[i] = border[i] if border[i] < gone else border[i + 1]
        border[BORDER - 1] = NO_CELL
    state.lake[cell] = code
    for side in range(4):
        free = neighbour(cell, side)
        if state.lake[free] == 0:
            state.lake[free] = FREE
            state.border_count += 1
            new = np.int16(free)
            for i in range(BORDER - 1, 0, -1):
                border[i] = min(border[i], max(border[i - 1], new))
            border[0] = min(border[0], new)


@compiled
def pending(box: Any, state: Any) -> int:
    """Return the active player's bit while a decision is due."""
    step = int(state.step)
    if EXCHANGE <= step <= PLACE:
        return 1 << int(state.active)
    return 0


@compiled
def actor(box: Any, state: Any) -> int:
    """Return the active player, CHANCE or OVER."""
    step = int(state.step)
    if EXCHANGE <= step <= PLACE:
        return int(state.active)
    return OVER if step == ENDED else CHANCE


@compiled
def source(box: Any, state: Any) -> int:
    """Return what chance draws from: the first player, or a tile from the pile."""
    return SOURCE_FIRST if state.step == CHOOSE_FIRST else SOURCE_PILE


@inlined
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """List the seats, or the unseen tiles: all equally likely, for those that left the game were never seen."""
    if state.step == CHOOSE_FIRST:
        for seat in range(state.players):
            ids[seat] = FIRSTS + seat
            weights[seat] = 1
        return int(state.players)
    if state.step == DEAL or state.step == DRAW:
        for i in range(state.unseen_count):
            ids[i] = DRAWS + int(state.unseen[i])
            weights[i] = 1
        return int(state.unseen_count)
    return 0


@inlined
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """List what the active player may do in this step; return the number of moves."""
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


@inlined
def has_choice(state: Any, seat: int, step: int) -> bool:
    """Return whether a step asks the active player or chance anything; one that offers only a pass does not."""
    if step == EXCHANGE:
        return can_exchange(state, seat)
    if step == REWARD:
        return can_reward(state, seat) or over_limit(state, seat)
    if step == DISCARD:
        return over_limit(state, seat)
    return state.final == 0 and (step == PLACE or state.pile > 0)


@compiled
def over_limit(state: Any, seat: int) -> bool:
    """Return whether a player must give cards back: more than twelve, but not in the final turn, without tiles."""
    return state.final == 0 and held(state, seat) > HAND_LIMIT


@inlined
def may_give(state: Any, seat: int, give: int) -> bool:
    """Return whether a seat has a card of a colour to give back in an exchange."""
    return state.cards[seat, give] > 0


@inlined
def may_take(state: Any, give: int, take: int) -> bool:
    """Return whether the supply has a card of another colour than the one given back."""
    return take != give and state.supply[take] > 0


@compiled
def can_exchange(state: Any, seat: int) -> bool:
    """Return whether a seat has the boats and cards for an exchange."""
    if state.boats[seat] < EXCHANGE_BOATS:
        return False
    for give in range(COLOURS):
        if may_give(state, seat, give):
            for take in range(COLOURS):
                if may_take(state, give, take):
                    return True
    return False


@inlined
def legal_exchanges(state: Any, seat: int, ids: Any) -> int:
    """List every exchange of a card for one of another colour; return their number."""
    n = 0
    for give in range(COLOURS):
        if may_give(state, seat, give):
            for take in range(COLOURS):
                if may_take(state, give, take):
                    ids[n] = EXCHANGES + give * COLOURS + take
                    n += 1
    return n


@inlined
def makes(combination: int, kinds: int, pairs: int, fours: int) -> bool:
    """Return whether cards make a combination, from the number of colours with 1, 2 and 4 cards at least."""
    if combination == FOUR:
        return fours >= 1
    return pairs >= 3 if combination == PAIRS else kinds == COLOURS


@inlined
def sets_of(state: Any, seat: int) -> tuple[int, int, int, int]:
    """Return of how many colours a seat has at least one, two, three and four cards."""
    kinds, pairs, threes, fours = 0, 0, 0, 0
    for colour in range(COLOURS):
        have = int(state.cards[seat, colour])
        kinds += have >= 1
        pairs += have >= 2
        threes += have >= 3
        fours += have >= 4
    return kinds, pairs, threes, fours


@compiled
def can_reward(state: Any, seat: int) -> bool:
    """Return whether the cards of a seat make any combination."""
    kinds, pairs, _, fours = sets_of(state, seat)
    return makes(FOUR, kinds, pairs, fours) or makes(PAIRS, kinds, pairs, fours) or makes(SEVEN, kinds, pairs, fours)


@inlined
def legal_rewards(box: Any, state: Any, seat: int, ids: Any) -> int:
    """List every combination that a seat can pay: four alike, three pairs, seven colours; return their number."""
    kinds, pairs, _, fours = sets_of(state, seat)
    n = 0
    if makes(FOUR, kinds, pairs, fours):
        for colour in range(COLOURS):
            if state.cards[seat, colour] >= 4:
                ids[n] = FOURS + colour
                n += 1
    if makes(PAIRS, kinds, pairs, fours):
        for a in range(COLOURS - 2):
            if state.cards[seat, a] >= 2:
                for b in range(a + 1, COLOURS - 1):
                    if state.cards[seat, b] >= 2:
                        for c in range(b + 1, COLOURS):
                            if state.cards[seat, c] >= 2:
                                ids[n] = PAIRS_OF + int(box.triple_from[a, b]) + c
                                n += 1
    if makes(SEVEN, kinds, pairs, fours):
        ids[n] = SEVENS
        n += 1
    return n


@inlined
def legal_discards(state: Any, seat: int, ids: Any, n: int) -> int:
    """List the colours of which a seat has a card, behind `n` other moves; return the number of all."""
    for colour in range(COLOURS):
        if state.cards[seat, colour] > 0:
            ids[n] = DISCARDS + colour
            n += 1
    return n


@inlined
def rotations(box: Any, state: Any, seat: int) -> int:
    """Return the number of tiles in hand times their rotations that look different."""
    count = 0
    for slot in range(HAND):
        tile = int(state.hands[seat, slot])
        if tile != NO_TILE:
            count += int(box.turns[tile])
    return count


@inlined
def rotation(box: Any, state: Any, seat: int, number: int) -> int:
    """Return one of the rotations that `rotations` counts, as tile * 4 + turn."""
    slot = 0
    while number >= box.turns[state.hands[seat, slot]]:
        number -= int(box.turns[state.hands[seat, slot]])
        slot += 1
    return int(state.hands[seat, slot]) * 4 + number


@compiled
def legal_places(box: Any, state: Any, seat: int, ids: Any) -> int:
    """List every tile in hand in every rotation on every free cell beside the lake; return their number."""
    n = 0
    for number in range(rotations(box, state, seat)):
        first = PLACES + rotation(box, state, seat, number) * RANKS
        for rank in range(state.border_count):
            ids[n] = first + rank
            n += 1
    return n


@inlined
def pick(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return one move at random; placements and draws, of which there are many, are counted instead of listed."""
    if state.step == DEAL or state.step == DRAW:
        return DRAWS + int(state.unseen[below(rng, int(state.unseen_count))])
    if state.step != PLACE:
        return pick_listed(box, state, seat, rng, ids, weights)
    borders = int(state.border_count)
    k = below(rng, rotations(box, state, seat) * borders)
    return PLACES + rotation(box, state, seat, k // borders) * RANKS + k % borders


@inlined
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make one legal move and go on to the next step that asks something."""
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
    """Go on from `step` to the first step that asks something, in this turn or a later one; return the log's rows."""
    seat = int(state.active)
    while True:
        if step <= DRAW:
            if has_choice(state, seat, step):
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
    """Pay two boats and a card for a card of another colour."""
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
    """Put cards of a combination back to the supply."""
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
    """Put a card above the limit back to the supply."""
    state.cards[seat, colour] -= 1
    state.supply[colour] += 1
    return note(log, 0, DISCARDED, seat, colour, 1, OVER_LIMIT, EVERYONE)


@inlined
def place(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Lay a tile from hand, then give the match bonus, then distribute cards."""
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
    """Give a card for each side that meets its own colour, and a boat for each tile of these matches with a symbol."""
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
    """Give everybody a card of the colour that faces them, clockwise from the first player or the active one."""
    players = int(state.players)
    seat = int(state.active) if state.by_active else int(state.first)
    for _ in range(players):
        row = receive(state, seat, side_colour(box, state, cell, int(box.sides[players, seat])), why, log, row)
        seat = seat + 1 if seat + 1 < players else 0
    return row


@inlined
def receive(state: Any, seat: int, colour: int, why: int, log: Any, row: int) -> int:
    """Give a seat a lantern card from the supply, if one is left."""
    if state.supply[colour] == 0:
        return note(log, row, MISSED, seat, colour, 1, why, EVERYONE)
    state.supply[colour] -= 1
    state.cards[seat, colour] += 1
    return note(log, row, RECEIVED, seat, colour, 1, why, EVERYONE)


@inlined
def draw(state: Any, seat: int, tile: int, log: Any) -> int:
    """Move a tile from the pile to a hand, which only its owner sees."""
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
    """Remove a tile from the unseen ones."""
    unseen = state.unseen
    gone = np.uint8(tile)
    for i in range(TILES - 1):
        unseen[i] = unseen[i] if unseen[i] < gone else unseen[i + 1]
    unseen[TILES - 1] = NO_TILE
    state.unseen_count -= 1


@compiled
def take_in_hand(state: Any, seat: int, tile: int) -> None:
    """Add a tile to a hand, which stays ascending."""
    for slot in range(HAND - 1, 0, -1):
        state.hands[seat, slot] = min(int(state.hands[seat, slot]), max(int(state.hands[seat, slot - 1]), tile))
    state.hands[seat, 0] = min(int(state.hands[seat, 0]), tile)
