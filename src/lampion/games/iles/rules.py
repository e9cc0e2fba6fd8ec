"""The rules of 1001 Îles, in the order of a round."""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit
from lampion.engine.compile import compiled
from lampion.engine.event_log import note
from lampion.engine.rng import below
from lampion.engine.rules import pick_listed
from lampion.games.core import CHANCE, EVERYONE, OVER
from lampion.games.iles.events import (
    BY_CHANCE,
    CHOSEN,
    DREAMT,
    DREW,
    END,
    FIRST,
    FLIPPED,
    HID,
    IN_TURN,
    LAID,
    LAST_TILE,
    LEFT_OVER,
    LOOKOUT,
    NAMED,
    ONLY_ONE_LEFT,
    OPENED,
    PUT_AWAY,
    SHOWED,
    THIRD_LAMP,
    TOOK,
    TURNED_UP,
    UNSEEN,
)
from lampion.games.iles.state import (
    CELLS,
    CHOOSE_FIRST,
    COLUMNS,
    COPIES,
    DRAW,
    DRAWS,
    DREAM,
    DREAMS,
    ENDED,
    EVERY_TILE,
    FIRSTS,
    GEM_BITS,
    GEMS,
    HIDE,
    HIDES,
    LAMP,
    LAY,
    LAYS,
    NAME,
    NAMES,
    NO_COLUMN,
    NOBODY,
    NONE,
    PILE,
    PILE_MOVES,
    PILES,
    ROUNDS,
    ROUNDS_OF_A_PILE,
    SLOTS,
    SOURCE_FIRST,
    SOURCE_HIDDEN,
    SOURCE_PILES,
    TAKE,
    TAKES,
    TILES,
    TURN_UP,
    TWO_PLAYER_DRAW,
    open_columns,
    round_size,
)


@compiled
def setup(box: Any, state: Any, players: int, options: Any, log: Any) -> int:
    """Set four piles and empty boards; leave the first lookout, if not chosen, to chance."""
    state.players = players
    for pile in range(PILES):
        state.unseen[pile] = EVERY_TILE
    state.pile = NONE
    state.hidden = NONE
    state.lookout = NOBODY
    state.active = NOBODY
    state.step = CHOOSE_FIRST
    if options.first == CHANCE:
        return 0
    return begin(state, int(options.first), CHOSEN, log)


@compiled
def begin(state: Any, seat: int, why: int, log: Any) -> int:
    """Let the first lookout open a pile."""
    state.lookout = seat
    state.active = seat
    state.step = PILE
    return note(log, 0, FIRST, seat, -1, 1, why, EVERYONE)


@compiled
def pending(box: Any, state: Any) -> int:
    """Return the bit of the active player; 0 at chance and at the end."""
    if PILE <= state.step <= NAME:
        return 1 << int(state.active)
    return 0


@compiled
def actor(box: Any, state: Any) -> int:
    """Return the active player, CHANCE or OVER."""
    step = int(state.step)
    if step < PILE:
        return CHANCE
    return int(state.active) if step < ENDED else OVER


@compiled
def source(box: Any, state: Any) -> int:
    """Return the source of chance: the first lookout, a pile, or the tile that was taken face down."""
    step = int(state.step)
    if step == DRAW:
        return SOURCE_PILES + int(state.pile)
    return SOURCE_FIRST if step == CHOOSE_FIRST else SOURCE_HIDDEN


@compiled
def chances(box: Any, state: Any, ids: Any, weights: Any) -> int:
    """List every seat as first lookout, the unseen tiles of the open pile, or the one tile that was taken face down.

    All unseen tiles are equally likely, also those left in the box.
    """
    step = int(state.step)
    pile = int(state.pile)
    n = 0
    if step == CHOOSE_FIRST:
        for seat in range(state.players):
            ids[seat] = FIRSTS + seat
            weights[seat] = 1
        return int(state.players)
    if step == TURN_UP:
        ids[0] = DRAWS + pile * TILES + int(state.table[state.hidden]) - 1
        weights[0] = 1
        return 1
    if step == DRAW:
        unseen = int(state.unseen[pile])
        if pile == DREAM:
            for dream in range(DREAMS):
                pair = unseen >> COPIES * dream & 3
                if pair:
                    ids[n] = DRAWS + DREAM * TILES + dream
                    weights[n] = 2 if pair == 3 else 1
                    n += 1
        else:
            for tile in range(TILES):
                if unseen >> tile & 1:
                    ids[n] = DRAWS + pile * TILES + tile
                    weights[n] = 1
                    n += 1
    return n


