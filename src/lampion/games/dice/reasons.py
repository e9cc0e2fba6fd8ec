"""Why one move of Lanternes Dice is better than another, in facts: points, ponds, gifts, dice, fireworks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games.dice.events import FACED, MISSED, OFFERED
from lampion.games.dice.notation import Colour
from lampion.games.dice.state import LETTERS, SHAPE_NAMES, SHAPES, TILES, Shape
from lampion.games.reason_types import Points, Reason, Tried, from_seat, more_or_less, points_apart, which
from lampion.locale import say


class Ready(Reason, frozen=True, tag="ready"):
    """A seat's complete ponds hold a firework in stock after one of the moves only."""

    seat: int
    shape: Shape
    after_better: bool


class Ponds(Reason, frozen=True, tag="ponds"):
    """A seat has more complete ponds, or fewer."""

    seat: int
    more: int


class Zones(Reason, frozen=True, tag="zones"):
    """A seat has shaded more zones, or fewer."""

    seat: int
    more: int


class Bonus(Reason, frozen=True, tag="bonus"):
    """A platform offers a seat more zones to shade at once, or fewer."""

    seat: int
    more: int


class Gifts(Reason, frozen=True, tag="gifts"):
    """A seat has more gifts, or fewer."""

    seat: int
    more: int


class Die(Reason, frozen=True, tag="die"):
    """A seat faces a die of another colour."""

    good = 0
    seat: int
    colour: Colour
    instead: Colour
    """The colour after the other move."""


class Missed(Reason, frozen=True, tag="missed"):
    """A seat has no free zone of a colour it is given, after one of the moves only."""

    good = -1
    seat: int
    colour: Colour
    after_better: bool


AnyReason = Points | Ready | Ponds | Zones | Bonus | Gifts | Die | Missed


def compare(box: Any, before: Any, seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    """Return what tells two moves of a seat apart: first what it means for the mover, then for the others in turn."""
    found: list[AnyReason] = []
    for one in from_seat(seat, int(before.players)):
        found += points_apart(one, better, other)
        found += _ready(box, one, better, other)
        found += _counts(one, better, other)
        found += _dice(one, better, other)
    return found


def _ready(box: Any, seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    now, would_be = fireworks_ready(box, better.state, seat), fireworks_ready(box, other.state, seat)
    return [Ready(seat, SHAPE_NAMES[shape], shape in now) for shape in sorted(now ^ would_be)]


def _counts(seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    found: list[AnyReason] = []
    if more := complete_ponds(better.state, seat) - complete_ponds(other.state, seat):
        found.append(Ponds(seat, more))
    if more := zones_shaded(better.state, seat) - zones_shaded(other.state, seat):
        found.append(Zones(seat, more))
    if more := better.events(OFFERED, seat) - other.events(OFFERED, seat):
        found.append(Bonus(seat, more))
    if more := int(better.state.gifts[seat]) - int(other.state.gifts[seat]):
        found.append(Gifts(seat, more))
    return found


def _dice(seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    found: list[AnyReason] = []
    mine, would_be = _things(better, FACED, seat), _things(other, FACED, seat)
    if mine and would_be and mine[0] != would_be[0]:
        found.append(Die(seat, _letter(mine[0]), _letter(would_be[0])))
    missed, would_miss = _things(better, MISSED, seat), _things(other, MISSED, seat)
    for colour in sorted({*missed} ^ {*would_miss}):
        found.append(Missed(seat, _letter(colour), colour in missed))
    return found


def _things(tried: Tried, kind: int, seat: int) -> list[int]:
    """Return what the events of a kind that concern a seat are about."""
    return [int(row[2]) for row in tried.rows if row[0] == kind and row[1] == seat and row[2] >= 0]


def _letter(colour: int) -> Any:
    return LETTERS[colour]


def complete_ponds(state: Any, seat: int) -> int:
    """Return how many ponds of a seat are shaded in both halves."""
    return (int(state.shaded[seat, 0]) & int(state.shaded[seat, 1])).bit_count()


def zones_shaded(state: Any, seat: int) -> int:
    """Return how many zones a seat has shaded."""
    return int(state.shaded[seat, 0]).bit_count() + int(state.shaded[seat, 1]).bit_count()


def fireworks_ready(box: Any, state: Any, seat: int) -> set[int]:
    """Return the shapes in stock that lie on complete ponds of a seat without a firework."""
    ponds = int(state.shaded[seat, 0]) & int(state.shaded[seat, 1]) & ~int(state.lit[seat])
    shapes, taken = int(state.shapes), state.taken
    first_form, all_anchors, cells, offsets = box.first_form, box.anchors, box.cells, box.offsets
    found = set()
    for shape in range(SHAPES):
        if shapes >> shape & 1 and taken[shape] < TILES:
            for form in range(int(first_form[shape]), int(first_form[shape + 1])):
                anchors = int(all_anchors[form])
                for offset in offsets[form, : int(cells[shape])]:
                    anchors &= ponds >> int(offset)
                if anchors:
                    found.add(shape)
    return found


def theme(reason: AnyReason) -> str:
    """Return what a puzzle with this reason is about."""
    return reason.category if isinstance(reason, Points) else reason.kind


def words(reason: AnyReason, names: Sequence[str]) -> str:
    """Return a reason as a sentence."""
    key = f"dice.reason.{reason.kind}"
    match reason:
        case Points(seat, category, more):
            for_what = say(f"dice.category.{category}")
            return say(f"{key}.{more_or_less(more)}", who=names[seat], what=for_what, count=abs(more))
        case Ponds(seat, more) | Zones(seat, more) | Bonus(seat, more) | Gifts(seat, more):
            return say(f"{key}.{more_or_less(more)}", who=names[seat], count=abs(more))
        case Ready(seat, shape, after_better):
            return say(f"{key}.{which(after_better)}", who=names[seat], firework=say(f"dice.firework.{shape}"))
        case Die(seat, colour, instead):
            return say(key, who=names[seat], colour=_colour(colour), instead=_colour(instead))
        case Missed(seat, colour, after_better):
            return say(f"{key}.{which(after_better)}", who=names[seat], colour=_colour(colour))


def _colour(letter: str) -> str:
    return say(f"dice.colour.{letter}")
