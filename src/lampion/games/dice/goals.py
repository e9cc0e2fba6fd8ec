"""How far a sheet is from what it can earn: groups of complete ponds, boats to surround, ponds that fireworks lack."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from lampion.games.dice.lake import PONDS, beside
from lampion.games.dice.state import SHAPE_NAMES, TILES, Shape

Masks = np.ndarray[Any, np.dtype[np.int64]]


def complete_ponds(state: Any, seat: int) -> int:
    """Return the ponds of which a seat has shaded both zones, as bits."""
    return int(state.shaded[seat, 0]) & int(state.shaded[seat, 1])


def group_sizes(state: Any, seat: int) -> list[int]:
    """Return the sizes of the groups of connected complete ponds, the largest first."""
    ponds = complete_ponds(state, seat)
    sizes = []
    while ponds:
        group, grown = 0, ponds & -ponds
        while grown != group:
            group = grown
            grown = group | int(beside(group)) & ponds
        ponds &= ~group
        sizes.append(group.bit_count())
    return sorted(sizes, reverse=True)


def boats_left(box: Any, state: Any, seat: int) -> dict[int, int]:
    """Return by pond the neighbours that a boat still needs, without the boats on shaded ponds, which cannot score."""
    complete = complete_ponds(state, seat)
    touched = int(state.shaded[seat, 0]) | int(state.shaded[seat, 1])
    boats = int(box.boats) & ~touched
    left = {}
    while boats:
        pond = (boats & -boats).bit_length() - 1
        left[pond] = (int(beside(1 << pond)) & ~complete).bit_count()
        boats &= boats - 1
    return left


@cache
def _places(forms: bytes, anchors: bytes, first_form: bytes) -> tuple[Masks, list[int]]:
    """Return the ponds under every form at every place, as bits, shape after shape, and where each shape begins."""
    ponds, corners = np.frombuffer(forms, np.int64).tolist(), np.frombuffer(anchors, np.int64).tolist()
    masks: list[int] = []
    starts = []
    for start, end in pairwise(np.frombuffer(first_form, np.int8).tolist()):
        starts.append(len(masks))
        for form in range(start, end):
            masks += [ponds[form] << anchor for anchor in range(PONDS) if corners[form] >> anchor & 1]
    return np.array(masks, np.int64), starts


def ponds_lacking(box: Any, state: Any, seat: int) -> dict[Shape, int]:
    """Return by firework in stock the ponds that a seat must still complete for it, where it has a place at all."""
    places, starts = _places(box.forms.tobytes(), box.anchors.tobytes(), box.first_form.tobytes())
    lit = int(state.lit[seat])
    dark = complete_ponds(state, seat) & ~lit
    lacking = np.where(places & lit, PONDS, np.bitwise_count(places & ~dark))
    shapes, taken = int(state.shapes), state.taken.tolist()
    least = np.minimum.reduceat(lacking, starts).tolist()
    return {
        name: least[shape]
        for shape, name in enumerate(SHAPE_NAMES)
        if shapes >> shape & 1 and taken[shape] < TILES and least[shape] < PONDS
    }
