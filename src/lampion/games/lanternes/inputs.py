"""What a net is given of a position of Lanternes: the seven colours as items, then turn, rewards, seats, lake.

Only from what the seat sees: of the hands of others it knows how many tiles they hold, and that these are among the
tiles it has not seen.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import popcount
from lampion.engine.compile import compiled, inlined
from lampion.games.lanternes import lake_offers
from lampion.games.lanternes.estimate import estimate, highest_reward
from lampion.games.lanternes.rules import makes, sets_of
from lampion.games.lanternes.scoring import points_of
from lampion.games.lanternes.state import (
    COLOURS,
    DRAW,
    EXCHANGE,
    EXCHANGE_BOATS,
    HAND,
    NO_TILE,
    REWARD,
    SEATS,
    STACKS,
    held,
    next_reward,
)

# An item is a colour.
OWN_CARDS, OTHERS_CARDS = 5, 4
SUPPLY = OWN_CARDS + (SEATS - 1) * OTHERS_CARDS
OPEN = SUPPLY + 5
IN_HAND = OPEN + 5
MEETS = IN_HAND + 3
UNSEEN_SHARE = MEETS + 2
COMPLETES = UNSEEN_SHARE + 2
WISHED = COMPLETES + SEATS
BRINGS = WISHED + SEATS
ITEM = BRINGS + 2
ITEMS = (COLOURS, ITEM)

# The rest, one part after another.
PLAYERS = COLOURS * ITEM
STEP = PLAYERS + SEATS - 1
STEPS = DRAW - EXCHANGE + 2
ACTIVE = STEP + 2 * STEPS
FIRST = ACTIVE + SEATS
DISTRIBUTION = FIRST + SEATS
OWN_SIDE = DISTRIBUTION + 1
TURNS = OWN_SIDE + 3
MOST_TURNS = 11
TIME = TURNS + MOST_TURNS
REWARDS_LEFT = TIME + 5
STACK = 9
LEAD = REWARDS_LEFT + STACKS * STACK
SEAT = LEAD + 2
PER_SEAT = 40
LAKE = SEAT + SEATS * PER_SEAT
MINE = LAKE + 7
OWN_HAND = MINE + 13
THREAT = OWN_HAND + HAND + 3
INPUTS = THREAT + 2 + len(lake_offers.THREATS) + SEATS - 1

GAIN_SCALE = 1.0 / 400.0


@compiled
def net_inputs(box: Any, state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write the inputs of a net for a seat: others clockwise after it, counts scaled to about 1 or as thermometers."""
    for i in range(INPUTS):
        out[i] = 0.0
    players = int(state.players)
    hand, unseen = lake_offers.tiles_in_hand(state, seat), lake_offers.tiles_unseen_by(state, seat)
    lake_offers.look_round(box, state, seat, hand, unseen, notes)
    for colour in range(COLOURS):
        write_colour(box, state, seat, colour, hand, unseen, notes, out[colour * ITEM :])
    write_turn(state, seat, out)
    write_rewards(box, state, seat, out)
    for k in range(players):
        write_cards(box, state, seat, k, out)
        write_combinations(box, state, seat, k, out)
    write_lead(box, state, seat, notes, out)
    write_lake(box, state, unseen, notes, out)
    write_hand(box, state, seat, notes, out)


@inlined
def thermometer(out: Any, at: int, number: int, least: int, places: int) -> None:
    """Write 1 at each i-th of `places` places from `at` on where `number` is at least `least` + i."""
    for i in range(min(number - least + 1, places)):
        out[at + i] = 1.0


@compiled
def write_colour(box: Any, state: Any, seat: int, colour: int, hand: int, unseen: int, notes: Any, out: Any) -> None:
    """Write who has a colour, what is left of it, where it can be met, and what it would bring."""
    players = int(state.players)
    thermometer(out, 0, int(state.cards[seat, colour]), 1, OWN_CARDS)
    for k in range(players):
        have = int(state.cards[(seat + k) % players, colour])
        if k > 0:
            thermometer(out, OWN_CARDS + (k - 1) * OTHERS_CARDS, have, 1, OTHERS_CARDS)
        out[WISHED + k] = notes[lake_offers.WISHES + k * COLOURS + colour] / 200.0
    supply = int(state.supply[colour])
    thermometer(out, SUPPLY, 3 - supply, 0, 4)
    out[SUPPLY + 4] = supply / 8.0
    edges, symbols = int(notes[lake_offers.EDGES_OF + colour]), int(notes[lake_offers.SYMBOLS_OF + colour])
    out[OPEN] = edges == 0
    out[OPEN + 1] = edges == 1
    out[OPEN + 2] = edges / 6.0
    out[OPEN + 3] = symbols > 0
    out[OPEN + 4] = symbols / 3.0
    tiles = popcount(hand & int(box.having[colour]))
    thermometer(out, IN_HAND, tiles, 1, HAND)
    out[MEETS] = tiles > 0 and edges > 0 and supply > 0
    out[MEETS + 1] = tiles > 0 and symbols > 0
    if unseen != 0:
        share = popcount(unseen & int(box.having[colour])) / popcount(unseen)
        out[UNSEEN_SHARE] = share
        out[UNSEEN_SHARE + 1] = share if edges > 0 and supply > 0 else 0.0
    out[BRINGS] = notes[lake_offers.TAKES + colour] * GAIN_SCALE
    out[BRINGS + 1] = notes[lake_offers.MATCHES + colour] * GAIN_SCALE


