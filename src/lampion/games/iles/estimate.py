"""Estimate a position of 1001 Îles for bots, and choose sensible moves for playouts.

What a dream will bring is what it brings now and a part of what the tiles to come may add to it. A dream yet to be
taken is judged as all that nobody has seen, the better ones being taken more often. A tile on the table is judged by
its elements alone. The numbers below were found by letting players that look one move ahead play against each other.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import popcount
from lampion.engine.compile import compiled, inlined
from lampion.engine.rng import below
from lampion.engine.rules import pick_listed
from lampion.games.iles.scoring import GEM_COLUMNS, GEM_ROWS, GENIE, key, visible
from lampion.games.iles.state import (
    BRIGAND,
    CELLS,
    COLUMNS,
    COPIES,
    COUNT,
    DREAM,
    DREAMS,
    EGG,
    ENDED,
    GEM_BITS,
    LAMP,
    LAY,
    LAYS,
    NO_COLUMN,
    NONE,
    PALM,
    ROKH,
    ROUNDS_OF_A_PILE,
    ROWS_OF_AN_ISLAND,
    RUBY,
    SLOTS,
    SNAKE,
    TAKE,
    TAKES,
    WIDTH,
    open_columns,
)

ROKHS, MONKEYS, FENNECS, CAMELS, ELEPHANTS, LAMPS, SNAKES = 0, 1, 2, 3, 4, 7, 8
GEM_KINDS = 3

WANTED = 1.5  # how much more often than by chance the elements of a dream are found
GEM_FOUND = 0.37  # the chance of a gem for a free cell
LAMP_FAR, SNAKE_FAR, EGG_FAR = 2.0, 2.0, 1.5  # tiles to come at which the odds of finding one are even
GENIE_LAMPS, GENIE_FIRST = 0.9, 2.0  # lamps to come per lamp expected; the lamps that turn nothing over
ROKH_FOUND, EGG_FOUND = 1.7, 1.2  # as `WANTED`, for pairs
SPARE_ROKH = 0.3
SWAY, FEAR = 0.25, 0.12  # per tile to come: how far the brigand lead may change, what a brigand costs more
LAMP_RISK = 0.4  # a visible lamp may be turned over with its tile
TURNED = 2.5  # points lost by a tile that is turned over
CHOICE = 1.3  # how much more a dream is worth that is chosen later, to suit the island
SHARE = 0.28  # what a dream to come counts as: this part of one dream of every kind
GEM = 2.3
DREAM_WORTH = 8.0  # points of a dream that lies face down
DOUBT, FINE = 48, 16  # a playout errs by less than DOUBT / FINE points


@inlined
def copies(pairs: int, dream: int) -> int:
    """Return the number of copies of a dream in a set of dreams."""
    pair = pairs >> COPIES * dream & 3
    return pair - (pair >> 1)


@inlined
def dreams_to_come(state: Any, seat: int) -> int:
    """Return the number of dreams that a seat will still take."""
    to_come = ROUNDS_OF_A_PILE - int(state.rounds[DREAM])
    if state.pile == DREAM:
        to_come += int(state.waiting) >> seat & 1
    return to_come


@inlined
def tiles_to_come(state: Any, seat: int) -> int:
    """Return the number of island tiles that a seat will still lay."""
    return CELLS - popcount(int(state.laid[seat]))


@inlined
def different(gems: int) -> int:
    """Return the number of kinds of gems in a set."""
    return (gems & 1) + (gems >> 1 & 1) + (gems >> 2 & 1)


@inlined
def gem_prospect(box: Any, state: Any, seat: int, dream: int) -> float:
    """Return the points of gems in lines now, and for every free cell a part of what one more kind would add."""
    gems = int(state.gems[seat])
    free = ~int(state.laid[seat])
    lines, cells, next_line, next_cell = COLUMNS, ROWS_OF_AN_ISLAND, 1, COLUMNS
    if dream == GEM_ROWS:
        lines, cells, next_line, next_cell = cells, lines, next_cell, next_line
    points = 0.0
    for line in range(lines):
        found = 0
        room = 0
        cell = line * next_line
        for _ in range(cells):
            found |= gems >> GEM_BITS * cell
            room += free >> cell & 1
            cell += next_cell
        kinds = different(found)
        points += int(box.worth[dream, kinds])
        if kinds < GEM_KINDS:
            more = int(box.worth[dream, kinds + 1]) - int(box.worth[dream, kinds])
            points += more * room * GEM_FOUND * (GEM_KINDS - kinds) / GEM_KINDS
    return points


@inlined
def snake_prospect(box: Any, snakes: int, tiles: int) -> float:
    """Return the expected points of the dream of one snake, with `snakes` in sight and `tiles` tiles to come."""
    if snakes == 0:
        return int(box.worth[SNAKES, 1]) * tiles / (tiles + SNAKE_FAR)
    return float(box.worth[SNAKES, snakes])


@inlined
def lamp_prospect(box: Any, lamps: int, tiles: int) -> float:
    """Return the expected points of a dream of lamps.

    Two lamps can be kept; the more tiles are to come, the likelier a missing one is found.
    """
    found = tiles / (tiles + LAMP_FAR)
    second = int(box.worth[LAMPS, 2]) - int(box.worth[LAMPS, 1])
    if lamps == 0:
        return found * (int(box.worth[LAMPS, 1]) + found * second)
    return float(box.worth[LAMPS, lamps]) + (found * second if lamps == 1 else 0.0)


@inlined
def prospect(box: Any, state: Any, seat: int, dream: int, tiles: int) -> float:
    """Return the expected points of one dream for a seat with `tiles` tiles to come."""
    if dream < GEM_COLUMNS:
        element = int(box.of[dream])
        return (visible(state, seat, element) + tiles * WANTED * box.common[element]) * int(box.worth[dream, 1])
    if dream <= GEM_ROWS:
        return gem_prospect(box, state, seat, dream)
    if dream == LAMPS:
        return lamp_prospect(box, visible(state, seat, LAMP), tiles)
    if dream == SNAKES:
        return snake_prospect(box, visible(state, seat, SNAKE), tiles)
    lamps = visible(state, seat, LAMP) + tiles * GENIE_LAMPS * box.common[LAMP]
    return (popcount(int(state.down[seat])) + max(0.0, lamps - GENIE_FIRST)) * int(box.worth[GENIE, 1])


@inlined
def brigand_cost(box: Any, state: Any, seat: int, tiles: int) -> float:
    """Return the expected points of each own brigand: the further ahead of the others, the nearer to the full loss."""
    own = visible(state, seat, BRIGAND)
    most = 0
    for other in range(state.players):
        if other != seat:
            most = max(most, visible(state, other, BRIGAND))
    sway = SWAY * tiles
    surely = min(1.0, max(0.0, (own - most + 1 + sway) / (1 + 2 * sway)))
    return (surely + FEAR * tiles) * int(box.brigand)


@compiled
def dream_prospects(box: Any, state: Any, seat: int, tiles: int) -> float:
    """Return the expected points of the dreams of a seat, and of those it will still take, weighted by their points."""
    own, unseen = int(state.dreams[seat]), int(state.unseen[DREAM])
    held = 0.0
    total = 0.0
    squares = 0.0
    for dream in range(DREAMS):
        mine, left = copies(own, dream), copies(unseen, dream)
        if mine + left:
            value = prospect(box, state, seat, dream, tiles)
            held += mine * value
            total += left * value
            squares += left * value * value
    if total > 0.0:
        held += dreams_to_come(state, seat) * CHOICE * squares / total
    return held


@inlined
def element_gains(box: Any, state: Any, seat: int, tiles: int) -> Any:
    """Return the gain of one more of each counted element for a seat now, and of one more gem."""
    own = int(state.dreams[seat])
    hope = SHARE * dreams_to_come(state, seat)
    rokhs, eggs = visible(state, seat, ROKH), visible(state, seat, EGG)
    lamps, snakes = visible(state, seat, LAMP), visible(state, seat, SNAKE)
    genie = (copies(own, GENIE) + hope) * int(box.worth[GENIE, 1])
    after = 1 if lamps == 2 else lamps + 1
    lamp = (copies(own, LAMPS) + hope) * (int(box.worth[LAMPS, after]) - int(box.worth[LAMPS, lamps]))
    lamp += 2 * (genie - TURNED) if lamps == 2 else 0.7 * genie
    later = tiles / (tiles + EGG_FAR)
    rokh = (copies(own, ROKHS) + hope) * int(box.worth[ROKHS, 1])
    rokh += int(box.pair) * (1.0 if eggs > rokhs else SPARE_ROKH * later)
    snake = int(box.worth[SNAKES, snakes + 1]) - int(box.worth[SNAKES, snakes])
    return (
        float(box.palm),
        brigand_cost(box, state, seat, tiles),
        lamp,
        rokh,
        int(box.pair) * (1.0 if rokhs > eggs else later),
        (copies(own, MONKEYS) + hope) * int(box.worth[MONKEYS, 1]),
        (copies(own, FENNECS) + hope) * int(box.worth[FENNECS, 1]),
        (copies(own, CAMELS) + hope) * int(box.worth[CAMELS, 1]),
        (copies(own, ELEPHANTS) + hope) * int(box.worth[ELEPHANTS, 1]),
        (copies(own, SNAKES) + hope) * snake,
        (copies(own, GEM_COLUMNS) + copies(own, GEM_ROWS) + 2 * hope) * GEM,
    )


@inlined
def tile_gain(box: Any, pile: int, tile: int, appetite: Any) -> float:
    """Return the gain of the elements of an island tile."""
    shown = int(box.packed[pile, tile])
    gain = appetite[0] * (shown & COUNT)
    gain += appetite[1] * (shown >> WIDTH & COUNT)
    gain += appetite[2] * (shown >> 2 * WIDTH & COUNT)
    gain += appetite[3] * (shown >> 3 * WIDTH & COUNT)
    gain += appetite[4] * (shown >> 4 * WIDTH & COUNT)
    gain += appetite[5] * (shown >> 5 * WIDTH & COUNT)
    gain += appetite[6] * (shown >> 6 * WIDTH & COUNT)
    gain += appetite[7] * (shown >> 7 * WIDTH & COUNT)
    gain += appetite[8] * (shown >> 8 * WIDTH & COUNT)
    gain += appetite[9] * (shown >> 9 * WIDTH & COUNT)
    if box.gems[pile, tile]:
        gain += appetite[10]
    return gain


@inlined
def common_gain(box: Any, appetite: Any) -> float:
    """Return the mean gain of an island tile."""
    common = box.common
    gain = appetite[0] * common[0] + appetite[1] * common[1] + appetite[2] * common[2] + appetite[3] * common[3]
    gain += appetite[4] * common[4] + appetite[5] * common[5] + appetite[6] * common[6] + appetite[7] * common[7]
    gain += appetite[8] * common[8] + appetite[9] * common[9]
    return gain + appetite[10] * (common[RUBY] + common[RUBY + 1] + common[RUBY + 2])


@compiled
def best_offer(box: Any, state: Any, seat: int, tiles: int, rng: Any, doubt: int) -> tuple[int, float]:
    """Return the slot of the best tile on the table for a seat, and its gain over a tile it cannot see.

    With `doubt`, each gain is raised at random by less than `doubt` / FINE points.
    """
    pile = int(state.pile)
    unseen = int(state.hidden) if seat != state.lookout else NONE
    appetite = element_gains(box, state, seat, tiles)
    middle = DREAM_WORTH if pile == DREAM else common_gain(box, appetite)
    best, chosen = -1e30, 0
    for slot in range(SLOTS):
        if state.table[slot] != 0:
            tile = int(state.table[slot]) - 1
            if slot == unseen:
                gain = middle
            elif pile == DREAM:
                gain = prospect(box, state, seat, tile, tiles)
            else:
                gain = tile_gain(box, pile, tile, appetite)
            if doubt:
                gain += below(rng, doubt) / FINE
            if gain > best:
                best, chosen = gain, slot
    return chosen, best - middle


@compiled
def estimate(box: Any, state: Any, seat: int, keys: Any) -> float:
    """Return the expected points of a seat: dreams, palms, pairs, brigands, and the tile to take if it is its turn."""
    if state.step == ENDED:
        key(box, state, seat, keys)
        return float(keys[0])
    tiles = tiles_to_come(state, seat)
    points = dream_prospects(box, state, seat, tiles)
    points += int(box.palm) * (visible(state, seat, PALM) + tiles * box.common[PALM])
    rokhs = visible(state, seat, ROKH) + tiles * ROKH_FOUND * box.common[ROKH]
    eggs = visible(state, seat, EGG) + tiles * EGG_FOUND * box.common[EGG]
    points += int(box.pair) * min(rokhs, eggs)
    points += brigand_cost(box, state, seat, tiles) * visible(state, seat, BRIGAND)
    if copies(int(state.dreams[seat]), GENIE) == 0:
        points -= LAMP_RISK * min(tiles, 3) * visible(state, seat, LAMP)
    if state.step == TAKE and seat == state.active:
        points += best_offer(box, state, seat, tiles, keys, 0)[1]
    return points


@inlined
def gem_column(box: Any, state: Any, seat: int, pile: int, tile: int, rng: Any) -> int:
    """Return an open column at random: preferably a gem beside gems of other kinds, a tile without one beside none."""
    columns = open_columns(state, seat, pile)
    gems = int(state.gems[seat])
    new = int(box.gems[pile, tile])
    best, chosen = -1, 0
    for column in range(COLUMNS):
        if columns >> column & 1:
            place = GEM_BITS * column
            found = gems >> place | gems >> place + GEM_BITS * COLUMNS | gems >> place + 2 * GEM_BITS * COLUMNS
            kinds = different(found)
            liking = kinds + 1 if new and different(found | new) > kinds else GEM_KINDS - kinds
            liking = 4 * liking + below(rng, 4)
            if liking > best:
                best, chosen = liking, column
    return chosen


@compiled
def playout_move(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return a sensible move: a good tile and column; piles, the tile to hide and the next player at random."""
    step = int(state.step)
    pile = int(state.pile)
    if step == TAKE:
        slot, _ = best_offer(box, state, seat, tiles_to_come(state, seat), rng, DOUBT)
        move = TAKES + slot * (COLUMNS + 1)
        if pile == DREAM or (slot == state.hidden and seat != state.lookout):
            return move + NO_COLUMN
        return move + gem_column(box, state, seat, pile, int(state.table[slot]) - 1, rng)
    if step == LAY:
        return LAYS + gem_column(box, state, seat, pile, int(state.table[state.hidden]) - 1, rng)
    return pick_listed(box, state, seat, rng, ids, weights)
