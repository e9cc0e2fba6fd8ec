"""Where a training run stands, kept beside its net, so that a run that was stopped goes on.

What is remembered of the games is not kept: a run that goes on fills its memory anew, so its net differs a little from
that of a run that was not stopped.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from lampion.learning.curve import Point
from lampion.learning.gradient import Learner


def path_of(out: Path) -> Path:
    """Return the file of the checkpoint of a net."""
    return out.with_name(f".{out.name}.checkpoint")


def save(out: Path, command: str, learner: Learner, rounds: int, history: Sequence[Point]) -> None:
    """Save a learner after `rounds` rounds, and its strength on the way; the file is replaced at once or not at all."""
    parts = {"layer": learner.layers, "mean": learner.means, "square": learner.squares}
    arrays = {f"{name}{i}": learner.arrays.get(array) for name, found in parts.items() for i, array in enumerate(found)}
    path = path_of(out)
    beside = path.with_name(f"{path.name}.part")
    with beside.open("wb") as file:
        points = msgspec.json.encode(history).decode()
        np.savez(
            file, allow_pickle=False, command=command, steps=learner.steps, rounds=rounds, history=points, **arrays
        )
    beside.replace(path)


def load(out: Path, command: str, learner: Learner) -> tuple[int, list[Point]]:
    """Bring a learner to where a run of the same command was stopped.

    Return the rounds that it had done and how strong it was on the way; 0 and nothing where there was none.
    """
    try:
        with np.load(path_of(out), allow_pickle=False) as found:
            if str(found["command"]) != command:
                return 0, []
            history = msgspec.json.decode(str(found["history"]), type=list[Point])
            for name, arrays in (("layer", learner.layers), ("mean", learner.means), ("square", learner.squares)):
                kept = [found[f"{name}{i}"] for i in range(len(arrays))]
                if any(array.shape != tuple(now.shape) for array, now in zip(kept, arrays, strict=True)):
                    return 0, []
                arrays[:] = [learner.arrays.put(array) for array in kept]
            learner.steps = int(found["steps"])
            return int(found["rounds"]), history
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return 0, []


def forget(out: Path) -> None:
    """Remove the checkpoint of a run that has ended."""
    path_of(out).unlink(missing_ok=True)
