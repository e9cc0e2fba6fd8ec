"""What one seat knows of a game: all that a bot is ever given.

A sight gives no access to the position itself, only to the seat's view, its moves, what it saw of the moves made, and
worlds: random positions among those that are possible as far as the seat knows.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import np
from lampion.games.move_types import Event, event
from lampion.play import compiled_calls
from lampion.play.legal_moves import LegalMoves
from lampion.play.position import Position


class Sight:
    """A game as one seat sees it; it follows the game as it goes on."""

    def __init__(self, position: Position, seat: int) -> None:
        self.__position = position
        self.seat = seat
        self.game, self.edition = position.game, position.edition
        self.players, self.options = position.players, position.options

    @property
    def ply(self) -> int:
        """The number of moves made, those of chance included."""
        return self.__position.ply

    @property
    def is_due(self) -> bool:
        """Whether the seat owes a decision."""
        return self.seat in self.__position.pending

    @property
    def ids(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The ids of the moves that the seat may make now, ascending."""
        return self.__position.legal_ids(self.seat)

    @property
    def moves(self) -> LegalMoves:
        """The moves that the seat may make now, typed."""
        return self.__position.legal_moves_of(self.seat)

    def id_of(self, move: Any) -> int:
        """Return the id of a move written in any way."""
        return self.__position.id_of(move)

    def view(self) -> Any:
        """Return the view of the seat."""
        return self.__position.view(self.seat)

    def events(self, since: int) -> list[Event]:
        """Return the events after the first `since` moves as the seat may know them; from 0, the set-up too."""
        position = self.__position
        events = position.opening(self.seat) if since == 0 else []
        before = position.at(since)
        for mover, id in position.played[since:]:
            rows = before.push_rows(id, mover)
            events += [event(position.game, position.edition.box, row, self.seat) for row in rows]
        return events

    def heard(self, since: int) -> list[tuple[int, int]]:
        """Return, for each move after the first `since`, the mover and the code of what the seat saw (see `seen`)."""
        position = self.__position
        return [
            (mover, int(compiled_calls.seen_at(position._boxes, position._states, ply, mover, id, self.seat)))
            for ply, (mover, id) in enumerate(position.played[since:], start=since)
        ]

    def world(self, states: np.ndarray[Any, Any], i: int, rng: Any) -> None:
        """Write into states[i] a random position among those that are possible as far as the seat knows."""
        position = self.__position
        states[i] = position.state
        compiled_calls.conceal_at(position._boxes, states, i, self.seat, rng)

    def imagined(self, rng: Any) -> Position:
        """Return a random position among those that are possible as far as the seat knows, without history."""
        return self.__position.concealed(self.seat, rng)


def sights(position: Position) -> list[Sight]:
    """Return the sights of all seats of a game."""
    return [Sight(position, seat) for seat in range(position.players)]
