"""A position in which one move is asked for, with everything that a page needs to show it and to judge every move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from lampion.play.position import Position
from lampion.server.protocol.messages import Outlook, SeatView
from lampion.server.tables.update_builder import outlook, standing

NAMES = ("Aline", "Basile", "Clara", "Denis", "Elsa", "Félix", "Gaëlle", "Hugo")
"""Who sits at the table, from the seat that is asked."""

Answer = TypeVar("Answer")


class TaskBuilder(ABC, Generic[Answer]):
    """Builds the scene of a position and its moves, in the language in use, a few of its many moves at a time."""

    def __init__(self, position: Position, seat: int) -> None:
        self.position, self.seat = position, seat
        self.names = [NAMES[(other - seat) % position.players] for other in range(position.players)]
        self.ids: list[int] = position.legal_ids(seat).tolist()

    @abstractmethod
    def answer(self, place: int) -> Answer:
        """Return what is said to the move at a place."""

    @abstractmethod
    def scene(self, answered: list[tuple[Outlook, Answer]]) -> Any:
        """Return the whole task given what each of its moves does and how it is answered."""

    def answered(self, first: int, last: int) -> list[tuple[Outlook, Answer]]:
        """Return what some of the moves do, and how they are answered."""
        position, seat = self.position, self.seat
        return [
            (outlook(position, seat, position.move(id), self.names, True), self.answer(place))
            for place, id in enumerate(self.ids[first:last], first)
        ]

    def task(self, answered: list[tuple[Outlook, Answer]], best: int) -> dict[str, Any]:
        """Return the fields of a `BoardTask`."""
        position, seat = self.position, self.seat
        return {
            "options": position.options,
            "edition": position.edition.hash,
            "seat": seat,
            "names": self.names,
            "pending": list(position.pending),
            "before": SeatView(
                seat=seat,
                view=position.view(seat),
                asked=position.asked(seat),
                moves=list(position.legal_moves_of(seat)),
                standing=standing(position),
            ),
            "outlooks": [one for one, _ in answered],
            "best": best,
        }
