"""What is in the box of Lanternes Dice: read from TOML, checked against what every box has, turned into tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lampion.engine.arrays import np
from lampion.games.dice.lake import HEIGHT, PONDS, WIDTH
from lampion.games.dice.state import (
    ALL_COLOURS,
    BOX,
    CARDS,
    COLOUR_RULES,
    FORMS,
    IN_PLAY,
    LARGE,
    LETTERS,
    MEDIUM,
    MOST_CELLS,
    MOST_GIFTS,
    MOST_ZONES,
    SHAPE_NAMES,
    SHAPES,
    SHEET_LETTERS,
    SIDE_LETTERS,
    SMALL,
    TILES,
    WHERE_RULES,
)
from lampion.games.editions import Reader

SIZE_NAMES = ("small", "medium", "large")
DRAWN = {SMALL: 1, MEDIUM: 2, LARGE: 1}
"""The number of fireworks of each size that a random draw takes."""
PLATFORM_MARK, BOAT_MARK = "#", "^"
BONUSES = {"all": 6, "three": 2, "two": 4}
"""The number of turn bonuses on a sheet: for any number of players, then more with three, then with two."""
BONUSES_OF = {2: ("all", "two"), 3: ("all", "three"), 4: ("all",)}

Cells = tuple[tuple[int, int], ...]


def read(data: Mapping[str, Any]) -> Any:
    """Return the box of these components; raise BadComponents, which names the line and what is wrong with it."""
    reader = Reader("dice", data)
    reader.only("", data, "lake", "sheets", "gifts", "fireworks", "emperor")
    box = np.zeros(1, dtype=BOX)[0]
    read_lake(reader, box)
    read_sheets(reader, box)
    read_gifts(reader, box)
    read_fireworks(reader, box)
    read_emperor(reader, box)
    return box


def read_lake(reader: Reader, box: Any) -> None:
    """Read six rows of nine ponds, two zones each, with their installations."""
    reader.only("lake", reader.table("lake"), "ponds", "diagonals")
    for row, line in enumerate(lines(reader, "lake.ponds")):
        name = f"lake.ponds[{row}]"
        ponds = line.split()
        if len(ponds) != WIDTH:
            raise reader.wrong("count", name=name, count=len(ponds), expected=WIDTH)
        for column, text in enumerate(ponds):
            read_pond(reader, box, row, column, text, f"{name} {text}")
    for row, line in enumerate(lines(reader, "lake.diagonals")):
        if len(line) != WIDTH or set(line) - set("/\\"):
            raise reader.wrong("diagonals", name=f"lake.diagonals[{row}]", value=line, count=WIDTH)
        for column, mark in enumerate(line):
            if mark == "\\":
                box.falling |= 1 << row * WIDTH + column


def lines(reader: Reader, name: str) -> list[str]:
    """Return one text for each row of the lake."""
    found = reader.items(name)
    if len(found) != HEIGHT:
        raise reader.wrong("count", name=name, count=len(found), expected=HEIGHT)
    return [reader.text(line, f"{name}[{row}]") for row, line in enumerate(found)]


def read_pond(reader: Reader, box: Any, row: int, column: int, text: str, name: str) -> None:
    """Read a pond: two letters, lower case with a pavilion, and a mark for a platform or a boat."""
    letters, mark = text[:2], text[2:]
    if len(letters) != 2 or mark not in ("", PLATFORM_MARK, BOAT_MARK):
        raise reader.wrong("pond", name=name, value=text)
    pond = row * WIDTH + column
    bit = 1 << pond
    for half, letter in enumerate(letters):
        colour = letter_colour(reader, letter.upper(), name)
        for colours in range(ALL_COLOURS + 1):
            if colours >> colour & 1:
                box.colours[colours, half] |= bit
        box.zones[pond * 2 + half] = colour
        if letter.islower():
            box.pavilions[half] |= bit
    if letters[0].upper() == letters[1].upper():
        raise reader.wrong("one_colour", name=name, value=text)
    if mark == PLATFORM_MARK:
        box.platforms |= bit
    elif mark == BOAT_MARK:
        if row in (0, HEIGHT - 1) or column in (0, WIDTH - 1):
            raise reader.wrong("shore", name=name, value=text)
        box.boats |= bit


def letter_colour(reader: Reader, letter: str, name: str) -> int:
    """Return the number of a colour."""
    if letter not in LETTERS:
        raise reader.wrong("colour", name=name, letter=letter, letters=LETTERS)
    return LETTERS.index(letter)


def read_sheets(reader: Reader, box: Any) -> None:
    """Read the turn bonuses of the four sheets; a player has as many turns."""
    reader.only("sheets", reader.table("sheets"), *SHEET_LETTERS)
    for sheet, letter in enumerate(SHEET_LETTERS):
        reader.only(f"sheets.{letter}", reader.table(f"sheets.{letter}"), *BONUSES)
        colours: dict[str, list[int]] = {}
        for part, count in BONUSES.items():
            name = f"sheets.{letter}.{part}"
            text = reader.text(reader.get(name), name)
            if len(text) != count:
                raise reader.wrong("count", name=name, count=len(text), expected=count)
            colours[part] = [letter_colour(reader, bonus, name) for bonus in text]
        for players, parts in BONUSES_OF.items():
            bonuses = [colour for part in parts for colour in colours[part]]
            box.bonuses[players, sheet, : len(bonuses)] = bonuses
            box.turns[players] = len(bonuses)


def read_gifts(reader: Reader, box: Any) -> None:
    """Read the gifts at the start; the sheet must have a place for every gift that can be earned."""
    reader.only("gifts", reader.table("gifts"), "at_start", "slots")
    box.gifts = reader.whole("gifts.at_start", 0, MOST_GIFTS)
    slots = reader.whole("gifts.slots", 0, MOST_GIFTS)
    most = int(box.gifts) + sum(int(zones).bit_count() for zones in box.pavilions)
    if most > slots:
        raise reader.wrong("slots", name="gifts.slots", value=slots, most=most)


def read_fireworks(reader: Reader, box: Any) -> None:
    """Read eight shapes with their stacks, every way to lay them, and the set for a first game."""
    reader.only("fireworks", reader.table("fireworks"), "first_game", *SHAPE_NAMES)
    known: dict[Cells, str] = {}
    form = 0
    for shape, shape_name in enumerate(SHAPE_NAMES):
        name = f"fireworks.{shape_name}"
        reader.only(name, reader.table(name), "size", "shape", "values")
        box.sizes[shape] = one_of(reader, f"{name}.size", SIZE_NAMES)
        cells = read_shape(reader, f"{name}.shape")
        box.cells[shape] = len(cells)
        box.first_form[shape] = form
        for turned in orientations(cells):
            if turned in known:
                raise reader.wrong("twins", name=f"{name}.shape", other=known[turned])
            known[turned] = shape_name
            if form == FORMS:
                raise reader.wrong("forms", name=f"{name}.shape", most=FORMS)
            offsets = [row * WIDTH + column for row, column in turned]
            height, width = max(row for row, _ in turned) + 1, max(column for _, column in turned) + 1
            box.shape_of[form] = shape
            box.offsets[form, : len(offsets)] = offsets
            box.forms[form] = sum(1 << offset for offset in offsets)
            box.anchors[form] = sum(
                1 << row * WIDTH + column for row in range(HEIGHT - height + 1) for column in range(WIDTH - width + 1)
            )
            form += 1
        box.values[shape] = read_values(reader, f"{name}.values")
    box.first_form[SHAPES] = form
    for size, count in DRAWN.items():
        if list(box.sizes).count(size) < count:
            raise reader.wrong("sizes", name="fireworks", size=SIZE_NAMES[size], count=count)
    first = reader.items("fireworks.first_game")
    if len(first) != IN_PLAY or len(set(map(str, first))) != IN_PLAY or set(map(str, first)) - set(SHAPE_NAMES):
        raise reader.wrong("first_game", name="fireworks.first_game", count=IN_PLAY, known=", ".join(SHAPE_NAMES))
    box.first_game = shape_bits(first)


def shape_bits(names: list[str]) -> int:
    """Return fireworks by name as bits."""
    return sum(1 << SHAPE_NAMES.index(name) for name in names)


def one_of(reader: Reader, name: str, known: tuple[str, ...]) -> int:
    """Return the number of a word among the known ones."""
    value = reader.text(reader.get(name), name)
    if value not in known:
        raise reader.wrong("word", name=name, value=value, known=", ".join(known))
    return known.index(value)


def read_shape(reader: Reader, name: str) -> Cells:
    """Return the connected ponds of a shape, drawn as rows of X and points."""
    rows = [reader.text(row, f"{name}[{i}]") for i, row in enumerate(reader.items(name))]
    if any(set(row) - set("X.") for row in rows):
        raise reader.wrong("shape", name=name)
    cells = {(row, column) for row, text in enumerate(rows) for column, mark in enumerate(text) if mark == "X"}
    if not 2 <= len(cells) <= MOST_CELLS:
        raise reader.wrong("cells", name=name, count=len(cells), least=2, most=MOST_CELLS)
    reached = {min(cells)}
    for _ in cells:
        reached |= {(r, c) for r, c in cells if {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & reached}
    if reached != cells:
        raise reader.wrong("shape", name=name)
    return moved_to_corner(cells)


def moved_to_corner(cells: set[tuple[int, int]]) -> Cells:
    """Return the same ponds as far up and left as they go."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def orientations(cells: Cells) -> list[Cells]:
    """Return every way to turn and flip a shape that looks different."""
    found = set()
    for flipped in (cells, tuple((row, -column) for row, column in cells)):
        turned = set(flipped)
        for _ in range(4):
            turned = {(column, -row) for row, column in turned}
            found.add(moved_to_corner(turned))
    return sorted(found)


