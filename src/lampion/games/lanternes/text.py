"""A position of Lanternes as text, for terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games import art
from lampion.games.core import EVERYTHING
from lampion.games.lanternes.scoring import points_of
from lampion.games.lanternes.state import (
    CENTRE,
    COLOURS,
    COMBINATIONS,
    LETTERS,
    REACH,
    WIDTH,
    hand_of,
    has_tile,
    rewards_left,
    side_colour,
)
from lampion.games.move_types import Paint, no_paint
from lampion.locale import say


def draw_text(box: Any, state: Any, viewer: int, names: Sequence[str], paint: Paint = no_paint) -> str:
    """Return the lake with its coordinates, the supply, and what everybody has, as lines of text.

    A tile takes three lines: its north side, its west and east sides with a star for a platform, its south side.
    """
    lines = [*lake_lines(box, state, paint), ""]
    lines.append(say("lanternes.picture.supply", cards=cards_text(state.supply, paint), pile=int(state.pile)))
    tops = []
    for stack, name in enumerate(COMBINATIONS):
        left = rewards_left(box, state, stack)
        tops.append(f"{say('lanternes.category.' + name)} {left[0] if left else '4*'}")
    lines.append(say("lanternes.picture.rewards", tops=", ".join(tops)))
    for seat in range(state.players):
        mark = ">" if seat == state.active else " "
        hand = ""
        if viewer in (seat, EVERYTHING):
            hand = say("lanternes.picture.hand", tiles="  ".join(hand_texts(box, state, seat, paint)))
        line = say(
            "lanternes.picture.seat",
            name=names[seat],
            side=say(f"lanternes.side.{box.sides[state.players, seat]}"),
            points=points_of(state, seat),
            boats=int(state.boats[seat]),
            cards=cards_text(state.cards[seat], paint),
        )
        lines.append(f"{mark} {line}{hand}")
    return "\n".join(lines)


def extent(state: Any) -> tuple[int, int, int, int]:
    """Return the outermost columns and rows of the lake and its border: west, east, south, north."""
    cells = [int(cell) for cell in state.border[: state.border_count]] + [CENTRE]
    columns = [cell % WIDTH for cell in cells]
    rows = [cell // WIDTH for cell in cells]
    return min(columns), max(columns), min(rows), max(rows)


def lake_lines(box: Any, state: Any, paint: Paint) -> list[str]:
    """Return the lake, north at the top, with x below and y at the left; a dot is a free cell beside the lake."""
    west, east, south, north = extent(state)
    border = {int(cell) for cell in state.border[: state.border_count]}
    lines = []
    for row in range(north, south - 1, -1):
        three = ["     ", f"{row - REACH:>4} ", "     "]
        for column in range(west, east + 1):
            cell = row * WIDTH + column
            if has_tile(state, cell):
                n, e, s, w = (letter(side_colour(box, state, cell, side), paint) for side in range(4))
                middle = "*" if box.symbols[(int(state.lake[cell]) - 1) >> 2] else " "
                drawn = (f" {n} ", f"{w}{middle}{e}", f" {s} ")
            else:
                drawn = ("   ", " · " if cell in border else "   ", "   ")
            for i in range(3):
                three[i] += drawn[i] + " "
        lines += three
    lines.append("     " + "".join(f"{column - REACH:^4}" for column in range(west, east + 1)))
    return [line.rstrip() for line in lines]


def letter(colour: int, paint: Paint) -> str:
    """Return the letter of a colour, painted in it."""
    name = LETTERS[colour]
    return paint(name, art.LANTERNS[name])


def cards_text(counts: Any, paint: Paint) -> str:
    """Return counts of lantern cards by letter."""
    return " ".join(f"{letter(colour, paint)}{counts[colour]}" for colour in range(COLOURS))


def hand_texts(box: Any, state: Any, seat: int, paint: Paint) -> list[str]:
    """Return the tiles in a hand, each with the number that moves name it by."""
    return [
        f"{tile}={''.join(letter(int(c), paint) for c in box.tiles[tile])}{'*' if box.symbols[tile] else ''}"
        for tile in hand_of(state, seat)
    ]
