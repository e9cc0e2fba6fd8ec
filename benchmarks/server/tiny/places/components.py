"""What is in the box of Places: nothing but the length of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lampion.games.editions import Reader
from places.rules import BOX, MOST_TURNS


def read(data: Mapping[str, Any]) -> Any:
    """The box of these components."""
    reader = Reader("places", data)
    reader.only("", data, "turns")
    box = np.zeros(1, dtype=BOX)[0]
    box.turns = reader.whole("turns", 1, MOST_TURNS)
    return box
