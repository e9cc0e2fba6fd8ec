"""Why one move of Lumens is better than another, in facts: rooms won and tied, sums, covered tokens, open lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games.lumens.components import LETTERS
from lampion.games.lumens.events import COVERED
from lampion.games.lumens.state import DIRECTIONS, FACES, ROOMS, WIDTH, cells_of, is_in
from lampion.games.reason_types import Points, Reason, Tried, from_seat, more_or_less, points_apart, which
from lampion.locale import say

STEPS = (1, -1, WIDTH, -WIDTH)
assert len(STEPS) == DIRECTIONS


class Leads(Reason, frozen=True, tag="leads"):
    """A seat has the largest sum of a room, alone or tied, after one of the moves only."""

    seat: int
    room: str
    tied: bool
    """Whether others have as much."""
    after_better: bool


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


AnyReason = Points | Leads | Sum | Covered | Lines


def compare(box: Any, before: Any, seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    """Return what tells two moves of a seat apart: first what it means for the mover, then for the others in turn."""
    found: list[AnyReason] = []
    players = int(before.players)
    for one in from_seat(seat, players):
        found += points_apart(one, better, other)
        found += _leads(one, players, better, other)
        found += _covered(one, better, other)
        if more := len(line_ends(box, better.state, one)) - len(line_ends(box, other.state, one)):
            found.append(Lines(one, more))
    for one in from_seat(seat, players):
        for room in range(ROOMS):
            if more := int(better.state.sums[room, one]) - int(other.state.sums[room, one]):
                found.append(Sum(one, LETTERS[room], more))
    return found


def leaders(state: Any, room: int, players: int) -> set[int]:
    """Return the seats with the largest sum of a room; nobody in an empty one."""
    sums = [int(state.sums[room, seat]) for seat in range(players)]
    return {seat for seat in range(players) if sums[seat] == max(sums) > 0}


def _leads(seat: int, players: int, better: Tried, other: Tried) -> list[AnyReason]:
    found: list[AnyReason] = []
    for room in range(ROOMS):
        now, would_be = leaders(better.state, room, players), leaders(other.state, room, players)
        if (seat in now) != (seat in would_be):
            among = now if seat in now else would_be
            found.append(Leads(seat, LETTERS[room], len(among) > 1, seat in now))
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


def line_ends(box: Any, state: Any, seat: int) -> set[int]:
    """Return the cells at the ends of a seat's lines: straight from a visible token, as far as it shows.

    The cells between must be empty, the last must not hold two tokens.
    """
    players = int(state.players)
    top = state.top.tolist()  # every look into a record takes long
    cells, inside = len(box.rooms[players]), box.inside[players].tolist()
    closed, allowed = state.closed.tolist(), box.allowed[players, seat].tolist()
    found = set()
    for cell in cells_of([int(band) for band in state.owned[seat]]):
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
        case Leads(seat, room, tied, after_better):
            how = "tied" if tied else "alone"
            return say(f"{key}.{how}.{which(after_better)}", who=names[seat], room=_room(room))
        case Sum(seat, room, more):
            return say(f"{key}.{more_or_less(more)}", who=names[seat], room=_room(room), number=abs(more))
        case Covered(seat, face, after_better):
            return say(f"{key}.{which(after_better)}", who=names[seat], face=face)
        case Lines(seat, more):
            return say(f"{key}.{more_or_less(more)}", who=names[seat], count=abs(more))


def _room(letter: str) -> str:
    return say(f"lumens.room.{letter}")
