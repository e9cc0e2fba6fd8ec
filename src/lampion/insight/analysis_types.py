"""The figures of an analysis as data: typed, the same in Python and in JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from lampion.games.move_types import Plain
from lampion.insight.evaluator import Numbers
from lampion.insight.settings import Settings

DIGITS = 6


def figure(value: float) -> float:
    """Return a figure as it is kept: rounded, and never minus zero."""
    return round(float(value), DIGITS) + 0.0


def figures(values: Numbers) -> list[float]:
    """Return figures as they are kept."""
    return [figure(value) for value in values]


class Change(Plain, frozen=True):
    """By seat, chances to win and points of margin to the best other: how they stand, or how they changed."""

    shares: list[float]
    margins: list[float]

    @classmethod
    def of(cls, shares: Numbers, margins: Numbers) -> Change:
        """Return the figures as they are kept."""
        return cls(figures(shares), figures(margins))


class MoveFigures(Plain, frozen=True):
    """A compared move: what it gives its mover, and how much more it is worth than the played one."""

    id: int
    move: Any
    share: float
    """The mover's chance to win."""
    margin: float
    """The points by which the mover will be ahead of the best other."""
    ahead: float
    """How much more it is worth than the move that was played, from -1 to 1: mostly the chance to win."""
    sure: float
    """Half of the 95 % interval of `ahead`."""


class Decision(Plain, frozen=True):
    """A decision between several moves."""

    options: int
    """The number of legal moves."""
    played: int
    """The place of the played move among `moves`."""
    moves: list[MoveFigures]
    """The compared moves, the best first."""
    cost: float
    """By how much the best move is worth more than the played one; 0 within the noise."""
    sure: float
    """Half of the 95 % interval of that difference."""
    stake: float
    """By how much the best legal move promised more than the average legal move."""
    simulations: int
    reasons: list[Any]
    """Of a costly decision, what speaks for the best move beside the played one (see `games.reason_types`)."""


class Step(Plain, frozen=True):
    """A move: how everybody stands after it, and why that changed."""

    ply: int
    """The number of moves made with it."""
    seat: int | None
    """None: chance."""
    shares: list[float]
    margins: list[float]
    luck: Change
    """What a draw brought, against what was expected before it."""
    cost: Change
    """What a decision changed, against the best move: for its maker never more than 0."""
    unforeseen: Change
    """What the estimate had not foreseen: the rest."""
    decision: Decision | None = None


class Moment(Plain, frozen=True):
    """A decision, or the draws between two decisions, and by how much it changed a seat's chances to win."""

    first: int
    """The number of moves made with the first move of it."""
    last: int
    kind: str
    """ "decision" or "luck". """
    mover: int | None
    """Whose decision it was."""
    seat: int
    """Whose chances changed."""
    change: float


class PlayerFigures(Plain, frozen=True):
    """A player's game in figures, in chances to win and in points of margin."""

    seat: int
    accuracy: float | None
    """From 0, no better than random moves, to 100, nothing lost; None where there was nothing to decide."""
    decisions: int
    costly: int
    """Decisions that cost something."""
    luck: float
    unforeseen: float
    cost: float
    """What the player's own decisions cost the player: never more than 0."""
    gifts: float
    """What the others' decisions changed for the player."""
    luck_margin: float
    unforeseen_margin: float
    cost_margin: float
    gifts_margin: float
    best: Moment | None
    worst: Moment | None


class Analysis(Plain, frozen=True):
    """The analysis of a finished game."""

    version: int
    game: str
    rules: int
    edition: str
    names: list[str]
    settings: Settings
    source: str
    """What judged: "net" or "estimate"."""
    start: Change
    """How everybody stood before the first move."""
    steps: list[Step]
    scores: list[int]
    result: Change
    players: list[PlayerFigures]
    turning_points: list[Moment]

    def to_json(self) -> bytes:
        """Return the analysis as JSON: the same bytes for the same record and settings."""
        return msgspec.json.encode(self) + b"\n"

    @classmethod
    def from_json(cls, data: bytes) -> Analysis:
        """Return the analysis that `to_json` wrote."""
        return msgspec.json.decode(data, type=cls)
