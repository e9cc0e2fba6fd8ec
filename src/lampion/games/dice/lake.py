"""Sets of ponds as bits of one number: their neighbours and the groups they make.

A pond is `row * WIDTH + column`, rows from the top; a set of ponds has bit `pond` for each. 54 bits leave room to move
a set by a whole row without reaching the sign.
"""

from __future__ import annotations

from lampion.engine.bits import popcount
from lampion.engine.compile import compiled, inlined

WIDTH = 9
HEIGHT = 6
PONDS = WIDTH * HEIGHT
LAKE = (1 << PONDS) - 1
FIRST_COLUMN = sum(1 << row * WIDTH for row in range(HEIGHT))
LAST_COLUMN = FIRST_COLUMN << WIDTH - 1


@compiled
def beside(ponds: int) -> int:
    """Return the ponds orthogonally next to those of a set; some may be in the set themselves."""
    across = (ponds & ~LAST_COLUMN) << 1 | (ponds & ~FIRST_COLUMN) >> 1
    return (ponds << WIDTH | ponds >> WIDTH | across) & LAKE


@inlined
def group_in(ponds: int) -> int:
    """Return the ponds that are connected with the lowest of a set, which must not be empty."""
    group = ponds & -ponds
    grown = group | beside(group) & ponds
    while grown != group:
        group = grown
        grown = group | beside(group) & ponds
    return group


@compiled
def second_group(ponds: int) -> int:
    """Return the size of the second-largest group of connected ponds; 0 with fewer than two groups."""
    largest = 0
    second = 0
    while ponds:
        group = group_in(ponds)
        ponds &= ~group
        size = popcount(group)
        if size > largest:
            second = largest
            largest = size
        elif size > second:
            second = size
    return second


@compiled
def surrounded(ponds: int, complete: int) -> int:
    """Return the number of these ponds, none of them at the shore, that have four complete neighbours."""
    across = complete << 1 & complete >> 1
    return popcount(ponds & across & complete << WIDTH & complete >> WIDTH)
