"""The legal moves of a position as a sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from lampion.engine.arrays import np
from lampion.games.core import BadMove, Game
from lampion.games.editions import Edition


class HasMoves(Protocol):
    """What `LegalMoves` needs of a position."""

    game: Game
    edition: Edition

    @property
    def state(self) -> Any:
        """The state as the compiled rules read it."""

    def legal_ids(self, seat: int | None = None) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return the ids of the moves that a seat may make, ascending."""

    def move(self, id: int) -> Any:
        """Return the typed move of an id."""

    def id_of(self, move: Any) -> int:
        """Return the id of a move; raise BadMove where there is none."""

    def notation(self, move: Any) -> str:
        """Return a move in short notation."""


class CachedRecord:
    """A record that looks up each field once, which makes typing many moves of one position a hundred times faster."""

    def __init__(self, record: Any) -> None:
        self._record = record

    def __getattr__(self, name: str) -> Any:
        value = self._record[name]  # as an attribute it takes four times as long
        setattr(self, name, value)
        return value


class LegalMoves(Sequence[Any]):
    """The moves that a seat may make now: a sequence of typed moves whose `in` accepts any way to write a move."""

    def __init__(self, position: HasMoves, seat: int) -> None:
        self._position = position
        self.seat = seat
        self.ids: np.ndarray[Any, np.dtype[np.int32]] = position.legal_ids(seat)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self._typed(self.ids[index]))
        return self._position.move(self.ids[index])

    def __iter__(self) -> Iterator[Any]:
        return self._typed(self.ids)

    def _typed(self, ids: np.ndarray[Any, np.dtype[np.int32]]) -> Iterator[Any]:
        position = self._position
        box, state = CachedRecord(position.edition.box), CachedRecord(position.state)
        typed = position.game.notation.move
        return (typed(box, state, id) for id in ids.tolist())

    def __contains__(self, move: object) -> bool:
        try:
            return self._position.id_of(move) in self.ids
        except BadMove:
            return False

    def __repr__(self) -> str:
        shown = ", ".join(self._position.notation(id) for id in self.ids[:8])
        return f"<LegalMoves of seat {self.seat}: {len(self)} ({shown}{', ...' if len(self) > 8 else ''})>"
