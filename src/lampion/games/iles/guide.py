"""How a position of 1001 Îles is judged by those who must be quick: what a seat may hope for, and a sensible move.

What a dream will bring is what it brings now and a share of what the tiles to come may add; a dream yet to be taken is
judged as all that are left, the better ones being more likely chosen.
"""

from __future__ import annotations

from typing import Any

from lampion.games.compiled import compiled, inlined
from lampion.games.core import pick_listed
from lampion.games.iles.rules import (
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
    HIDE,
    LAMP,
    NAME,
    NO_COLUMN,
    NONE,
    PALM,
    PILE,
    ROKH,
    ROUNDS_OF_A_PILE,
    ROWS_OF_AN_ISLAND,
    SLOTS,
    SNAKE,
    TAKE,
    TAKES,
    WIDTH,
    open_columns,
)
from lampion.games.iles.scoring import GEM_COLUMNS, GEM_ROWS, GENIE, key, visible
from lampion.games.rng import below

LAMPS, SNAKES = 7, 8  # the dreams of these elements

WANTED = 1.5
"""How much more often than by chance a player finds what a dream asks for."""
GEM_FOUND = 0.2
LAMP_REACH = 3.0
SNAKE_REACH = 4.0
SWAY = 0.15
PAIR_REACH = 3.0
FEAR = 0.08
LAMP_RISK = 0.45
LEAD = 0.6
SHARE = 0.14
TURNED = 2.5
GEM = 2.5
COMMON = 3.0
DREAM_WORTH = 9.0
BEST, MEAN, CHOOSE = range(3)


@inlined
def bits(cells: int) -> int:
    """How many of twelve bits are set."""
    cells = cells - (cells >> 1 & 0x555)
    cells = (cells & 0x333) + (cells >> 2 & 0x333)
    return (cells + (cells >> 4) + (cells >> 8)) & 0xF


@inlined
def copies(state: Any, seat: int, dream: int) -> int:
    """How many of a dream a seat has."""
    pair = int(state.dreams[seat]) >> COPIES * dream & 3
    return pair - (pair >> 1)


@inlined
def dreams_to_come(state: Any, seat: int) -> int:
    """How many dreams a seat will still take."""
    to_come = ROUNDS_OF_A_PILE - int(state.rounds[DREAM])
    if state.pile == DREAM:
        to_come += int(state.waiting) >> seat & 1
    return to_come


@inlined
def gem_prospect(box: Any, state: Any, seat: int, dream: int) -> float:
    """Gems in lines now, and for every free cell of a line a part of what one more different gem there would add."""
    gems = int(state.gems[seat])
    laid = int(state.laid[seat])
    lines, cells, next_line, next_cell = COLUMNS, ROWS_OF_AN_ISLAND, 1, COLUMNS
    if dream == GEM_ROWS:
        lines, cells, next_line, next_cell = cells, lines, next_cell, next_line
    points = 0.0
    for line in range(lines):
        found = 0
        free = 0
        cell = line * next_line
        for _ in range(cells):
            found |= gems >> GEM_BITS * cell
            free += ~laid >> cell & 1
            cell += next_cell
        different = (found & 1) + (found >> 1 & 1) + (found >> 2 & 1)
        points += int(box.worth[dream, different])
        if different < 3:
            more = int(box.worth[dream, different + 1]) - int(box.worth[dream, different])
            points += more * free * GEM_FOUND * (3 - different) / 3
    return points


@inlined
def lamp_prospect(box: Any, lamps: int, tiles: int) -> float:
    """Two lamps are easily kept; one more is found the more surely the more tiles are to come."""
    reach = tiles / (tiles + LAMP_REACH)
    now = float(box.worth[LAMPS, lamps])
    if lamps == 2:
        return now
    one_more = int(box.worth[LAMPS, lamps + 1]) - now
    if lamps == 1:
        return now + one_more * reach
    return now + reach * (one_more + reach * (int(box.worth[LAMPS, 2]) - int(box.worth[LAMPS, 1])))


