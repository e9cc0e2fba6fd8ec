"""What is in the box of Fireflies: read from TOML and checked.

In a game of your own: read each name of components.toml, and refuse with its name what cannot be played with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fireflies.rules import BOX, LIGHTS, MOST_NIGHTS, SEATS
from lampion.games.editions import Reader


def read(data: Mapping[str, Any]) -> Any:
    """Return the box of these components; an error names the line and what is wrong with it."""
    reader = Reader("fireflies", data)
    reader.only("", data, "nights", "lights")
    box = np.zeros(1, dtype=BOX)[0]
    box.nights = reader.whole("nights", 1, MOST_NIGHTS)
    copies = reader.items("lights")
    if len(copies) != LIGHTS:
        raise reader.wrong("count", name="lights", count=len(copies), expected=LIGHTS)
    for i, copy in enumerate(copies):
        box.copies[i] = reader.number(copy, f"lights[{i}]", 0, 20)
    if box.copies.sum() < SEATS * box.nights:
        raise reader.wrong("few", name="lights", count=int(box.copies.sum()), needed=int(SEATS * box.nights))
    return box
