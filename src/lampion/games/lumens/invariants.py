"""What is true in every position of Lumens; `broken_invariant` finds the first invariant that is broken."""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled
from lampion.games.lumens.state import (
    BANDS,
    CELLS,
    CHOOSE_FIRST,
    DEAL_HAND,
    DEAL_START,
    DRAW,
    ENDED,
    FACE,
    FACES,
    KINDS,
    NO_TOKEN,
    NOBODY,
    PLACE,
    ROOMS,
    SEATS,
    TOKENS,
    WIDTH,
    has_target,
)

INVARIANTS = ("players", "cells", "starts", "sets", "sums", "tokens", "hands", "turns", "targets", "out")
(
    PLAYERS_FACT,
    CELLS_FACT,
    STARTS_FACT,
    SETS_FACT,
    SUMS_FACT,
    TOKENS_FACT,
    HANDS_FACT,
    TURNS_FACT,
    TARGETS_FACT,
    OUT_FACT,
) = range(1, 11)

SUM_BITS = 16
NOWHERE = -1


@compiled
def broken_invariant(box: Any, state: Any) -> int:
    """Return 0, or the number of the first of INVARIANTS that is broken."""
    if not are_players_right(state):
        return PLAYERS_FACT
    if not are_cells_right(box, state):
        return CELLS_FACT
    if not are_starts_right(box, state):
        return STARTS_FACT
    if not are_sets_right(state):
        return SETS_FACT
    if not are_sums_right(box, state):
        return SUMS_FACT
    for seat in range(SEATS):
        if not are_tokens_right(box, state, seat):
            return TOKENS_FACT
    if not are_hands_right(state):
        return HANDS_FACT
    if state.step >= PLACE and not are_turns_right(state):
        return TURNS_FACT
    return broken_lines_invariant(box, state)


@compiled
def are_players_right(state: Any) -> bool:
    """Return whether two to four players play, one active except at the draw of the first player and at the end."""
    players = int(state.players)
    step = int(state.step)
    if not (2 <= players <= SEATS and DEAL_START <= step <= ENDED):
        return False
    if not NOBODY <= state.first < players or not NOBODY <= state.active < players:
        return False
    if step > CHOOSE_FIRST and state.first == NOBODY:
        return False
    if step == CHOOSE_FIRST and state.first != NOBODY:
        return False
    return (state.active == NOBODY) == (state.step == CHOOSE_FIRST or state.step == ENDED)


@compiled
def are_cells_right(box: Any, state: Any) -> bool:
    """Return whether all tokens belong to players and lie inside the board, at most two on a cell."""
    players = int(state.players)
    for cell in range(CELLS):
        if not (state.top[cell] <= players * FACES and state.under[cell] <= players * FACES):
            return False
        if state.top[cell] == 0:
            if state.under[cell] != 0:
                return False
        elif not int(box.inside[players, cell >> 6]) >> (cell & 63) & 1:
            return False
    return True


