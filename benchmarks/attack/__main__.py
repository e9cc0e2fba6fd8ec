"""`python -m benchmarks.attack [NAME ...] [--short] [--json]`: attack a server of one's own and see who suffers.

Each attack has a server of its own, people who play beside it from other addresses, and an attacker in a process of its
own. Prints what the people saw, what the server took, and which bars hold; ends with 1 where one does not.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

import msgspec

from benchmarks.attack.ground import ATTACKS, Ground, Result

COLUMNS = ("seconds", "moves", "quiet p99", "median", "p99", "worst", "missed", "MB", "stop")


def line(one: Result) -> str:
    """Return a result as a line of the table."""
    stop = "" if one.stop_s is None else f"{one.stop_s:.1f}"
    return (
        f"{one.name:<20}{one.seconds:>10.1f}{one.moves:>10}{one.quiet_p99_ms:>10.1f}{one.median_ms:>10.1f}"
        f"{one.p99_ms:>10.1f}{one.worst_ms:>10.1f}{one.missed:>10}{one.memory_mb:>10.0f}{stop:>10}  "
        f"{'holds' if not one.missed_bars() else 'DOES NOT HOLD'}"
    )


def details(one: Result) -> list[str]:
    """Return the lines below a result: its figures, and the bars that do not hold."""
    figures = ", ".join(f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}"
                        for name, value in one.figures.items())  # fmt: skip
    return [f"    {figures}"] * bool(figures) + [f"    not: {bar}" for bar in one.missed_bars()[:12]]


def attack(name: str, short: bool) -> Result:
    """Run one attack on a server of its own."""
    with tempfile.TemporaryDirectory(prefix="lampion-attack-") as folder:
        ground = Ground(Path(folder), ATTACKS[name].descriptors)
        try:
            return ground.run(name, short)
        finally:
            ground.close()


def main() -> int:
    """Attack and print."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__)
    words.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    words.add_argument("--short", action="store_true", help="a second or two each")
    words.add_argument("--json", action="store_true")
    given = words.parse_args()
    if unknown := set(given.names) - set(ATTACKS):
        words.error(f"no such attack: {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that the servers are stopped too
    results = []
    if not given.json:
        print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
        print(f"{'attack':<20}" + "".join(f"{name:>10}" for name in COLUMNS))
    for name in given.names or ATTACKS:
        results.append(attack(name, given.short))
        if not given.json:
            print("\n".join([line(results[-1]), *details(results[-1])]), flush=True)
    if given.json:
        print(msgspec.json.encode(results).decode())
    else:
        holding = sum(not one.missed_bars() for one in results)
        print(f"{holding} of {len(results)} attacks leave every bar standing")
    return 0 if not any(one.missed_bars() for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
