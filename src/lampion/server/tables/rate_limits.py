"""Rate limits: token buckets, for one connection or for each address.

An address is what a person can have without effort: a whole IPv4 address, but of IPv6 the /64 network, since a single
household is given 2 to the power of 64 of them.
"""

from __future__ import annotations

import ipaddress
import math
import time
from contextvars import ContextVar

from lampion.server.protocol.refusals import Refused

MOST_ADDRESSES = 10_000
UNKNOWN = "unknown"

asker: ContextVar[str] = ContextVar("asker", default=UNKNOWN)
"""The address that the work in this context is charged to; set for every request and WebSocket by the guard."""


def charged_address(host: str) -> str:
    """Return the address to charge for a host: IPv4 whole, IPv6 by its /64 network, UNKNOWN for anything else."""
    host = host.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]  # a proxy may add the port
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if (inner := address.ipv4_mapped or address.sixtofour) is not None:
        return str(inner)
    return str(ipaddress.ip_network((address, 64), strict=False))


class TokenBucket:
    """A token bucket: `rate` tokens a second, at most `burst` kept."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.level = burst
        self.at = time.monotonic()

    def _fill(self) -> None:
        moment = time.monotonic()
        self.level = min(self.burst, self.level + (moment - self.at) * self.rate)
        self.at = moment

    def take(self, amount: float = 1.0) -> bool:
        """Take tokens if there are enough; return whether there were."""
        self._fill()
        if self.level < amount:
            return False
        self.level -= amount
        return True

    def charge(self, amount: float) -> None:
        """Take tokens for work already done; the level may become negative."""
        self._fill()
        self.level -= amount

    def is_spent(self) -> bool:
        """Return whether less than one token is left, without taking any."""
        self._fill()
        return self.level < 1

    @property
    def is_overdrawn(self) -> bool:
        """Whether the level is negative."""
        self._fill()
        return self.level < 0

    def seconds_until(self, level: float) -> float:
        """Return the seconds until there are `level` tokens."""
        self._fill()
        return max(0.0, (level - self.level) / self.rate)

    def seconds_left(self) -> int:
        """Return the whole seconds until there is a token again."""
        return math.ceil(self.seconds_until(1))


class AddressLimiter:
    """A token bucket for every address; of too many, the one unused longest is forgotten."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._buckets: dict[str, TokenBucket] = {}

    def bucket(self, address: str) -> TokenBucket:
        """Return the bucket of an address."""
        bucket = self._buckets.pop(address, None) or TokenBucket(self.rate, self.burst)
        if len(self._buckets) >= MOST_ADDRESSES:
            del self._buckets[next(iter(self._buckets))]
        self._buckets[address] = bucket
        return bucket

    def take(self, address: str, amount: float = 1.0) -> None:
        """Take tokens of an address; raise Refused where there are not enough."""
        if not self.bucket(address).take(amount):
            raise Refused("server.busy")

    def charge(self, amount: float) -> None:
        """Charge the address in `asker`; raise Refused where less than one token is left."""
        bucket = self.bucket(asker.get())
        if bucket.is_spent():
            raise Refused("server.busy")
        bucket.charge(amount)
