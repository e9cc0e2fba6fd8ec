"""Why one move is better than another: facts from the rules and the events, and their sentences."""

from __future__ import annotations

from collections.abc import Sequence

from lampion.games.reason_types import Reason, Tried, favour
from lampion.play.position import Position

MOST_REASONS = 4
"""The most reasons that are shown; the weightiest come first."""


def tried(position: Position, id: int, seat: int) -> Tried:
    """Return what a move does, up to the next draw; the position is not changed."""
    after = position.copy()
    rows = after.push_rows(id, seat).copy()
    return Tried(after.state, rows, after.count().categories)


def reasons_for(position: Position, seat: int, better: int, other: int) -> list[Reason]:
    """Return what the better of two moves does that the other does not, first what speaks for it.

    Empty where the game gives no reasons.
    """
    compared = position.game.reasons
    if compared is None or better == other:
        return []
    first, second = tried(position, better, seat), tried(position, other, seat)
    found: list[Reason] = compared.compare(position.edition.box, position.state, seat, first, second)
    return sorted(found, key=lambda reason: -favour(reason, seat))


def sentences(position: Position, reasons: Sequence[Reason], names: Sequence[str]) -> list[str]:
    """Return reasons as sentences, in the language in use."""
    module = position.game.reasons
    return [] if module is None else [str(module.words(reason, names)) for reason in reasons]