@compiled
def are_starts_right(box: Any, state: Any) -> bool:
    """Return whether start markers hold tokens of their own player only, at least one once the faces are chosen."""
    players = int(state.players)
    step = int(state.step)
    for seat in range(players):
        cell = int(box.starts[players, seat])
        top, under = int(state.top[cell]), int(state.under[cell])
        chosen = step > FACE or (step == FACE and seat < state.active)
        if (top != 0) != chosen or (top != 0 and (top - 1) // FACES != seat):
            return False
        if under != 0 and (under - 1) // FACES != seat:
            return False
    return True


@compiled
def are_sets_right(state: Any) -> bool:
    """Return whether the sets of cells hold the tokens on the board and nothing else."""
    shown, owned, lying = 0, 0, 0
    for band in range(BANDS):
        for face in range(FACES):
            if state.shows[face, band] < 0:
                return False
            shown += popcount(int(state.shows[face, band]))
        for seat in range(SEATS):
            if state.owned[seat, band] < 0:
                return False
            owned += popcount(int(state.owned[seat, band]))
        closed = 0
        for bit in range(64 if band < BANDS - 1 else CELLS - 64 * (BANDS - 1)):
            cell = band * 64 + bit
            if state.top[cell] != 0:
                lying += 1
                token = int(state.top[cell]) - 1
                if not int(state.owned[token // FACES, band]) >> bit & int(state.shows[token % FACES, band]) >> bit & 1:
                    return False
            if state.under[cell] != 0:
                closed |= 1 << bit
        if closed != state.closed[band]:
            return False
    return shown == lying and owned == lying


@compiled
def are_sums_right(box: Any, state: Any) -> bool:
    """Return whether the sums are those of the visible tokens by room; `totals` packs the seats, SUM_BITS each."""
    for room in range(ROOMS):
        totals = 0
        for band in range(BANDS):
            left = int(box.halls[state.players, room, band])
            while left != 0:
                token = int(state.top[band * 64 + lowest_bit(left)]) - 1
                if token >= 0:
                    totals += (token % FACES + 1) << (SUM_BITS * (token // FACES))
                left &= left - 1
        for seat in range(SEATS):
            if totals >> (SUM_BITS * seat) & ((1 << SUM_BITS) - 1) != state.sums[room, seat]:
                return False
    return True


@compiled
def on_board(state: Any, seat: int) -> int:
    """Return the number of a seat's tokens on the board, covered ones too: those neither in hand nor in the bag."""
    return TOKENS - int(state.bagged[seat]) - (1 if state.hands[seat] != NO_TOKEN else 0)


@compiled
def are_tokens_right(box: Any, state: Any, seat: int) -> bool:
    """Return whether board, hand and bag together hold a seat's tokens of each kind; an empty seat has none."""
    if not NO_TOKEN <= state.hands[seat] < KINDS:
        return False
    if seat >= state.players:
        return state.bagged[seat] == 0 and state.hands[seat] == NO_TOKEN and state.out[seat] == 0
    bagged = 0
    for kind in range(KINDS):
        if state.bags[seat, kind] < 0:
            return False
        bagged += int(state.bags[seat, kind])
        total = int(state.bags[seat, kind]) + (1 if state.hands[seat] == kind else 0)
        for band in range(BANDS):
            for face in range(2):
                shown = int(state.shows[int(box.faces[kind, face]) - 1, band])
                total += popcount(shown & int(state.owned[seat, band]))
            left = int(state.closed[band])
            while left != 0:
                under = int(state.under[band * 64 + lowest_bit(left)]) - 1
                total += under // FACES == seat and box.kinds[under % FACES + 1] == kind
                left &= left - 1
        if total != box.counts[kind]:
            return False
    return bagged == state.bagged[seat]


@compiled
def are_hands_right(state: Any) -> bool:
    """Return whether hands are empty only where they may be.

    That is before their turn in the set-up, while their owner draws, and when all tokens are placed.
    """
    step = int(state.step)
    for seat in range(state.players):
        empty = state.hands[seat] == NO_TOKEN
        placed = on_board(state, seat)
        if step == DEAL_START:
            expected = seat >= state.active
        elif step == FACE:
            expected = seat < state.active
        elif step == DEAL_HAND:
            expected = seat >= state.active
        elif step == DRAW and seat == state.active:
            expected = bool(state.bagged[seat] > 0)
            if not expected:
                return False
        else:
            expected = placed == TOKENS
        if empty != expected or (step < PLACE and placed > 1):
            return False
    return True


@compiled
def are_turns_right(state: Any) -> bool:
    """Return whether all players who are not out have had equally many turns, counted from the first player."""
    players = int(state.players)
    if state.step == ENDED:
        for seat in range(players):
            if state.hands[seat] != NO_TOKEN and state.out[seat] == 0:
                return False
        return True
    active = int(state.active)
    if state.out[active] != 0:
        return False
    turns = on_board(state, active) - (2 if state.step == DRAW else 1)
    now = (active - int(state.first)) % players
    for seat in range(players):
        if seat != active:
            had = on_board(state, seat) - 1
            expected = turns + (1 if (seat - int(state.first)) % players < now else 0)
            if state.out[seat] != 0:
                if had >= expected:
                    return False
            elif had != expected:
                return False
    return True


@compiled
def end_of_line(box: Any, state: Any, cell: int, direction: int) -> int:
    """Return the end of a token's line in a direction; NOWHERE if it leaves the board or is blocked."""
    players = int(state.players)
    step = 1 if direction & 1 else WIDTH
    if direction & 2:
        step = -step
    at = cell
    for left in range((int(state.top[cell]) - 1) % FACES, -1, -1):
        at += step
        if not 0 <= at < CELLS or not int(box.inside[players, at >> 6]) >> (at & 63) & 1:
            return NOWHERE
        if left > 0 and state.top[at] != 0:
            return NOWHERE
    return at


@compiled
def walked_ends(box: Any, state: Any, seat: int) -> tuple[int, int, int, int]:
    """Return, by band, the own start marker and the ends of a seat's lines, each line followed cell by cell."""
    players = int(state.players)
    start = int(box.starts[players, seat])
    bit = 1 << (start & 63)
    in_0, in_1 = bit if start >> 6 == 0 else 0, bit if start >> 6 == 1 else 0
    in_2, in_3 = bit if start >> 6 == 2 else 0, bit if start >> 6 == 3 else 0
    for band in range(BANDS):
        left = int(state.owned[seat, band])
        while left != 0:
            cell = band * 64 + lowest_bit(left)
            for direction in range(4):
                end = end_of_line(box, state, cell, direction)
                bit = 1 << (end & 63) if end != NOWHERE else 0
                in_0 |= bit if end >> 6 == 0 else 0
                in_1 |= bit if end >> 6 == 1 else 0
                in_2 |= bit if end >> 6 == 2 else 0
                in_3 |= bit if end >> 6 == 3 else 0
            left &= left - 1
    return in_0, in_1, in_2, in_3


@compiled
def broken_lines_invariant(box: Any, state: Any) -> int:
    """Return 0, TARGETS_FACT if the targets are not where the active player may place, or OUT_FACT.

    A player who is out has a token in hand and no target for it.
    """
    for seat in range(state.players):
        out = state.out[seat] != 0
        if out and (state.step < PLACE or state.hands[seat] == NO_TOKEN):
            return OUT_FACT
        placing = state.step == PLACE and seat == state.active
        if out or placing:
            any_target = False
            ends = walked_ends(box, state, seat)
            for band in range(BANDS):
                targets = ends[band] & int(box.allowed[state.players, seat, band]) & ~int(state.closed[band])
                any_target |= targets != 0
                if placing and targets != state.targets[band]:
                    return TARGETS_FACT
            if out and any_target:
                return OUT_FACT
            if placing and not any_target:
                return TARGETS_FACT
    if state.step != PLACE and has_target(state):
        return TARGETS_FACT
    return 0
