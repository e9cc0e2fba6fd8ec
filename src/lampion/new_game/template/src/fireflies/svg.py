"""A position of Fireflies as SVG.

In a game of your own: draw the board. The browser shows this picture above the list of moves, notebooks show it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fireflies.text import lines
from lampion.games import art
from lampion.locale import say


def draw_svg(box: Any, state: Any, viewer: int, names: Sequence[str]) -> str:
    """Return the lines of the text as SVG."""
    found = lines(box, state, viewer, names)
    body = [art.words(line, 24, 40 + 28 * i, 17) for i, line in enumerate(found)]
    return art.svg(480, 40 + 28 * len(found), say("fireflies.name"), body)
