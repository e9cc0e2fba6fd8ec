"""How far a sheet is from what it can earn: groups of complete ponds, boats to surround, ponds that fireworks lack."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from lampion.engine.bits import lowest_bit
from lampion.games.dice.lake import PONDS, beside, group_in
from lampion.games.dice.state import SHAPE_NAMES, TILES, Shape

Places = tuple[tuple[int, ...], ...]


def complete_ponds(state: Any, seat: int) -> int:
    """Return the ponds of which a seat has shaded both zones, as bits."""
    return int(state.shaded[seat][0]) & int(state.shaded[seat][1])


def group_sizes(state: Any, seat: int) -> list[int]:
    """Return the sizes of the groups of connected complete ponds, the largest first."""
    ponds = complete_ponds(state, seat)
    sizes = []
    while ponds:
        group = int(group_in(ponds))
        ponds &= ~group
        sizes.append(group.bit_count())
    return sorted(sizes, reverse=True)


def boats_left(box: Any, state: Any, seat: int) -> dict[int, int]:
    """Return by pond the neighbours that a boat still needs, without the boats on shaded ponds, which cannot score."""
    complete = complete_ponds(state, seat)
    touched = int(state.shaded[seat][0]) | int(state.shaded[seat][1])
    boats = int(box.boats) & ~touched
    left = {}
    while boats:
        pond = lowest_bit(boats)
        left[pond] = (int(beside(1 << pond)) & ~complete).bit_count()
        boats &= boats - 1
    return left


@cache
def _places(forms: tuple[int, ...], anchors: tuple[int, ...], first_form: tuple[int, ...]) -> Places:
    """Return by shape the ponds under each of its forms at every place, as bits."""
    return tuple(
        tuple(
            forms[form] << anchor
            for form in range(start, end)
            for anchor in range(PONDS)
            if anchors[form] >> anchor & 1
        )
        for start, end in pairwise(first_form)
    )


@lru_cache(maxsize=4096)
def _fewest(places: tuple[int, ...], lit: int, dark: int) -> int:
    """Return the fewest ponds to complete under one of these places, all of it unlit; PONDS where there is none.

    Cached, since most sheets are unchanged in the next view.
    """
    return min(((place & ~dark).bit_count() for place in places if not place & lit), default=PONDS)


def ponds_lacking(box: Any, state: Any, seat: int) -> dict[Shape, int]:
    """Return by firework in stock the ponds that a seat must still complete for it, where it has a place at all."""
    places = _places(tuple(box.forms), tuple(box.anchors), tuple(box.first_form))
    lit = int(state.lit[seat])
    dark = complete_ponds(state, seat) & ~lit
    lacking = {}
    for shape, name in enumerate(SHAPE_NAMES):
        if state.shapes >> shape & 1 and state.taken[shape] < TILES:
            fewest = _fewest(places[shape], lit, dark)
            if fewest < PONDS:
                lacking[name] = fewest
    return lacking
