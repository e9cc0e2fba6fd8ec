"""What can be changed of a position of 1001 Îles by hand: tiles on the table and on islands, dreams, the lookout.

A tile is exchanged for one that nobody has seen, laid anew or taken away; lamps are turned over as they must be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.iles.arrangement import (
    between_rounds,
    drawn,
    laid_tiles,
    levelled,
    lit,
    moved,
    tile_at,
    with_lamps,
    with_seat,
    with_tile,
    without_tile,
)
from lampion.games.iles.components import DREAM_NAMES, PILE_NAMES, tile_code, tile_words
from lampion.games.iles.state import COLUMNS, DREAM, TILES
from lampion.games.iles.view import Cell, Slot, View
from lampion.games.setup_types import Choice, Control, Option, Part, Placing, one_of, parts_of, pieces
from lampion.locale import say

replace = msgspec.structs.replace


def controls(box: Any, view: View, names: Sequence[str]) -> list[Control]:
    """Return what can be changed: every tile that lies open, and every dream."""
    found: list[Control] = []
    if view.step == "pile":
        seats = [Option(str(seat), name) for seat, name in enumerate(names)]
        label = say("iles.setup.lookout")
        found.append(Choice(name="lookout", seat=None, group="", label=label, value=str(view.lookout), options=seats))
    if view.open is not None:
        for place, slot in enumerate(view.table):
            if slot is not None:
                label = say("iles.setup.slot", number=place + 1)
                found.append(exchange(box, view, f"table:{place}", None, (view.open, slot.tile, label)))
    for pile in PILE_NAMES:
        for place, tile in enumerate(view.piles[pile].away):
            label = say("iles.setup.slot", number=place + 1)
            found.append(exchange(box, view, f"away:{pile}:{place}", None, (pile, tile, label)))
    for seat, its in enumerate(view.seats):
        found += laying_controls(box, view, seat)
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


def laying_controls(box: Any, view: View, seat: int) -> list[Control]:
    """Return the controls that lay a tile or a dream that nobody has seen, and take one away."""
    group = say("iles.setup.laying")
    offered = unseen_tiles(view) | island_tiles(view, seat)
    tiles = [Option(name, words(box, pile, tile)) for name, (pile, tile) in offered.items()]
    columns = [Option(str(column), str(column + 1)) for column in range(COLUMNS)]
    laid = [Option("", say("iles.setup.none"))]
    for name, (pile, place) in laid_tiles(view, seat).items():
        row = say(f"iles.pile.{pile}")
        label = say("iles.setup.dream" if pile == "dream" else "iles.setup.cell", row=row, number=place + 1)
        laid.append(
            Option(name, say("iles.setup.at", tile=words(box, pile, tile_at(view, seat, pile, place)), where=label))
        )
    found: list[Control] = []
    if tiles:
        parts = [
            Part(label=say("iles.setup.lay.tile"), value=tiles[0].value, options=tiles),
            Part(label=say("iles.setup.lay.column"), value="0", options=columns),
        ]
        found.append(Placing(name=f"lay:{seat}", seat=seat, group=group, label=say("iles.setup.lay"), parts=parts))
    if len(laid) > 1:
        label = say("iles.setup.lift")
        found.append(Choice(name=f"lift:{seat}", seat=seat, group=group, label=label, value="", options=laid))
    down = [
        Option(f"{row}:{column}", words(box, PILE_NAMES[row], tile)) for row, column, tile in dark_tiles(view, seat)
    ]
    if down:
        label, options = say("iles.setup.light"), [Option("", say("iles.setup.none")), *down]
        found.append(Choice(name=f"light:{seat}", seat=seat, group=group, label=label, value="", options=options))
    return found


def dark_tiles(view: View, seat: int) -> list[tuple[int, int, int]]:
    """Return the tiles of an island that are turned over: row, column and tile."""
    return [
        (row, column, cell.tile)
        for row, cells in enumerate(view.seats[seat].island)
        for column, cell in enumerate(cells)
        if cell is not None and cell.down
    ]


def island_tiles(view: View, seat: int) -> dict[str, tuple[Any, Any]]:
    """Return the tiles of an island by name, as `unseen_tiles` does."""
    placed = [place for place in laid_tiles(view, seat).values() if place[0] != "dream"]
    tiles = [(pile, tile_at(view, seat, pile, column)) for pile, column in placed]
    return {f"{pile}-{tile}": (pile, tile) for pile, tile in tiles}


def unseen_tiles(view: View) -> dict[str, tuple[Any, Any]]:
    """Return the tiles and dreams that nobody has seen, by name: the pile of each and the tile."""
    return {f"{pile}-{tile}": (pile, tile) for pile in PILE_NAMES for tile in view.piles[pile].unseen}


def exchange(box: Any, view: View, name: str, seat: int | None, tile: tuple[Any, Any, str]) -> Choice:
    """Return the control of a tile of a pile: it can be any that nobody has seen."""
    pile, now, label = tile
    values = dict.fromkeys([now, *view.piles[pile].unseen])
    group = (
        "away" if name.startswith("away") else "table" if seat is None else "dreams" if pile == "dream" else "island"
    )
    options = [Option(str(value), words(box, pile, value)) for value in values]
    return Choice(name=name, seat=seat, group=say(f"iles.setup.{group}"), label=label, value=str(now), options=options)


def words(box: Any, pile: Any, tile: int | str) -> str:
    """Return a tile of a pile in words."""
    if isinstance(tile, str):
        return say(f"iles.dream.{tile}")
    return tile_words(tile_code(box, PILE_NAMES.index(pile) * TILES + tile))


def changed(box: Any, view: View, name: str, value: object) -> Iterator[View]:
    """Yield the position with one thing changed."""
    what, *where = parts_of(name, 4)
    if what not in CHANGES:
        raise BadPosition("explore.no_control")
    yield unscored(CHANGES[what](box, view, where, value))


def with_table(box: Any, view: View, where: list[str], value: object) -> View:
    """Return the position with another tile on offer."""
    if view.open is None:
        raise BadPosition("explore.no_control")
    place = one_of(where[0], range(len(view.table)))
    slot = view.table[place]
    if slot is None:
        raise BadPosition("explore.no_control")
    tile, after = drawn(view, view.open, slot.tile, value)
    table: list[Slot | None] = list(view.table)
    table[place] = replace(slot, tile=tile)
    return replace(after, table=table)


def with_cell(box: Any, view: View, where: list[str], value: object) -> View:
    """Return the position with another tile on a cell of an island."""
    seat, row = one_of(where[0], range(view.players)), one_of(where[1], range(DREAM))
    cells = view.seats[seat].island[row]
    column = one_of(where[2], range(len(cells)))
    cell = cells[column]
    if cell is None:
        raise BadPosition("explore.no_control")
    tile, after = drawn(view, PILE_NAMES[row], cell.tile, value)
    island = [list(line) for line in view.seats[seat].island]
    island[row][column] = Cell(int(tile), False)
    return with_seat(after, seat, island=with_lamps(box, island))


def with_dream(box: Any, view: View, where: list[str], value: object) -> View:
    """Return the position with another dream of a player."""
    seat = one_of(where[0], range(view.players))
    dreams: list[Any] = list(view.seats[seat].dreams)
    number = one_of(where[1], range(len(dreams)))
    dreams[number], after = drawn(view, "dream", dreams[number], value)
    return with_seat(after, seat, dreams=sorted(dreams, key=DREAM_NAMES.index))


def with_away(box: Any, view: View, where: list[str], value: object) -> View:
    """Return the position with another tile among those that two players put away."""
    pile: Any = one_of(where[0], PILE_NAMES)
    away: list[Any] = list(view.piles[pile].away)
    place = one_of(where[1], range(len(away)))
    away[place], after = drawn(view, pile, away[place], value)
    order = DREAM_NAMES.index if pile == "dream" else None
    return replace(after, piles=after.piles | {pile: replace(after.piles[pile], away=sorted(away, key=order))})


def with_lookout(box: Any, view: View, where: list[str], value: object) -> View:
    """Return the position between two rounds with another lookout."""
    if view.step != "pile":
        raise BadPosition("explore.no_control")
    lookout = one_of(value, range(view.players))
    return replace(view, lookout=lookout, active=lookout)


def with_laid(box: Any, view: View, where: list[str], value: object) -> View:
    """Return the position with a tile or a dream laid, or a tile moved."""
    seat = one_of(where[0], range(view.players))
    known, own = unseen_tiles(view), island_tiles(view, seat)
    name, column = pieces(value, [*known, *own], range(COLUMNS))
    if name in own:
        return with_seat(view, seat, island=moved(view.seats[seat].island, *own[name], column))
    pile, tile = known[name]
    return levelled(box, with_tile(between_rounds(view), seat, pile, tile, column), seat, pile)


def with_lifted(box: Any, view: View, where: list[str], value: object) -> View:
    """Return the position with a tile or a dream taken away."""
    seat = one_of(where[0], range(view.players))
    name = one_of(value, list(laid_tiles(view, seat)))
    before = between_rounds(view)
    if name not in laid_tiles(before, seat):  # it was of the round that is not played
        return before
    pile, place = laid_tiles(before, seat)[name]
    return levelled(box, without_tile(before, seat, pile, place), seat, pile)


def with_light(box: Any, view: View, where: list[str], value: object) -> View:
    """Return the position with another lamp visible."""
    seat = one_of(where[0], range(view.players))
    dark = {f"{row}:{column}": (row, column) for row, column, _ in dark_tiles(view, seat)}
    return with_seat(view, seat, island=lit(box, view.seats[seat].island, dark[one_of(value, list(dark))]))


CHANGES: dict[str, Callable[[Any, View, list[str], object], View]] = {
    "table": with_table,
    "cell": with_cell,
    "dream": with_dream,
    "away": with_away,
    "lookout": with_lookout,
    "lay": with_laid,
    "lift": with_lifted,
    "light": with_light,
}
"""What sets each control, given the rest of its name."""


def unscored(view: View) -> View:
    """Return a position without its points, which follow from the rest."""
    return replace(view, seats=[replace(seat, points=None) for seat in view.seats])
