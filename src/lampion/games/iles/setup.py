"""What can be changed of a position of 1001 Îles by hand: tiles on the table and on islands, dreams, the lookout.

A tile is exchanged for one that nobody has seen, laid anew or taken away; lamps are turned over as they must be. As
everybody has as many tiles of a pile as it had rounds, the others get one too, or give one back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.iles.components import DREAM_NAMES, PILE_NAMES, tile_code, tile_words
from lampion.games.iles.state import COLUMNS, DREAM, LAMP, ROUNDS_OF_A_PILE, TILES, TWO_PLAYER_DRAW
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


def laid_tiles(view: View, seat: int) -> dict[str, tuple[Any, int]]:
    """Return what lies in front of a player, by name: its pile, and its column or the number of the dream."""
    its = view.seats[seat]
    found = {
        f"{pile}-{column}": (pile, column)
        for pile, cells in zip(PILE_NAMES, its.island, strict=False)
        for column, cell in enumerate(cells)
        if cell is not None
    }
    return found | {f"dream-{number}": ("dream", number) for number in range(len(its.dreams))}


def tile_at(view: View, seat: int, pile: Any, place: int) -> Any:
    """Return a tile or a dream in front of a player."""
    if pile == "dream":
        return view.seats[seat].dreams[place]
    cell = view.seats[seat].island[PILE_NAMES.index(pile)][place]
    assert cell is not None
    return cell.tile


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


def moved(island: list[list[Cell | None]], pile: Any, tile: int, column: int) -> list[list[Cell | None]]:
    """Return an island with a tile in another column of its row, in the place of the one that lies there."""
    row = PILE_NAMES.index(pile)
    line = list(island[row])
    now = next(place for place, cell in enumerate(line) if cell is not None and cell.tile == tile)
    line[now], line[column] = line[column], line[now]
    return [*island[:row], line, *island[row + 1 :]]


def lit(box: Any, island: list[list[Cell | None]], wanted: tuple[int, int]) -> list[list[Cell | None]]:
    """Return an island on which a tile that was turned over lies face up, and another with a lamp does not."""
    lamps = [
        (row, column)
        for row, cells in enumerate(island)
        for column, cell in enumerate(cells)
        if cell is not None and not cell.down and box.elements[row, cell.tile, LAMP]
    ]
    turned = {wanted: False} | dict.fromkeys(lamps[:1], True)
    return [
        [
            cell if cell is None else replace(cell, down=turned.get((row, column), cell.down))
            for column, cell in enumerate(cells)
        ]
        for row, cells in enumerate(island)
    ]


def between_rounds(view: View) -> View:
    """Return a position in which the lookout is to open a pile: what is on the table goes back to the unseen tiles.

    Those who had a tile of the round give it back.
    """
    if view.open is None:
        return view
    pile = view.open
    lying = [slot.tile for slot in view.table if slot is not None]
    before = replace(view, piles=with_pile(view, pile, [*view.piles[pile].unseen, *lying]))
    fewest = min(count_of(before, seat, pile) for seat in range(view.players))
    for seat in range(view.players):
        if count_of(before, seat, pile) > fewest:
            before = without_tile(before, seat, pile, spare_place(before, seat, pile))
    piles = with_rounds(before, pile, fewest, before.piles[pile].unseen, before.piles[pile].away)
    return replace(
        before, piles=piles, open=None, table=[], turned_up=None, waiting=[], step="pile", active=view.lookout
    )


def with_rounds(view: View, pile: Any, rounds: int, unseen: list[Any], away: list[Any]) -> dict[Any, Any]:
    """Return the piles after another number of rounds of one of them."""
    tiles = len(unseen) - TILES + ROUNDS_OF_A_PILE * max(view.players, TWO_PLAYER_DRAW)
    return view.piles | {pile: replace(view.piles[pile], tiles=tiles, rounds=rounds, unseen=unseen, away=away)}


def with_pile(view: View, pile: Any, unseen: list[Any]) -> dict[Any, Any]:
    """Return the piles with other unseen tiles in one of them."""
    return view.piles | {pile: replace(view.piles[pile], unseen=unseen)}


def count_of(view: View, seat: int, pile: Any) -> int:
    """Return how many tiles of a pile a player has."""
    return sum(its == pile for its, _ in laid_tiles(view, seat).values())


def with_tile(view: View, seat: int, pile: Any, tile: Any, column: int) -> View:
    """Return a position in which a player has one more of the unseen tiles; one that lay there goes back to them."""
    unseen = list(view.piles[pile].unseen)
    unseen.remove(tile)
    if pile == "dream":
        dreams = sorted([*view.seats[seat].dreams, tile], key=DREAM_NAMES.index)
        return with_seat(replace(view, piles=with_pile(view, pile, unseen)), seat, dreams=dreams)
    island = [list(line) for line in view.seats[seat].island]
    below = island[PILE_NAMES.index(pile)][column]
    if below is not None:
        unseen.append(below.tile)
    island[PILE_NAMES.index(pile)][column] = Cell(tile, False)
    return with_seat(replace(view, piles=with_pile(view, pile, unseen)), seat, island=island)


def without_tile(view: View, seat: int, pile: Any, place: int) -> View:
    """Return a position in which a player has given a tile back."""
    back = replace(view, piles=with_pile(view, pile, [*view.piles[pile].unseen, tile_at(view, seat, pile, place)]))
    if pile == "dream":
        return with_seat(back, seat, dreams=[one for i, one in enumerate(view.seats[seat].dreams) if i != place])
    island = [list(line) for line in view.seats[seat].island]
    island[PILE_NAMES.index(pile)][place] = None
    return with_seat(back, seat, island=island)


def spare_place(view: View, seat: int, pile: Any) -> int:
    """Return where a player gives a tile of a pile back: as far from the board as the rest stays in one piece."""
    places = sorted((place for its, place in laid_tiles(view, seat).values() if its == pile), reverse=True)
    safe = (place for place in places if is_joined(without_tile(view, seat, pile, place).seats[seat].island))
    return next(safe, places[0])


def is_joined(island: list[list[Cell | None]]) -> bool:
    """Return whether all tiles of an island are joined to the character board."""
    laid = {(row, column) for row, cells in enumerate(island) for column, cell in enumerate(cells) if cell is not None}
    reached: set[tuple[int, int]] = set()
    reach = [(row, 0) for row in range(len(island))]
    while reach:
        row, column = at = reach.pop()
        if at in laid and at not in reached:
            reached.add(at)
            reach += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return reached == laid


def free_place(view: View, seat: int, pile: Any) -> int:
    """Return where a player lays a tile of a pile: the nearest to the board; 0 for a dream."""
    return 0 if pile == "dream" else view.seats[seat].island[PILE_NAMES.index(pile)].index(None)


def levelled(box: Any, view: View, seat: int, pile: Any) -> View:
    """Return a position in which everybody has as many tiles of a pile as one player, and it had as many rounds."""
    count = count_of(view, seat, pile)
    if count > ROUNDS_OF_A_PILE:
        raise BadPosition("iles.fact.rounds")
    for other in range(view.players):
        while count_of(view, other, pile) > count:
            view = without_tile(view, other, pile, spare_place(view, other, pile))
        while count_of(view, other, pile) < count:
            view = with_tile(view, other, pile, view.piles[pile].unseen[0], free_place(view, other, pile))
    unseen, away = list(view.piles[pile].unseen), list(view.piles[pile].away)
    while view.players == 2 and len(away) > count:
        unseen.append(away.pop())
    while view.players == 2 and len(away) < count:
        away.append(unseen.pop())
    piles = with_rounds(view, pile, count, unseen, away)
    seats = [replace(its, island=with_lamps(box, its.island)) for its in view.seats]
    return replace(view, piles=piles, seats=seats)


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
