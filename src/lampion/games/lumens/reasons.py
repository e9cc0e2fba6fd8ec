"""Why one move of Lumens is better than another, in facts: rooms, tokens covered now and next, open lines, sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lampion.games.lumens.components import LETTERS
from lampion.games.lumens.events import COVERED
from lampion.games.lumens.state import DIRECTIONS, FACES, NO_TOKEN, PASSAGE, ROOMS, WIDTH, cells_of, is_in
from lampion.games.reason_types import Points, Reason, Tried, from_seat, more_or_less, points_apart, which
from lampion.locale import You, say

STEPS = (1, -1, WIDTH, -WIDTH)
assert len(STEPS) == DIRECTIONS


class Sum(Reason, frozen=True, tag="sum"):
    """A seat's visible tokens in a room add up to more, or to less."""

    seat: int
    room: str
    more: int


class Covered(Reason, frozen=True, tag="covered"):
    """A token of a seat is covered by one of the moves only."""

    good = -1
    seat: int
    face: int
    after_better: bool


class Lines(Reason, frozen=True, tag="lines"):
    """A seat's lines end on more cells, or on fewer: some are opened or cut."""

    seat: int
    more: int


class Reach(Reason, frozen=True, tag="reach"):
    """A seat can cover a token of another in a room with its next one, after one of the moves only.

    Only tokens that are visible after the better move count.
    """

    seat: int
    whose: int
    face: int
    room: str
    lead: bool
    """Whether the other leads the room, alone or tied, and would not without that token."""
    after_better: bool


Tokens = dict[tuple[int, int], bool]
"""Tokens by room and face: whether a lead rests on one."""
AnyReason = Points | Sum | Covered | Lines | Reach


def compare(box: Any, before: Any, seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    """Return what tells two moves of a seat apart: first what it means for the mover, then for the others in turn."""
    found: list[AnyReason] = []
    players = int(before.players)
    seats = from_seat(seat, players)
    now, would_be = ([line_ends(box, tried.state, one) for one in range(players)] for tried in (better, other))
    for one in seats:
        found += points_apart(one, better, other)
    for one in seats[1:]:
        for by, whose in ((one, seat), (seat, one)):
            after, instead = (
                _within_reach(box, tried.state, ends[by], by, whose)
                for tried, ends in ((better, now), (other, would_be))
            )
            seen = _tokens(box, better.state, _cells_of(better.state, whose), by, whose)
            found += _reach(by, whose, after, instead, seen)
    for one in seats:
        found += _covered(one, better, other)
    for one in seats:
        if more := len(now[one]) - len(would_be[one]):
            found.append(Lines(one, more))
    for one in seats:
        for room in range(ROOMS):
            if more := int(better.state.sums[room, one]) - int(other.state.sums[room, one]):
                found.append(Sum(one, LETTERS[room], more))
    return found


def _covered(seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    now, would_be = _faces_covered(better, seat), _faces_covered(other, seat)
    found: list[AnyReason] = []
    if now != would_be:
        found += [Covered(seat, face, True) for face in now]
        found += [Covered(seat, face, False) for face in would_be]
    return found


def _faces_covered(tried: Tried, seat: int) -> list[int]:
    return [int(row[3]) for row in tried.rows if row[0] == COVERED and row[1] == seat]


def _within_reach(box: Any, state: Any, ends: set[int], by: int, whose: int) -> Tokens:
    """Return the tokens in rooms that a seat can cover of another, by room and face: whether a lead rests on one."""
    if state.out[by] or not (state.bagged[by] or state.hands[by] != NO_TOKEN):
        return {}
    return _tokens(box, state, ends, by, whose)


def _tokens(box: Any, state: Any, cells: Iterable[int], by: int, whose: int) -> Tokens:
    """Return a seat's tokens in rooms on some cells, by room and face: whether a lead rests on one that `by` covers."""
    players = int(state.players)
    found = {}
    for cell in cells:
        room, face = int(box.rooms[players, cell]), int(state.top[cell]) - whose * FACES
        if room != PASSAGE and 0 < face <= FACES:
            sums = [int(state.sums[room, seat]) for seat in range(players)]
            least = max(sums[seat] + (seat == by) for seat in range(players) if seat != whose)
            found[room, face] = sums[whose] == max(sums) and sums[whose] - face < least
    return found


def _cells_of(state: Any, seat: int) -> Iterable[int]:
    """Return the cells on which a token of a seat is seen."""
    return cells_of([int(band) for band in state.owned[seat]])


def _reach(by: int, whose: int, now: Tokens, would_be: Tokens, seen: Tokens) -> list[Reach]:
    """Return the weightiest token that can be covered after either move only, of those visible after the better."""
    found = []
    for mine, others, after_better in ((now, would_be, True), (would_be, now, False)):
        only = [(seen[token], token[1], token[0]) for token in mine if token not in others and token in seen]
        if only:
            lead, face, room = max(only)
            found.append(Reach(by, whose, face, LETTERS[room], lead, after_better))
    return found


def line_ends(box: Any, state: Any, seat: int) -> set[int]:
    """Return the cells at the ends of a seat's lines: straight from a visible token, as far as it shows.

    The cells between must be empty, the last must not hold two tokens.
    """
    players = int(state.players)
    top = state.top.tolist()  # every look into a record takes long
    cells, inside = len(box.rooms[players]), box.inside[players].tolist()
    closed, allowed = state.closed.tolist(), box.allowed[players, seat].tolist()
    found = set()
    for cell in _cells_of(state, seat):
        face = top[cell] - seat * FACES
        for step in STEPS:
            end = cell
            for far in range(face):
                end += step
                if not (0 <= end < cells and is_in(inside, end)) or (far < face - 1 and top[end]):
                    break
            else:
                if not is_in(closed, end) and is_in(allowed, end):
                    found.add(end)
    return found


def words(reason: AnyReason, names: Sequence[str]) -> str:
    """Return a reason as a sentence."""
    key = f"lumens.reason.{reason.kind}"
    match reason:
        case Points(seat, category, more):
            room = _room(category.removeprefix("room_"))
            return say(f"{key}.{more_or_less(more)}", who=names[seat], room=room, count=abs(more))
        case Sum(seat, room, more):
            return say(f"{key}.{more_or_less(more)}", who=names[seat], room=_room(room), number=abs(more))
        case Covered(seat, face, after_better):
            return say(f"{key}.{which(after_better)}", who=names[seat], face=face)
        case Lines(seat, more):
            return say(f"{key}.{more_or_less(more)}", who=names[seat], count=abs(more))
        case Reach(seat, whose, face, room, lead, after_better):
            part = f"{key}.lead" if lead else key
            part = f"{part}.{which(after_better)}" + (".yours" if isinstance(names[whose], You) else "")
            return say(part, who=names[seat], whose=names[whose], face=face, room=_room(room))


def _room(letter: str) -> str:
    return say(f"lumens.room.{letter}")
