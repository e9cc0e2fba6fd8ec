"""What is in the box of 1001 Îles: read from TOML, checked against what every box has, turned into tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from lampion.engine.arrays import np
from lampion.games.editions import Reader
from lampion.games.iles.state import (
    BOX,
    CELLS,
    COPIES,
    COUNT,
    COUNTED,
    DREAM,
    ELEMENTS,
    LAMP,
    NONE,
    ROUNDS_OF_A_PILE,
    SEATS,
    TILES,
    TWO_PLAYER_DRAW,
    WIDTH,
)
from lampion.locale import say

LETTERS = "pblromfcesRED"
ELEMENT_NAMES = (
    "palm",
    "brigand",
    "lamp",
    "rokh",
    "egg",
    "monkey",
    "fennec",
    "camel",
    "elephant",
    "snake",
    "ruby",
    "emerald",
    "diamond",
)
PileName = Literal["top", "centre", "bottom", "dream"]
PILE_NAMES: tuple[PileName, ...] = get_args(PileName)
DreamName = Literal[
    "rokh", "monkey", "fennec", "camel", "elephant", "gem_columns", "gem_rows", "lamp", "snake", "genie"
]
DREAM_NAMES: tuple[DreamName, ...] = get_args(DreamName)
Tile = int | DreamName
"""An island tile is its number within its kind, a dream its name: the two copies are alike."""
MOST_ELEMENTS = 4
MOST_POINTS = 100

FORMS = {
    "rokh": ("each", "r"),
    "monkey": ("each", "m"),
    "fennec": ("each", "f"),
    "camel": ("each", "c"),
    "elephant": ("each", "e"),
    "gem_columns": ("distinct_gems_per_column", None),
    "gem_rows": ("distinct_gems_per_row", None),
    "lamp": ("exactly", "l"),
    "snake": ("exactly", "s"),
    "genie": ("each_tile_face_down", None),
}
"""How each dream counts, and the element it counts."""
LENGTHS = {"distinct_gems_per_column": (4, 4), "distinct_gems_per_row": (4, 4), "exactly": (1, COUNT + 1)}


def tile_name(pile: int, tile: int) -> Tile:
    """Return a tile as moves and views name it."""
    return DREAM_NAMES[tile] if pile == DREAM else tile


def tile_code(box: Any, thing: int) -> str:
    """Return an island tile as the components write it, a dream by its name."""
    pile, tile = divmod(thing, TILES)
    if pile == DREAM:
        return DREAM_NAMES[tile]
    return "".join(letter * int(count) for letter, count in zip(LETTERS, box.elements[pile, tile], strict=True))


def tile_words(code: str) -> str:
    """Return a tile, given by its letters or as a dream, in words: a tile with 2 palms and a lamp."""
    if code in DREAM_NAMES:
        return say("iles.tile.dream", dream=say(f"iles.dream.{code}"))
    *others, last = (say(f"iles.element.{letter}", count=code.count(letter)) for letter in dict.fromkeys(code))
    return say("iles.tile", elements=say("list.and").join(filter(None, (", ".join(others), last))))


def tile_elements(reader: Reader, code: Any, name: str) -> list[int]:
    """Return how often each element is on an island tile: one to four in all, at most one lamp."""
    text = reader.text(code, name)
    if not 1 <= len(text) <= MOST_ELEMENTS:
        raise reader.wrong("elements", name=name, value=text, count=len(text), most=MOST_ELEMENTS)
    for letter in text:
        if letter not in LETTERS:
            raise reader.wrong("element", name=name, value=text, letter=letter, letters=LETTERS)
    counts = [text.count(letter) for letter in LETTERS]
    if counts[LAMP] > 1:
        raise reader.wrong("lamps", name=name, value=text)
    return counts


def dream_worth(reader: Reader, dream: str) -> list[int]:
    """Return the points of a dream by count."""
    form, element = FORMS[dream]
    name = f"dreams.{dream}"
    table = reader.table(name)
    reader.only(name, table, form, *(["of"] if element else []))
    if element and reader.get(f"{name}.of") != element:
        raise reader.wrong("of", name=f"{name}.of", value=table["of"], expected=element)
    where = f"{name}.{form}"
    if form not in LENGTHS:
        each = reader.whole(where, 0, MOST_POINTS)
        return [each * count for count in range(COUNT + 1)]
    least, most = LENGTHS[form]
    points = [reader.number(value, f"{where}[{i}]", 0, MOST_POINTS) for i, value in enumerate(reader.items(where))]
    if not least <= len(points) <= most:
        raise reader.wrong("points", name=where, count=len(points), least=least, most=most)
    return points + [0] * (COUNT + 1 - len(points))


def fixed(reader: Reader, name: str, expected: int) -> None:
    """Raise BadComponents if a number that the rules fix is not the expected one."""
    value = reader.get(name)
    if isinstance(value, bool) or value != expected:
        raise reader.wrong("fixed", name=name, value=value, expected=expected)


def read(data: Mapping[str, Any]) -> Any:
    """Return the box of these components; raise BadComponents, which names the line and what is wrong with it."""
    reader = Reader("iles", data)
    reader.only("", data, "islands", "dreams", "scoring", "setup", "characters")
    box = np.zeros(1, dtype=BOX)[0]

    reader.only("islands", reader.table("islands"), *PILE_NAMES[:DREAM])
    for pile, pile_name in enumerate(PILE_NAMES[:DREAM]):
        name = f"islands.{pile_name}"
        tiles = reader.items(name)
        if len(tiles) != TILES:
            raise reader.wrong("count", name=name, count=len(tiles), expected=TILES)
        for tile, code in enumerate(tiles):
            counts = tile_elements(reader, code, f"{name}[{tile}]")
            box.elements[pile, tile] = counts
            box.packed[pile, tile] = sum(count << WIDTH * i for i, count in enumerate(counts[:COUNTED]))
            box.gems[pile, tile] = sum((count > 0) << i for i, count in enumerate(counts[COUNTED:]))
    for kind in range(ELEMENTS):
        found = sum(int(box.elements[pile, tile, kind]) for pile in range(DREAM) for tile in range(TILES))
        box.common[kind] = found / (DREAM * TILES)

    reader.only("dreams", reader.table("dreams"), *DREAM_NAMES)
    for dream, dream_name in enumerate(DREAM_NAMES):
        box.worth[dream] = dream_worth(reader, dream_name)
        element = FORMS[dream_name][1]
        box.of[dream] = LETTERS.index(element) if element else NONE

    reader.only("scoring", reader.table("scoring"), "palm", "rokh_and_egg", "brigand_if_most")
    box.palm = reader.whole("scoring.palm", 0, MOST_POINTS)
    box.pair = reader.whole("scoring.rokh_and_egg", 0, MOST_POINTS)
    box.brigand = reader.whole("scoring.brigand_if_most", -MOST_POINTS, 0)

    reader.only("setup", reader.table("setup"), "copies_of_each_dream", "tiles_of_each_kind")
    fixed(reader, "setup.copies_of_each_dream", COPIES)
    players = [str(n) for n in range(2, SEATS + 1)]
    reader.only("setup.tiles_of_each_kind", reader.table("setup.tiles_of_each_kind"), *players)
    for n in players:
        fixed(reader, f"setup.tiles_of_each_kind.{n}", ROUNDS_OF_A_PILE * max(int(n), TWO_PLAYER_DRAW))

    reader.only("characters", reader.table("characters"), "names")
    names = reader.items("characters.names")
    if len(names) != SEATS:
        raise reader.wrong("count", name="characters.names", count=len(names), expected=SEATS)
    for i, character in enumerate(names):
        if not reader.text(character, f"characters.names[{i}]").strip() or character in names[:i]:
            raise reader.wrong("character", name=f"characters.names[{i}]", value=character)
    assert CELLS * MOST_ELEMENTS <= COUNT
    return box
