"""What is in the box of Fireflies: read from TOML and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fireflies.rules import BOX, LIGHTS, MOST_NIGHTS, SEATS
from lampion.games.editions import Reader


def read(data: Mapping[str, Any]) -> Any:
    """The box of these components; an error names the line and what is wrong with it."""
    reader = Reader("fireflies", data)
    reader.only("", data, "nights", "fireflies")
    box = np.zeros(1, dtype=BOX)[0]
    box.nights = reader.whole("nights", 1, MOST_NIGHTS)
    copies = reader.items("fireflies")
    if len(copies) != LIGHTS:
        raise reader.wrong("count", name="fireflies", count=len(copies), expected=LIGHTS)
    for i, copy in enumerate(copies):
        box.copies[i] = reader.number(copy, f"fireflies[{i}]", 0, 20)
    if box.copies.sum() < SEATS * box.nights:
        raise reader.wrong("few", name="fireflies", count=int(box.copies.sum()), needed=int(SEATS * box.nights))
    return box