def read_values(reader: Reader, name: str) -> list[int]:
    """Return the points on six tiles, the highest on top."""
    found = reader.items(name)
    if len(found) != TILES:
        raise reader.wrong("count", name=name, count=len(found), expected=TILES)
    values = [reader.number(value, f"{name}[{i}]", 1, 100) for i, value in enumerate(found)]
    for i in range(1, TILES):
        if values[i] > values[i - 1]:
            raise reader.wrong("order", name=f"{name}[{i}]", value=values[i], before=values[i - 1])
    return values


def read_emperor(reader: Reader, box: Any) -> None:
    """Read three cards that cost 1, 2 and 3 gifts, with an action on either side."""
    reader.only("emperor", reader.table("emperor"), *(str(card + 1) for card in range(CARDS)))
    for card in range(CARDS):
        reader.only(f"emperor.{card + 1}", reader.table(f"emperor.{card + 1}"), *SIDE_LETTERS)
        for side, letter in enumerate(SIDE_LETTERS):
            name = f"emperor.{card + 1}.{letter}"
            reader.only(name, reader.table(name), "zones", "colour", "where")
            zones = reader.whole(f"{name}.zones", 1, MOST_ZONES)
            colour = one_of(reader, f"{name}.colour", COLOUR_RULES)
            where = one_of(reader, f"{name}.where", WHERE_RULES)
            box.actions[card, side] = zones, colour, where


assert PONDS == HEIGHT * WIDTH
