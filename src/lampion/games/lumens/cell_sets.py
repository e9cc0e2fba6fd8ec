"""Sets of cells of the board of Lumens: four bands of four rows, each a number of 64 bits.

In compiled code such a set stays in registers.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import inlined

Cells = tuple[int, int, int, int]
NO_CELLS: Cells = (0, 0, 0, 0)


@inlined
def stored_cells(stored: Any) -> Cells:
    """Return a stored set of cells as four numbers."""
    return int(stored[0]), int(stored[1]), int(stored[2]), int(stored[3])


@inlined
def both(some: Cells, others: Cells) -> Cells:
    """Return the cells that are in both sets."""
    return some[0] & others[0], some[1] & others[1], some[2] & others[2], some[3] & others[3]


@inlined
def either(some: Cells, others: Cells) -> Cells:
    """Return the cells that are in at least one of two sets."""
    return some[0] | others[0], some[1] | others[1], some[2] | others[2], some[3] | others[3]


@inlined
def without(some: Cells, others: Cells) -> Cells:
    """Return the cells of the first set that are not in the other."""
    return some[0] & ~others[0], some[1] & ~others[1], some[2] & ~others[2], some[3] & ~others[3]


@inlined
def east_of(cells: Cells) -> Cells:
    """Return a set one cell further east; the last column is never in use."""
    return cells[0] << 1, cells[1] << 1, cells[2] << 1, cells[3] << 1


@inlined
def west_of(cells: Cells) -> Cells:
    """Return a set one cell further west."""
    return cells[0] >> 1, cells[1] >> 1, cells[2] >> 1, cells[3] >> 1


@inlined
def south_of(cells: Cells) -> Cells:
    """Return a set one row further south, from one band into the next."""
    a, b, c, d = cells
    return a << 16, b << 16 | a >> 48, c << 16 | b >> 48, d << 16 | c >> 48


@inlined
def north_of(cells: Cells) -> Cells:
    """Return a set one row further north."""
    a, b, c, d = cells
    return a >> 16 | b << 48, b >> 16 | c << 48, c >> 16 | d << 48, d >> 16
