"""What must hold in Lanternes at every move: `broken_invariant` names the first fact that is broken."""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.engine.compile import compiled
from lampion.games.lanternes.rules import (
    BORDER,
    CELLS,
    CENTRE,
    CHOOSE_FIRST,
    COLOURS,
    DEAL,
    DISCARD,
    DRAW,
    ENDED,
    EXCHANGE,
    FREE,
    HAND,
    NEUTRAL,
    NO_CELL,
    NO_TILE,
    NOBODY,
    PLACE,
    REWARD,
    SEATS,
    STACKS,
    START,
    TILES,
    WIDTH,
    can_exchange,
    can_reward,
    has_tile,
    neighbour,
    over_limit,
)

INVARIANTS = ("players", "counts", "cards", "lake", "border", "tiles", "rewards", "hands", "step")
PLAYERS_FACT, COUNTS_FACT, CARDS_FACT, LAKE_FACT, BORDER_FACT, TILES_FACT, REWARDS_FACT, HANDS_FACT, STEP_FACT = range(
    1, 10
)


@compiled
def broken_invariant(box: Any, state: Any) -> int:
    """Cards and tiles are conserved, no count is negative, the border is the lake's, and the step fits the hands."""
    players = int(state.players)
    if not (2 <= players <= SEATS and NOBODY <= state.first < players and NOBODY <= state.active < players):
        return PLAYERS_FACT
    if not counts_hold(state):
        return COUNTS_FACT
    for colour in range(COLOURS):
        total = int(state.supply[colour])
        for seat in range(players):
            total += int(state.cards[seat, colour])
        if total != box.cards[players]:
            return CARDS_FACT
    if not lake_holds(state):
        return LAKE_FACT
    if not border_holds(state):
        return BORDER_FACT
    if not tiles_hold(box, state):
        return TILES_FACT
    if not rewards_hold(box, state):
        return REWARDS_FACT
    if not hands_hold(box, state):
        return HANDS_FACT
    if not step_holds(box, state):
        return STEP_FACT
    return 0


@compiled
def counts_hold(state: Any) -> bool:
    """Nobody has less than nothing, and an empty seat has nothing at all."""
    for seat in range(SEATS):
        most = 127 if seat < state.players else 0
        if not 0 <= state.boats[seat] <= most:
            return False
        for colour in range(COLOURS):
            if not 0 <= state.cards[seat, colour] <= most:
                return False
        for stack in range(STACKS + 1):
            if state.points[seat, stack] < 0 or (seat >= state.players and state.points[seat, stack] > 0):
                return False
    for colour in range(COLOURS):
        if state.supply[colour] < 0:
            return False
    return state.pile >= 0 and state.unseens >= 0 and state.placed >= 0 and state.borders >= 0


@compiled
def lake_holds(state: Any) -> bool:
    """As many tiles as were placed, inside the square, round the start tile."""
    if (int(state.lake[CENTRE]) - 1) >> 2 != START:
        return False
    cells = 0
    for row in range(WIDTH):
        tiles = 0
        for column in range(WIDTH):
            tiles += has_tile(state, row * WIDTH + column)
        cells += tiles
        edges = has_tile(state, row * WIDTH) or has_tile(state, (row + 1) * WIDTH - 1)
        if tiles > 0 and (row < 1 or row > WIDTH - 2 or edges):
            return False
    return cells == state.placed + 1


@compiled
def border_holds(state: Any) -> bool:
    """The border is ascending, and a free cell is in it and marked on the lake exactly if a tile lies beside it."""
    for i in range(BORDER):
        cell = int(state.border[i])
        if i >= state.borders:
            if cell != NO_CELL:
                return False
        elif not WIDTH < cell < CELLS - WIDTH or state.lake[cell] != FREE or (i > 0 and cell <= state.border[i - 1]):
            return False
    free = 0
    for row in range(WIDTH):
        marked = 0
        for column in range(WIDTH):
            marked += state.lake[row * WIDTH + column] != 0
        if marked > 0:
            for column in range(WIDTH):
                cell = row * WIDTH + column
                beside = 0
                if has_tile(state, cell):
                    for side in range(4):
                        beside += state.lake[neighbour(cell, side)] == 0
                    if beside > 0:
                        return False
                elif state.lake[cell] == FREE:
                    free += 1
                    for side in range(4):
                        beside += has_tile(state, neighbour(cell, side))
                    if beside == 0:
                        return False
    return free == state.borders


