"""The points that a position of Lanternes promises a seat, and sensible moves for playouts."""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import np
from lampion.engine.compile import compiled, inlined
from lampion.engine.rng import below, random_bits
from lampion.games.lanternes.rules import makes, may_give, may_take, pick, rotation, rotations, sets_of
from lampion.games.lanternes.scoring import points_of
from lampion.games.lanternes.state import (
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
    next_reward,
)

TIE = 0.01
BOAT = 25
ROTATIONS = 4 * HAND
# Where `best_place` keeps its numbers in the rows it is given: by rotation; by side and colour; by colour.
SINGLE = ROTATIONS
WISHES = SINGLE + 4 * COLOURS
NEVER = -1000000
ZERO, ONE, THREE, FIVE, FIVE_BITS, SIXTY_THREE = map(np.uint64, (0, 1, 3, 5, 31, 63))


@inlined
def card_worth(box: Any, state: Any) -> float:
    """Return the points that a card promises: more, the higher the next rewards are."""
    return (
        0.1 * (next_reward(box, state, FOUR) + next_reward(box, state, PAIRS) + next_reward(box, state, SEVEN)) - 1.25
    )


@compiled
def estimate(box: Any, state: Any, seat: int, keys: Any) -> float:
    """Return the points of a seat, and what its cards and boats promise.

    A card promises more the higher the next rewards are, up to as many cards as there is time to pay with; colours
    that come together for a combination promise a little more. In the final turn only what can be paid counts.
    """
    points = points_of(state, seat)
    if state.step == ENDED:
        return float(points)
    kinds, pairs, threes, fours = sets_of(state, seat)
    cards = held(state, seat)
    boats = int(state.boats[seat])
    if state.final:
        players, first = int(state.players), int(state.first)
        turn, now = (seat - first) % players, (int(state.active) - first) % players
        if turn < now or (turn == now and state.step > REWARD):
            return float(points)
        swap = boats >= EXCHANGE_BOATS and (turn > now or state.step == EXCHANGE)
        best = 0
        if makes(FOUR, kinds, pairs, fours) or (swap and threes > 0 and cards > 3):
            best = next_reward(box, state, FOUR)
        if makes(PAIRS, kinds, pairs, fours) or (swap and pairs == 2 and kinds > 2 and cards > 5):
            best = max(best, next_reward(box, state, PAIRS))
        if makes(SEVEN, kinds, pairs, fours) or (swap and kinds == COLOURS - 1 and pairs > 0):
            best = max(best, next_reward(box, state, SEVEN))
        return points + best + TIE * (boats * COLOURS + cards)
    tiles = tiles_to_place(state, seat)
    value = card_worth(box, state) * min(float(cards), HAND_LIMIT, 7.0 + 1.5 * tiles)
    value += 0.01 * together(kinds, pairs, threes, fours)
    return points + value + 0.25 * min(float(boats), 2.0 * tiles)


