"""Positions of 1001 Îles with tiles laid, moved, turned over or given back, and everything that follows from that.

Everybody has as many tiles of a pile as it had rounds: where one gets a tile, the others get one too, and where one
gives a tile back, so do they.
"""

from __future__ import annotations

from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.iles.components import DREAM_NAMES, PILE_NAMES
from lampion.games.iles.state import LAMP, ROUNDS_OF_A_PILE, TILES, TWO_PLAYER_DRAW
from lampion.games.iles.view import Cell, View
from lampion.games.setup_types import one_of

replace = msgspec.structs.replace


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


def moved(island: list[list[Cell | None]], pile: Any, tile: int, column: int) -> list[list[Cell | None]]:
    """Return an island with a tile in another column of its row, in the place of the one that lies there."""
    row = PILE_NAMES.index(pile)
    line = list(island[row])
    now = next(place for place, cell in enumerate(line) if cell is not None and cell.tile == tile)
    line[now], line[column] = line[column], line[now]
    return [*island[:row], line, *island[row + 1 :]]


def lit(box: Any, island: list[list[Cell | None]], wanted: tuple[int, int]) -> list[list[Cell | None]]:
    """Return an island with a tile turned face up, and another tile with a lamp turned face down in its place."""
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
    """Return the piles with one of them opened for `rounds` rounds."""
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
    """Return which tile a player gives back: the farthest from the board without which the rest stays in one piece."""
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
    """Return a position with some fields of a player's seat changed."""
    seats = list(view.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(view, seats=seats)


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
