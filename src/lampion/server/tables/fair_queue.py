"""A queue that is fair between addresses, and between the tables of one address.

Every address gets the same share of the seconds that the work takes, however many jobs it asks for, and inside that
share every table the same. Start-time fair queueing: each key has a virtual time that advances by the seconds its jobs
took; the key whose time is lowest goes next. An idle key starts at the present, so that it saves up no share.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from lampion.server.protocol.refusals import Refused

T = TypeVar("T")
EXPECTED = 0.005
"""Seconds that a job is assumed to take until it is done."""
MOST_KEYS = 1000
"""Keys whose virtual time is remembered; past that, the half that is least ahead is forgotten."""


@dataclass
class _Shares:
    """The virtual times of some keys."""

    now: float = 0.0
    times: dict[str, float] = field(default_factory=dict)

    def take(self, keys: Iterable[str]) -> str:
        """Return the key that is next, and advance its time by what a job is expected to take."""
        key = min(keys, key=lambda key: max(self.now, self.times.get(key, 0.0)))
        self.now = max(self.now, self.times.get(key, 0.0))
        self.times[key] = self.now + EXPECTED
        if len(self.times) > MOST_KEYS:
            ahead = sorted(self.times.items(), key=lambda pair: -pair[1])
            self.times = dict(ahead[: MOST_KEYS // 2])
        return key

    def charge(self, key: str, seconds: float) -> None:
        """Correct a key's time by what its job took."""
        if key in self.times:
            self.times[key] = max(self.now, self.times[key] + seconds - EXPECTED)


@dataclass
class _Address:
    """The jobs of one address that wait, by table."""

    shares: _Shares = field(default_factory=_Shares)
    tables: dict[str, deque[object]] = field(default_factory=dict)
    waiting: int = 0


class FairQueue(Generic[T]):
    """Jobs that wait, each of an address and a table. Not safe for several threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        """Jobs of one address that may wait; more are refused."""
        self._shares = _Shares()
        self._waiting: dict[str, _Address] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def addresses(self) -> Iterable[str]:
        """Return the addresses that wait."""
        return self._waiting

    def waiting(self, address: str) -> int:
        """Return how many jobs of an address wait."""
        return self._waiting[address].waiting if address in self._waiting else 0

    def put(self, address: str, table: str, job: T) -> None:
        """Add a job, or refuse it where too many of its address wait."""
        its = self._waiting.get(address) or _Address()
        if its.waiting >= self.most:
            raise Refused("server.busy")
        self._waiting[address] = its
        its.tables.setdefault(table, deque()).append(job)
        its.waiting += 1
        self._size += 1

    def pop(self) -> tuple[str, str, T]:
        """Take the job that is next, with its address and table; IndexError where none waits."""
        if not self._waiting:
            raise IndexError
        address = self._shares.take(self._waiting)
        its = self._waiting[address]
        table = its.shares.take(its.tables)
        job = its.tables[table].popleft()
        self._forget(address, table)
        return address, table, job  # type: ignore[return-value]

    def drop_newest(self, last: str) -> T:
        """Remove and return the newest job of the address that has most waiting; of several, `last` comes first.

        Within the address, it is the newest of the table that has most waiting. Called with the address of a job put
        into a full queue, it makes space at the expense of those with most jobs. IndexError where none waits.
        """
        if not self._waiting:
            raise IndexError
        address = max(self._waiting, key=lambda key: (self._waiting[key].waiting, key == last))
        tables = self._waiting[address].tables
        table = max(tables, key=lambda key: len(tables[key]))
        job = tables[table].pop()
        self._forget(address, table)
        return job  # type: ignore[return-value]

    def _forget(self, address: str, table: str) -> None:
        """Uncount a job that was taken from a table."""
        its = self._waiting[address]
        if not its.tables[table]:
            del its.tables[table]
        its.waiting -= 1
        self._size -= 1
        if not its.waiting:
            del self._waiting[address]

    def charge(self, address: str, table: str, seconds: float) -> None:
        """Charge an address and a table for the seconds of a job."""
        self._shares.charge(address, seconds)
        if address in self._waiting:
            self._waiting[address].shares.charge(table, seconds)

    def clear(self) -> list[T]:
        """Remove and return all jobs."""
        jobs: list[T] = []
        while self._size:
            jobs.append(self.pop()[2])
        return jobs
