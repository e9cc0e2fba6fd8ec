"""What is in the box of Lanternes: read from TOML, checked against what every box has, turned into tables."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from lampion.engine.arrays import np
from lampion.games.editions import Reader
from lampion.games.lanternes.state import (
    BOX,
    COLOURS,
    EAST,
    HAND,
    LETTERS,
    MOST,
    NOBODY,
    NORTH,
    REWARDS,
    SOUTH,
    START,
    TILES,
    WEST,
)

STACK_NAMES = ("four_of_a_kind", "three_pairs", "seven_colours")
SIDES = {2: (SOUTH, NORTH), 3: (SOUTH, WEST, NORTH), 4: (SOUTH, WEST, NORTH, EAST)}
REMOVED_FROM_DOTS = {2: 3, 3: 4, 4: 5}
"""By number of players, the least number of dots of the reward cards that leave the game."""
MOST_TILES = (MOST // (4 * HAND) - 2) // 2
"""Most tiles on the lake while a player has a full hand: the longest border round them fits the list of moves."""


def tile_sides(reader: Reader, code: Any, name: str) -> tuple[list[int], bool]:
    """Return the four colours of a tile clockwise from the north, and whether it has a symbol."""
    text = reader.text(code, name)
    letters = text.removesuffix("*")
    if len(letters) != 4:
        raise reader.wrong("sides", name=name, value=text, count=len(letters))
    for letter in letters:
        if letter not in LETTERS:
            raise reader.wrong("colour", name=name, value=text, letter=letter, letters=LETTERS)
    return [LETTERS.index(letter) for letter in letters], text.endswith("*")


def different_rotations(sides: list[int]) -> int:
    """Return the number of rotations of a tile that look different."""
    return next(n for n in (1, 2, 4) if sides[n:] + sides[:n] == sides)


def read(data: Mapping[str, Any]) -> Any:
    """Return the box of these components; raise BadComponents, which names the line and what is wrong with it."""
    reader = Reader("lanternes", data)
    reader.only("", data, "tiles", "rewards", "setup")
    reader.only("tiles", reader.table("tiles"), "start", "lake")
    reader.only("rewards", reader.table("rewards"), *STACK_NAMES, "neutral")
    reader.only("setup", reader.table("setup"), *map(str, SIDES))
    box = np.zeros(1, dtype=BOX)[0]

    lake = reader.items("tiles.lake")
    if len(lake) != TILES:
        raise reader.wrong("count", name="tiles.lake", count=len(lake), expected=TILES)
    codes = [*lake, reader.get("tiles.start")]
    names = [f"tiles.lake[{i}]" for i in range(TILES)] + ["tiles.start"]
    for tile, (code, name) in enumerate(zip(codes, names, strict=True)):
        sides, symbol = tile_sides(reader, code, name)
        box.tiles[tile] = sides
        box.symbols[tile] = symbol
        box.turns[tile] = different_rotations(sides)
        for turn in range(4):
            box.faces[1 + tile * 4 + turn] = sides[4 - turn :] + sides[: 4 - turn]
    start = list(box.tiles[START])
    red = LETTERS.index("R")
    if start.count(red) != 1 or box.symbols[START]:
        raise reader.wrong("start", name="tiles.start", value=codes[-1])
    box.red = start.index(red)

    neutral = {points for points, _ in cards(reader, "rewards.neutral")}
    if len(neutral) != 1:
        raise reader.wrong("neutral", name="rewards.neutral")
    box.neutral = neutral.pop()
    for players, seated in SIDES.items():
        box.facing[players] = NOBODY
        for seat, side in enumerate(seated):
            box.sides[players, seat] = side
            box.facing[players, side] = seat
        reader.only(f"setup.{players}", reader.table(f"setup.{players}"), "tiles_removed", "cards_per_colour")
        removed = reader.whole(
            f"setup.{players}.tiles_removed", TILES - MOST_TILES - 2 * players, TILES - HAND * players
        )
        if (TILES - removed) % players:
            raise reader.wrong("uneven", name=f"setup.{players}.tiles_removed", value=removed, players=players)
        box.removed[players] = removed
        box.cards[players] = reader.whole(f"setup.{players}.cards_per_colour", players, 31)
        for stack, name in enumerate(STACK_NAMES):
            kept = [points for points, dots in cards(reader, f"rewards.{name}") if dots < REMOVED_FROM_DOTS[players]]
            box.stack_sizes[players, stack] = len(kept)
            box.rewards[players, stack, : len(kept)] = kept
    for tile in range(TILES):
        for side, colour in enumerate(box.tiles[tile]):
            box.having[colour] |= 1 << tile
            box.beside[colour, box.tiles[tile, (side + 1) % 4]] |= 1 << tile
            box.opposite[colour, box.tiles[tile, (side + 2) % 4]] |= 1 << tile
    for number, (a, b, c) in enumerate(combinations(range(COLOURS), 3)):
        box.triples[number] = (a, b, c)
        box.triple_from[a, b] = number - c
    return box


def cards(reader: Reader, name: str) -> list[tuple[int, int]]:
    """Return reward cards as (points, dots), highest first."""
    found: list[tuple[int, int]] = []
    for i, card in enumerate(reader.items(name)):
        where = f"{name}[{i}]"
        if not isinstance(card, list) or len(card) != 2:
            raise reader.wrong("reward", name=where, value=card)
        points, dots = reader.number(card[0], where, 1, 100), reader.number(card[1], where, 0, 4)
        if found and points > found[-1][0]:
            raise reader.wrong("order", name=where, value=points, before=found[-1][0])
        found.append((points, dots))
    if not 1 <= len(found) <= REWARDS:
        raise reader.wrong("count", name=name, count=len(found), expected=REWARDS)
    return found
