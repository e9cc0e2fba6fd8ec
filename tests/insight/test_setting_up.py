"""Positions set up by hand: each rebuilt thing by thing from a new game, and what cannot be refused with its fact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from games_played import random_game

from lampion.games.core import EVERYTHING, BadPosition
from lampion.games.lanternes.setup import owners_of
from lampion.insight.setting_up import Change, changed, controls
from lampion.play import Position, Seeded


def seen(position: Position) -> Any:
    return position.view(EVERYTHING)


def fresh(game: str, players: int, step: str, **options: Any) -> Position:
    """A game at the first decision of a kind."""
    position = Position(game, players, options or None)
    position.push_chances(Seeded(3))
    while seen(position).step != step:
        position.push(position.legal_moves[0])
        position.push_chances(Seeded(3))
    return position


def played(game: str, players: int, step: str, least: int) -> Position:
    """A game played at random, some moves on, at a decision of a kind."""
    final = random_game(game, players).replay()
    return next(one for one in map(final.at, range(least, final.ply)) if seen(one).step == step and one.actor >= 0)


class Hands:
    """Somebody who sets a position up."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @property
    def view(self) -> Any:
        return seen(self.position)

    def set(self, name: str, value: Any) -> None:
        """Set a control that is there."""
        assert name in {one.name for one in controls(self.position, self.position.names())}, name
        self.position = changed(self.position, Change(name, value))

    def tries(self, name: str, value: Any) -> bool:
        """Set a control, and return whether that was a position."""
        try:
            self.set(name, value)
        except BadPosition:
            return False
        return True