@inlined
def prospect(box: Any, state: Any, seat: int, dream: int, tiles: int) -> float:
    """What a dream may bring a seat at the end, with so many tiles to come."""
    if dream < GEM_COLUMNS:
        element = int(box.of[dream])
        count = visible(state, seat, element) + tiles * WANTED * box.common[element]
        return count * int(box.worth[dream, 1])
    if dream <= GEM_ROWS:
        return gem_prospect(box, state, seat, dream)
    if dream == LAMPS:
        return lamp_prospect(box, visible(state, seat, LAMP), tiles)
    if dream == SNAKES:
        snakes = visible(state, seat, SNAKE)
        if snakes == 0:
            return int(box.worth[SNAKES, 1]) * tiles / (tiles + SNAKE_REACH)
        return float(box.worth[SNAKES, snakes])
    turned = bits(int(state.down[seat]))
    more = visible(state, seat, LAMP) + tiles * WANTED * box.common[LAMP] - 1.3
    return (turned + max(0.0, more)) * int(box.worth[GENIE, 1])


@inlined
def surely_most(state: Any, seat: int, tiles: int) -> float:
    """How sure it is that nobody will have more brigands: the further ahead now and the fewer tiles to come, the more."""
    own = visible(state, seat, BRIGAND)
    most = 0
    for other in range(state.players):
        if other != seat:
            most = max(most, visible(state, other, BRIGAND))
    sway = SWAY * tiles
    return min(1.0, max(0.0, (own - most + 1 + sway) / (1 + 2 * sway)))


@compiled
def offer(box: Any, state: Any, seat: int, tiles: int, rng: Any, noise: int, kind: int) -> float:
    """What the open tiles are worth to a seat, beside a common one: the best of them, or their mean.

    With a generator, the slot of the best after as much noise as is told.
    """
    pile = int(state.pile)
    hidden = int(state.hidden) if seat != state.lookout else NONE
    to_come = dreams_to_come(state, seat)
    best, total, n, chosen = -1e30, 0.0, 0, 0
    if pile == DREAM:
        for slot in range(SLOTS):
            if state.table[slot] != 0:
                if slot == hidden:
                    value = DREAM_WORTH
                else:
                    value = prospect(box, state, seat, int(state.table[slot]) - 1, tiles)
                if noise:
                    value += below(rng, noise) / 16
                total += value
                n += 1
                if value > best:
                    best, chosen = value, slot
        if kind == CHOOSE:
            return float(chosen)
        return (best if kind == BEST else total / n) - DREAM_WORTH
    hope = SHARE * to_come
    lamps = visible(state, seat, LAMP)
    snakes = visible(state, seat, SNAKE)
    rokhs, eggs = visible(state, seat, ROKH), visible(state, seat, EGG)
    palm = float(box.palm)
    brigand = (surely_most(state, seat, tiles) + FEAR * tiles) * int(box.brigand)
    genie = (copies(state, seat, GENIE) + hope) * int(box.worth[GENIE, 1])
    lamp = (copies(state, seat, LAMPS) + hope) * (
        int(box.worth[LAMPS, 1 if lamps == 2 else lamps + 1]) - int(box.worth[LAMPS, lamps])
    )
    lamp += 2 * (genie - TURNED) if lamps == 2 else 0.7 * genie
    later = tiles / (tiles + PAIR_REACH)
    rokh = (copies(state, seat, 0) + hope) * int(box.worth[0, 1])
    rokh += int(box.pair) * (1.0 if eggs > rokhs else 0.3 * later)
    egg = int(box.pair) * (1.0 if rokhs > eggs else later)
    monkey = (copies(state, seat, 1) + hope) * int(box.worth[1, 1])
    fennec = (copies(state, seat, 2) + hope) * int(box.worth[2, 1])
    camel = (copies(state, seat, 3) + hope) * int(box.worth[3, 1])
    elephant = (copies(state, seat, 4) + hope) * int(box.worth[4, 1])
    snake = (copies(state, seat, SNAKES) + hope) * (int(box.worth[SNAKES, snakes + 1]) - int(box.worth[SNAKES, snakes]))
    gem = (copies(state, seat, GEM_COLUMNS) + copies(state, seat, GEM_ROWS) + 2 * hope) * GEM
    for slot in range(SLOTS):
        if state.table[slot] != 0:
            if slot == hidden:
                value = COMMON
            else:
                tile = int(state.table[slot]) - 1
                shown = int(box.packed[pile, tile])
                value = palm * (shown & COUNT)
                value += brigand * (shown >> WIDTH & COUNT)
                value += lamp * (shown >> 2 * WIDTH & COUNT)
                value += rokh * (shown >> 3 * WIDTH & COUNT)
                value += egg * (shown >> 4 * WIDTH & COUNT)
                value += monkey * (shown >> 5 * WIDTH & COUNT)
                value += fennec * (shown >> 6 * WIDTH & COUNT)
                value += camel * (shown >> 7 * WIDTH & COUNT)
                value += elephant * (shown >> 8 * WIDTH & COUNT)
                value += snake * (shown >> 9 * WIDTH & COUNT)
                if box.gems[pile, tile]:
                    value += gem
            if noise:
                value += below(rng, noise) / 16
            total += value
            n += 1
            if value > best:
                best, chosen = value, slot
    if kind == CHOOSE:
        return float(chosen)
    return (best if kind == BEST else total / n) - COMMON


