"""`python -m benchmarks.fuzz [--inputs N] [--seed N] [--doors NAME ...] [--processes N] [--json]`: feed odd inputs.

The inputs are valid messages, files and requests that were spoilt, as data or as text. Nothing may come of them but an
answer or a refusal with a reason: no fault, no status 5xx, no traceback, no change by what is refused. Prints how many
inputs each door took and the smallest input of everything that was found; ends with 1 where something was.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import msgspec

from benchmarks.fuzz.drive import WEIGHTS, Found, Fuzzed, run


def show(runs: list[Fuzzed]) -> list[Found]:
    """Print what some runs came to; return all that they found, each once."""
    found: dict[tuple[str, str], Found] = {}
    for one in (each for each_run in runs for each in each_run.found):
        kept = found.setdefault((one.door, one.what[-60:]), one)
        if kept is not one:
            kept.times += one.times
            kept.input = min(kept.input, one.input, key=len)
    for door in WEIGHTS:
        inputs = sum(each.by_door.get(door, 0) for each in runs)
        seconds = sum(each.seconds_by_door.get(door, 0.0) for each in runs)
        if inputs:
            print(f"{door:<16}{inputs:>9} inputs  {inputs / seconds:>8.0f} a second")
    inputs, seconds = sum(each.inputs for each in runs), max(each.seconds for each in runs)
    print(f"{inputs} inputs in {seconds:.0f} s: {inputs / seconds:.0f} a second in {len(runs)} processes")
    print(f"memory at the end: {', '.join(f'{each.memory_mb:.0f} MB' for each in runs)}")
    for one in found.values():
        print(f"\n{one.door}, {one.times} times: {one.what}\n    {one.input[:600]}")
    print(f"\n{len(found)} findings")
    return list(found.values())


def main() -> int:
    """Feed and print."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    words.add_argument("--inputs", type=int, default=100_000)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--doors", nargs="*", choices=list(WEIGHTS), default=[])
    words.add_argument("--processes", type=int, default=1)
    words.add_argument("--json", action="store_true")
    given = words.parse_args()
    share = -(-given.inputs // given.processes)
    with ProcessPoolExecutor(given.processes, mp_context=get_context("spawn")) as pool:
        shares = [pool.submit(run, share, given.seed + number, given.doors) for number in range(given.processes)]
        runs = [one.result() for one in shares]
    if given.json:
        print(msgspec.json.encode(runs).decode())
        return int(any(one.found for one in runs))
    return int(bool(show(runs)))


if __name__ == "__main__":
    sys.exit(main())
