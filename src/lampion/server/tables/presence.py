"""Who is at a table: participants of this server, reports of other servers, and how long holders of seats are away."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Set
from typing import NamedTuple

from lampion.server.protocol import messages as wire
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.participant import Participant

MOST_PARTICIPANTS = 100
"""Participants of one table who watch, and as many who hold a seat."""
MOST_OF_ADDRESS = 50
"""Of these, from one address."""


class RemotePresence(NamedTuple):
    """Who is at a table on another server: seats, number of watchers, and when that server reported it."""

    here: list[int]
    watchers: int
    heard: float = 0.0


class Absence:
    """How long the holders of a table's seats have been away.

    What happened before this server had the table in memory is not known: time counts from then on.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._here: Set[int] = frozenset()
        self._left: dict[int, float] = {}

    def wait(self, seconds: float) -> None:
        """Begin to count this much later, so that other servers can report who is there."""
        self._begun += seconds

    def notice(self, here: Set[int]) -> None:
        """Note the seats whose holders are connected now."""
        moment = time.monotonic()
        for seat in self._here - here:
            self._left[seat] = moment
        self._here = frozenset(here)

    def seconds(self, seat: int) -> float:
        """Return how long a seat's holder has been away; 0 for one who is connected."""
        if seat in self._here:
            return 0.0
        return max(0.0, time.monotonic() - max(self._begun, self._left.get(seat, self._begun)))


class Presence:
    """Who is at one table, on this server and on others of the same store."""

    def __init__(self) -> None:
        self.participants: set[Participant] = set()
        self.remote: dict[str, RemotePresence] = {}
        """By server, who is at this table there."""
        self.absence = Absence()
        self.quiet_since = time.monotonic()
        self._announced = b""

    @property
    def here(self) -> set[int]:
        """The seats whose holders are connected, to any server."""
        seats = {seat for participant in self.participants for seat in participant.seats}
        return seats.union(*(other.here for other in self.remote.values()))

    @property
    def watchers(self) -> int:
        """The number of participants without a seat, of all servers."""
        own = sum(not participant.seats for participant in self.participants)
        return own + sum(other.watchers for other in self.remote.values())

    @property
    def is_attended(self) -> bool:
        """Whether anybody is connected, to any server."""
        return bool(self.participants or self.remote)

    def local(self) -> tuple[list[int], int]:
        """Return the seats whose holders are connected to this server, and the number of its watchers."""
        seats = sorted({seat for participant in self.participants for seat in participant.seats})
        return seats, sum(not participant.seats for participant in self.participants)

    def find_one_to_drop(self, participant: Participant, holds_seats: bool) -> Participant | None:
        """Return the participant to drop for a new one, of the address with most; None where there is space.

        Refuses where the new one comes from that address itself.
        """
        alike = [other for other in self.participants if bool(other.seats) == holds_seats]
        counts = Counter(other.address for other in alike)
        if counts[participant.address] >= MOST_OF_ADDRESS:
            raise Refused("server.table_full")
        if len(alike) < MOST_PARTICIPANTS:
            return None
        (most, count), *_ = counts.most_common(1)
        if count <= counts[participant.address] + 1:
            raise Refused("server.table_full")
        return next(other for other in alike if other.address == most)

    def remove(self, participant: Participant) -> bool:
        """Remove a participant; return whether they were here."""
        if participant not in self.participants:
            return False
        self.participants.remove(participant)
        self.quiet_since = time.monotonic()
        return True

    def broadcast(self, message: bytes) -> None:
        """Send a message to every participant of this server."""
        for participant in self.participants:
            participant.send(message)

    def announce(self) -> None:
        """Send everybody here who is present now, unless that is what was sent last."""
        self.absence.notice(self.here)
        message = wire.encode(wire.Presence(here=sorted(self.here), watchers=self.watchers))
        if message != self._announced:
            self._announced = message
            self.broadcast(message)

    def forget_silent(self, oldest: float) -> None:
        """Forget what servers reported that have not been heard since a moment."""
        if any(other.heard < oldest for other in self.remote.values()):
            self.remote = {server: other for server, other in self.remote.items() if other.heard >= oldest}
            self.announce()
