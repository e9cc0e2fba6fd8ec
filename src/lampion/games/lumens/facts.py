"""What must hold in Lumens at every move: `holds` names the first fact that is broken."""

from __future__ import annotations

from typing import Any

from lampion.games.compiled import compiled
from lampion.games.lumens.rules import (
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

FACTS = ("players", "cells", "starts", "sets", "sums", "tokens", "hands", "turns", "targets", "out")
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


@compiled
def holds(box: Any, state: Any) -> int:
    """No token is lost, no cell holds what it must not, and step, hands and turns fit each other."""
    if not players_hold(state):
        return PLAYERS_FACT
    if not cells_hold(box, state):
        return CELLS_FACT
    if not starts_hold(box, state):
        return STARTS_FACT
    if not sets_hold(state):
        return SETS_FACT
    if not sums_hold(box, state):
        return SUMS_FACT
    for seat in range(SEATS):
        if not tokens_hold(box, state, seat):
            return TOKENS_FACT
    if not hands_hold(state):
        return HANDS_FACT
    if state.step >= PLACE and not turns_hold(state):
        return TURNS_FACT
    return lines_hold(box, state)


@compiled
def players_hold(state: Any) -> bool:
    """Two to four players; somebody is active but while the first player is drawn and at the end."""
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
def cells_hold(box: Any, state: Any) -> bool:
    """Tokens of the players lie inside the board, one on another at most."""
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
def starts_hold(box: Any, state: Any) -> bool:
    """A start marker carries tokens of its own player alone, at least one once the faces are chosen."""
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
def sets_hold(state: Any) -> bool:
    """The sets of cells are those of the tokens on the board."""
    for band in range(BANDS):
        closed = 0
        for seat in range(SEATS):
            owned = 0
            for bit in range(64 if band < BANDS - 1 else CELLS - 64 * (BANDS - 1)):
                cell = band * 64 + bit
                if state.top[cell] != 0 and (int(state.top[cell]) - 1) // FACES == seat:
                    owned |= 1 << bit
                if state.under[cell] != 0:
                    closed |= 1 << bit
            if owned != state.owned[seat, band]:
                return False
        if closed != state.closed[band]:
            return False
        for face in range(FACES):
            shown = 0
            for bit in range(64 if band < BANDS - 1 else CELLS - 64 * (BANDS - 1)):
                cell = band * 64 + bit
                if state.top[cell] != 0 and (int(state.top[cell]) - 1) % FACES == face:
                    shown |= 1 << bit
            if shown != state.shows[face, band]:
                return False
    return True


@compiled
def sums_hold(box: Any, state: Any) -> bool:
    """A sum is that of the visible tokens in its room."""
    for room in range(ROOMS):
        for seat in range(SEATS):
            total = 0
            for cell in range(CELLS):
                if box.rooms[state.players, cell] == room and state.top[cell] != 0:
                    if (int(state.top[cell]) - 1) // FACES == seat:
                        total += (int(state.top[cell]) - 1) % FACES + 1
            if total != state.sums[room, seat]:
                return False
    return True


@compiled
def on_board(state: Any, seat: int) -> int:
    """How many tokens of a seat lie on the board, covered ones too."""
    total = 0
    for cell in range(CELLS):
        total += state.top[cell] != 0 and (int(state.top[cell]) - 1) // FACES == seat
        total += state.under[cell] != 0 and (int(state.under[cell]) - 1) // FACES == seat
    return total


@compiled
def tokens_hold(box: Any, state: Any, seat: int) -> bool:
    """Of each kind, what lies on the board, in hand and in the bag is what the box has; an empty seat has nothing."""
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
        for cell in range(CELLS):
            top, under = int(state.top[cell]), int(state.under[cell])
            total += top != 0 and (top - 1) // FACES == seat and box.kinds[(top - 1) % FACES + 1] == kind
            total += under != 0 and (under - 1) // FACES == seat and box.kinds[(under - 1) % FACES + 1] == kind
        if total != box.counts[kind]:
            return False
    return bagged == state.bagged[seat]


@compiled
def hands_hold(state: Any) -> bool:
    """The set-up deals in seat order; then a hand is empty only while its owner draws or when all tokens are placed."""
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
def turns_hold(state: Any) -> bool:
    """Who is not out has had as many turns as the active player, one more if between the first player and them."""
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
def is_reached(box: Any, state: Any, seat: int, cell: int) -> bool:
    """Whether a line ends here: the first token in sight in a direction is the seat's and shows how far away it is."""
    players = int(state.players)
    for direction in range(4):
        step = 1 if direction & 1 else WIDTH
        if direction & 2:
            step = -step
        at = cell
        for distance in range(1, FACES + 1):
            at += step
            if not 0 <= at < CELLS or not int(box.inside[players, at >> 6]) >> (at & 63) & 1:
                break
            if state.top[at] != 0:
                if state.top[at] == seat * FACES + distance:
                    return True
                break
    return False


@compiled
def is_target(box: Any, state: Any, seat: int, cell: int) -> bool:
    """Whether the rules let a seat place its token here."""
    if state.under[cell] != 0 or not int(box.allowed[state.players, seat, cell >> 6]) >> (cell & 63) & 1:
        return False
    return cell == box.starts[state.players, seat] or is_reached(box, state, seat, cell)


@compiled
def lines_hold(box: Any, state: Any) -> int:
    """The active player's targets are where they may place; who is out has a token in hand and no target for it."""
    for seat in range(state.players):
        out = state.out[seat] != 0
        if out and (state.step < PLACE or state.hands[seat] == NO_TOKEN):
            return OUT_FACT
        placing = state.step == PLACE and seat == state.active
        targets = 0
        if out or placing:
            for cell in range(CELLS):
                target = is_target(box, state, seat, cell)
                targets += target
                if placing and target != int(state.targets[cell >> 6]) >> (cell & 63) & 1:
                    return TARGETS_FACT
        if out and targets > 0:
            return OUT_FACT
        if placing and targets == 0:
            return TARGETS_FACT
    if state.step != PLACE and has_target(state):
        return TARGETS_FACT
    return 0