@compiled
def legal(box: Any, state: Any, seat: int, ids: Any) -> int:
    """List what the active player may do in this step."""
    step = int(state.step)
    n = 0
    if seat != state.active or step < PILE or step > NAME:
        return 0
    if step == TAKE:
        return legal_takes(state, seat, ids)
    if step == LAY:
        columns = open_columns(state, seat, int(state.pile))
        for column in range(COLUMNS):
            if columns >> column & 1:
                ids[n] = LAYS + column
                n += 1
    elif step == NAME:
        for other in range(state.players):
            if int(state.waiting) >> other & 1:
                ids[n] = NAMES + other
                n += 1
    elif step == PILE:
        for pile in range(PILES):
            if state.rounds[pile] < ROUNDS_OF_A_PILE:
                ids[n] = PILE_MOVES + pile
                n += 1
    else:
        for slot in range(TWO_PLAYER_DRAW):
            ids[slot] = HIDES + slot
        n = TWO_PLAYER_DRAW
    return n


@compiled
def legal_takes(state: Any, seat: int, ids: Any) -> int:
    """List every tile on the table with every open cell of its row; a dream or an unseen tile without a cell."""
    pile = int(state.pile)
    unseen = int(state.hidden) if seat != state.lookout else NONE
    columns = 1 << NO_COLUMN
    if pile != DREAM:
        columns = open_columns(state, seat, pile)
    n = 0
    for slot in range(SLOTS):
        if state.table[slot] != 0:
            move = TAKES + slot * (COLUMNS + 1)
            if slot == unseen:
                ids[n] = move + NO_COLUMN
                n += 1
            else:
                for column in range(COLUMNS + 1):
                    if columns >> column & 1:
                        ids[n] = move + column
                        n += 1
    return n


@compiled
def nth_tile(tiles: int, n: int) -> int:
    """Return the n-th tile of a set, counted from 0."""
    for _ in range(n):
        tiles &= tiles - 1
    tile = 0
    while not tiles >> tile & 0xF:
        tile += 4
    while not tiles >> tile & 1:
        tile += 1
    return tile


@compiled
def unseen_count(state: Any) -> int:
    """Return how many tiles of the open pile nobody has seen, from the rounds it was opened for."""
    size = round_size(state)
    n = TILES - (int(state.rounds[state.pile]) - 1) * size
    for slot in range(size):
        n -= state.table[slot] != 0
    return n


