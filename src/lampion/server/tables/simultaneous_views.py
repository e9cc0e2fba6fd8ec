"""Simultaneous steps: what each viewer may see before all seats have decided.

Moves are stored as they come. While a step goes on, a viewer is shown the position at its beginning with the moves of
the viewer's own seats alone. That position can always be made: moves of different pending seats commute (a law that
`lampion.testing` checks for every game).
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from lampion.play.position import Position

NO_SEATS: frozenset[int] = frozenset()


class Step:
    """A step in progress: the position at its beginning and the moves made since.

    It begins when more than one seat is pending. It ends when chance is due, when the game is over, or when somebody is
    asked something that does not follow from their own moves alone.
    """

    def __init__(self, position: Position, first: int) -> None:
        self.first = first
        """The number of the first event that can belong to it."""
        self._begun = position.copy()
        self._moves: list[tuple[int, Any]] = []
        self._shown: dict[frozenset[int], Position] = {}

    @property
    def ply(self) -> int:
        """The number of moves of the game when the step began."""
        return self._begun.ply

    @property
    def has_moves(self) -> bool:
        """Whether any seat has moved in it."""
        return bool(self._moves)

    def add(self, seat: int, move: Any) -> None:
        """Add a move."""
        self._moves.append((seat, move))
        self._shown = {seats: shown for seats, shown in self._shown.items() if seat not in seats}

    def rewind(self, position: Position) -> None:
        """Drop a move that was taken back; `position` is the game without it."""
        self._moves = position.moves[self.ply :]
        self._shown.clear()

    def shown_to(self, seats: Set[int], made: int | None = None) -> Position:
        """Return the position with the moves of these seats alone; with `made`, among the first `made` moves."""
        moves = [(seat, move) for seat, move in self._moves[:made] if seat in seats]
        if not moves:
            return self._begun
        if made is not None:
            return _played(self._begun, moves)
        movers = frozenset(seat for seat, _ in moves)
        if movers not in self._shown:
            self._shown[movers] = _played(self._begun, moves)
        return self._shown[movers]

    def goes_on(self, position: Position) -> bool:
        """Return whether the step is still in progress in `position`, the game with everybody's moves."""
        if position.actor < 0:
            return False
        pending = set(position.pending)
        return all((seat in self.shown_to({seat}).pending) == (seat in pending) for seat in range(position.players))


def _played(begun: Position, moves: list[tuple[int, Any]]) -> Position:
    position = begun.copy()
    for seat, move in moves:
        position.push_rows(position.id_of(move), seat)
    return position
