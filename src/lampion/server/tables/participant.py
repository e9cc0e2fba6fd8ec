"""A participant: somebody connected to a table, seated or watching."""

from __future__ import annotations

from collections.abc import Callable

from lampion.games.core import SPECTATOR
from lampion.server.protocol import messages as wire
from lampion.server.tables.rate_limits import asker


class Participant:
    """Somebody connected to a table: the seats they hold, the one they look from, and how to reach them."""

    def __init__(self, send: Callable[[bytes], None], drop: Callable[[], None]) -> None:
        self.send, self.drop = send, drop
        self.address = asker.get()
        self.seats: list[int] = []
        self.is_host = False
        self.curtain: int | None = None
        """Of somebody who holds several seats, the one whose view is shown."""
        self.language = "en"
        self.greeted = False

    @property
    def viewer(self) -> int:
        """The seat whose view is sent: the one whose curtain is open or the only one, else SPECTATOR."""
        if len(self.seats) == 1:
            return self.seats[0]
        return SPECTATOR if self.curtain is None else self.curtain

    def say(self, message: wire.Word) -> None:
        """Send one message."""
        self.send(wire.encode(message))

    def lose_seat(self, seat: int) -> None:
        """Take a seat away, if this participant holds it, and say so."""
        if seat in self.seats:
            self.seats.remove(seat)
            if self.curtain == seat:
                self.curtain = None
            self.say(wire.Lost(seat=seat))