@compiled
def tiles_hold(box: Any, state: Any) -> bool:
    """Every tile is once in a hand, unseen or on the lake; what is unseen is the pile and what left the game."""
    found = np.uint64(0)
    one = np.uint64(1)
    count = 0
    for i in range(TILES):
        if i >= state.unseens:
            if state.unseen[i] != NO_TILE:
                return False
            continue
        if state.unseen[i] >= TILES or (i > 0 and state.unseen[i] <= state.unseen[i - 1]):
            return False
        found |= one << np.uint64(state.unseen[i])
        count += 1
    for seat in range(SEATS):
        for slot in range(HAND):
            tile = int(state.hands[seat, slot])
            if tile != NO_TILE:
                if tile >= TILES or seat >= state.players or (slot > 0 and tile <= state.hands[seat, slot - 1]):
                    return False
                found |= one << np.uint64(tile)
                count += 1
    for row in range(WIDTH):
        tiles = 0
        for column in range(WIDTH):
            tiles += has_tile(state, row * WIDTH + column)
        if tiles > 0:
            for column in range(WIDTH):
                code = int(state.lake[row * WIDTH + column])
                if 0 < code < FREE:
                    if code > 4 * (TILES + 1):
                        return False
                    found |= one << np.uint64((code - 1) >> 2)
                    count += 1
    everything = (one << np.uint64(TILES + 1)) - one
    return count == TILES + 1 and found == everything and state.unseens == state.pile + box.removed[state.players]


@compiled
def rewards_hold(box: Any, state: Any) -> bool:
    """The points of a stack are those of the cards gone from it; the rest come from empty stacks."""
    for stack in range(STACKS):
        if not 0 <= state.taken[stack] <= box.stack_sizes[state.players, stack]:
            return False
        points = 0
        for i in range(state.taken[stack]):
            points += int(box.rewards[state.players, stack, i])
        for seat in range(SEATS):
            points -= int(state.points[seat, stack])
        if points != 0:
            return False
    for seat in range(SEATS):
        if int(state.points[seat, NEUTRAL]) % int(box.neutral) != 0:
            return False
    return True


@compiled
def in_hand(state: Any, seat: int) -> int:
    """How many tiles a seat holds."""
    n = 0
    for slot in range(HAND):
        n += state.hands[seat, slot] != NO_TILE
    return n


@compiled
def hands_hold(box: Any, state: Any) -> bool:
    """Deals and turns went round clockwise from the first player."""
    players = int(state.players)
    step = int(state.step)
    if step == CHOOSE_FIRST:
        return state.placed == 0 and state.unseens == TILES
    now = (int(state.active) - int(state.first)) % players
    each = (TILES - int(box.removed[players])) // players
    drawing = 1 if step == DRAW else 0
    for seat in range(players):
        turn = (seat - int(state.first)) % players
        have = in_hand(state, seat)
        if step == DEAL:
            if (turn < now and have != HAND) or (turn == now and have == HAND) or (turn > now and have != 0):
                return False
        else:
            left = each - (int(state.placed) - drawing) // players - (1 if turn < now and state.final == 0 else 0)
            if have != (HAND - 1 if drawing and turn == now else min(HAND, left)):
                return False
    return True


@compiled
def step_holds(box: Any, state: Any) -> bool:
    """The step is one that the active player can be at."""
    players = int(state.players)
    step = int(state.step)
    seat = int(state.active)
    if step == CHOOSE_FIRST:
        return state.first == NOBODY and seat == NOBODY and state.final == 0
    if state.first == NOBODY or seat == NOBODY or not DEAL <= step <= ENDED:
        return False
    if step == DEAL:
        return state.placed == 0 and state.final == 0
    everything = TILES - int(box.removed[players])
    if state.final != (1 if state.placed == everything else 0):
        return False
    if step == ENDED:
        return state.final != 0 and seat == state.first
    if (
        state.final == 0
        and (int(state.placed) - (1 if step == DRAW else 0)) % players != (seat - int(state.first)) % players
    ):
        return False
    if step == EXCHANGE:
        return can_exchange(state, seat)
    if step == REWARD:
        return can_reward(state, seat) or over_limit(state, seat)
    if step == DISCARD:
        return over_limit(state, seat)
    if step == PLACE:
        return state.final == 0 and not over_limit(state, seat)
    return state.pile > 0
