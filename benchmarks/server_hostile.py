"""Hostile messages against a real server: python -m benchmarks.server_hostile [--messages N].

Each must be refused with a reason and change nothing. Prints how they were refused, and the server's resident memory
after the first thousand and after the last; the second may be 5 % more. Needs what the tests need.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from server.hostile import Attack, Siege
from server.people import Server

FIRST = 1000


def storm(siege: Siege, messages: int, beginning: int) -> None:
    """So many messages, not the same as in another storm."""

    @seed(beginning)
    @settings(max_examples=messages, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(attack=siege.attacks())
    def throw(attack: Attack) -> None:
        siege.throw(attack)

    throw()


def main() -> int:
    """Throw and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given_ = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "hostile.db")
        try:
            siege = Siege(server)
            began = time.perf_counter()
            idle = siege.resident()
            storm(siege, FIRST, given_.seed)
            first = siege.resident()
            storm(siege, max(1, given_.messages - FIRST), given_.seed + 1)
            last = siege.resident()
            seconds = time.perf_counter() - began
            siege.over()
        finally:
            server.stop()
    thrown = sum(siege.codes.values())
    print(f"{thrown} messages in {seconds:.0f} s, all refused, nothing changed, the games go on")
    for code, count in sorted(siege.codes.items(), key=lambda one: -one[1]):
        print(f"{count:8} {code}")
    print(f"resident before {idle} kB, after {FIRST} {first} kB, after the last {last} kB: {last / first - 1:+.1%}")
    return 0 if last <= 1.05 * first else 1


if __name__ == "__main__":
    sys.exit(main())
