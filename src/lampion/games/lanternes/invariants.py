"""What must be true in Lanternes after every move."""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import np
from lampion.engine.compile import compiled
from lampion.games.lanternes.rules import has_choice, over_limit
from lampion.games.lanternes.state import (
    BORDER,
    CELLS,
    CENTRE,
    CHOOSE_FIRST,
    COLOURS,
    DEAL,
    DRAW,
    ENDED,
    FREE,
    HAND,
    NEUTRAL,
    NO_CELL,
    NO_TILE,
    NOBODY,
    PLACE,
    SEATS,
    STACKS,
    START,
    TILES,
    WIDTH,
    has_tile,
    neighbour,
)

INVARIANTS = ("players", "counts", "cards", "lake", "border", "tiles", "rewards", "hands", "step")
PLAYERS_FACT, COUNTS_FACT, CARDS_FACT, LAKE_FACT, BORDER_FACT, TILES_FACT, REWARDS_FACT, HANDS_FACT, STEP_FACT = range(
    1, len(INVARIANTS) + 1
)


@compiled
def broken_invariant(box: Any, state: Any) -> int:
    """Return 0, or the number of the first of INVARIANTS that is broken."""
    players = int(state.players)
    if not (2 <= players <= SEATS and NOBODY <= state.first < players and NOBODY <= state.active < players):
        return PLAYERS_FACT
    if not are_counts_right(state):
        return COUNTS_FACT
    for colour in range(COLOURS):
        total = int(state.supply[colour])
        for seat in range(players):
            total += int(state.cards[seat, colour])
        if total != box.cards[players]:
            return CARDS_FACT
    if not is_lake_right(state):
        return LAKE_FACT
    if not is_border_right(state):
        return BORDER_FACT
    if not are_tiles_right(box, state):
        return TILES_FACT
    if not are_rewards_right(box, state):
        return REWARDS_FACT
    if not are_hands_right(box, state):
        return HANDS_FACT
    if not is_step_right(box, state):
        return STEP_FACT
    return 0


@compiled
def are_counts_right(state: Any) -> bool:
    """Return whether no count is negative, and those of empty seats are 0."""
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
    return state.pile >= 0 and state.unseen_count >= 0 and state.placed >= 0 and state.border_count >= 0


@compiled
def is_lake_right(state: Any) -> bool:
    """Return whether the start tile is in the middle, and as many tiles as were placed lie inside the square."""
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
def is_border_right(state: Any) -> bool:
    """Return whether the border is ascending and has exactly the free cells beside a tile, which the lake marks."""
    for i in range(BORDER):
        cell = int(state.border[i])
        if i >= state.border_count:
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
    return free == state.border_count


@compiled
def are_tiles_right(box: Any, state: Any) -> bool:
    """Return whether every tile is in one place, and the unseen ones are the pile and those that left the game."""
    found = np.uint64(0)
    one = np.uint64(1)
    count = 0
    for i in range(TILES):
        if i >= state.unseen_count:
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
    return count == TILES + 1 and found == everything and state.unseen_count == state.pile + box.removed[state.players]


@compiled
def are_rewards_right(box: Any, state: Any) -> bool:
    """Return whether the players have the points of the cards gone from each stack; others come from empty stacks."""
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
    """Return the number of tiles in a seat's hand."""
    n = 0
    for slot in range(HAND):
        n += state.hands[seat, slot] != NO_TILE
    return n


@compiled
def are_hands_right(box: Any, state: Any) -> bool:
    """Return whether the hands are those of deals and turns clockwise from the first player."""
    players = int(state.players)
    step = int(state.step)
    if step == CHOOSE_FIRST:
        return state.placed == 0 and state.unseen_count == TILES
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
def is_step_right(box: Any, state: Any) -> bool:
    """Return whether the step is one that the active player can be at."""
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
    return has_choice(state, seat, step) and not (step == PLACE and over_limit(state, seat))
