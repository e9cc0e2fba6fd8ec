"""What a sheet of Lanternes Dice is close to: ponds by the colour they lack, places of fireworks, groups, boats.

All is kept in the numbers of `notes`, for one sheet at a time; sets of ponds are bits (see `lake`).
"""

from __future__ import annotations

from typing import Any

from lampion.engine.bits import lowest_bit, popcount
from lampion.engine.compile import compiled, inlined
from lampion.games.dice.choices import fits
from lampion.games.dice.lake import LAKE, beside, group_in
from lampion.games.dice.state import COLOURS, SHAPES, TILES

# Where `notes` keep what.
UPPER = 0
LOWER = UPPER + 1
HALF = LOWER + 1  # ponds half-shaded, complete without a firework, and beside these
DARK = HALF + 1
NEAR = DARK + 1
FINISHED = NEAR + 1  # by colour, the half-shaded ponds that lack it
READY = FINISHED + COLOURS  # by shape, the places where it can be launched
NEARLY = READY + SHAPES  # by shape, the half-shaded ponds that alone keep it from a place
LACKING = NEARLY + SHAPES  # by shape, the fewest zones that it lacks, at most MANY
BEST = LACKING + SHAPES  # points of the best firework now, then of the best beside it, then of the best beside both
ROW_OF = 3
BEST_NEARLY = BEST + ROW_OF  # points of the best firework that lacks one zone, two zones
BEST_SOON = BEST_NEARLY + 1
LARGEST = BEST_SOON + 1  # ponds of the largest group and of the second-largest, size of the third, number of groups
SECOND = LARGEST + 1
THIRD_SIZE = SECOND + 1
GROUPS = THIRD_SIZE + 1
BOATS = GROUPS + 1  # unshaded boats; those surrounded; those that lack one or two zones, three or four, five or six
BOATS_DONE = BOATS + 1
BOATS_CLOSE = BOATS_DONE + 1
BOATS_BEGUN = BOATS_CLOSE + 1
BOATS_FAR = BOATS_BEGUN + 1
ROUND_BOATS = BOATS_FAR + 1  # ponds beside boats that lack four zones or fewer
END = ROUND_BOATS + 1

MANY = 5
"""More zones than are counted for a firework."""


@compiled
def look_at_sheet(box: Any, state: Any, seat: int, notes: Any) -> None:
    """Note all that is kept about the sheet of a seat."""
    for i in range(END):
        notes[i] = 0
    upper, lower = int(state.shaded[seat, 0]), int(state.shaded[seat, 1])
    half = upper ^ lower
    dark = upper & lower & ~int(state.lit[seat])
    notes[UPPER], notes[LOWER], notes[HALF], notes[DARK], notes[NEAR] = upper, lower, half, dark, beside(dark)
    for colour in range(COLOURS):
        notes[FINISHED + colour] = (
            int(box.colours[1 << colour, 0]) & lower | int(box.colours[1 << colour, 1]) & upper
        ) & half
    note_fireworks(box, state, dark, half, LAKE & ~(upper | lower), notes)
    note_groups(upper & lower, notes)
    note_boats(box, upper, lower, notes)


@inlined
def note_places(box: Any, shape: int, form: int, dark: int, half: int, empty: int, notes: Any) -> None:
    """Note where a form can be laid and what it lacks elsewhere.

    Places are sorted by the number of zones that they lack, pond by pond: none for a dark pond, one for a half-shaded
    one, two for an empty one.
    """
    ready, one, two, three, four = int(box.anchors[form]), 0, 0, 0, 0
    for i in range(box.cells[shape]):
        offset = int(box.offsets[form, i])
        full, part, none = dark >> offset, half >> offset, empty >> offset
        four = four & full | three & part | two & none
        three = three & full | two & part | one & none
        two = two & full | one & part | ready & none
        one = one & full | ready & part
        ready &= full
    notes[READY + shape] += popcount(ready)
    for i in range(box.cells[shape] if one else 0):
        notes[NEARLY + shape] |= one << int(box.offsets[form, i]) & half
    lacking = 0 if ready else 1 if one else 2 if two else 3 if three else 4 if four else MANY
    notes[LACKING + shape] = min(int(notes[LACKING + shape]), lacking)


@compiled
def note_fireworks(box: Any, state: Any, dark: int, half: int, empty: int, notes: Any) -> None:
    """Note by shape in stock where it can be launched or nearly so, and the points of the best."""
    for shape in range(SHAPES):
        notes[LACKING + shape] = MANY
        value = points_on(box, state, shape, int(state.taken[shape]))
        if value == 0:
            continue
        for form in range(box.first_form[shape], box.first_form[shape + 1]):
            note_places(box, shape, form, dark, half, empty, notes)
        if notes[NEARLY + shape]:
            notes[BEST_NEARLY] = max(int(notes[BEST_NEARLY]), value)
        if notes[LACKING + shape] <= 2:
            notes[BEST_SOON] = max(int(notes[BEST_SOON]), value)
    first = second = -1
    for i in range(ROW_OF):
        best, shape, under = best_launch(box, state, dark, first, second)
        if best == 0:
            break
        notes[BEST + i] = best
        dark &= ~under
        first, second = shape, first


@inlined
def best_launch(box: Any, state: Any, dark: int, first: int, second: int) -> tuple[int, int, int]:
    """Return points, shape and ponds of the best firework on these ponds after those of two shapes (-1: none)."""
    best, best_shape, under = 0, -1, 0
    for shape in range(SHAPES):
        value = points_on(box, state, shape, int(state.taken[shape]) + (shape == first) + (shape == second))
        if value > best:
            for form in range(box.first_form[shape], box.first_form[shape + 1]):
                places = fits(box, form, dark)
                if places:
                    best, best_shape, under = value, shape, int(box.forms[form]) << lowest_bit(places)
                    break
    return best, best_shape, under


@inlined
def points_on(box: Any, state: Any, shape: int, top: int) -> int:
    """Return the points on a tile of a shape in play; 0 where there is none."""
    return int(box.values[shape, top]) if int(state.shapes) >> shape & 1 and top < TILES else 0


@compiled
def note_groups(complete: int, notes: Any) -> None:
    """Note the largest groups of connected complete ponds."""
    largest, second, third = 0, 0, 0
    while complete:
        group = group_in(complete)
        complete &= ~group
        size = popcount(group)
        notes[GROUPS] += 1
        if size > popcount(largest):
            third, second, largest = popcount(second), largest, group
        elif size > popcount(second):
            third, second = popcount(second), group
        else:
            third = max(third, size)
    notes[LARGEST], notes[SECOND], notes[THIRD_SIZE] = largest, second, third


@compiled
def note_boats(box: Any, upper: int, lower: int, notes: Any) -> None:
    """Note how many unshaded boats there are, and how far they are from being surrounded."""
    boats = int(box.boats) & ~(upper | lower)
    notes[BOATS] = popcount(boats)
    while boats:
        around = beside(boats & -boats)
        boats &= boats - 1
        lacking = 8 - popcount(around & upper) - popcount(around & lower)
        if lacking == 0:
            notes[BOATS_DONE] += 1
        elif lacking <= 2:
            notes[BOATS_CLOSE] += 1
        elif lacking <= 4:
            notes[BOATS_BEGUN] += 1
        elif lacking <= 6:
            notes[BOATS_FAR] += 1
        if 0 < lacking <= 4:
            notes[ROUND_BOATS] |= around
