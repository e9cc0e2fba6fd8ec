"""Calls the functions of a WebAssembly module in Node, with arrays of NumPy that it then finds changed.

Where `LAMPION_WASM=chromium` asks for it, in Chromium.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lampion.engine.wasm import leaves

PROGRAM = Path(__file__).with_name("run_calls.mjs")
IN_CHROMIUM = os.environ.get("LAMPION_WASM") == "chromium"
BEGIN = 1024
ALIGNED = 16


class Call(NamedTuple):
    """One function and its arguments; made `times` times, argument `step` growing by one, `watch` hashed after each."""

    name: str
    arguments: tuple[Any, ...]
    times: int = 1
    step: int | None = None
    watch: Any = None


class Answer(NamedTuple):
    """What came of a call."""

    result: str
    hash: str
    seconds: float


def owner(array: Any) -> Any:
    """Return the array that owns the memory of another."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def start_of(array: Any) -> int:
    """Return where an array is in the memory of this process."""
    return int(array.__array_interface__["data"][0])


class Memory:
    """Arrays laid out in a module's memory: those that share bytes here share them there."""

    def __init__(self) -> None:
        self.owners: dict[int, tuple[Any, int]] = {}
        self.size = BEGIN

    def address(self, array: Any) -> int:
        """Return the address of an array; it is given one when first asked for."""
        whole = owner(array)
        if id(whole) not in self.owners:
            self.owners[id(whole)] = whole, self.size
            self.size += -(-whole.nbytes // ALIGNED) * ALIGNED
        return self.owners[id(whole)][1] + start_of(array) - start_of(whole)

    def numbers(self, value: Any) -> list[Any]:
        """Return an argument as the program wants it: whole numbers of 64 bits as text."""
        found: list[Any] = []
        for leaf in leaves(value):
            if isinstance(leaf, np.ndarray):
                found += [self.address(leaf), *leaf.shape]
            else:
                found.append(leaf if isinstance(leaf, float) else str(int(leaf)))
        return found

    def written(self) -> bytes:
        """Return the memory as it is before the calls."""
        image = bytearray(self.size)
        for whole, at in self.owners.values():
            image[at : at + whole.nbytes] = np.ascontiguousarray(whole).tobytes()
        return bytes(image)

    def read_back(self, image: bytes) -> None:
        """Write into the arrays what the calls left in the memory."""
        for whole, at in self.owners.values():
            if whole.flags.writeable and whole.nbytes:
                whole[...] = np.frombuffer(image, dtype=whole.dtype, count=whole.size, offset=at).reshape(whole.shape)


def run(module: Path, calls: list[Call], folder: Path) -> list[Answer]:
    """Make the calls in one instance of a module; afterwards the arrays hold what it made of them."""
    memory = Memory()
    asked = []
    for call in calls:
        given = [memory.numbers(value) for value in call.arguments]
        entry: dict[str, Any] = {
            "name": call.name,
            "args": [one for numbers in given for one in numbers],
            "times": call.times,
        }
        if call.step is not None:
            entry["step"] = sum(len(numbers) for numbers in given[: call.step])
        if call.watch is not None:
            entry["watch"] = [memory.address(call.watch), call.watch.nbytes]
        asked.append(entry)
    image = folder / "memory"
    image.write_bytes(memory.written())
    answers = (in_chromium if IN_CHROMIUM else in_node)(module, image, asked)
    memory.read_back(image.read_bytes())
    return [Answer(**one) for one in answers]


def in_node(module: Path, image: Path, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Make calls in a memory that lies in a file and is written back."""
    done = subprocess.run(
        ["node", str(PROGRAM), str(module), str(image)],
        input=json.dumps(calls), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def in_chromium(module: Path, image: Path, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Do the same in Chromium."""
    from .in_chromium import run_calls

    return run_calls(module, image, calls)
