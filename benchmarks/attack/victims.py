"""People who play while a server is attacked: `python -m benchmarks.attack.victims`, told what to do in JSON.

They move at a steady pace whatever the answers do. After every further line on standard input they print what they saw
since the last one; they leave when it is closed.
"""

from __future__ import annotations

import asyncio
import sys
import time

import msgspec

from benchmarks.server.lines import encode
from benchmarks.server.players import Crowd, Match, Orders

GRACE = 10.0
"""Seconds that an answer may be late when figures are asked for."""
LONG_GRACE = 120.0
"""The same where waits are measured by the work of the server, whose machine may do other work."""


class Suffered(msgspec.Struct, kw_only=True):
    """What the people saw since they were last asked."""

    latencies: list[float]
    """Seconds from the moment each move was due; of a missed one, how long it has waited so far."""
    missed: int
    """Moves that were due, and were not answered."""
    refused: dict[str, int]
    lost_lines: int
    faults: list[str]


class Victims(Crowd):
    """A crowd that reports again and again."""

    async def report_on_demand(self) -> None:
        """Sit down and play until standard input is closed."""
        matches = [Match(self, number) for number in range(self.orders.tables)]
        await asyncio.gather(*(match.begin() for match in matches))
        print("ready", flush=True)
        self.playing, began = True, time.perf_counter()
        assert self.orders.every is not None
        for number, match in enumerate(matches):
            self.start(self.pace(match, began + self.orders.every * number / len(matches)))
        while await asyncio.to_thread(sys.stdin.buffer.readline):
            sys.stdout.buffer.write(encode(await self.suffered(matches)) + b"\n")
            sys.stdout.buffer.flush()

    async def suffered(self, matches: list[Match]) -> Suffered:
        """Wait for answers that are due, and tell what was seen."""
        grace = GRACE if self.orders.pid is None else LONG_GRACE
        asked_at, giving_up = self.clock(), time.perf_counter() + grace

        def waiting() -> list[float]:
            owed = [due for match in matches for due in match.owed]
            owed += [match.asked[1] for match in matches if match.asked is not None]
            return [due for due in owed if due <= asked_at]

        while (late := waiting()) and time.perf_counter() < giving_up:
            await asyncio.sleep(0.02)
        now = self.clock()
        found = Suffered(
            latencies=self.latencies + [now - due for due in late],
            missed=len(late),
            refused=self.refused,
            lost_lines=self.lost_lines,
            faults=self.faults,
        )
        self.latencies, self.refused, self.faults, self.lost_lines = [], {}, [], 0
        for match in matches:
            match.owed.clear()
        return found


def main() -> None:
    """Read the orders and play."""
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=Orders)
    asyncio.run(Victims(orders).report_on_demand())


if __name__ == "__main__":
    main()
