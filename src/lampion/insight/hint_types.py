"""Hints as data: good moves as they were judged, and the same in words."""

from __future__ import annotations

from typing import Any

from lampion.games.move_types import Plain
from lampion.games.reason_types import Reason


class Hint(Plain, frozen=True):
    """A good move."""

    id: int
    move: Any
    share: float
    """The mover's chance to win after it."""
    margin: float
    """The points by which the mover will be ahead of the best other."""
    behind: float
    """By how much it is worth less than the best; 0 within the noise."""
    reasons: list[Reason]
    """What speaks for it: of the best beside the second, of the others beside the best."""


class MoveHint(Plain, frozen=True):
    """A good move in words, in the language in use."""

    move: Any
    share: float
    margin: float
    told: list[str]
    """What it does: first what it scores, or else what it is."""
    promise: str
    """How often it wins, and by how much."""
    why: list[str]
    """What speaks for it; where no fact does, how it compares."""
