"""One attack in a process of its own: `python -m benchmarks.attack.attacker NAME PORT PID ADMIN [--short]`.

Prints what it saw as a line of JSON and keeps its connections until standard input is closed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

import msgspec

from benchmarks.attack.ground import ATTACKS, network
from benchmarks.attack.target import Target
from benchmarks.server.ground import raise_descriptor_limit


async def attack(name: str, target: Target) -> None:
    """Attack, print what was seen, and wait."""
    try:
        await ATTACKS[name].run(target)
    except Exception as error:
        target.seen.broken.append(f"the attack ended early: {type(error).__name__}: {error}")
    sys.stdout.buffer.write(msgspec.json.encode(target.seen) + b"\n")
    sys.stdout.buffer.flush()
    await asyncio.to_thread(sys.stdin.buffer.read)
    os._exit(0)


def main() -> None:
    """Read the command line and attack."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("name", choices=sorted(ATTACKS))
    words.add_argument("port", type=int)
    words.add_argument("pid", type=int)
    words.add_argument("admin")
    words.add_argument("--short", action="store_true")
    given = words.parse_args()
    raise_descriptor_limit()
    target = Target(given.port, network(given.name), short=given.short, pid=given.pid, admin=given.admin)
    asyncio.run(attack(given.name, target))


if __name__ == "__main__":
    main()
