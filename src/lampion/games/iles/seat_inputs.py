"""One seat of 1001 Îles as numbers for its nets, as another seat, or itself, knows it.

Expected points are computed as in `estimate`, but from the tiles that the viewer has not seen instead of a mean box.

Gains of tiles on the table go to `notes`, SLOTS for each seat from the viewer clockwise, in parts of a point over what
the mean unseen tile of the open pile would bring: whole numbers, so that ties are the same wherever this runs.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.games.iles.estimate import (
    CHOICE,
    EGG_FOUND,
    GEM,
    GEM_KINDS,
    GENIE_FIRST,
    GENIE_LAMPS,
    LAMP_RISK,
    LAMPS,
    ROKH_FOUND,
    SHARE,
    SNAKES,
    TURNED,
    WANTED,
    brigand_cost,
    copies,
    different,
    dreams_to_come,
    element_gains,
    lamp_prospect,
    snake_prospect,
    tile_gain,
    tiles_to_come,
)
from lampion.games.iles.scoring import GEM_COLUMNS, GEM_ROWS, GENIE, dream_points, points, visible
from lampion.games.iles.state import (
    A_ROW,
    BRIGAND,
    CELLS,
    COLUMNS,
    COUNTED,
    DREAM,
    DREAMS,
    EGG,
    ELEMENTS,
    GEM_BITS,
    LAMP,
    LAY,
    NONE,
    PALM,
    PILES,
    ROKH,
    ROUNDS_OF_A_PILE,
    ROWS_OF_AN_ISLAND,
    RUBY,
    SEATS,
    SLOTS,
    SNAKE,
    TAKE,
    open_columns,
)

# The parts of a seat
COUNTS = 0
LAMPS_SHOWN = COUNTS + COUNTED  # one-hot: none, one, two
SNAKES_SHOWN = LAMPS_SHOWN + 3  # one-hot: none, one, two, more
PAIRED = SNAKES_SHOWN + 4  # pairs, rokhs without an egg, eggs without a rokh
HELD = PAIRED + 3  # by dream: copies
SCORED = HELD + DREAMS  # by dream: points of the copies now
HOPED = SCORED + DREAMS  # by dream: expected points of the copies
PROSPECTS = HOPED + DREAMS  # by dream: expected points of one copy, while dreams are to come
GEM_HISTOGRAM = PROSPECTS + DREAMS  # columns by different gems and by free cells
ROOMS = ROWS_OF_AN_ISLAND + 1
GEM_LINES = GEM_HISTOGRAM + (GEM_KINDS + 1) * ROOMS  # by row: a thermometer of gems, free cells, open cells
ROW_PARTS = GEM_KINDS + 2
TO_COME = GEM_LINES + ROWS_OF_AN_ISLAND * ROW_PARTS  # island tiles, then dreams one-hot
AT_RISK = (
    TO_COME + 1 + ROUNDS_OF_A_PILE + 1
)  # worth of tiles with one lamp, with two; brigands there; tiles turned over
BRIGAND_LEAD = AT_RISK + 4  # one-hot: brigands ahead of the others
MOST_LEAD = 3
BRIGAND_COST = BRIGAND_LEAD + 2 * MOST_LEAD + 1  # brigands that count now, what one costs
POINTS = BRIGAND_COST + 2  # points now, points expected
ROLE = POINTS + 2  # lookout, active, still to take, knows a tile that this seat does not
OFFER = ROLE + 4  # best gain, its lead over second and last; mean; gains after the first, in turn; contested
PILE_GAINS = OFFER + 7  # by pile that can still be opened: the gain of a mean tile
SEAT = PILE_GAINS + PILES

# What another seat has beside
PLACE = SEAT  # one-hot: how many seats further on
AHEAD = PLACE + SEATS - 1  # points expected beyond this seat's; the same if positive; points now
ITEM = AHEAD + 3

# The plain inputs
OWN = (SEATS - 1) * ITEM
MEANS = OWN + SEAT  # by island pile and element: how often on an unseen tile

# Room in `notes`: the gains, then the set of dreams that the viewer has not seen
UNSEEN_DREAMS = SEATS * SLOTS

PART = 1024  # of a point
GEM_PULL = 1.7  # how much more often than by chance a missing gem is found for a free cell
FAR = -(1 << 40)
POINTS_SCALE, DREAM_SCALE, GAIN_SCALE, LEAD_SCALE = 40.0, 10.0, 8.0, 20.0


@inlined
def place(k: int) -> int:
    """Return where the k-th seat from the viewer is written."""
    return (k - 1) * ITEM if k else OWN


@inlined
def free_cells(state: Any, who: int, row: int) -> int:
    """Return the number of free cells of a row."""
    return COLUMNS - popcount(int(state.laid[who]) >> row * COLUMNS & A_ROW)


@inlined
def to_come(state: Any, who: int, element: int, out: Any) -> float:
    """Return how many of an element an island can expect on the tiles still to come."""
    found = 0.0
    for row in range(ROWS_OF_AN_ISLAND):
        found += free_cells(state, who, row) * float(out[MEANS + row * ELEMENTS + element])
    return found


@compiled
def write_gems(box: Any, state: Any, who: int, out: Any, at: int) -> tuple[float, float]:
    """Write the gems by column and row; return the expected points of a dream of columns and of one of rows."""
    gems, laid = int(state.gems[who]), int(state.laid[who])
    by_column, by_row = 0.0, 0.0
    for column in range(COLUMNS):
        found, room = 0, 0
        for row in range(ROWS_OF_AN_ISLAND):
            cell = row * COLUMNS + column
            found |= gems >> GEM_BITS * cell
            room += 1 - (laid >> cell & 1)
        kinds = different(found)
        out[at + GEM_HISTOGRAM + kinds * ROOMS + room] += 0.5
        chance = 0.0
        for row in range(ROWS_OF_AN_ISLAND):
            if not laid >> row * COLUMNS + column & 1:
                chance += missing_gems(found, row, out)
        by_column += line_prospect(box, GEM_COLUMNS, kinds, chance)
    for row in range(ROWS_OF_AN_ISLAND):
        cells = gems >> GEM_BITS * COLUMNS * row
        found = cells | cells >> GEM_BITS | cells >> 2 * GEM_BITS | cells >> 3 * GEM_BITS
        kinds = different(found)
        free = free_cells(state, who, row)
        place = at + GEM_LINES + row * ROW_PARTS
        for kind in range(kinds):
            out[place + kind] = 1.0
        out[place + GEM_KINDS] = free / COLUMNS
        out[place + GEM_KINDS + 1] = popcount(open_columns(state, who, row)) / COLUMNS
        by_row += line_prospect(box, GEM_ROWS, kinds, free * missing_gems(found, row, out))
    return by_column, by_row


@inlined
def missing_gems(found: int, row: int, out: Any) -> float:
    """Return the expected number of gems missing in a line that are on an unseen tile of a row."""
    chance = 0.0
    for gem in range(GEM_KINDS):
        if not found >> gem & 1:
            chance += float(out[MEANS + row * ELEMENTS + RUBY + gem])
    return chance


@inlined
def line_prospect(box: Any, dream: int, kinds: int, chance: float) -> float:
    """Return the points of a line with `kinds` kinds of gems, and a part of what one more would add."""
    now = float(box.worth[dream, kinds])
    if kinds == GEM_KINDS:
        return now
    return now + (float(box.worth[dream, kinds + 1]) - now) * min(1.0, GEM_PULL * chance)


@inlined
def prospect_known(box: Any, state: Any, who: int, dream: int, tiles: int, out: Any) -> float:
    """Return the expected points of one dream that is not of gems, from the tiles that are still unseen."""
    if dream == LAMPS:
        return lamp_prospect(box, visible(state, who, LAMP), tiles)
    if dream == SNAKES:
        return snake_prospect(box, visible(state, who, SNAKE), tiles)
    if dream == GENIE:
        lamps = visible(state, who, LAMP) + GENIE_LAMPS * to_come(state, who, LAMP, out)
        return (popcount(int(state.down[who])) + max(0.0, lamps - GENIE_FIRST)) * int(box.worth[GENIE, 1])
    element = int(box.of[dream])
    return (visible(state, who, element) + WANTED * to_come(state, who, element, out)) * int(box.worth[dream, 1])


@compiled
def write_dreams(box: Any, state: Any, who: int, unseen: int, out: Any, at: int) -> tuple[float, float]:
    """Write points and prospects by dream; return the points to expect of dreams, and of one that is drawn."""
    tiles, later = tiles_to_come(state, who), dreams_to_come(state, who)
    own = int(state.dreams[who])
    by_column, by_row = write_gems(box, state, who, out, at)
    held, left, total, squares = 0.0, 0, 0.0, 0.0
    for dream in range(DREAMS):
        if dream == GEM_COLUMNS:
            value = by_column
        elif dream == GEM_ROWS:
            value = by_row
        else:
            value = prospect_known(box, state, who, dream, tiles, out)
        mine, others = copies(own, dream), copies(unseen, dream)
        left += others
        total += others * value
        squares += others * value * value
        out[at + PROSPECTS + dream] = value / DREAM_SCALE
        if mine:
            held += mine * value
            out[at + HELD + dream] = float(mine)
            out[at + SCORED + dream] = mine * dream_points(box, state, who, dream) / DREAM_SCALE
            out[at + HOPED + dream] = mine * value / DREAM_SCALE
    if total > 0.0:
        held += later * CHOICE * squares / total
    return held, total / max(1, left)


@inlined
def lamp_tiles(box: Any, state: Any, who: int, appetite: Any, out: Any, at: int) -> float:
    """Write what lies on the tiles with a visible lamp; return what their other elements are worth to the player."""
    lamps = int(state.lamps[who])
    brigands, value, count = 0, 0.0, popcount(lamps)
    while lamps:
        cell = lowest_bit(lamps)
        lamps &= lamps - 1
        row, tile = cell // COLUMNS, int(state.islands[who, cell]) - 1
        brigands += int(box.elements[row, tile, BRIGAND])
        value += tile_gain(box, row, tile, appetite) - appetite[LAMP]
    if count:
        out[at + AT_RISK + count - 1] = value / GAIN_SCALE
    out[at + AT_RISK + 2] = brigands / 2.0
    out[at + AT_RISK + 3] = popcount(int(state.down[who])) / 4.0
    return value


@inlined
def mean_gain(pile: int, appetite: Any, turned: float, out: Any) -> float:
    """Return the gain of the mean unseen tile of an island pile; `turned` is what else a lamp brings."""
    at = MEANS + pile * ELEMENTS
    gain = turned * float(out[at + LAMP])
    for element in range(COUNTED):
        gain += appetite[element] * float(out[at + element])
    for gem in range(RUBY, ELEMENTS):
        gain += appetite[COUNTED] * float(out[at + gem])
    return gain


@compiled
def gem_gain(box: Any, state: Any, who: int, pile: int, tile: int) -> float:
    """Return the points that the gems of a tile bring to the dreams of its player, on the best open cell."""
    columns, rows = copies(int(state.dreams[who]), GEM_COLUMNS), copies(int(state.dreams[who]), GEM_ROWS)
    new, gems = int(box.gems[pile, tile]), int(state.gems[who])
    if columns + rows == 0:
        return 0.0
    opened = open_columns(state, who, pile)
    best = 0
    for column in range(COLUMNS):
        if opened >> column & 1:
            shift = GEM_BITS * column
            found = gems >> shift | gems >> shift + GEM_BITS * COLUMNS | gems >> shift + 2 * GEM_BITS * COLUMNS
            more = int(box.worth[GEM_COLUMNS, different(found | new)]) - int(box.worth[GEM_COLUMNS, different(found)])
            best = max(best, more)
    cells = gems >> GEM_BITS * COLUMNS * pile
    found = cells | cells >> GEM_BITS | cells >> 2 * GEM_BITS | cells >> 3 * GEM_BITS
    more = int(box.worth[GEM_ROWS, different(found | new)]) - int(box.worth[GEM_ROWS, different(found)])
    return float(columns * best + rows * more)


@compiled
def note_gains(
    box: Any,
    state: Any,
    who: int,
    k: int,
    secret: int,
    appetite: Any,
    turned: float,
    middle: float,
    notes: Any,
    out: Any,
) -> int:
    """Note what each tile on the table brings to the k-th seat; return the best that it can choose.

    A tile that the viewer has not seen brings nothing beyond the mean.
    """
    pile = int(state.pile)
    hope = 2 * SHARE * dreams_to_come(state, who) * GEM
    best = FAR
    for slot in range(SLOTS):
        gain = 0
        if state.table[slot] != 0:
            tile = int(state.table[slot]) - 1
            if not secret >> slot & 1:
                if pile == DREAM:
                    value = float(out[place(k) + PROSPECTS + tile]) * DREAM_SCALE
                else:
                    value = tile_gain(box, pile, tile, appetite) + turned * int(box.elements[pile, tile, LAMP])
                    if box.gems[pile, tile]:
                        value += hope + gem_gain(box, state, who, pile, tile) - appetite[COUNTED]
                gain = int((value - middle) * PART)
            best = max(best, gain if sees(state, who, slot) else 0)
        notes[k * SLOTS + slot] = gain
    return best if best > FAR else 0


@inlined
def sees(state: Any, who: int, slot: int) -> bool:
    """Return whether a seat that is to take has seen this tile; one that was taken unseen is turned up to be laid."""
    return slot != state.hidden or who == state.lookout or state.step == LAY


@inlined
def write_counts(box: Any, state: Any, who: int, out: Any, at: int) -> None:
    """Write the visible elements, pairs and brigands of an island and the tiles to come."""
    for element in range(COUNTED):
        out[at + COUNTS + element] = visible(state, who, element) / (8.0 if element <= BRIGAND else 4.0)
    out[at + LAMPS_SHOWN + min(2, visible(state, who, LAMP))] = 1.0
    out[at + SNAKES_SHOWN + min(3, visible(state, who, SNAKE))] = 1.0
    rokhs, eggs = visible(state, who, ROKH), visible(state, who, EGG)
    out[at + PAIRED] = min(rokhs, eggs) / 2.0
    out[at + PAIRED + 1] = max(0, rokhs - eggs) / 2.0
    out[at + PAIRED + 2] = max(0, eggs - rokhs) / 2.0
    tiles = tiles_to_come(state, who)
    out[at + TO_COME] = tiles / CELLS
    out[at + TO_COME + 1 + dreams_to_come(state, who)] = 1.0
    own, most = visible(state, who, BRIGAND), 0
    for other in range(state.players):
        if other != who:
            most = max(most, visible(state, other, BRIGAND))
    out[at + BRIGAND_LEAD + MOST_LEAD + max(-MOST_LEAD, min(MOST_LEAD, own - most))] = 1.0
    out[at + BRIGAND_COST] = own / 4.0 if own >= most else 0.0
    out[at + BRIGAND_COST + 1] = brigand_cost(box, state, who, tiles) / 2.0


@compiled
def write_seat(box: Any, state: Any, seat: int, k: int, secret: int, notes: Any, out: Any) -> None:
    """Write the k-th seat from this one and note its gains; expected points are computed as in `estimate`."""
    who, at = (seat + k) % int(state.players), place(k)
    write_counts(box, state, who, out, at)
    held, dream = write_dreams(box, state, who, int(notes[UNSEEN_DREAMS]), out, at)
    tiles, pile = tiles_to_come(state, who), int(state.pile)
    appetite = element_gains(box, state, who, tiles)
    turned = 0.0
    value = lamp_tiles(box, state, who, appetite, out, at)
    if visible(state, who, LAMP) == 2:
        turned = 2 * TURNED - value
    middle = 0.0
    for kind in range(PILES):
        gain = dream if kind == DREAM else mean_gain(kind, appetite, turned, out)
        if state.rounds[kind] < ROUNDS_OF_A_PILE:
            out[at + PILE_GAINS + kind] = gain / DREAM_SCALE
        if kind == pile:
            middle = gain
    out[at + ROLE] = 1.0 if who == state.lookout else 0.0
    out[at + ROLE + 1] = 1.0 if who == state.active else 0.0
    waits = int(state.waiting) >> who & 1
    out[at + ROLE + 2] = float(waits)
    out[at + ROLE + 3] = 1.0 if secret and who == state.lookout else 0.0
    best = 0
    if waits and pile != NONE:
        best = note_gains(box, state, who, k, secret, appetite, turned, middle, notes, out)
    expected = held + int(box.palm) * (visible(state, who, PALM) + to_come(state, who, PALM, out))
    rokhs = visible(state, who, ROKH) + ROKH_FOUND * to_come(state, who, ROKH, out)
    eggs = visible(state, who, EGG) + EGG_FOUND * to_come(state, who, EGG, out)
    expected += int(box.pair) * min(rokhs, eggs)
    expected += brigand_cost(box, state, who, tiles) * visible(state, who, BRIGAND)
    if copies(int(state.dreams[who]), GENIE) == 0:
        expected -= LAMP_RISK * min(tiles, 3) * visible(state, who, LAMP)
    if state.step == TAKE and who == state.active:
        expected += best / PART
    out[at + POINTS] = points(box, state, who) / POINTS_SCALE
    out[at + POINTS + 1] = expected / POINTS_SCALE
    if dreams_to_come(state, who) == 0:
        for i in range(DREAMS):
            out[at + PROSPECTS + i] = 0.0