@inlined
def turns_left(state: Any, seat: int) -> int:
    """Return how many tiles a seat will still place: those in its hand, and its draws from the pile, by turns."""
    players = int(state.players)
    tiles = 0
    for slot in range(HAND):
        tiles += state.hands[seat, slot] != NO_TILE
    before = (seat - max(int(state.active), 0)) % players
    return tiles + (int(state.pile) + players - 1 - before) // players


@inlined
def acts_again(state: Any, seat: int) -> bool:
    """Return whether a seat still has its final turn, or the part of it in which rewards are paid."""
    if not state.final:
        return True
    players, first = int(state.players), int(state.first)
    turn, now = (seat - first) % players, (int(state.active) - first) % players
    return turn > now or (turn == now and state.step <= REWARD)


@compiled
def write_turn(state: Any, seat: int, out: Any) -> None:
    """Write the number of players, whose turn it is and at which step, who began, and the turns left."""
    players = int(state.players)
    out[PLAYERS + players - 2] = 1.0
    active, step = int(state.active), int(state.step)
    at = STEP if active == seat else STEP + STEPS
    out[at + (step - EXCHANGE if EXCHANGE <= step <= DRAW else STEPS - 1)] = 1.0
    if active >= 0:
        out[ACTIVE + (active - seat) % players] = 1.0
    if state.first >= 0:
        out[FIRST + (int(state.first) - seat) % players] = 1.0
    out[DISTRIBUTION] = float(state.by_active)
    if players == 3:
        out[OWN_SIDE + seat] = 1.0
    turns = turns_left(state, seat)
    thermometer(out, TURNS, turns, 1, MOST_TURNS)
    out[TIME] = turns / 10.0
    out[TIME + 1] = state.pile / 20.0
    out[TIME + 2] = state.pile > 0
    out[TIME + 3] = float(state.final)
    out[TIME + 4] = state.final != 0 and acts_again(state, seat)


@compiled
def write_rewards(box: Any, state: Any, seat: int, out: Any) -> None:
    """Write of every stack its next rewards, what is left of it, and who can pay for it."""
    players = int(state.players)
    for stack in range(STACKS):
        at = REWARDS_LEFT + stack * STACK
        left = int(box.stack_sizes[players, stack]) - int(state.taken[stack])
        for i in range(3):
            points = int(box.rewards[players, stack, int(state.taken[stack]) + i]) if i < left else int(box.neutral)
            out[at + i] = points / 10.0
        out[at + 3] = left / 8.0
        out[at + 4] = left == 0
        out[at + 5] = out[at] > out[at + 1]
    for k in range(1, players):
        other = (seat + k) % players
        if acts_again(state, other):
            kinds, pairs, _, fours = sets_of(state, other)
            first = pays_before(state, other, seat)
            for stack in range(STACKS):
                if makes(stack, kinds, pairs, fours):
                    at = REWARDS_LEFT + stack * STACK
                    out[at + 6] += 0.5
                    if first:
                        out[at + 7] += 0.5
                        out[at + 8] = 1.0


@inlined
def pays_before(state: Any, other: int, seat: int) -> bool:
    """Return whether another player can pay for a reward before a seat can."""
    players, now = int(state.players), max(int(state.active), 0)
    first, second = (other - now) % players, (seat - now) % players
    if state.step > REWARD:  # whose turn it is has paid, and comes last
        first, second = (first - 1) % players, (second - 1) % players
    return first < second


@compiled
def write_cards(box: Any, state: Any, seat: int, k: int, out: Any) -> None:
    """Write points, boats and numbers of cards of the k-th player after a seat."""
    other = (seat + k) % int(state.players)
    at = SEAT + k * PER_SEAT
    out[at] = points_of(state, other) / 40.0
    boats, cards = int(state.boats[other]), held(state, other)
    thermometer(out, at + 2, boats, 1, 4)
    out[at + 6] = boats >= 2 * EXCHANGE_BOATS + 2
    out[at + 7] = boats / 4.0
    out[at + 8] = cards / 10.0
    out[at + 9] = cards > 6
    thermometer(out, at + 10, cards, 9, 5)
    kinds, pairs, threes, fours = sets_of(state, other)
    thermometer(out, at + 15, kinds, 2, 6)
    thermometer(out, at + 21, pairs, 1, 4)
    thermometer(out, at + 25, threes, 1, 2)
    thermometer(out, at + 27, fours, 1, 2)
    single = kinds - pairs
    out[at + 29] = max(3 - pairs, 0) / 3.0 + max(3 - pairs - single, 0) / 3.0  # cards missing for three pairs
    out[at + 30] = turns_left(state, other) / 10.0
    out[at + 31] = acts_again(state, other)


