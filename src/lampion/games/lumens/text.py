"""A position of Lumens for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games import art
from lampion.games.core import EVERYTHING
from lampion.games.lumens.components import LETTERS, kind_name, rooms_on
from lampion.games.lumens.scoring import points
from lampion.games.lumens.state import FACES, NO_TOKEN, PASSAGE, WIDTH
from lampion.games.lumens.view import standings, tokens_left
from lampion.games.move_types import Paint, no_paint
from lampion.locale import say

MARKS = "abcd"
"""The seats: small letters, since rooms have digits and capitals."""
ROOMS_A_LINE = 3


def draw_text(box: Any, state: Any, viewer: int, names: Sequence[str], paint: Paint = no_paint) -> str:
    """Return the board with its coordinates, the sums by room, and the tokens of all players.

    A token is its owner's letter and its number, with a stroke behind it when it covers another; an empty cell is the
    letter of its room or a dot.
    """
    players = int(state.players)
    lines = board_lines(box, state, paint)
    lines.append("")
    rooms = []
    for room in rooms_on(box, players):
        sums = " ".join(paint(f"{MARKS[seat]}{total}", art.SEATS[seat]) for seat, total in standings(state, room))
        rooms.append(f"{LETTERS[room]} {room_name(room)}: {sums or '–'}")
    lines.append(say("lumens.picture.rooms", central=room_name(int(box.central[players]))))
    for i in range(0, len(rooms), ROOMS_A_LINE):
        lines.append("  " + "; ".join(rooms[i : i + ROOMS_A_LINE]))
    for seat in range(players):
        hand = ""
        if viewer in (seat, EVERYTHING) and state.hands[seat] != NO_TOKEN:
            hand = say("lumens.picture.hand", token=kind_name(box, int(state.hands[seat])))
        kinds = " ".join(f"{count}×{kind_name(box, kind)}" for kind, count in enumerate(tokens_left(state, seat)))
        line = say("lumens.picture.seat", name=names[seat], points=points(box, state, seat), kinds=kinds)
        out = say("lumens.picture.out") if state.out[seat] else ""
        mark = ">" if seat == state.active else " "
        lines.append(f"{mark} {paint(MARKS[seat], art.SEATS[seat])} {line}{hand}{out}")
    return "\n".join(lines)


def room_name(room: int) -> str:
    """Return the name of a room, without its article."""
    category = f"room_{LETTERS[room]}"
    return say(f"lumens.category.{category}")


def board_lines(box: Any, state: Any, paint: Paint) -> list[str]:
    """Return the lines of the board, north at the top, with x above and y at the left."""
    players = int(state.players)
    columns = range(box.columns[players])
    lines = ["    " + "".join(f"{x:>3} " for x in columns).rstrip()]
    for y in range(box.rows[players]):
        line = f"{y:>3} "
        for x in columns:
            cell = y * WIDTH + x
            room = int(box.rooms[players, cell])
            if state.top[cell]:
                seat, face = divmod(int(state.top[cell]) - 1, FACES)
                token = paint(f"{MARKS[seat]}{face + 1}", art.SEATS[seat])
                line += f" {token}{'|' if state.under[cell] else ' '}"
            else:
                line += f"  {'·' if room == PASSAGE else LETTERS[room]} "
        lines.append(line.rstrip())
    return lines
