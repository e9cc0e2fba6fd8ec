"""A position of Fireflies as text, for terminals.

In a game of your own: what somebody needs to see to choose a move, in lines of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games import art
from lampion.games.core import EVERYTHING
from lampion.games.move_types import Paint, no_paint
from lampion.locale import say


def lines(box: Any, state: Any, viewer: int, names: Sequence[str]) -> list[str]:
    """Return the night, and a line for every player."""
    found = [say("fireflies.picture.night", night=min(int(state.night) + 1, int(box.nights)), nights=int(box.nights))]
    for seat in range(state.players):
        light = "·"
        if state.shown[seat]:
            light = f"*{state.shown[seat]}"
        elif state.hand[seat]:
            light = str(state.hand[seat]) if viewer in (seat, EVERYTHING) else "?"
        points = int(state.light[seat]) + int(state.rest[seat])
        mark = ">" if seat == state.active else " "
        line = say("fireflies.picture.seat", name=names[seat], points=points, light=light, count=points)
        found.append(f"{mark} {line}")
    return found


def draw_text(box: Any, state: Any, viewer: int, names: Sequence[str], paint: Paint = no_paint) -> str:
    """Return the position as lines of text."""
    first, *others = lines(box, state, viewer, names)
    return "\n".join([paint(first, art.FLAME), *others])
