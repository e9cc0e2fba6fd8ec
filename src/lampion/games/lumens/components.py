"""What is in the box of Lumens: read from TOML, checked against what every box has, turned into tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lampion.engine.arrays import np
from lampion.games.editions import Reader
from lampion.games.lumens.state import BOX, FACES, KINDS, PASSAGE, ROOMS, SEATS, SIZE, TOKENS, WIDTH

LETTERS = "123456789AB"
"""The names of the rooms by number, the same on every board."""
DOT = "."
PLAYERS = range(2, SEATS + 1)
LEAST_SIDE = 3


def kind_name(box: Any, kind: int) -> str:
    """Return the name of a kind of token: its two faces."""
    return f"{box.faces[kind, 0]}/{box.faces[kind, 1]}"


def rooms_on(box: Any, players: int) -> list[int]:
    """Return the numbers of the rooms on the board for this number of players."""
    return sorted(set(box.rooms[players].tolist()) - {PASSAGE})


def read(data: Mapping[str, Any]) -> Any:
    """Return the box of these components; raise BadComponents, which names the line and what is wrong with it."""
    reader = Reader("lumens", data)
    reader.only("", data, "tokens", "boards", "scoring")
    box = np.zeros(1, dtype=BOX)[0]
    assert len(LETTERS) == ROOMS
    read_tokens(reader, box)
    read_boards(reader, box)
    reader.only("scoring", reader.table("scoring"), "first", "second", "second_from_players")
    box.first = reader.whole("scoring.first", 1, 100)
    box.second = reader.whole("scoring.second", 0, int(box.first))
    box.second_from = reader.whole("scoring.second_from_players", 2, SEATS + 1)
    return box


def read_tokens(reader: Reader, box: Any) -> None:
    """Read three kinds of tokens that share no number, so that a face identifies its token."""
    reader.only("tokens", reader.table("tokens"), "each_colour")
    name = "tokens.each_colour"
    kinds = reader.items(name)
    if len(kinds) != KINDS:
        raise reader.wrong("count", name=name, count=len(kinds), expected=KINDS)
    where: dict[int, str] = {}
    for kind, token in enumerate(kinds):
        line = f"{name}[{kind}]"
        if not isinstance(token, list) or len(token) != 3:
            raise reader.wrong("token", name=line, value=token)
        faces = sorted(reader.number(face, line, 1, FACES) for face in token[:2])
        for face in faces:
            if face in where:
                raise reader.wrong("face", name=line, value=face, other=where[face])
            where[face] = line
            box.kinds[face] = kind
        box.faces[kind] = faces
        box.counts[kind] = reader.number(token[2], line, 1, TOKENS)
    total = sum(box.counts.tolist())
    if total != TOKENS:
        raise reader.wrong("count", name=name, count=total, expected=TOKENS)


def read_boards(reader: Reader, box: Any) -> None:
    """Read one board for every number of players."""
    played: dict[int, str] = {}
    for name in reader.table("boards"):
        board = f"boards.{name}"
        reader.only(board, reader.table(board), "players", "central", "rows", "starts")
        rows = read_rows(reader, f"{board}.rows")
        names = sorted(set("".join(rows)) - {DOT})
        if not names:
            raise reader.wrong("no_rooms", name=f"{board}.rows")
        for room in names:
            if not is_one_area(rows, room):
                raise reader.wrong("area", name=f"{board}.rows", room=room)
        central = reader.text(reader.get(f"{board}.central"), f"{board}.central")
        if central not in names:
            raise reader.wrong("central", name=f"{board}.central", value=central, rooms=" ".join(names))
        numbers = [reader.number(value, f"{board}.players", 2, SEATS) for value in reader.items(f"{board}.players")]
        for players in numbers:
            if players in played:
                raise reader.wrong("twice", name=f"{board}.players", players=players, other=played[players])
            played[players] = f"{board}.players"
            write_board(box, players, rows, central)
            write_starts(box, players, read_starts(reader, f"{board}.starts.{players}", players, rows))
        reader.only(f"{board}.starts", reader.table(f"{board}.starts"), *map(str, numbers))
    for players in PLAYERS:
        if players not in played:
            raise reader.wrong("no_board", name="boards", players=players)


def read_rows(reader: Reader, name: str) -> list[str]:
    """Return the rows of a board, north first: equally long, of rooms and passages only."""
    rows = [reader.text(row, f"{name}[{i}]") for i, row in enumerate(reader.items(name))]
    if not LEAST_SIDE <= len(rows) <= SIZE:
        raise reader.wrong("rows", name=name, count=len(rows), least=LEAST_SIDE, most=SIZE)
    for i, row in enumerate(rows):
        line = f"{name}[{i}]"
        if not LEAST_SIDE <= len(row) <= SIZE:
            raise reader.wrong("columns", name=line, value=row, count=len(row), least=LEAST_SIDE, most=SIZE)
        if len(row) != len(rows[0]):
            raise reader.wrong("uneven", name=line, value=row, count=len(row), expected=len(rows[0]))
        for letter in row:
            if letter != DOT and letter not in LETTERS:
                raise reader.wrong("cell", name=line, value=row, letter=letter, letters=LETTERS)
    return rows


def is_one_area(rows: Sequence[str], room: str) -> bool:
    """Return whether all cells of a room are connected inside it."""
    cells = {(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == room}
    reached: set[tuple[int, int]] = set()
    edge = {min(cells)}
    while edge:
        reached |= edge
        edge = {(x + dx, y + dy) for x, y in edge for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} & cells - reached
    return reached == cells


def read_starts(reader: Reader, name: str, players: int, rows: Sequence[str]) -> list[int]:
    """Return the cells of the start markers in the order of the seats: inside the board, no two alike."""
    places = reader.items(name)
    if len(places) != players:
        raise reader.wrong("count", name=name, count=len(places), expected=players)
    starts: list[int] = []
    for i, place in enumerate(places):
        line = f"{name}[{i}]"
        if not isinstance(place, list) or len(place) != 2:
            raise reader.wrong("place", name=line, value=place)
        column = reader.number(place[0], line, 0, len(rows[0]) - 1)
        row = reader.number(place[1], line, 0, len(rows) - 1)
        cell = row * WIDTH + column
        if cell in starts:
            raise reader.wrong("same_start", name=line, value=place, other=f"{name}[{starts.index(cell)}]")
        starts.append(cell)
    return starts


def write_board(box: Any, players: int, rows: Sequence[str], central: str) -> None:
    """Write the tables of a board for one number of players."""
    box.rows[players] = len(rows)
    box.columns[players] = len(rows[0])
    box.central[players] = LETTERS.index(central)
    box.rooms[players] = PASSAGE
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            cell = y * WIDTH + x
            box.inside[players, cell >> 6] |= 1 << (cell & 63)
            if letter != DOT:
                box.rooms[players, cell] = LETTERS.index(letter)
                box.roomed[players, cell >> 6] |= 1 << (cell & 63)
                box.halls[players, LETTERS.index(letter), cell >> 6] |= 1 << (cell & 63)
    for letter in set("".join(rows)) - {DOT}:
        cells = [(x, y) for y, row in enumerate(rows) for x, here in enumerate(row) if here == letter]
        for axis, last in enumerate((len(rows[0]) - 1, len(rows) - 1)):
            middle = sum(cell[axis] for cell in cells) / len(cells) / last
            box.middles[players, LETTERS.index(letter), axis] = middle


def write_starts(box: Any, players: int, starts: Sequence[int]) -> None:
    """Write the start markers and, for each seat, the board without the markers of the others."""
    for seat, own in enumerate(starts):
        box.starts[players, seat] = own
        box.allowed[players, seat] = box.inside[players]
        for cell in starts:
            if cell != own:
                box.allowed[players, seat, cell >> 6] &= ~(1 << (cell & 63))