@compiled
def worth(box: Any, state: Any, seat: int, keys: Any) -> float:
    """Points that a seat may hope for at the end."""
    if state.step == ENDED:
        key(box, state, seat, keys)
        return float(keys[0])
    tiles = CELLS - bits(int(state.laid[seat]))
    held = 0.0
    first = 0.0
    second = 0.0
    for dream in range(DREAMS):
        pair = int(state.unseen[DREAM]) >> COPIES * dream & 3
        left = pair - (pair >> 1)
        mine = copies(state, seat, dream)
        if left + mine:
            value = prospect(box, state, seat, dream, tiles)
            held += mine * value
            first += left * value
            second += left * value * value
    total = held
    if first > 0.0:
        total += dreams_to_come(state, seat) * second / first
    total += int(box.palm) * (visible(state, seat, PALM) + tiles * box.common[PALM])
    rokhs = visible(state, seat, ROKH) + tiles * 2 * box.common[ROKH]
    eggs = visible(state, seat, EGG) + tiles * box.common[EGG]
    total += int(box.pair) * min(rokhs, eggs)
    total += (surely_most(state, seat, tiles) + FEAR * tiles) * int(box.brigand) * visible(state, seat, BRIGAND)
    if copies(state, seat, GENIE) == 0:
        total -= LAMP_RISK * min(tiles, 3) * visible(state, seat, LAMP)
    if HIDE <= state.step <= NAME and int(state.waiting) >> seat & 1:
        active = seat == state.active and state.step == TAKE
        total += offer(box, state, seat, tiles, keys, 0, BEST if active else MEAN)
    elif state.step <= PILE and seat == state.lookout:
        total += LEAD * (int(state.players) - 2)
    return total


@compiled
def guide(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Mostly a tile that fits, on any open cell; all else at random."""
    if state.step != TAKE:
        return pick_listed(box, state, seat, rng, ids, weights)
    tiles = CELLS - bits(int(state.laid[seat]))
    slot = int(offer(box, state, seat, tiles, rng, 48, CHOOSE))
    move = TAKES + slot * (COLUMNS + 1)
    if state.pile == DREAM or (slot == state.hidden and seat != state.lookout):
        return move + NO_COLUMN
    columns = open_columns(state, seat, int(state.pile))
    left = below(rng, bits(columns))
    column = 0
    while True:
        if columns >> column & 1:
            if left == 0:
                return move + column
            left -= 1
        column += 1
