"""What can be changed of a position of 1001 Îles by hand: tiles on the table and on islands, and dreams.

A tile is exchanged for one that nobody has seen; lamps are turned over as they must be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.iles.components import DREAM_NAMES, PILE_NAMES, tile_code, tile_words
from lampion.games.iles.state import DREAM, LAMP, TILES
from lampion.games.iles.view import Cell, Slot, View
from lampion.games.setup_types import Choice, Control, Option, one_of, parts_of
from lampion.locale import say

replace = msgspec.structs.replace


def controls(box: Any, view: View, names: Sequence[str]) -> list[Control]:
    """Return what can be changed: every tile that lies open, and every dream."""
    found: list[Control] = []
    if view.open is not None:
        for place, slot in enumerate(view.table):
            if slot is not None:
                label = say("iles.setup.slot", number=place + 1)
                found.append(exchange(box, view, f"table:{place}", None, (view.open, slot.tile, label)))
    for seat, its in enumerate(view.seats):
        for row, cells in enumerate(its.island):
            for column, cell in enumerate(cells):
                if cell is not None:
                    label = say("iles.setup.cell", row=say(f"iles.pile.{PILE_NAMES[row]}"), number=column + 1)
                    name = f"cell:{seat}:{row}:{column}"
                    found.append(exchange(box, view, name, seat, (PILE_NAMES[row], cell.tile, label)))
        for number, dream in enumerate(its.dreams):
            label = say("iles.setup.dream", number=number + 1)
            found.append(exchange(box, view, f"dream:{seat}:{number}", seat, ("dream", dream, label)))
    return found


def exchange(box: Any, view: View, name: str, seat: int | None, tile: tuple[Any, Any, str]) -> Choice:
    """Return the control of a tile of a pile: it can be any that nobody has seen."""
    pile, now, label = tile
    values = dict.fromkeys([now, *view.piles[pile].unseen])
    group = "table" if seat is None else "dreams" if pile == "dream" else "island"
    options = [Option(str(value), words(box, pile, value)) for value in values]
    return Choice(name=name, seat=seat, group=say(f"iles.setup.{group}"), label=label, value=str(now), options=options)


def words(box: Any, pile: Any, tile: int | str) -> str:
    """Return a tile of a pile in words."""
    if isinstance(tile, str):
        return say(f"iles.dream.{tile}")
    return tile_words(tile_code(box, PILE_NAMES.index(pile) * TILES + tile))


def changed(box: Any, view: View, name: str, value: object) -> Iterator[View]:
    """Yield the position with one tile exchanged."""
    what, one, two, three = parts_of(name, 4)
    match what:
        case "table" if view.open is not None:
            place = one_of(one, range(len(view.table)))
            slot = view.table[place]
            if slot is None:
                raise BadPosition("explore.no_control")
            tile, after = drawn(view, view.open, slot.tile, value)
            table: list[Slot | None] = list(view.table)
            table[place] = replace(slot, tile=tile)
            yield unscored(replace(after, table=table))
        case "cell":
            seat, row = one_of(one, range(view.players)), one_of(two, range(DREAM))
            cells = view.seats[seat].island[row]
            column = one_of(three, range(len(cells)))
            cell = cells[column]
            if cell is None:
                raise BadPosition("explore.no_control")
            tile, after = drawn(view, PILE_NAMES[row], cell.tile, value)
            island = [list(line) for line in view.seats[seat].island]
            island[row][column] = Cell(int(tile), False)
            yield unscored(with_seat(after, seat, island=with_lamps(box, island)))
        case "dream":
            seat = one_of(one, range(view.players))
            dreams: list[Any] = list(view.seats[seat].dreams)
            number = one_of(two, range(len(dreams)))
            dreams[number], after = drawn(view, "dream", dreams[number], value)
            yield unscored(with_seat(after, seat, dreams=sorted(dreams, key=DREAM_NAMES.index)))
        case _:
            raise BadPosition("explore.no_control")


def drawn(view: View, pile: Any, tile: Any, value: object) -> tuple[Any, View]:
    """Return the tile that is wanted in the place of another, and the position with the other among the unseen ones."""
    unseen: list[Any] = list(view.piles[pile].unseen)
    wanted = one_of(value, [tile, *unseen])
    if wanted != tile:
        unseen[unseen.index(wanted)] = tile
    piles = view.piles | {pile: replace(view.piles[pile], unseen=unseen)}
    return wanted, replace(view, piles=piles)


def with_seat(view: View, seat: int, **changes: Any) -> View:
    """Return a position with something else in front of a player."""
    seats = list(view.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(view, seats=seats)


def unscored(view: View) -> View:
    """Return a position without its points, which follow from the rest."""
    return replace(view, seats=[replace(seat, points=None) for seat in view.seats])


def with_lamps(box: Any, island: list[list[Cell | None]]) -> list[list[Cell | None]]:
    """Return an island on which one lamp is visible if there is an odd number of them, else two."""
    lamps = [
        (row, column)
        for column in range(len(island[0]))
        for row in range(len(island))
        if (cell := island[row][column]) is not None and box.elements[row, cell.tile, LAMP]
    ]
    visible = (2 - len(lamps) % 2) if lamps else 0
    stay = sorted(lamps, key=lambda place: island[place[0]][place[1]].down)[:visible]  # type: ignore[union-attr]
    return [
        [
            None if cell is None else Cell(cell.tile, (row, column) in lamps and (row, column) not in stay)
            for column, cell in enumerate(cells)
        ]
        for row, cells in enumerate(island)
    ]