@compiled
def write_combinations(box: Any, state: Any, seat: int, k: int, out: Any) -> None:
    """Write the rewards that the k-th player after a seat can pay now, after an exchange, and with a card more."""
    other = (seat + k) % int(state.players)
    at = SEAT + k * PER_SEAT + 32
    kinds, pairs, _, fours = sets_of(state, other)
    best = highest_reward(box, state, kinds, pairs, fours)
    payable = 0
    for stack in range(STACKS):
        if makes(stack, kinds, pairs, fours):
            out[at + stack] = next_reward(box, state, stack) / 10.0
            payable += 1
    out[at + 3] = best / 10.0
    out[at + 4] = payable > 1
    most = best
    cards = held(state, other)
    for colour in range(COLOURS):
        have = int(state.cards[other, colour])
        if state.supply[colour] > 0:
            more = highest_reward(box, state, kinds + (have == 0), pairs + (have == 1), fours + (have == 3))
            out[colour * ITEM + COMPLETES + k] = (more - best) / 10.0
            spare = cards > (3 if have == 3 else 5 if have == 1 else COLOURS - 1)
            if more > most and spare and state.boats[other] >= EXCHANGE_BOATS:
                most = more
    out[at + 5] = most / 10.0
    out[at + 6] = (most - best) / 10.0


@compiled
def write_lead(box: Any, state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write what is estimated for a seat, what others lead by, and how far it is from the best of them."""
    players = int(state.players)
    points, promise = points_of(state, seat), estimate(box, state, seat, notes)
    best_points, best_promise = 0, 0.0
    out[SEAT + 1] = promise / 50.0
    for k in range(1, players):
        other = (seat + k) % players
        its_points, its_promise = points_of(state, other), estimate(box, state, other, notes)
        out[SEAT + k * PER_SEAT + 1] = (its_promise - promise) / 10.0
        out[SEAT + (k + 1) * PER_SEAT - 1] = (its_points - points) / 10.0
        best_points, best_promise = max(best_points, its_points), max(best_promise, its_promise)
    out[LEAD] = (points - best_points) / 10.0
    out[LEAD + 1] = (promise - best_promise) / 10.0


@compiled
def write_lake(box: Any, state: Any, unseen: int, notes: Any, out: Any) -> None:
    """Write what the open edges offer, and what unseen tiles would bring the next other player there."""
    out[LAKE] = state.border_count / 30.0
    out[LAKE + 1] = notes[lake_offers.DOUBLES] / 8.0
    out[LAKE + 2] = notes[lake_offers.TRIPLES] / 4.0
    unseen_count = popcount(unseen)
    out[LAKE + 3] = unseen_count / 30.0
    if unseen_count == 0:
        return
    out[LAKE + 4] = notes[lake_offers.THEIR_DOUBLES] / (4.0 * unseen_count)
    out[LAKE + 5] = notes[lake_offers.THEIR_MOST] / unseen_count
    out[LAKE + 6] = state.pile / unseen_count
    out[THREAT] = notes[lake_offers.THREAT_SUM] * GAIN_SCALE / unseen_count
    out[THREAT + 1] = notes[lake_offers.THREAT_MOST] * GAIN_SCALE
    at = THREAT + 2
    for i in range(len(lake_offers.THREATS)):
        out[at + i] = notes[lake_offers.THREAT_COUNTS + i] / unseen_count
    if notes[lake_offers.THREATENING] > 0:
        out[at + len(lake_offers.THREATS) + int(notes[lake_offers.THREATENING]) - 1] = 1.0


@compiled
def write_hand(box: Any, state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write the number of tiles in hand and of those with a symbol, and what they would bring at once."""
    tiles, symbols = 0, 0
    for slot in range(HAND):
        if state.hands[seat, slot] != NO_TILE:
            tiles += 1
            symbols += int(box.symbols[state.hands[seat, slot]])
    thermometer(out, OWN_HAND, tiles, 1, HAND)
    thermometer(out, OWN_HAND + HAND, symbols, 1, HAND)
    if state.final or tiles == 0:
        return
    a, b, c = int(notes[lake_offers.GAINS]), int(notes[lake_offers.GAINS + 1]), int(notes[lake_offers.GAINS + 2])
    low = min(a, b, c) if tiles == HAND else 0
    high = max(a, b, c) if tiles == HAND else max(a, b) if tiles == 2 else a
    out[MINE] = high * GAIN_SCALE
    out[MINE + 1] = (a + b + c - high - low) * GAIN_SCALE
    out[MINE + 2] = low * GAIN_SCALE
    out[MINE + 3] = notes[lake_offers.BEST_OWN] * GAIN_SCALE
    out[MINE + 4] = notes[lake_offers.BEST_GIFT] * GAIN_SCALE
    thermometer(out, MINE + 5, int(notes[lake_offers.MOST_MATCHES]), 1, 3)
    thermometer(out, MINE + 8, int(notes[lake_offers.MOST_BOATS]), 1, 3)
    out[MINE + 11] = notes[lake_offers.OWN_DOUBLES] / 4.0
    out[MINE + 12] = notes[lake_offers.OWN_DOUBLES] > 0
