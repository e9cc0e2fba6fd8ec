"""How strong a net became while it was trained, drawn as one SVG that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from lampion.locale import say

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 52, 132, 40, 48
DASHES = ("", "8 4", "2 4", "10 3 2 3")
"""One for each number of players, so that the lines differ in grey too."""
STEPS = (1, 2, 5)
MOST_MARKS = 6
APART = 15
"""Least distance between two names at the end of lines."""
STYLE = (
    ":root{--bg:#fbf8f1;--ink:#1f2438;--quiet:#494e65;--line:#d2c6ae;--curve:#9a4b00}"
    "@media (prefers-color-scheme:dark){:root{--bg:#19223a;--ink:#f5ecda;--quiet:#bcc3d6;--line:#354262;"
    "--curve:#ffcb6b}}"
    'text{font:13px "Alegreya Sans","Gill Sans",Candara,"Segoe UI",system-ui,sans-serif;fill:var(--ink)}'
    ".title{font-size:16px}.mark{fill:var(--quiet)}.grid{stroke:var(--line)}"
    ".curve{fill:none;stroke:var(--curve);stroke-width:2}.whisker{stroke:var(--quiet)}"
)


class Point(NamedTuple):
    """The strength of a net after a number of games."""

    games: int
    strength: Mapping[str, tuple[float, float]]
    """By number of players, the share of the victories and half of its interval."""


def drawn(points: Sequence[Point], title: str) -> str:
    """Return a drawing of the strength over the games, one line for each number of players."""
    most = points[-1].games
    body = [f'<rect width="{WIDTH}" height="{HEIGHT}" style="fill:var(--bg)"/>', _text(LEFT, 24, title, "title")]
    for tenth in range(0, 11, 2):
        y = _down(tenth / 10)
        body += [
            _line(LEFT, y, WIDTH - RIGHT, y, "grid"),
            _text(LEFT - 8, y + 4, f"{10 * tenth}\u202f%", "mark", "end"),
        ]
    step = _step(most)
    for games in range(0, most + 1, step):
        x = _across(games, most)
        body += [
            _line(x, TOP, x, HEIGHT - BOTTOM, "grid"),
            _text(x, HEIGHT - BOTTOM + 18, _thousands(games), "mark", "middle"),
        ]
    middle = (LEFT + WIDTH - RIGHT) / 2
    body.append(_text(middle, HEIGHT - 8, say("train.curve_games"), "mark", "middle"))
    numbers = list(points[-1].strength)
    for players, dash in zip(numbers, DASHES * len(numbers), strict=False):
        body += _curve(points, players, dash, most)
    ends = {players: points[-1].strength[players][0] for players in numbers}
    for players, y in _kept_apart({players: _down(share) for players, share in ends.items()}).items():
        words = say("train.curve_end", players=players, share=f"{100 * ends[players]:.0f}")
        body.append(_text(WIDTH - RIGHT + 8, y + 4, words))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>{''.join(body)}</svg>\n"
    )


def _curve(points: Sequence[Point], players: str, dash: str, most: int) -> list[str]:
    """Return the line of one number of players, with the interval at each point."""
    found = [(_across(point.games, most), *point.strength[players]) for point in points if players in point.strength]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    line = " ".join(f"{x:.1f},{_down(share):.1f}" for x, share, _ in found)
    whiskers = [_line(x, _down(share - sure), x, _down(share + sure), "whisker") for x, share, sure in found]
    return [*whiskers, f'<polyline points="{line}" class="curve"{dashed}/>']


def _kept_apart(ends: Mapping[str, float]) -> dict[str, float]:
    """Return where names are written, from the top down, none too near to the one above it."""
    written: dict[str, float] = {}
    above = -APART * 1.0
    for players, y in sorted(ends.items(), key=lambda end: end[1]):
        above = written[players] = max(y, above + APART)
    return written


def _across(games: int, most: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * games / most


def _down(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(1.0, max(0.0, share))


def _step(most: int) -> int:
    """Return a round number of games between two marks."""
    ten = 1
    while True:
        for step in STEPS:
            if most <= MOST_MARKS * step * ten:
                return step * ten
        ten *= 10


def _thousands(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'
