"""A thousand hostile messages: each refused with a reason, nothing changed, the server alive and no larger.

Ten thousand: `python -m benchmarks.server_hostile --messages 10000`.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from .hostile import Attack, Siege
from .people import Server

FIRST, MORE = 1000, 300


@pytest.fixture(scope="module")
def siege(server: Server) -> Siege:
    return Siege(server)


def storm(siege: Siege, count: int) -> None:
    """So many messages."""

    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(attack=siege.attacks())
    def throw(attack: Attack) -> None:
        siege.throw(attack)

    before = sum(siege.codes.values())
    throw()
    assert sum(siege.codes.values()) >= before + count


@pytest.mark.deep
def test_a_thousand_hostile_messages_change_nothing_and_leave_nothing_behind(siege: Siege) -> None:
    storm(siege, FIRST)
    first = siege.resident()
    storm(siege, MORE)
    assert siege.resident() <= 1.05 * first
    siege.over()
    assert {"not_json", "bad_message", "not_yours", "host_only", "stale", "too_long", "closed"} <= set(siege.codes)
    assert siege.codes.get("too_fast", 0) < FIRST / 20
