"""A position of 1001 Îles for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games import art
from lampion.games.iles.components import DREAM_NAMES, LETTERS, PILE_NAMES
from lampion.games.iles.scoring import points
from lampion.games.iles.state import (
    COLUMNS,
    DREAM,
    NONE,
    ROUNDS,
    ROWS_OF_AN_ISLAND,
    SLOTS,
    open_columns,
)
from lampion.games.iles.view import held_dreams, secret_from, tiles_left
from lampion.games.move_types import Paint, no_paint
from lampion.locale import say

INKS = {
    "p": "#48c2a1",
    "b": "#ff9f8f",
    "l": "#ffcb6b",
    "r": "#8fb4f0",
    "R": "#f191b3",
    "E": "#8adcb0",
    "D": "#98d6f7",
}
OPEN = "·"


def tile_text(box: Any, pile: int, tile: int, paint: Paint = no_paint) -> str:
    """Return a tile by the letters of its elements, a dream by its name."""
    if pile == DREAM:
        return say(f"iles.category.{DREAM_NAMES[tile]}")
    letters = "".join(letter * int(n) for letter, n in zip(LETTERS, box.elements[pile, tile], strict=True))
    return "".join(paint(letter, INKS.get(letter, art.INK)) for letter in letters)


def draw_text(box: Any, state: Any, viewer: int, names: Sequence[str], paint: Paint = no_paint) -> str:
    """Return the piles, the table, and the islands and dreams of all players.

    A tile is the letters of its elements, in brackets if it is turned over; a dot is a cell that a tile may lie on.
    """
    counts = [f"{say('iles.pile.' + name)} {tiles_left(state, pile)}" for pile, name in enumerate(PILE_NAMES)]
    played = min(ROUNDS, int(state.rounds.sum()) + (1 if state.pile == NONE else 0))
    lines = [say("iles.picture.piles", piles=", ".join(counts), round=played, rounds=ROUNDS)]
    if state.pile != NONE:
        secret = secret_from(state, viewer)
        shown = []
        for slot in range(SLOTS):
            if state.table[slot]:
                text = "?" if secret >> slot & 1 else tile_text(box, int(state.pile), int(state.table[slot]) - 1, paint)
                shown.append(f"{slot}={text}" + ("?" if slot == state.hidden and text != "?" else ""))
        lines.append(
            say("iles.picture.table", pile=say(f"iles.pile.{PILE_NAMES[state.pile]}"), tiles="  ".join(shown) or "-")
        )
    for seat in range(state.players):
        dreams = ", ".join(tile_text(box, DREAM, dream) for dream in held_dreams(state, seat)) or "-"
        lookout = f" ({say('iles.picture.lookout')})" if seat == state.lookout else ""
        line = say("iles.picture.seat", name=names[seat] + lookout, count=points(box, state, seat), dreams=dreams)
        lines += ["", f"{'>' if seat == state.active else ' '} {line}", *island_lines(box, state, seat, paint)]
    return "\n".join(lines)


def island_lines(box: Any, state: Any, seat: int, paint: Paint) -> list[str]:
    """Return the lines of an island, below its columns as a move writes them."""
    lines = ["    " + " " * 8 + "".join(f"@{column:<6}" for column in range(COLUMNS)).rstrip()]
    for row in range(ROWS_OF_AN_ISLAND):
        line = f"    {say('iles.pile.' + PILE_NAMES[row]):<8}"
        for column in range(COLUMNS):
            cell = row * COLUMNS + column
            code = int(state.islands[seat, cell])
            if code:
                plain, text = tile_text(box, row, code - 1), tile_text(box, row, code - 1, paint)
                if int(state.down[seat]) >> cell & 1:
                    plain = text = f"[{plain}]"
            else:
                plain = text = OPEN if open_columns(state, seat, row) >> column & 1 else ""
            line += text + " " * (7 - len(plain))
        lines.append(line.rstrip())
    return lines
