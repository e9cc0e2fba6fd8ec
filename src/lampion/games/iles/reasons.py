"""Why one move of 1001 Îles is better than another, in facts: points, lamps, brigands, what is left, who is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games.core import CHANCE
from lampion.games.iles.components import DREAM_NAMES, DreamName, tile_code, tile_words
from lampion.games.iles.events import FLIPPED, NAMED
from lampion.games.iles.state import BRIGAND, COPIES, COUNT, DREAMS, NONE, SLOTS, TILES, TURN_UP, WIDTH
from lampion.games.reason_types import Points, Reason, Tried, from_seat, more_or_less, points_apart, which
from lampion.locale import say


class Dream(Reason, frozen=True, tag="dream"):
    """A seat keeps a dream that it does not have after the other move."""

    restates = True
    seat: int
    dream: DreamName


class Flipped(Reason, frozen=True, tag="flipped"):
    """More of a seat's tiles are turned over by a third lamp, or fewer."""

    good = -1
    seat: int
    more: int


class Brigands(Reason, frozen=True, tag="brigands"):
    """A seat has more visible brigands, or fewer."""

    good = -1
    seat: int
    more: int


class Named(Reason, frozen=True, tag="named"):
    """Who is named next, and who would be by the other move."""

    good = 0
    seat: int
    instead: int


class Left(Reason, frozen=True, tag="left"):
    """A tile that stays on the table, in the sight of the mover, and does not after the other move."""

    good = 0
    tile: str
    """By its letters, or a dream by its name."""


class Unseen(Reason, frozen=True, tag="unseen"):
    """One of the moves takes what lies face down: nothing of it is counted, for it is turned up and laid later."""

    restates = True
    after_better: bool


AnyReason = Points | Dream | Flipped | Brigands | Named | Left | Unseen


def compare(box: Any, before: Any, seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    """Return what tells two moves of a seat apart: first what it means for the mover, then for the others in turn."""
    found: list[AnyReason] = []
    takes_unseen = [bool(tried.state.step == TURN_UP) for tried in (better, other)]
    if takes_unseen[0] != takes_unseen[1]:
        found.append(Unseen(takes_unseen[0]))
    for one in from_seat(seat, int(before.players)):
        found += points_apart(one, better, other)
        mine, would_be = dreams_of(better.state, one), dreams_of(other.state, one)
        found += [Dream(one, DREAM_NAMES[dream]) for dream in range(DREAMS) if mine[dream] > would_be[dream]]
        if more := better.events(FLIPPED, one) - other.events(FLIPPED, one):
            found.append(Flipped(one, more))
        if more := brigands(better.state, one) - brigands(other.state, one):
            found.append(Brigands(one, more))
    named, would_be_named = _named(better), _named(other)
    if named >= 0 and would_be_named >= 0 and named != would_be_named:
        found.append(Named(named, would_be_named))
    left, would_be_left = tiles_left(box, before, better.state, seat), tiles_left(box, before, other.state, seat)
    found += [Left(left[slot]) for slot in sorted({*left} - {*would_be_left})]
    return found


def dreams_of(state: Any, seat: int) -> list[int]:
    """Return how many of each dream a seat has."""
    return [(int(state.dreams[seat]) >> COPIES * dream & 3).bit_count() for dream in range(DREAMS)]


def brigands(state: Any, seat: int) -> int:
    """Return how many brigands are visible on a seat's island."""
    return int(state.shown[seat]) >> WIDTH * BRIGAND & COUNT


def tiles_left(box: Any, before: Any, after: Any, seat: int) -> dict[int, str]:
    """Return, by slot, the tiles that a seat sees on the table before a move and that are still there after it."""
    if before.pile == NONE:
        return {}
    unseen = int(before.hidden) if seat != before.lookout else NONE
    return {
        slot: tile_code(box, int(before.pile) * TILES + int(before.table[slot]) - 1)
        for slot in range(SLOTS)
        if slot != unseen and before.table[slot] and after.table[slot] == before.table[slot]
    }


def _named(tried: Tried) -> int:
    """Return who takes next by the move, CHANCE where nobody is named."""
    return next((int(row[1]) for row in tried.rows if row[0] == NAMED), CHANCE)


def theme(reason: AnyReason) -> str:
    """Return what a puzzle with this reason is about."""
    if isinstance(reason, Points):
        return reason.category if reason.category in ("palms", "pairs", "brigands") else "dreams"
    return reason.kind


def words(reason: AnyReason, names: Sequence[str]) -> str:
    """Return a reason as a sentence."""
    key = f"iles.reason.{reason.kind}"
    match reason:
        case Points(seat, category, more):
            for_what = say(f"iles.category.{category}")
            return say(f"{key}.{more_or_less(more)}", who=names[seat], what=for_what, count=abs(more))
        case Dream(seat, dream):
            return say(key, who=names[seat], dream=say(f"iles.dream.{dream}"))
        case Flipped(seat, more) | Brigands(seat, more):
            return say(f"{key}.{more_or_less(more)}", who=names[seat], count=abs(more))
        case Named(seat, instead):
            return say(key, who=names[seat], instead=names[instead])
        case Left(tile):
            return say(key, tile=tile_words(tile))
        case Unseen(after_better):
            return say(f"{key}.{which(after_better)}")
