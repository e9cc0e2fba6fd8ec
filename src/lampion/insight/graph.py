"""The graph of an analysis as SVG: everybody's chances to win, move by move.

Lines differ in dashes and in the mark at their end as well as in colour, and each has its name beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from lampion.insight.analysis_types import Analysis
from lampion.insight.words import percent
from lampion.locale import say

WIDTH, HEIGHT = 960, 340
LEFT, RIGHT, TOP, BOTTOM = 52, 150, 14, 30
"""Room around the plot: for the scale, the names and the numbers of moves."""
LINE = 18
"""Least distance between two names."""
DASHES = ("", "8 4", "2 4", "12 4 2 4", "5 3")
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def graph(analysis: Analysis) -> str:
    """Return the chances of all seats after every move as one plot, with a sentence that says how they went."""
    lines = [analysis.start.shares, *(step.shares for step in analysis.steps)]
    seats = range(len(analysis.names))
    ends = " ".join(
        say(
            "analysis.graph.end",
            who=analysis.names[seat],
            start=percent(lines[0][seat]),
            end=percent(lines[-1][seat]),
        )
        for seat in seats
    )
    about = say("analysis.graph.about", ends=ends)
    heights = spread([at_height(lines[-1][seat]) for seat in seats])
    body = [*scale(len(lines), len(analysis.names)), *marks(analysis, len(lines))]
    for seat in seats:
        points = " ".join(
            f"{at_move(i, len(lines)):.1f},{at_height(shares[seat]):.1f}" for i, shares in enumerate(lines)
        )
        dash = f' stroke-dasharray="{DASHES[seat % len(DASHES)]}"' if DASHES[seat % len(DASHES)] else ""
        body.append(f'<polyline class="line seat{seat}" points="{points}"{dash}/>')
        name = escape(analysis.names[seat][:18])
        x = WIDTH - RIGHT + 10
        body.append(f'<line class="line seat{seat}" x1="{x}" x2="{x + 26}" y1="{heights[seat]:.1f}" '
                    f'y2="{heights[seat]:.1f}"{dash}/>')  # fmt: skip
        body.append(f'<text x="{x + 32}" y="{heights[seat] + 5:.1f}">{name}</text>')
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(about, quote=True)}">'
        + "".join(body)
        + "</svg>"
    )


def at_move(i: int, count: int) -> float:
    """Return where a move stands, from left to right."""
    return LEFT + (WIDTH - LEFT - RIGHT) * i / max(1, count - 1)


def at_height(share: float) -> float:
    """Return how high a chance stands."""
    return TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share)


def spread(heights: Sequence[float]) -> list[float]:
    """Return heights for names that do not overlap, as near to where they belong as can be."""
    found = list(heights)
    order = sorted(range(len(found)), key=lambda i: (found[i], i))
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + LINE)
    lowest = float(HEIGHT - BOTTOM)
    for i in reversed(order):
        found[i] = min(found[i], lowest)
        lowest = found[i] - LINE
    return found


def scale(count: int, players: int) -> list[str]:
    """Return the lines of the scale: the zero line, quarters, an even chance, and numbers of moves."""
    right = WIDTH - RIGHT
    body = []
    for tick in TICKS:
        y = at_height(tick)
        kind = "zero" if tick == 0.0 else "grid"
        body.append(f'<line class="{kind}" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        body.append(f'<text class="small" text-anchor="end" x="{LEFT - 8}" y="{y + 4:.1f}">{percent(tick)}</text>')
    even = at_height(1.0 / players)
    body.append(f'<line class="even" x1="{LEFT}" x2="{right}" y1="{even:.1f}" y2="{even:.1f}"/>')
    each = max(1, round(count / 8 / 5) * 5)
    for move in range(0, count, each):
        x = at_move(move, count)
        body.append(f'<text class="small" text-anchor="middle" x="{x:.1f}" y="{HEIGHT - 8}">{move}</text>')
    return body


def marks(analysis: Analysis, count: int) -> list[str]:
    """Return a thin upright line at every turning point."""
    body = []
    for moment in analysis.turning_points:
        x = at_move(moment.last, count)
        body.append(f'<line class="turning" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    return body
