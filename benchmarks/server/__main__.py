"""`python -m benchmarks.server load | kill | peer | idle`: print a table for people, or with --json an object."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.server.idle import idle
from benchmarks.server.kill import survive
from benchmarks.server.load import load
from benchmarks.server.peer import GAMES, compare


def show(found: list[dict[str, Any]], as_json: bool) -> None:
    """Each thing found in a column of its own, or as JSON."""
    if as_json:
        print(msgspec.json.encode(found).decode())
        return
    for name in found[0]:
        values = [f"{one[name]:.2f}" if isinstance(one[name], float) else str(one[name]) for one in found]
        print(f"{name.replace('_', ' '):<22}", *(f"{value:>12}" for value in values))


def main() -> None:
    """Measure."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    words.add_argument("what", choices=["load", "kill", "peer", "idle"])
    words.add_argument("--game", default="lumens", help="of load and kill")
    words.add_argument("--tables", type=int, default=200)
    words.add_argument("--sockets", type=int, default=3000, help="of idle")
    words.add_argument("--bots", type=int, default=50, help="tables that wait for bots, in the second run of load")
    words.add_argument("--seconds", type=float, default=20)
    words.add_argument("--times", type=int, default=50, help="kills")
    words.add_argument("--rounds", type=int, default=3, help="of peer")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--json", action="store_true")
    given = words.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that the servers are stopped too

    def folder() -> Any:
        return tempfile.TemporaryDirectory(prefix="lampion-")

    found = []
    if given.what == "load":
        for bots in (0, given.bots):
            with folder() as place:
                one = load(Path(place), tables=given.tables, bots=bots, seconds=given.seconds, game=given.game)
            found.append(asdict(one))
    elif given.what == "kill":
        with folder() as place:
            found.append(asdict(survive(Path(place), given.times, given.tables, given.game, given.seed)))
    elif given.what == "idle":
        with folder() as place:
            found.append(asdict(idle(Path(place), given.tables, given.sockets, given.seconds, given.game)))
    else:
        found = [asdict(one) for one in compare(GAMES, given.tables, given.seconds, given.rounds)]
    show(found, given.json)


if __name__ == "__main__":
    main()
