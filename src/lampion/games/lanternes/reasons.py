"""Why one move of Lanternes is better than another, in facts: cards, boats, points, sets, the supply, the tile kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games.lanternes.events import REWARDED, tile_code, tile_words
from lampion.games.lanternes.notation import Colour
from lampion.games.lanternes.state import COLOURS, COMBINATIONS, LETTERS, STACKS, hand_of, rewards_left
from lampion.games.reason_types import Reason, Tried, from_seat, more_or_less, which
from lampion.locale import say


class Reward(Reason, frozen=True, tag="reward"):
    """The move pays a seat more points, or fewer."""

    seat: int
    more: int


class Ready(Reason, frozen=True, tag="ready"):
    """A seat's cards make a set after one of the moves only: after the better one, or after the other."""

    seat: int
    combination: str
    points: int
    """What the set then earns."""
    after_better: bool


class Cards(Reason, frozen=True, tag="cards"):
    """A seat has more cards of a colour, or fewer."""

    seat: int
    colour: Colour
    more: int


class Boats(Reason, frozen=True, tag="boats"):
    """A seat has more boats, or fewer."""

    seat: int
    more: int


class Supply(Reason, frozen=True, tag="supply"):
    """The cards of a colour run out in the supply after one of the moves only."""

    good = 0
    colour: Colour
    after_better: bool


class Top(Reason, frozen=True, tag="top"):
    """The next reward of a stack is worth more points, or fewer."""

    good = 0
    combination: str
    more: int


class Kept(Reason, frozen=True, tag="kept"):
    """The tile that stays in hand instead of another."""

    good = 0
    seat: int
    tile: int
    code: str
    """The tile as the components file writes it."""


AnyReason = Reward | Ready | Cards | Boats | Supply | Top | Kept


def compare(box: Any, before: Any, seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    """Return what tells two moves of a seat apart: first what it means for the mover, then for the others in turn."""
    found: list[AnyReason] = []
    for one in from_seat(seat, int(before.players)):
        found += _of_seat(box, one, better, other)
    for stack in range(STACKS):
        more = top_reward(box, better.state, stack) - top_reward(box, other.state, stack)
        if more:
            found.append(Top(COMBINATIONS[stack], more))
    for colour in range(COLOURS):
        is_gone, would_be = better.state.supply[colour] == 0, other.state.supply[colour] == 0
        if is_gone != would_be:
            found.append(Supply(_letter(colour), bool(is_gone)))
    for tile in sorted({*hand_of(better.state, seat)} - {*hand_of(other.state, seat)}):
        found.append(Kept(seat, tile, tile_code(box, tile)))
    return found


def _of_seat(box: Any, seat: int, better: Tried, other: Tried) -> list[AnyReason]:
    """Return what the better move means for a seat beside the other."""
    found: list[AnyReason] = []
    if more := better.total(REWARDED, seat) - other.total(REWARDED, seat):
        found.append(Reward(seat, more))
    sets, would_be = sets_ready(better.state, seat), sets_ready(other.state, seat)
    for stack in range(STACKS):
        if sets[stack] != would_be[stack]:
            points = top_reward(box, better.state if sets[stack] else other.state, stack)
            found.append(Ready(seat, COMBINATIONS[stack], points, sets[stack]))
    for colour in range(COLOURS):
        if more := int(better.state.cards[seat, colour]) - int(other.state.cards[seat, colour]):
            found.append(Cards(seat, _letter(colour), more))
    if more := int(better.state.boats[seat]) - int(other.state.boats[seat]):
        found.append(Boats(seat, more))
    return found


def top_reward(box: Any, state: Any, stack: int) -> int:
    """Return the points that the next set of a stack earns."""
    left = rewards_left(box, state, stack)
    return left[0] if left else int(box.neutral)


def _letter(colour: int) -> Any:
    return LETTERS[colour]


def sets_ready(state: Any, seat: int) -> tuple[bool, bool, bool]:
    """Return which sets a seat's cards make: four of a kind, three pairs, seven colours."""
    cards = [int(count) for count in state.cards[seat]]
    return max(cards) >= 4, sum(count >= 2 for count in cards) >= 3, min(cards) >= 1


def words(reason: AnyReason, names: Sequence[str]) -> str:
    """Return a reason as a sentence."""
    key = f"lanternes.reason.{reason.kind}"
    match reason:
        case Reward(seat, more) | Boats(seat, more):
            return say(f"{key}.{more_or_less(more)}", who=names[seat], count=abs(more))
        case Cards(seat, colour, more):
            return say(f"{key}.{more_or_less(more)}", who=names[seat], colour=_colour(colour), count=abs(more))
        case Ready(seat, combination, points, after_better):
            return say(
                f"{key}.{which(after_better)}", who=names[seat], set=say(f"lanternes.set.{combination}"), points=points
            )
        case Supply(colour, after_better):
            return say(f"{key}.{which(after_better)}", colour=_colour(colour))
        case Top(combination, more):
            return say(f"{key}.{more_or_less(more)}", set=say(f"lanternes.set.{combination}"), count=abs(more))
        case Kept(seat, _, code):
            return say(key, who=names[seat], tile=tile_words(code))


def _colour(letter: str) -> str:
    return say(f"lanternes.colour.{letter}")
