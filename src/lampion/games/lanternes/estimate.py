"""How good a position of Lanternes is, and how a player who does not think long goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.engine.compile import compiled, inlined
from lampion.engine.rng import below, random_bits
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

TIE = 0.01
BOAT = 25
ROTATIONS = 4 * HAND
# Where the guide keeps what it needs in the rows it is given: by tile and turn; by side and colour; by colour.
SINGLE = ROTATIONS
WISHES = SINGLE + 4 * COLOURS
NEVER = -1000000
ZERO, ONE, THREE, FIVE, FIVE_BITS, SIXTY_THREE = map(np.uint64, (0, 1, 3, 5, 31, 63))


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
def estimate(box: Any, state: Any, seat: int, keys: Any) -> float:
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
    tiles = tiles_to_place(state, seat)
    value = card_worth(box, state) * min(float(cards), HAND_LIMIT, 7.0 + 1.5 * tiles)
    value += 0.01 * together(kinds, pairs, threes, fours)
    return points + value + 0.25 * min(float(boats), 2.0 * tiles)


@inlined
def playout_move(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """A sensible move: rewards as soon as they are there, and the best of a few places."""
    step = int(state.step)
    if step == PLACE:
        return guide_place(box, state, seat, rng, ids, weights)
    if step == EXCHANGE:
        return guide_exchange(box, state, seat)
    if step == REWARD:
        return guide_reward(box, state, seat, rng, ids, weights)
    return int(pick(box, state, seat, rng, ids, weights))


@compiled
def guide_exchange(box: Any, state: Any, seat: int) -> int:
    """The exchange that brings the colours together best, where that is worth the boats.

    In the final turn, the exchange that leaves the highest reward to pay.
    """
    if state.final:
        return last_exchange(box, state, seat)
    kinds, pairs, threes, fours = 0, 0, 0, 0
    for colour in range(COLOURS):
        have = int(state.cards[seat, colour])
        kinds += have >= 1
        pairs += have >= 2
        threes += have >= 3
        fours += have >= 4
    boats, useful = int(state.boats[seat]), 2.0 * tiles_to_place(state, seat)
    price = BOAT * (min(float(boats), useful) - min(float(boats - EXCHANGE_BOATS), useful))
    best, move = together(kinds, pairs, threes, fours) + price, PASS
    for give in range(COLOURS):
        less = int(state.cards[seat, give])
        if less > 0:
            for take in range(COLOURS):
                if take != give and state.supply[take] > 0:
                    more = int(state.cards[seat, take])
                    found = together(
                        kinds - (less == 1) + (more == 0),
                        pairs - (less == 2) + (more == 1),
                        threes - (less == 3) + (more == 2),
                        fours - (less == 4) + (more == 3),
                    )
                    if found > best:
                        best, move = float(found), EXCHANGES + give * COLOURS + take
    return move


@inlined
def together(kinds: int, pairs: int, threes: int, fours: int) -> int:
    """What colours that come together for a combination are worth, in hundredths of a point."""
    return 10 * pairs + 30 * threes + 80 * min(fours, 1) + 30 * max(kinds - 4, 0)


@inlined
def tiles_to_place(state: Any, seat: int) -> float:
    """About how many tiles a seat will still place."""
    tiles = int(state.pile) / int(state.players)
    for slot in range(HAND):
        tiles += state.hands[seat, slot] != NO_TILE
    return tiles


@compiled
def last_exchange(box: Any, state: Any, seat: int) -> int:
    """The exchange after which the highest reward can be paid, if it is higher than without."""
    best, move = payable(box, state, seat, -1, -1), PASS
    for give in range(COLOURS):
        if state.cards[seat, give] > 0:
            for take in range(COLOURS):
                if take != give and state.supply[take] > 0:
                    found = payable(box, state, seat, give, take)
                    if found > best:
                        best, move = found, EXCHANGES + give * COLOURS + take
    return move


@compiled
def payable(box: Any, state: Any, seat: int, give: int, take: int) -> int:
    """The highest reward that a seat can pay after an exchange; 0 for none."""
    kinds, pairs, fours = 0, 0, 0
    for colour in range(COLOURS):
        have = int(state.cards[seat, colour]) - (colour == give) + (colour == take)
        kinds += have >= 1
        pairs += have >= 2
        fours += have >= 4
    best = top(box, state, FOUR) if fours else 0
    if pairs >= 3:
        best = max(best, top(box, state, PAIRS))
    if kinds == COLOURS:
        best = max(best, top(box, state, SEVEN))
    return best


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


@inlined
def more_for(have: int, kinds: int) -> int:
    """What one more card of a colour brings towards a combination, in hundredths of a point, as in `estimate`."""
    if have == 0:
        return 30 if kinds >= 4 else 0
    return 80 if have == 3 else 20 * have - 10 if have < 3 else 0


@inlined
def make_wishes(box: Any, state: Any, seat: int, wishes: Any) -> None:
    """How much a seat would like one more card of each colour, in hundredths of a point."""
    card = int(100 * card_worth(box, state))
    kinds = 0
    for colour in range(COLOURS):
        kinds += state.cards[seat, colour] > 0
    for colour in range(COLOURS):
        wish = card + more_for(int(state.cards[seat, colour]), kinds)
        wishes[colour] = wish if state.supply[colour] > 0 else 0


@compiled
def guide_place(box: Any, state: Any, seat: int, rng: Any, codes: Any, gains: Any) -> int:
    """Of most free cells, the tile and turn that bring this seat the most and, of two players, the other the least.

    Most cells touch one tile: for these it is enough to know the best tile and turn for each colour towards each side.
    """
    players = int(state.players)
    alone = players > 2
    wishes, single, single_codes = gains[WISHES:], gains[SINGLE:], codes[SINGLE:]
    others_wishes = wishes[COLOURS:]
    make_wishes(box, state, seat, wishes)
    if not alone:
        make_wishes(box, state, 1 - seat, others_wishes)
    for i in range(4 * COLOURS):
        single[i] = NEVER
    noise = random_bits(rng)
    n = 0
    best, move = NEVER, PASS
    start = below(rng, int(state.borders))
    for slot in range(HAND):
        tile = int(state.hands[seat, slot])
        if tile != NO_TILE:
            boat = BOAT * int(box.symbols[tile])
            for turn in range(box.turns[tile]):
                code = 1 + tile * 4 + turn
                gain = int(noise & FIVE_BITS)
                noise >>= FIVE
                gain += int(wishes[int(box.faces[code, int(box.sides[players, seat])])])
                if not alone:
                    gain -= int(others_wishes[int(box.faces[code, int(box.sides[players, 1 - seat])])])
                if gain > best:
                    best, move = gain, PLACES + (code - 1) * RANKS + start
                gain += boat
                for side in range(4):
                    i = side * COLOURS + int(box.faces[code, side])
                    if gain > single[i]:
                        single[i] = gain
                        single_codes[i] = code
                codes[n] = code
                gains[n] = gain
                n += 1
    noise = random_bits(rng)
    for rank in range(state.borders):
        noise = (noise >> ONE) | (noise << SIXTY_THREE)
        if noise & THREE == ZERO:
            continue
        cell = int(state.border[rank])
        north, east = int(state.lake[cell + WIDTH]), int(state.lake[cell + 1])
        south, west = int(state.lake[cell - WIDTH]), int(state.lake[cell - 1])
        beside = (0 < north < FREE) + (0 < east < FREE) + (0 < south < FREE) + (0 < west < FREE)
        if beside == 1:
            side, code = NORTH, north
            if 0 < east < FREE:
                side, code = EAST, east
            elif 0 < south < FREE:
                side, code = SOUTH, south
            elif 0 < west < FREE:
                side, code = WEST, west
            colour = int(box.faces[code, (side + 2) & 3])
            i = side * COLOURS + colour
            gain = int(single[i]) + int(wishes[colour]) + BOAT * int(box.symbols[(code - 1) >> 2])
            if gain > best:
                best, move = gain, PLACES + (int(single_codes[i]) - 1) * RANKS + rank
        else:
            for i in range(n):
                code = int(codes[i])
                gain = meeting(box, wishes, north, int(box.faces[code, NORTH]), SOUTH)
                gain += meeting(box, wishes, east, int(box.faces[code, EAST]), WEST)
                gain += meeting(box, wishes, south, int(box.faces[code, SOUTH]), NORTH)
                gain += meeting(box, wishes, west, int(box.faces[code, WEST]), EAST)
                if int(gains[i]) + gain > best:
                    best, move = int(gains[i]) + gain, PLACES + (code - 1) * RANKS + rank
    return move


@inlined
def meeting(box: Any, wishes: Any, code: int, colour: int, side: int) -> int:
    """What a side of that colour brings against the neighbour of that code."""
    if 0 < code < FREE and int(box.faces[code, side]) == colour:
        return int(wishes[colour]) + BOAT * int(box.symbols[(code - 1) >> 2])
    return 0