@compiled
def pick(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return a move at random; draws, the most frequent moves, are counted instead of listed."""
    if state.step != DRAW:
        return pick_listed(box, state, seat, rng, ids, weights)
    pile = int(state.pile)
    tile = nth_tile(int(state.unseen[pile]), below(rng, unseen_count(state)))
    return DRAWS + pile * TILES + (tile // COPIES if pile == DREAM else tile)


@compiled
def apply(box: Any, state: Any, seat: int, move: int, log: Any) -> int:
    """Make a legal move and go on to the next decision or draw."""
    if move >= FIRSTS:
        return begin(state, move - FIRSTS, BY_CHANCE, log)
    if move >= DRAWS:
        if state.step == TURN_UP:
            return turn_up(box, state, log)
        return draw(state, move - DRAWS - int(state.pile) * TILES, log)
    active = int(state.active)
    if move >= NAMES:
        return name(state, active, move - NAMES, log)
    if move >= LAYS:
        return lay_turned_up(box, state, active, move - LAYS, log)
    if move >= TAKES:
        return take(box, state, active, (move - TAKES) // (COLUMNS + 1), (move - TAKES) % (COLUMNS + 1), log)
    if move >= HIDES:
        return hide(state, active, move - HIDES, log)
    return open_pile(state, active, move - PILE_MOVES, log)


@compiled
def open_pile(state: Any, seat: int, pile: int, log: Any) -> int:
    """Open the pile that the lookout chooses."""
    state.pile = pile
    state.rounds[pile] += 1
    state.waiting = (1 << int(state.players)) - 1
    state.step = DRAW
    return note(log, 0, OPENED, seat, pile, int(state.rounds[pile]), CHOSEN, EVERYONE)


@compiled
def see(state: Any, pile: int, tile: int) -> None:
    """Remove a tile from those that nobody has seen."""
    bit = 1 << tile
    if pile == DREAM:
        bit = 1 << COPIES * tile
        if int(state.unseen[pile]) & bit << 1:
            bit <<= 1
    state.unseen[pile] = int(state.unseen[pile]) & ~bit


@compiled
def draw(state: Any, tile: int, log: Any) -> int:
    """Reveal a tile, with two players to the lookout alone."""
    pile = int(state.pile)
    lookout = int(state.lookout)
    see(state, pile, tile)
    slot = 0
    while state.table[slot] != 0:
        slot += 1
    state.table[slot] = tile + 1
    viewers = EVERYONE
    last = TAKE
    if state.players == 2:
        viewers = 1 << lookout
        last = HIDE
    if slot + 1 == round_size(state):
        state.step = last
    return note(log, 0, DREW, lookout, pile * TILES + tile, slot, BY_CHANCE, viewers)


@compiled
def hide(state: Any, seat: int, slot: int, log: Any) -> int:
    """Show two of the three tiles of two players; the player who is not the lookout takes first."""
    state.hidden = slot
    state.active = 1 - seat
    state.step = TAKE
    kind = int(state.pile) * TILES - 1
    row = note(log, 0, HID, seat, kind + int(state.table[slot]), slot, CHOSEN, 1 << seat)
    for shown in range(TWO_PLAYER_DRAW):
        if shown != slot:
            row = note(log, row, SHOWED, seat, kind + int(state.table[shown]), shown, CHOSEN, EVERYONE)
    return row


@compiled
def take(box: Any, state: Any, seat: int, slot: int, column: int, log: Any) -> int:
    """Take a tile and lay it at once; one that only the lookout has seen is turned up first."""
    tile = int(state.table[slot]) - 1
    thing = int(state.pile) * TILES + tile
    if slot == state.hidden and seat != state.lookout:
        state.step = TURN_UP
        return note(log, 0, TOOK, seat, thing, slot, UNSEEN, 1 << int(state.lookout))
    state.table[slot] = 0
    row = note(log, 0, TOOK, seat, thing, slot, CHOSEN, EVERYONE)
    row = add(box, state, seat, tile, column, log, row)
    return go_on(state, seat, log, row)


@compiled
def turn_up(box: Any, state: Any, log: Any) -> int:
    """Turn up a tile that was taken unseen: a dream is kept, for an island tile a cell is chosen now."""
    seat = int(state.active)
    slot = int(state.hidden)
    tile = int(state.table[slot]) - 1
    row = note(log, 0, TURNED_UP, seat, int(state.pile) * TILES + tile, slot, UNSEEN, EVERYONE)
    if state.pile != DREAM:
        state.step = LAY
        return row
    state.table[slot] = 0
    state.hidden = NONE
    row = add(box, state, seat, tile, NO_COLUMN, log, row)
    return go_on(state, seat, log, row)


@compiled
def lay_turned_up(box: Any, state: Any, seat: int, column: int, log: Any) -> int:
    """Lay a tile that was taken unseen."""
    tile = int(state.table[state.hidden]) - 1
    state.table[state.hidden] = 0
    state.hidden = NONE
    row = add(box, state, seat, tile, column, log, 0)
    return go_on(state, seat, log, row)


@compiled
def add(box: Any, state: Any, seat: int, tile: int, column: int, log: Any, row: int) -> int:
    """Add a dream to the left of the board, or an island tile to its row on the right."""
    pile = int(state.pile)
    thing = pile * TILES + tile
    if pile == DREAM:
        bit = 1 << COPIES * tile
        if int(state.dreams[seat]) & bit:
            bit <<= 1
        state.dreams[seat] = int(state.dreams[seat]) | bit
        return note(log, row, DREAMT, seat, thing, int(state.rounds[DREAM]), CHOSEN, EVERYONE)
    cell = pile * COLUMNS + column
    state.islands[seat, cell] = tile + 1
    state.laid[seat] = int(state.laid[seat]) | 1 << cell
    state.shown[seat] += box.packed[pile, tile]
    state.gems[seat] |= int(box.gems[pile, tile]) << GEM_BITS * cell
    row = note(log, row, LAID, seat, thing, column, CHOSEN, EVERYONE)
    if box.elements[pile, tile, LAMP]:
        return flip_lamps(box, state, seat, cell, log, row)
    return row


@compiled
def flip_lamps(box: Any, state: Any, seat: int, cell: int, log: Any, row: int) -> int:
    """Turn the two other tiles with a lamp face down whenever a third lamp becomes visible."""
    lamps = int(state.lamps[seat])
    if lamps & lamps - 1 == 0:
        state.lamps[seat] = lamps | 1 << cell
        return row
    state.lamps[seat] = 1 << cell
    state.down[seat] = int(state.down[seat]) | lamps
    for other in range(CELLS):
        if lamps >> other & 1:
            pile = other // COLUMNS
            tile = int(state.islands[seat, other]) - 1
            state.shown[seat] -= box.packed[pile, tile]
            state.gems[seat] &= ~(GEMS << GEM_BITS * other)
            row = note(log, row, FLIPPED, seat, pile * TILES + tile, other % COLUMNS, THIRD_LAMP, EVERYONE)
    return row


@compiled
def go_on(state: Any, seat: int, log: Any, row: int) -> int:
    """Let the player who has taken name the next; the last one left needs no naming and becomes the lookout."""
    waiting = int(state.waiting) & ~(1 << seat)
    state.waiting = waiting
    if waiting & waiting - 1:
        state.step = NAME
        return row
    if waiting:
        left = lowest_bit(waiting)
        state.active = left
        state.step = TAKE
        if state.players == 2:
            return row
        return note(log, row, NAMED, left, -1, seat, ONLY_ONE_LEFT, EVERYONE)
    if state.players == 2:
        row = put_away(state, log, row)
        return end_round(state, 1 - seat, IN_TURN, log, row)
    return end_round(state, seat, LAST_TILE, log, row)


@compiled
def name(state: Any, seat: int, named: int, log: Any) -> int:
    """Let the named player take next."""
    state.active = named
    state.step = TAKE
    return note(log, 0, NAMED, named, -1, seat, CHOSEN, EVERYONE)


@compiled
def put_away(state: Any, log: Any, row: int) -> int:
    """Show the tile that two players leave of three to both and remove it from the game."""
    slot = 0
    while state.table[slot] == 0:
        slot += 1
    thing = int(state.pile) * TILES + int(state.table[slot]) - 1
    state.table[slot] = 0
    state.hidden = NONE
    return note(log, row, PUT_AWAY, int(state.lookout), thing, slot, LEFT_OVER, EVERYONE)


@compiled
def end_round(state: Any, lookout: int, why: int, log: Any, row: int) -> int:
    """Let the next lookout open a pile, unless all sixteen rounds are played."""
    played = 0
    for pile in range(PILES):
        played += int(state.rounds[pile])
    state.pile = NONE
    state.lookout = lookout
    state.active = lookout
    if played == ROUNDS:
        state.step = ENDED
        return note(log, row, END, -1, -1, 0, CHOSEN, EVERYONE)
    state.step = PILE
    return note(log, row, LOOKOUT, lookout, -1, played + 1, why, EVERYONE)
