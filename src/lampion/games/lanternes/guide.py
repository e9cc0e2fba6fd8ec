"""How good a position of Lanternes is, and how a player who does not think long goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.games.compiled import compiled, inlined
from lampion.games.lanternes.rules import (
    COLOURS,
    DISCARDS,
    EAST,
    ENDED,
    EXCHANGE,
    EXCHANGE_BOATS,
    EXCHANGES,
    FOUR,
    FOURS,
    FREE,
    HAND,
    HAND_LIMIT,
    NO_TILE,
    NORTH,
    PAIRS,
    PAIRS_OF,
    PASS,
    PLACE,
    PLACES,
    RANKS,
    REWARD,
    SEVEN,
    SEVENS,
    SOUTH,
    STACKS,
    WEST,
    WIDTH,
    held,
    pick,
)
from lampion.games.rng import below, random_bits

CELLS_TRIED = 6
TIE = 0.01
ROTATIONS = 4 * HAND
NOISE_BITS, NOISE_STEP = np.uint64(31), np.uint64(5)


@inlined
def top(box: Any, state: Any, stack: int) -> int:
    """The points of the next reward of a stack."""
    taken = int(state.taken[stack])
    players = int(state.players)
    return int(box.rewards[players, stack, taken] if taken < box.stack_sizes[players, stack] else box.neutral)


@inlined
def card_worth(box: Any, state: Any) -> float:
    """What a card is worth: more, the higher the next rewards are."""
    return 0.1 * (top(box, state, FOUR) + top(box, state, PAIRS) + top(box, state, SEVEN)) - 1.25


@compiled
def worth(box: Any, state: Any, seat: int, keys: Any) -> float:
    """Points, and what the cards and boats of a seat may still bring.

    A card is worth more the higher the next rewards are, up to as many cards as there is time to pay with; colours
    that come together for a combination are worth a little more. In the final turn only what can be paid counts.
    """
    points = 0
    for stack in range(STACKS + 1):
        points += int(state.points[seat, stack])
    if state.step == ENDED:
        return float(points)
    kinds, pairs, threes, fours, cards = 0, 0, 0, 0, 0
    for colour in range(COLOURS):
        have = int(state.cards[seat, colour])
        cards += have
        kinds += have >= 1
        pairs += have >= 2
        threes += have >= 3
        fours += have >= 4
    four, three_pairs, seven = top(box, state, FOUR), top(box, state, PAIRS), top(box, state, SEVEN)
    boats = int(state.boats[seat])
    if state.final:
        players, first = int(state.players), int(state.first)
        turn, now = (seat - first) % players, (int(state.active) - first) % players
        if turn < now or (turn == now and state.step > REWARD):
            return float(points)
        swap = boats >= EXCHANGE_BOATS and (turn > now or state.step == EXCHANGE)
        best = 0
        if fours > 0 or (swap and threes > 0 and cards > 3):
            best = four
        if pairs >= 3 or (swap and pairs == 2 and kinds > 2 and cards > 5):
            best = max(best, three_pairs)
        if kinds == COLOURS or (swap and kinds == COLOURS - 1 and pairs > 0):
            best = max(best, seven)
        return points + best + TIE * (boats * COLOURS + cards)
    tiles = int(state.pile) / int(state.players)
    for slot in range(HAND):
        tiles += state.hands[seat, slot] != NO_TILE
    value = card_worth(box, state) * min(float(cards), HAND_LIMIT, 7.0 + 1.5 * tiles)
    value += 0.1 * pairs + 0.3 * threes + 0.8 * min(fours, 1) + 0.3 * max(kinds - 4, 0)
    return points + value + 0.25 * min(float(boats), 2.0 * tiles)


@inlined
def guide(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """A sensible move: rewards as soon as they are there, and the best of a few places."""
    step = int(state.step)
    if step == PLACE:
        return guide_place(box, state, seat, rng, ids, weights)
    if step == EXCHANGE:
        return guide_exchange(box, state, seat, rng)
    if step == REWARD:
        return guide_reward(box, state, seat, rng, ids, weights)
    return int(pick(box, state, seat, rng, ids, weights))


@compiled
def guide_exchange(box: Any, state: Any, seat: int, rng: Any) -> int:
    """Only for a reward that one card is missing for."""
    kinds, pairs, most = 0, 0, 0
    lacking, richest = -1, 0
    for colour in range(COLOURS):
        have = int(state.cards[seat, colour])
        kinds += have >= 1
        pairs += have >= 2
        if have == 0:
            lacking = colour
        if have > state.cards[seat, richest]:
            richest = colour
    most = int(state.cards[seat, richest])
    if most >= 4 or pairs >= 3 or kinds == COLOURS:
        return PASS
    if kinds == COLOURS - 1 and most >= 2 and state.supply[lacking] > 0:
        return EXCHANGES + richest * COLOURS + lacking
    if most == 3 and state.supply[richest] > 0:
        give = (richest + 1 + below(rng, COLOURS - 1)) % COLOURS
        while give == richest or state.cards[seat, give] == 0:
            give = (give + 1) % COLOURS
            if give == richest:
                return PASS
        return EXCHANGES + give * COLOURS + richest
    return PASS


@compiled
def guide_reward(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """The reward that leaves the most after its cards are paid; in the final turn the highest."""
    kinds, pairs, most, richest = 0, 0, 0, 0
    start = below(rng, COLOURS)
    for i in range(COLOURS):
        colour = start + i if start + i < COLOURS else start + i - COLOURS
        have = int(state.cards[seat, colour])
        kinds += have >= 1
        if have >= 2:
            weights[pairs] = colour
            pairs += 1
        if have > most:
            richest, most = colour, have
    card = 0.0 if state.final else card_worth(box, state)
    best, move = -1.0, PASS if held(state, seat) <= HAND_LIMIT else DISCARDS + richest
    if most >= 4 and top(box, state, FOUR) - 4 * card > best:
        best, move = top(box, state, FOUR) - 4 * card, FOURS + richest
    if pairs >= 3 and top(box, state, PAIRS) - 6 * card > best:
        a, b, c = int(weights[0]), int(weights[1]), int(weights[2])
        low, high = min(a, b, c), max(a, b, c)
        best = top(box, state, PAIRS) - 6 * card
        move = PAIRS_OF + int(box.triple_from[low, a + b + c - low - high]) + high
    if kinds == COLOURS and top(box, state, SEVEN) - 7 * card > best:
        move = SEVENS
    return move


@compiled
def make_wishes(box: Any, state: Any, wishes: Any) -> None:
    """How much everybody would like one more card of each colour, in hundredths of a point."""
    card = int(100 * card_worth(box, state))
    for seat in range(state.players):
        kinds = 0
        for colour in range(COLOURS):
            kinds += state.cards[seat, colour] > 0
        for colour in range(COLOURS):
            have = int(state.cards[seat, colour])
            more = 0
            if have == 0:
                more = 30 if kinds >= 4 else 0
            elif have == 3:
                more = 80
            elif have < 3:
                more = 20 * have - 10
            wishes[seat * COLOURS + colour] = card + more if state.supply[colour] > 0 else 0


@compiled
def guide_place(box: Any, state: Any, seat: int, rng: Any, codes: Any, gains: Any) -> int:
    """Of a few free cells, the tile and turn that bring the most to this seat and the least to the others."""
    players = int(state.players)
    wishes = gains[ROTATIONS:]
    make_wishes(box, state, wishes)
    mine = seat * COLOURS
    n = 0
    for slot in range(HAND):
        tile = int(state.hands[seat, slot])
        if tile != NO_TILE:
            for turn in range(box.turns[tile]):
                code = 1 + tile * 4 + turn
                gain = 0
                for other in range(players):
                    gift = int(wishes[other * COLOURS + int(box.faces[code, int(box.sides[players, other])])])
                    gain += gift * (players - 1) if other == seat else -gift
                codes[n] = code
                gains[n] = gain
                n += 1
    best, move = -1000000, PASS
    for _ in range(CELLS_TRIED):
        rank = below(rng, int(state.borders))
        noise = random_bits(rng)
        cell = int(state.border[rank])
        north, east = meets(box, state, cell + WIDTH, SOUTH), meets(box, state, cell + 1, WEST)
        south, west = meets(box, state, cell - WIDTH, NORTH), meets(box, state, cell - 1, EAST)
        for i in range(n):
            code = int(codes[i])
            gain = 0
            if box.faces[code, NORTH] == north:
                gain += int(wishes[mine + north])
            if box.faces[code, EAST] == east:
                gain += int(wishes[mine + east])
            if box.faces[code, SOUTH] == south:
                gain += int(wishes[mine + south])
            if box.faces[code, WEST] == west:
                gain += int(wishes[mine + west])
            if gain > 0:
                gain += 25 * int(box.symbols[(code - 1) >> 2])
            gain = int(gains[i]) + gain * (players - 1) + int(noise & NOISE_BITS)
            noise >>= NOISE_STEP
            if gain > best:
                best, move = gain, PLACES + (code - 1) * RANKS + rank
    return move


@inlined
def meets(box: Any, state: Any, cell: int, side: int) -> int:
    """The colour that a neighbour shows, or -1 where there is none."""
    code = int(state.lake[cell])
    return int(box.faces[code, side]) if 0 < code < FREE else -1
