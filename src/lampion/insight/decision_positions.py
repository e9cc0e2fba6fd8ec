"""The positions in which decisions were taken, as their seats knew them.

Where several seats decide at the same time, each knows its own moves of that step alone.
"""

from __future__ import annotations

from lampion.games.core import CHANCE, BadMove
from lampion.play.position import Position


class _Step:
    """A simultaneous step: the position as each seat knows it, with its own moves alone."""

    def __init__(self, begun: Position) -> None:
        self._seen = [begun.alone() for _ in range(begun.players)]

    def seen_by(self, seat: int) -> Position:
        return self._seen[seat].alone()

    def add(self, seat: int, id: int) -> None:
        self._seen[seat].push_rows(id, seat)

    def goes_on(self, position: Position) -> bool:
        """Return whether what every seat is asked still follows from its own moves alone."""
        if position.actor < 0:
            return False
        pending = position.pending
        return all((seat in seen.pending) == (seat in pending) for seat, seen in enumerate(self._seen))


def judged_positions(final: Position) -> dict[int, tuple[Position, int]]:
    """Return, by ply, the position of every decision between several moves as its seat knew it, and the move's id."""
    found: dict[int, tuple[Position, int]] = {}
    step: _Step | None = None
    position = final.at(0)
    for ply, (seat, id) in enumerate(final.played):
        if seat != CHANCE:
            if step is None and len(position.pending) > 1:
                step = _Step(position)
            seen, asked = position, id
            if step is not None:
                seen, asked = _as_known(step, position, seat, id)
            if len(seen.legal_ids(seat)) > 1:
                found[ply] = seen.alone(), asked
        position.push_rows(id, seat)
        if step is not None and not step.goes_on(position):
            step = None
    return found


def _as_known(step: _Step, position: Position, seat: int, id: int) -> tuple[Position, int]:
    """Return the position with a seat's own moves of the step alone and the move's id there; make the move in it."""
    seen = step.seen_by(seat)
    try:
        asked = seen.id_of(position.move(id))
        step.add(seat, asked)
    except BadMove:  # somebody else's move made it possible: it was no decision at the same time
        return position, id
    return seen, asked
