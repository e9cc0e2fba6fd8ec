"""What decisions turn out to have been worth when more of the game is known.

A seat often decides several times in a row: an exchange, a reward, a tile. What it could still make of its turn is
known better at the next of these decisions, where moves were followed from there. So the played move is worth what that
decision is, and a move that leaves everything open costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import add, sub

from lampion.bots.net_values import mixed
from lampion.engine.network import MARGIN
from lampion.insight.evaluator import POINTS, Judged, Numbers, Rows
from lampion.play.position import Position

Figures = Rows
"""Chances and margins, each by seat: two rows."""
Seen = Mapping[int, tuple[Position, int]]
"""By ply, the position of a decision as its seat knew it, and the id of the played move there."""


@dataclass(frozen=True)
class Verdict:
    """What the best and the played move of a decision are worth."""

    best: Figures
    """Of the best compared move, or of the played one where none is better by more than the noise."""
    played: Figures
    ahead: Numbers
    """By compared move, how much more it is worth to its mover than the played one."""
    is_best: bool
    """Whether no move is better than the played one by more than the noise."""

    @property
    def cost(self) -> float:
        """By how much the best move is worth more than the played one; 0 within the noise."""
        return 0.0 if self.is_best else self.ahead[0]

    def change(self, seat: int) -> Figures:
        """Return by how much the decision changed everybody's figures; zeros in a row where its maker lost nothing."""
        change = minus(self.played, self.best)
        return [row if row[seat] < 0.0 else [0.0] * len(row) for row in change]


def plus(one: Figures, other: Figures) -> Figures:
    """Return the sums of figures."""
    return [list(map(add, *rows)) for rows in zip(one, other, strict=True)]


def minus(one: Figures, other: Figures) -> Figures:
    """Return the differences of figures."""
    return [list(map(sub, *rows)) for rows in zip(one, other, strict=True)]


def worth(figures: Figures, seat: int) -> float:
    """Return what chances and a margin are worth to a seat, as moves are ranked."""
    return float(mixed(figures[0][seat], figures[1][seat] / MARGIN, POINTS))


def verdict(judged: Judged, seat: int, asked: int, later: Figures | None) -> Verdict:
    """Return the verdict on a decision; `later` is what the seat's next decision of the same turn is worth."""
    at = judged.ids.index(asked)
    played = [judged.shares[at], judged.margins[at]]
    ahead = judged.ahead
    if later is not None:
        played = later
        reached = worth(later, seat)
        ahead = [0.0 if i == at else each - reached for i, each in enumerate(judged.worth)]
    is_best = judged.ids[0] == asked or ahead[0] <= judged.ahead_sure[0]
    best = played if is_best else [judged.shares[0], judged.margins[0]]
    return Verdict(best, played, ahead, is_best)


def verdicts(seen: Seen, seats: Mapping[int, int], judged: Mapping[int, Judged]) -> dict[int, Verdict]:
    """Return the verdicts on all decisions by ply; `seats` are their makers."""
    found: dict[int, Verdict] = {}
    following: dict[int, int] = {}
    for ply in sorted(seen, reverse=True):
        seat = seats[ply]
        position, asked = seen[ply]
        later = None
        if seat in following:
            after = position.copy()
            after.push_rows(asked, seat)
            if after.bytes() == seen[following[seat]][0].bytes():
                later = found[following[seat]].best
        found[ply] = verdict(judged[ply], seat, asked, later)
        following[seat] = ply
    return found
