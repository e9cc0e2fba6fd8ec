"""What the system says of a process: its processor time, its children, its memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path


def processor_time(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started, and of those that these have."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            direct = [int(child) for child in task.read_text().split()]
        except OSError:
            continue
        for child in direct:
            found += [child, *children(child)]
    return found


def memory(pid: int) -> int:
    """Return the bytes that a process has in memory: resident ones, and of its children those that are theirs alone."""
    total = sum_of(pid, "status", ("VmRSS:",))
    for child in children(pid):
        with suppress(OSError):  # it may have ended
            total += sum_of(child, "smaps_rollup", ("Private_Clean:", "Private_Dirty:"))
    return total


def sum_of(pid: int, file: str, names: Sequence[str]) -> int:
    """Return the sum in bytes of some lines of a file below /proc that are in kilobytes."""
    lines = (line.split() for line in Path(f"/proc/{pid}/{file}").read_text().splitlines())
    return 1024 * sum(int(words[1]) for words in lines if words and words[0] in names)
