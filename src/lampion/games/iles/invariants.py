"""What is true in every position of 1001 Îles; `broken_invariant` finds the first invariant that is broken."""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import popcount
from lampion.engine.compile import compiled
from lampion.games.iles.state import (
    CELLS,
    CHOOSE_FIRST,
    COLUMNS,
    COPIES,
    DRAW,
    DREAM,
    DREAMS,
    ENDED,
    EVERY_CELL,
    EVERY_TILE,
    FIRST_COLUMN,
    GEM_BITS,
    HIDE,
    LAMP,
    LAST_COLUMN,
    LAY,
    NAME,
    NOBODY,
    NONE,
    PILE,
    PILES,
    ROUNDS,
    ROUNDS_OF_A_PILE,
    SEATS,
    SLOTS,
    TAKE,
    TILES,
    round_size,
)

INVARIANTS = ("players", "step", "rounds", "islands", "lamps", "counts", "table", "taken", "tiles")
(
    PLAYERS_FACT,
    STEP_FACT,
    ROUNDS_FACT,
    ISLANDS_FACT,
    LAMPS_FACT,
    COUNTS_FACT,
    TABLE_FACT,
    TAKEN_FACT,
    TILES_FACT,
) = range(1, 10)


@compiled
def broken_invariant(box: Any, state: Any) -> int:
    """Return 0, or the number of the first of INVARIANTS that is broken."""
    players = int(state.players)
    if not (2 <= players <= SEATS and NOBODY <= state.lookout < players and NOBODY <= state.active < players):
        return PLAYERS_FACT
    if not is_step_right(state):
        return STEP_FACT
    if not are_rounds_right(state):
        return ROUNDS_FACT
    for seat in range(SEATS):
        if not is_island_right(state, seat):
            return ISLANDS_FACT
        if not are_lamps_right(box, state, seat):
            return LAMPS_FACT
        if not are_counts_right(box, state, seat):
            return COUNTS_FACT
    if not is_table_right(state):
        return TABLE_FACT
    if not are_taken_right(state):
        return TAKEN_FACT
    if not are_tiles_right(state):
        return TILES_FACT
    return 0


@compiled
def is_step_right(state: Any) -> bool:
    """Return whether the step, the open pile, the active player and those who wait fit each other."""
    step = int(state.step)
    lookout = int(state.lookout)
    active = int(state.active)
    waiting = int(state.waiting)
    if not CHOOSE_FIRST <= step <= ENDED or not 0 <= waiting < 1 << int(state.players):
        return False
    if (step == CHOOSE_FIRST) != (lookout == NOBODY) or (lookout == NOBODY) != (active == NOBODY):
        return False
    if (state.step == CHOOSE_FIRST or state.step == PILE or state.step == ENDED) != (state.pile == NONE):
        return False
    if state.pile == NONE:
        return active == lookout and waiting == 0 and state.hidden == NONE
    if not 0 <= state.pile < PILES:
        return False
    if step == NAME:
        return (
            popcount(waiting) >= 2 and not waiting >> active & 1 and not waiting >> lookout & 1 and state.hidden == NONE
        )
    if not waiting >> active & 1:
        return False
    everybody = waiting == (1 << int(state.players)) - 1
    if state.step == DRAW or state.step == HIDE:
        return everybody and active == lookout and state.hidden == NONE and (step == DRAW or state.players == 2)
    if state.players > 2:
        return step == TAKE and state.hidden == NONE and (active == lookout) == everybody
    if active == lookout:
        return step == TAKE and not everybody and NONE <= state.hidden < round_size(state)
    return everybody and 0 <= state.hidden < round_size(state) and (step != LAY or state.pile != DREAM)


@compiled
def are_rounds_right(state: Any) -> bool:
    """Return whether each pile was opened for at most four rounds, and all sixteen are played at the end only."""
    played = 0
    for pile in range(PILES):
        if not 0 <= state.rounds[pile] <= ROUNDS_OF_A_PILE:
            return False
        played += int(state.rounds[pile])
    step = int(state.step)
    if step == CHOOSE_FIRST:
        return played == 0
    if state.pile == NONE:
        return (played == ROUNDS) == (step == ENDED)
    return state.rounds[state.pile] > 0


@compiled
def is_island_right(state: Any, seat: int) -> bool:
    """Return whether all tiles of an island are connected to the character board; an empty seat has none."""
    laid = 0
    for cell in range(CELLS):
        if state.islands[seat, cell] > TILES:
            return False
        if state.islands[seat, cell] != 0:
            laid |= 1 << cell
    if laid != state.laid[seat] or not 0 <= state.dreams[seat] <= EVERY_TILE:
        return False
    if seat >= state.players and (laid != 0 or state.dreams[seat] != 0):
        return False
    joined = laid & FIRST_COLUMN
    for _ in range(CELLS):
        joined |= joined << COLUMNS | joined >> COLUMNS
        joined |= (joined & ~LAST_COLUMN) << 1 | (joined & ~FIRST_COLUMN) >> 1
        joined &= laid & EVERY_CELL
    return joined == laid