@inlined
def playout_move(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return a sensible move: rewards as soon as they can be paid, and the best of many places."""
    step = int(state.step)
    if step == PLACE:
        return best_place(box, state, seat, rng, ids, weights)
    if step == EXCHANGE:
        return best_exchange(box, state, seat)
    if step == REWARD:
        return best_reward(box, state, seat, rng, ids, weights)
    return int(pick(box, state, seat, rng, ids, weights))


@compiled
def best_exchange(box: Any, state: Any, seat: int) -> int:
    """Return the exchange that brings the colours together best, where that is worth the boats, or a pass.

    In the final turn, return the exchange after which the highest reward can be paid.
    """
    if state.final:
        return last_exchange(box, state, seat)
    kinds, pairs, threes, fours = sets_of(state, seat)
    boats, useful = int(state.boats[seat]), 2.0 * tiles_to_place(state, seat)
    price = BOAT * (min(float(boats), useful) - min(float(boats - EXCHANGE_BOATS), useful))
    best, move = together(kinds, pairs, threes, fours) + price, PASS
    for give in range(COLOURS):
        less = int(state.cards[seat, give])
        if may_give(state, seat, give):
            for take in range(COLOURS):
                if may_take(state, give, take):
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
    """Return what colours that come together for a combination promise, in hundredths of a point."""
    return 10 * pairs + 30 * threes + 80 * min(fours, 1) + 30 * max(kinds - 4, 0)


@inlined
def tiles_to_place(state: Any, seat: int) -> float:
    """Return about how many tiles a seat will still place."""
    tiles = int(state.pile) / int(state.players)
    for slot in range(HAND):
        tiles += state.hands[seat, slot] != NO_TILE
    return tiles


@compiled
def last_exchange(box: Any, state: Any, seat: int) -> int:
    """Return the exchange after which the highest reward can be paid, or a pass where it is no higher than without."""
    best, move = payable(box, state, seat, -1, -1), PASS
    for give in range(COLOURS):
        if may_give(state, seat, give):
            for take in range(COLOURS):
                if may_take(state, give, take):
                    found = payable(box, state, seat, give, take)
                    if found > best:
                        best, move = found, EXCHANGES + give * COLOURS + take
    return move


@inlined
def highest_reward(box: Any, state: Any, kinds: int, pairs: int, fours: int) -> int:
    """Return the highest next reward of the combinations that cards make; 0 for none."""
    best = 0
    for combination in range(STACKS):
        if makes(combination, kinds, pairs, fours):
            best = max(best, next_reward(box, state, combination))
    return best


@compiled
def payable(box: Any, state: Any, seat: int, give: int, take: int) -> int:
    """Return the points of the highest reward that a seat can pay after an exchange; 0 for none."""
    kinds, pairs, fours = 0, 0, 0
    for colour in range(COLOURS):
        have = int(state.cards[seat, colour]) - (colour == give) + (colour == take)
        kinds += have >= 1
        pairs += have >= 2
        fours += have >= 4
    return int(highest_reward(box, state, kinds, pairs, fours))


@compiled
def best_reward(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return the reward that earns most, less what its cards promise; in the final turn the highest."""
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
    if most >= 4 and next_reward(box, state, FOUR) - 4 * card > best:
        best, move = next_reward(box, state, FOUR) - 4 * card, FOURS + richest
    if pairs >= 3 and next_reward(box, state, PAIRS) - 6 * card > best:
        a, b, c = int(weights[0]), int(weights[1]), int(weights[2])
        low, high = min(a, b, c), max(a, b, c)
        best = next_reward(box, state, PAIRS) - 6 * card
        move = PAIRS_OF + int(box.triple_from[low, a + b + c - low - high]) + high
    if kinds == COLOURS and next_reward(box, state, SEVEN) - 7 * card > best:
        move = SEVENS
    return move


@inlined
def more_for(have: int, kinds: int) -> int:
    """Return what one more card of a colour adds to `together`, in hundredths of a point."""
    if have == 0:
        return 30 if kinds >= 4 else 0
    return 80 if have == 3 else 20 * have - 10 if have < 3 else 0


@inlined
def make_wishes(box: Any, state: Any, seat: int, wishes: Any) -> None:
    """Write what one more card of each colour promises a seat, in hundredths of a point."""
    card = int(100 * card_worth(box, state))
    kinds = 0
    for colour in range(COLOURS):
        kinds += state.cards[seat, colour] > 0
    for colour in range(COLOURS):
        wish = card + more_for(int(state.cards[seat, colour]), kinds)
        wishes[colour] = wish if state.supply[colour] > 0 else 0


@compiled
def best_place(box: Any, state: Any, seat: int, rng: Any, codes: Any, gains: Any) -> int:
    """Return the place that brings this seat the most and, of two players, the other the least.

    A quarter of the free cells is left out, at random. Most cells touch one tile: for these it is enough to know the
    best rotation for each colour towards each side.
    """
    wishes, single, single_codes = gains[WISHES:], gains[SINGLE:], codes[SINGLE:]
    n, best, move = judge_rotations(box, state, seat, rng, codes, gains)
    noise = random_bits(rng)
    for rank in range(state.border_count):
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
                gain = match_gain(box, wishes, north, int(box.faces[code, NORTH]), SOUTH)
                gain += match_gain(box, wishes, east, int(box.faces[code, EAST]), WEST)
                gain += match_gain(box, wishes, south, int(box.faces[code, SOUTH]), NORTH)
                gain += match_gain(box, wishes, west, int(box.faces[code, WEST]), EAST)
                if int(gains[i]) + gain > best:
                    best, move = int(gains[i]) + gain, PLACES + (code - 1) * RANKS + rank
    return move


@inlined
def judge_rotations(box: Any, state: Any, seat: int, rng: Any, codes: Any, gains: Any) -> tuple[int, int, int]:
    """Write what every rotation of a tile in hand brings wherever it lies, with a little noise.

    Return their number, the most that one brings without a match, and a place for it.
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
    start = below(rng, int(state.border_count))
    best, move = NEVER, PASS
    count = rotations(box, state, seat)
    for n in range(count):
        code = 1 + rotation(box, state, seat, n)
        gain = int(noise & FIVE_BITS)
        noise >>= FIVE
        gain += int(wishes[int(box.faces[code, int(box.sides[players, seat])])])
        if not alone:
            gain -= int(others_wishes[int(box.faces[code, int(box.sides[players, 1 - seat])])])
        if gain > best:
            best, move = gain, PLACES + (code - 1) * RANKS + start
        gain += BOAT * int(box.symbols[(code - 1) >> 2])
        for side in range(4):
            i = side * COLOURS + int(box.faces[code, side])
            if gain > single[i]:
                single[i] = gain
                single_codes[i] = code
        codes[n] = code
        gains[n] = gain
    return count, best, move


@inlined
def match_gain(box: Any, wishes: Any, code: int, colour: int, side: int) -> int:
    """Return what a side of this colour brings a seat where it meets `side` of the tile `code`: 0 unless they match."""
    if 0 < code < FREE and int(box.faces[code, side]) == colour:
        return int(wishes[colour]) + BOAT * int(box.symbols[(code - 1) >> 2])
    return 0