def rebuild_lanternes(target: Any) -> Position:
    hands = Hands(fresh("lanternes", target.players, "place", first=target.first))
    wanted = {laid.tile for laid in target.lake}

    def free(tile: int, kept: set[int]) -> None:
        """Have a tile among those that nobody has seen."""
        for seat, its in enumerate(hands.view.seats):
            if tile in its.hand:
                other = next(one for one in hands.view.unseen if one not in kept)
                hands.set(f"hand:{seat}:{its.hand.index(tile)}", str(other))

    missing = {(laid.x, laid.y): laid for laid in target.lake if (laid.x, laid.y) != (0, 0)}
    while missing:
        cells = {(laid.x, laid.y) for laid in hands.view.lake}
        x, y = next((x, y) for x, y in missing if {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & cells)
        laid = missing.pop((x, y))
        free(laid.tile, wanted)
        hands.set("lay", f"{laid.tile}:{x}:{y}:{laid.turn}")
    hands.set("turn", str(target.active))
    for seat, its in enumerate(target.seats):
        for colour, count in its.cards.items():
            hands.set(f"card:{seat}:{colour}", count)
        hands.set(f"boats:{seat}", its.boats)
    box = hands.position.edition.box
    for stack, name in enumerate(target.stacks):
        for place, owner in enumerate(owners := owners_of(box, target, stack, 0)):
            hands.set(f"reward:{owner}:{name}", owners[: place + 1].count(owner))
    hands.set("step", target.step)
    for seat, its in enumerate(target.seats):
        for tile in its.hand:
            if tile not in hands.view.seats[seat].hand:
                free(tile, {one for other in target.seats for one in other.hand})
                now = hands.view.seats[seat].hand
                place = next(i for i, one in enumerate(now) if one not in its.hand)
                hands.set(f"hand:{seat}:{place}", str(tile))
    return hands.position


def rebuild_lumens(target: Any) -> Position:
    hands = Hands(fresh("lumens", target.players, "place", first=target.first))
    starts = [(cell.x, cell.y) for cell in hands.view.cells]
    for cell in target.cells:
        if (cell.x, cell.y) in starts:
            hands.set(f"token:{cell.x}:{cell.y}", str(cell.tokens[0].face))
    missing = {(cell.x, cell.y): list(cell.tokens[(cell.x, cell.y) in starts :]) for cell in target.cells}
    left_to_right = starts[0][0] == 0  # cells are counted from the first seat's corner, wherever that is
    assert left_to_right
    while any(missing.values()):
        ready = [at for at, tokens in missing.items() if tokens and tokens[0].seat == hands.view.active]
        x, y = max(ready, key=lambda at: len(missing[at]))
        token = missing[x, y].pop(0)
        hands.set("put", f"{token.seat}:{token.face}:{x + 1}:{y + 1}")
    for seat, its in enumerate(target.seats):
        hands.set(f"hand:{seat}", str(its.hand))
    return hands.position


def rebuild_dice(target: Any) -> Position:
    hands = Hands(fresh("dice", target.players, "turn"))
    hands.set("turn", target.turn + 1)
    for card, side in enumerate(target.sides):
        hands.set(f"side:{card}", side)
    for corner, colour in enumerate(target.dice):
        hands.set(f"die:{corner}", colour)
    launches = []
    for seat, its in enumerate(target.seats):
        for zone in its.shaded:
            hands.set(f"shade:{seat}", str(zone))
        launches += [(one.tile, seat, one) for one in its.fireworks]
    for _, seat, one in sorted(launches, key=lambda launch: launch[:2]):
        name = "".join("abcdefghi"[pond % 9] + str(pond // 9 + 1) for pond in one.ponds)
        hands.set(f"launch:{seat}", f"{one.shape}@{name}")
    for seat, its in enumerate(target.seats):
        hands.set(f"gifts:{seat}", its.gifts)
    return hands.position


def rebuild_iles(target: Any) -> Position:
    hands = Hands(fresh("iles", target.players, "pile", first=0))
    hands.set("lookout", str(target.lookout))
    rows = ("top", "centre", "bottom")
    for pile in (*rows, "dream"):
        for column in range(target.piles[pile].rounds):
            hands.set("lay:0", f"{pile}-{hands.view.piles[pile].unseen[0]}:{column}")
    for row, pile in enumerate(rows):
        wanted = [[cell.tile for cell in its.island[row] if cell] for its in target.seats]
        needed = {tile for tiles in wanted for tile in tiles}
        for seat, tiles in enumerate(wanted):
            for column, tile in enumerate(tiles):
                for holder, its in enumerate(hands.view.seats):
                    held = [cell.tile for cell in its.island[row] if cell]
                    if tile in held and (holder, held.index(tile)) != (seat, column):
                        spare = next(one for one in hands.view.piles[pile].unseen if one not in needed)
                        hands.set(f"cell:{holder}:{row}:{held.index(tile)}", str(spare))
                hands.set(f"cell:{seat}:{row}:{column}", str(tile))
    steps = [
        (f"lay:{seat}", f"{rows[row]}-{cell.tile}:{column}", (seat, row, column))
        for seat, its in enumerate(target.seats)
        for row, cells in enumerate(its.island)
        for column, cell in enumerate(cells)
        if cell is not None
    ]
    for _ in range(12):  # a tile can wait for another beside which it lies
        steps = [one for one in steps if not hands.tries(*one[:2])]
    assert not steps
    for seat, its in enumerate(target.seats):
        for number, dream in enumerate(its.dreams):
            give_dream(hands, seat, number, dream, target)
        for row, cells in enumerate(its.island):
            for column, cell in enumerate(cells):
                if cell is not None and hands.view.seats[seat].island[row][column].down and not cell.down:
                    hands.set(f"light:{seat}", f"{row}:{column}")
    return hands.position


def give_dream(hands: Hands, seat: int, number: int, dream: str, target: Any) -> None:
    """Give a player a dream, from the unseen ones or from somebody who shall not have it."""
    held = hands.view.seats[seat].dreams
    if held.count(dream) >= target.seats[seat].dreams.count(dream):
        return
    place = next(i for i, one in enumerate(held) if held.count(one) > target.seats[seat].dreams.count(one))
    if dream not in hands.view.piles["dream"].unseen:
        other = next(
            (who, i)
            for who, its in enumerate(hands.view.seats)
            for i, one in enumerate(its.dreams)
            if one == dream and its.dreams.count(dream) > target.seats[who].dreams.count(dream)
        )
        spare = next(one for one in hands.view.piles["dream"].unseen if one != dream)
        hands.set(f"dream:{other[0]}:{other[1]}", spare)
    hands.set(f"dream:{seat}:{place}", dream)


REBUILT: dict[str, tuple[str, int, Callable[[Any], Position]]] = {
    "lanternes": ("place", 45, rebuild_lanternes),
    "lumens": ("place", 60, rebuild_lumens),
    "dice": ("turn", 60, rebuild_dice),
    "iles": ("pile", 60, rebuild_iles),
}


@pytest.mark.parametrize("game", REBUILT)
def test_any_position_can_be_set_up_by_hand(game: str) -> None:
    step, least, rebuild = REBUILT[game]
    target = played(game, 3, step, least)
    assert rebuild(seen(target)).bytes() == target.bytes()


def refused(position: Position, *change: Any) -> str:
    """The fact with which a change is refused."""
    before = position.bytes()
    with pytest.raises(BadPosition) as problem:
        changed(position, Change(*change))
    assert position.bytes() == before
    return problem.value.key.rpartition(".")[2]


def test_a_token_is_laid_on_any_cell_covers_what_lies_there_and_is_taken_away() -> None:
    position = fresh("lumens", 2, "place", first=0)
    after = changed(position, Change("put", "0:5:7:5"))
    assert (seen(after).active, seen(after).rooms["5"].sums) == (1, [5, 0])
    assert sum(seen(after).seats[0].left) == sum(seen(position).seats[0].left) - 1
    covered = changed(after, Change("put", "1:6:7:5"))
    assert seen(covered).rooms["5"].sums == [0, 6]
    assert seen(changed(covered, Change("lift", "6:4"))).rooms["5"].sums == [5, 0]
    assert refused(covered, "put", "0:6:7:5") == "cells"
    assert refused(covered, "put", "1:6:1:1") == "starts"
    assert refused(covered, "lift", "0:8") == "starts"
    ahead = changed(covered, Change("put", "0:1:3:3"))
    assert refused(ahead, "put", "0:2:4:3") == "turns"
    assert refused(position, "put", "0:5:7") == refused(position, "put", "0:7:7:5") == "no_value"


def test_a_tile_touches_the_lake_where_no_other_lies() -> None:
    position = fresh("lanternes", 3, "place", first=0)
    tile = seen(position).unseen[0]
    after = changed(position, Change("lay", f"{tile}:0:1:3"))
    assert seen(after).lake[-1].tile == tile
    moved = seen(changed(after, Change("lay", f"{tile}:1:0:2"))).lake
    assert [(one.x, one.y, one.turn) for one in moved if one.tile == tile] == [(1, 0, 2)]
    assert refused(after, "lay", f"{seen(after).unseen[0]}:1:2:0") == "lake"
    assert refused(after, "lay", f"{seen(after).unseen[0]}:0:1:0") == "lake"
    assert refused(after, "lay", f"{seen(after).seats[0].hand[0]}:0:2:0") == "no_value"


def test_a_firework_lies_on_complete_ponds_and_comes_from_its_stack() -> None:
    position = changed(fresh("dice", 2, "turn"), Change("turn", 3))
    for zone in (0, 1, 2, 3, 18, 19, 20, 21, 36, 37, 38, 39, 54, 55, 56, 57):
        position = changed(position, Change("shade:0", str(zone)))
    assert refused(position, "launch:0", "square@c1d1c2d2") == "no_value"
    after = changed(position, Change("launch:0", "square@a1b1a2b2"))
    stack = next(one for one in seen(after).stacks if one.shape == "square")
    assert (seen(after).seats[0].points["fireworks"], len(stack.left)) == (5, 5)
    assert refused(after, "launch:0", "square@a3b3a4b4") == "launches"
    later = changed(after, Change("turn", 5))
    both = changed(later, Change("launch:0", "square@a3b3a4b4"))
    assert seen(both).seats[0].points["fireworks"] == 10
    alone = changed(both, Change("douse:0", "square@a1b1a2b2"))
    assert [(one.tile, one.ponds[0]) for one in seen(alone).seats[0].fireworks] == [(0, 18)]
    assert refused(both, "turn", 1) == "launches"


def test_a_player_is_asked_what_can_be_asked() -> None:
    position = fresh("dice", 2, "turn")
    position.push("turn:0")
    assert seen(changed(position, Change("step:1", ""))).seats[1].step is None
    assert refused(position, "step:1", "launch") == "step"


def test_everybody_has_as_many_tiles_of_a_pile() -> None:
    position = fresh("iles", 3, "pile", first=0)
    after = seen(changed(position, Change("lay:1", "top-5:0")))
    assert [sum(cell is not None for cell in seat.island[0]) for seat in after.seats] == [1, 1, 1]
    assert (after.seats[1].island[0][0].tile, after.piles["top"].rounds) == (5, 1)
    assert refused(position, "lay:1", "top-5:2") == "islands"
    back = changed(changed(position, Change("lay:1", "top-5:0")), Change("lift:2", "top-0"))
    assert seen(back).piles["top"].rounds == 0
    for _ in range(4):
        position = changed(position, Change("lay:0", f"dream-{seen(position).piles['dream'].unseen[0]}:0"))
    assert refused(position, "lay:0", f"dream-{seen(position).piles['dream'].unseen[0]}:0") == "rounds"


def test_in_the_middle_of_a_round_a_tile_is_laid_as_before_it() -> None:
    position = fresh("iles", 2, "pile", first=0)
    position.push("centre")
    position.push_chances(Seeded(1))
    after = changed(position, Change("lay:0", "top-5:0"))
    assert (seen(after).step, seen(after).piles["centre"].rounds) == ("pile", 0)
    away = seen(after).piles["top"].away[0]
    unseen = seen(after).piles["top"].unseen[0]
    assert unseen != away
    assert seen(changed(after, Change("away:top:0", str(unseen)))).piles["top"].away == [unseen]