@compiled
def are_lamps_right(box: Any, state: Any, seat: int) -> bool:
    """Return whether of k lamps one is visible if k is odd and two if it is even, and no tile without one is down."""
    lamps = 0
    for cell in range(CELLS):
        if state.islands[seat, cell] != 0:
            lamps |= int(box.elements[cell // COLUMNS, int(state.islands[seat, cell]) - 1, LAMP]) << cell
    down = int(state.down[seat])
    if down & ~lamps or state.lamps[seat] != lamps & ~down:
        return False
    k = popcount(lamps)
    return popcount(lamps & ~down) == (0 if k == 0 else 2 - k % 2)


@compiled
def are_counts_right(box: Any, state: Any, seat: int) -> bool:
    """Return whether the visible elements are those of the tiles that lie face up."""
    shown = 0
    gems = 0
    for cell in range(CELLS):
        if state.islands[seat, cell] != 0 and not int(state.down[seat]) >> cell & 1:
            tile = int(state.islands[seat, cell]) - 1
            shown += int(box.packed[cell // COLUMNS, tile])
            gems |= int(box.gems[cell // COLUMNS, tile]) << GEM_BITS * cell
    return shown == state.shown[seat] and gems == state.gems[seat]


@compiled
def is_table_right(state: Any) -> bool:
    """Return whether the table holds the tiles drawn and not yet taken; drawing fills the slots in order."""
    step = int(state.step)
    most = DREAMS if state.pile == DREAM else TILES
    size = round_size(state)
    lie = 0
    last = -1
    for slot in range(SLOTS):
        if state.table[slot] > most:
            return False
        if state.table[slot] != 0:
            lie += 1
            last = slot
    if last >= size:
        return False
    if step == DRAW:
        return lie < size and last == lie - 1
    if state.pile == NONE:
        return lie == 0
    if state.hidden != NONE and state.table[state.hidden] == 0:
        return False
    waits = popcount(int(state.waiting))
    return lie == waits + (1 if state.players == 2 else 0)


@compiled
def are_taken_right(state: Any) -> bool:
    """Return whether each player has a tile of a pile for each of its rounds, one less while waiting in this round."""
    for seat in range(state.players):
        waits = int(state.waiting) >> seat & 1
        for pile in range(PILES):
            have = popcount(int(state.dreams[seat]))
            if pile != DREAM:
                have = popcount(int(state.laid[seat]) >> pile * COLUMNS & (1 << COLUMNS) - 1)
            if have != state.rounds[pile] - (waits if pile == state.pile else 0):
                return False
    return True


@compiled
def are_tiles_right(state: Any) -> bool:
    """Return whether every tile is in one place: unseen, on the table, laid or, with two players, put away."""
    for pile in range(PILES):
        unseen = int(state.unseen[pile])
        if not 0 <= unseen <= EVERY_TILE:
            return False
        found = 0
        tiles = 0
        for seat in range(state.players):
            if pile == DREAM:
                found += popcount(int(state.dreams[seat]))
            else:
                for column in range(COLUMNS):
                    if state.islands[seat, pile * COLUMNS + column] != 0:
                        tiles |= 1 << int(state.islands[seat, pile * COLUMNS + column]) - 1
                        found += 1
        if pile == state.pile:
            for slot in range(SLOTS):
                if state.table[slot] != 0:
                    tiles |= 1 << int(state.table[slot]) - 1
                    found += 1
        away = 0
        if state.players == 2:
            away = int(state.rounds[pile]) - (1 if pile == state.pile else 0)
        if found + away + popcount(unseen) != TILES:
            return False
        if pile != DREAM and (popcount(tiles) != found or tiles & unseen):
            return False
    return are_dreams_right(state)


@compiled
def are_dreams_right(state: Any) -> bool:
    """Return whether there are at most two of each dream, and of a pair of bits the lower is set first."""
    for dream in range(DREAMS):
        left = COPIES
        for holder in range(SEATS + 1):
            pair = int(state.unseen[DREAM]) if holder == SEATS else int(state.dreams[holder])
            pair = pair >> COPIES * dream & 3
            if pair == 2:
                return False
            left -= 2 if pair == 3 else pair
        if state.pile == DREAM:
            for slot in range(SLOTS):
                left -= state.table[slot] == dream + 1
        if left < 0:
            return False
    return True
