"""Some thousand odd inputs for every door, the same in every run; `python -m benchmarks.fuzz` takes any number."""

from __future__ import annotations

import pytest

from benchmarks.fuzz.drive import Fuzzed, run
from benchmarks.fuzz.mutate import Mutator

SHARES = {
    "wish": 3_000,
    "stdio": 1_000,
    "position": 500,
    "edition": 150,
    "record": 150,
    "http": 400,
    "websocket": 600,
    "network_http": 200,
    "network_frames": 100,
}


def told(found: Fuzzed) -> str:
    """Return what was found, each with its smallest input."""
    return "\n\n".join(f"{one.door}, {one.times} times: {one.what}\n    {one.input[:400]}" for one in found.found)


@pytest.mark.parametrize("door", SHARES)
def test_odd_inputs_are_taken_or_refused_with_a_reason_at_the_door_of(door: str) -> None:
    found = run(SHARES[door], 1, [door])
    slow = [one for one in found.found if one.what.startswith("TimeoutError")]  # a matter of this machine
    found.found = [one for one in found.found if one not in slow]
    assert found.inputs >= SHARES[door]
    assert not found.found, told(found)


def test_the_same_seed_gives_the_same_inputs() -> None:
    assert run(50, 3, ["wish"]).digest == run(50, 3, ["wish"]).digest
    assert run(50, 3, ["wish"]).digest != run(50, 4, ["wish"]).digest


def test_what_is_spoilt_is_spoilt_in_a_copy() -> None:
    mutator = Mutator(1)
    encoded = b'{"a": [1, {"b": []}], "c": "text"}'
    spoilt = [mutator.written(mutator.data(encoded, {"d": [2]})) for _ in range(300)]
    assert len(set(spoilt)) > 100
    assert b"@raw@" not in b"".join(spoilt)
