"""What one address may ask for, and what an address is."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from lampion.server.http.responses import address_of
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.rate_limits import AddressLimiter, TokenBucket, asker, charged_address


def connection(host: str | None) -> HTTPConnection:
    return HTTPConnection({"type": "http", "headers": [], "client": None if host is None else (host, 1)})


@pytest.mark.parametrize(
    ("host", "charged"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2002:cb00:7107::1", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("203.0.113.7:5678", "203.0.113.7"),
        ("[2001:db8::1]:443", "2001:db8::/64"),
        ("", "unknown"),
        ("proxy's nonsense", "unknown"),
        ("9" * 5000, "unknown"),
    ],
)
def test_an_address_is_charged_as_a_household_has_it(host: str, charged: str) -> None:
    assert charged_address(host) == charged


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, to be set by hand."""
    time = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: time[0])
    return time


def test_one_address_that_asks_too_much_shuts_nobody_else_out(clock: list[float]) -> None:
    limit = AddressLimiter(1, 3)
    for _ in range(3):
        limit.take("203.0.113.7")
    with pytest.raises(Refused):
        limit.take("203.0.113.7")
    assert limit.bucket("203.0.113.7").is_spent()
    limit.take("203.0.113.8")
    limit.take(address_of(connection(None)))
    clock[0] += 1
    limit.take("203.0.113.7")


def test_the_last_tokens_pay_for_something_large_which_is_then_owed(clock: list[float]) -> None:
    limit = AddressLimiter(10, 100)
    asker.set("203.0.113.9")
    limit.charge(500)
    with pytest.raises(Refused):
        limit.charge(1)
    clock[0] += 41
    limit.charge(1)


def test_addresses_that_were_quiet_longest_are_forgotten(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lampion.server.tables.rate_limits.MOST_ADDRESSES", 2)
    limit = AddressLimiter(0.001, 1)
    for host in ("203.0.113.1", "203.0.113.2", "203.0.113.3"):
        limit.take(host)
    with pytest.raises(Refused):
        limit.take("203.0.113.3")
    limit.take("203.0.113.1")


def test_a_bucket_never_holds_more_than_its_burst(clock: list[float]) -> None:
    bucket = TokenBucket(5, 10)
    clock[0] += 1_000_000
    assert bucket.take(10)
    assert not bucket.take()
