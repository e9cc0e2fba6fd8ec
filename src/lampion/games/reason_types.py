"""Reasons: facts that tell two moves of a position apart, as data. A game gives its own kinds in `reasons.py`.

    compare(box, before, seat, better, other) -> list of Reason   what the better move does that the other does not,
                                                                  the weightiest first, from what the seat may know
    words(reason, names) -> str                                   a reason as a sentence, in the language in use
    theme(reason) -> str                                          optional: what a puzzle with this reason is about,
                                                                  by default its kind

Every reason is a difference that anybody can recompute from the two positions and the rows of the log: none is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from lampion.games.move_types import Plain


class Reason(Plain, frozen=True, tag_field="kind"):
    """A fact that tells the better of two moves from the other."""

    good: ClassVar[int] = 1
    """1 where more of it is good for its seat, -1 where it is bad, 0 where that cannot be said."""

    restates: ClassVar[bool] = False
    """Whether it only restates the move, so that it cannot be the only reason for it."""

    @property
    def kind(self) -> str:
        """The kind, as in JSON."""
        return str(self.__struct_config__.tag)


class Tried(NamedTuple):
    """A move that was tried: the position after it, up to the next draw, and what happened."""

    state: Any
    rows: Any
    """Of the log: kind, seat, thing, number, why, viewers."""
    points: list[dict[str, int]]
    """By seat, the points of each category, as if the game ended here."""

    def events(self, kind: int, seat: int) -> int:
        """Return how many events of a kind concern a seat."""
        return sum(int(row[0]) == kind and int(row[1]) == seat for row in self.rows)

    def total(self, kind: int, seat: int) -> int:
        """Return the numbers of all events of a kind that concern a seat, added up."""
        return sum(int(row[3]) for row in self.rows if int(row[0]) == kind and int(row[1]) == seat)


class Points(Reason, frozen=True, tag="points"):
    """More or fewer points of a category for a seat, if the game ended after the move."""

    seat: int
    category: str
    more: int


def points_apart(seat: int, better: Tried, other: Tried) -> Iterator[Points]:
    """Yield the points of a seat that differ, the largest difference first."""
    mine, would_be = better.points[seat], other.points[seat]
    apart = [(category, mine[category] - would_be[category]) for category in mine]
    for category, more in sorted(apart, key=lambda pair: -abs(pair[1])):
        if more:
            yield Points(seat, category, more)


def favour(reason: Reason, mover: int) -> int:
    """Return 1 for a fact that speaks for the better move in its mover's eyes, -1 for one against it, else 0."""
    more = getattr(reason, "more", 1 if getattr(reason, "after_better", True) else -1)
    is_own = getattr(reason, "seat", mover) == mover
    return (1 if more > 0 else -1) * reason.good * (1 if is_own else -1)


def from_seat(seat: int, players: int) -> list[int]:
    """Return all seats, the given one first and the others in turn."""
    return [(seat + k) % players for k in range(players)]


def more_or_less(more: int) -> str:
    """Return the last part of a key: "more" or "less"."""
    return "more" if more > 0 else "less"


def which(after_better: bool) -> str:
    """Return the last part of a key: "better", or "instead" for what only the other move does."""
    return "better" if after_better else "instead"
