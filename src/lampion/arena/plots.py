"""Small plots as SVG, drawn in the colours of the page they stand in, by classes: solid, quiet and deep.

The three differ in lightness and outline, so that they can be distinguished in grey. Every important number is also
written, and the whole plot is described in one sentence for readers who cannot see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from textwrap import wrap

from lampion.locale import language

WIDTH = 400
LABEL = 124
"""Room for the names at the left."""
RIGHT = 48
"""Room for the figures at the right."""
ROW = 30
TOP, BOTTOM = 8, 26

Box = tuple[float, float, float, float, float]
"""Tenth, quarter, median, three quarters, nine tenths."""


def number(value: float, digits: int = 0) -> str:
    """Return a number as it is written in the language in use."""
    text = f"{value:.{digits}f}".replace("-", "−")
    return text.replace(".", ",") if language() == "fr" else text


def percent(value: float, digits: int = 0) -> str:
    """Return a part of 1 as percent."""
    return f"{number(100 * value, digits)}\u202f%"


def svg(height: float, description: str, body: Sequence[str]) -> str:
    """Return a plot of the full width with a description."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(description, quote=True)}">'
        + "".join(body)
        + "</svg>"
    )


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Return a text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def bar(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a bar, or nothing where it has no length."""
    if width <= 0 or height <= 0:
        return ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2" class="{kind}"/>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def over(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a line that is visible on a bar and beside it."""
    return line(x1, y1, x2, y2, "halo") + line(x1, y1, x2, y2, kind)


def label(y: float, words: str) -> str:
    """Return the name of a row, in two lines at most."""
    lines = wrap(words, 15, max_lines=2, placeholder="…")
    first = y + 4 - 6.5 * (len(lines) - 1)
    return "".join(text(LABEL - 8, first + 13 * i, part, "", "end") for i, part in enumerate(lines))


def nice(span: float, most: int = 5) -> float:
    """Return a round step that divides a span into at most `most` parts."""
    rough = max(span, 1e-9) / most
    ten = 10 ** floor(log10(rough))
    return next(step * ten for step in (1, 2, 5, 10) if step * ten >= rough * 0.999)


def axis(low: float, high: float, left: float, right: float, y: float, *, whole: bool = True) -> list[str]:
    """Return marks below a plot, with faint lines through it."""
    step = max(1.0, nice(high - low)) if whole else nice(high - low)
    drawn, at = [], ceil(low / step - 1e-9) * step
    while at <= high + 1e-9:
        x = left + (at - low) / (high - low) * (right - left)
        mark = number(at, 0 if step >= 1 else 1)
        drawn += [line(x, TOP, x, y, "grid"), text(x, y + 15, mark, "small", "middle")]
        at += step
    return drawn


def shares(rows: Sequence[tuple[str, float, float, float]], even: float, most: float, description: str) -> str:
    """Return a plot of shares with their intervals, beside the even share."""
    height = TOP + ROW * len(rows) + BOTTOM
    span = WIDTH - LABEL - RIGHT
    base = height - BOTTOM

    def at(value: float) -> float:
        return LABEL + span * value / most

    body = []
    for i, (name, value, low, high) in enumerate(rows):
        y = TOP + ROW * i
        middle = y + ROW / 2
        body += [
            label(middle, name),
            bar(LABEL, y + 5, at(value) - LABEL, ROW - 10, "solid"),
            over(at(low), middle, at(high), middle, "whisker"),
            over(at(low), middle - 4, at(low), middle + 4, "whisker"),
            over(at(high), middle - 4, at(high), middle + 4, "whisker"),
            text(WIDTH - 2, middle + 4, percent(value, 1), "figure", "end"),
        ]
    body += [
        line(at(even), TOP - 4, at(even), base + 2, "even"),
        text(at(even), base + 16, percent(even), "small", "middle"),
    ]
    summary = "; ".join(f"{name} {percent(v, 1)} ({percent(a, 1)} – {percent(b, 1)})" for name, v, a, b in rows)
    return svg(height, f"{description}: {summary}", body)


def bins(values: Sequence[float], low: float, width: float, count: int) -> list[float]:
    """Return the part of the values in each of some bins of equal width."""
    found = [0.0] * count
    for value in values:
        found[min(count - 1, max(0, int((value - low) / width)))] += 1 / len(values)
    return found


def histogram(groups: Sequence[tuple[str, str, Sequence[float]]], low: float, high: float, description: str) -> str:
    """Return a plot of distributions (name, kind, values): the first as bars, others as outlines before them."""
    left, right, height = 8.0, WIDTH - 8.0, 190.0
    base = height - BOTTOM
    width = max(1.0, nice(high - low + 1, 24))
    low = floor(low / width) * width
    count = max(1, ceil((high - low + 1e-9) / width + 1e-9))
    end = low + count * width
    counted = [(name, kind, bins(values, low, width, count)) for name, kind, values in groups if values]
    most = max(max(parts) for _, _, parts in counted)
    step = (right - left) / count
    middle = width / 2 if width == 1 else 0.0  # a bar that stands for a single number is centred on it
    body = axis(low - middle, end - middle, left, right, base)
    for kind_number, (_, kind, parts) in enumerate(counted):
        tops = [base - (base - TOP) * value / most for value in parts]
        if kind_number == 0:
            body += [bar(left + step * i + 1, top, step - 2, base - top, kind) for i, top in enumerate(tops)]
        else:
            points = [f"{left + step * (i + side):.1f},{top:.1f}" for i, top in enumerate(tops) for side in (0, 1)]
            body.append(f'<polyline points="{" ".join(points)}" class="{kind} outline"/>')
    body.append(line(left, base, right, base, "base"))
    summary = "; ".join(f"{name} {number(sum(values) / len(values), 1)}" for name, _, values in groups if values)
    return svg(height, f"{description}: {summary}", body)


def boxes(
    rows: Sequence[tuple[str, Sequence[tuple[str, Box, float]]]], low: float, high: float, description: str
) -> str:
    """Return a plot of boxes from quarter to quarter, lines from tenth to tenth, (kind, box, mean) several a row."""
    each = 13
    tall = max(30, each * max(len(parts) for _, parts in rows) + 12)
    height = TOP + tall * len(rows) + BOTTOM
    left, right, base = LABEL, WIDTH - RIGHT, height - BOTTOM

    def at(value: float) -> float:
        return left + (value - low) / max(high - low, 1e-9) * (right - left)

    body = axis(low, high, left, right, base)
    for i, (name, parts) in enumerate(rows):
        y = TOP + tall * i
        body.append(label(y + tall / 2, name))
        for j, (kind, (tenth, quarter, median, three, nine), mean) in enumerate(parts):
            middle = y + 6 + each * (j + 0.5)
            body += [
                over(at(tenth), middle, at(nine), middle, "whisker"),
                bar(at(quarter) - 0.75, middle - 4.5, at(three) - at(quarter) + 1.5, 9, kind),
                over(at(median), middle - 4.5, at(median), middle + 4.5, "median"),
                f'<circle cx="{at(mean):.1f}" cy="{middle:.1f}" r="3.2" class="dot"/>',
                text(WIDTH - 2, middle + 4, number(mean, 1), "small figure", "end"),
            ]
    summary = "; ".join(f"{name} {' / '.join(number(mean, 1) for _, _, mean in parts)}" for name, parts in rows)
    return svg(height, f"{description}: {summary}", body)


def parts(rows: Sequence[tuple[str, Sequence[tuple[str, float]]]], description: str) -> str:
    """Return a plot with several percentages in each row, a bar for each (kind, value)."""
    each = 12
    tall = each * max(len(values) for _, values in rows) + 12
    height = TOP + tall * len(rows) + 4
    span = WIDTH - LABEL - RIGHT
    body = [line(LABEL, TOP, LABEL, height - 4, "base")]
    for i, (name, values) in enumerate(rows):
        y = TOP + tall * i
        body.append(label(y + tall / 2, name))
        for j, (kind, value) in enumerate(values):
            top = y + 6 + each * j
            body += [
                bar(LABEL, top + 1, span * value, each - 2, kind),
                text(LABEL + span * value + 5, top + each - 2, percent(value), "small"),
            ]
    summary = "; ".join(f"{name} {' / '.join(percent(value) for _, value in values)}" for name, values in rows)
    return svg(height, f"{description}: {summary}", body)


def dumbbells(rows: Sequence[tuple[str, float, float]], most: float, description: str) -> str:
    """Return a plot with two numbers in each row, a full dot and an empty one."""
    height = TOP + ROW * len(rows) + BOTTOM
    left, right, base = LABEL, WIDTH - RIGHT - 24, height - BOTTOM

    def at(value: float) -> float:
        return left + value / max(most, 1e-9) * (right - left)

    body = axis(0, most, left, right, base, whole=False)
    for i, (name, full, empty) in enumerate(rows):
        middle = TOP + ROW * (i + 0.5)
        body += [
            label(middle, name),
            over(at(full), middle, at(empty), middle, "whisker"),
            f'<circle cx="{at(empty):.1f}" cy="{middle:.1f}" r="5.5" class="quiet"/>',
            f'<circle cx="{at(full):.1f}" cy="{middle:.1f}" r="5.5" class="solid"/>',
            text(WIDTH - 2, middle + 4, f"{number(full, 2)} / {number(empty, 2)}", "small figure", "end"),
        ]
    summary = "; ".join(f"{name} {number(full, 2)} / {number(empty, 2)}" for name, full, empty in rows)
    return svg(height, f"{description}: {summary}", body)


def reliability(points: Sequence[tuple[float, float, float]], words: tuple[str, str], description: str) -> str:
    """Return a plot of what was expected and what came, each with its interval, beside the line of equality.

    Both go from 0 to 1; `words` name the axes.
    """
    side = 300.0
    left, base = WIDTH - side - RIGHT, TOP + side

    def x_of(value: float) -> float:
        return left + side * value

    def y_of(value: float) -> float:
        return base - side * min(1.0, max(0.0, value))

    body = []
    for tenth in range(0, 11, 2):
        part = tenth / 10
        body += [
            line(x_of(part), TOP, x_of(part), base, "grid"),
            line(left, y_of(part), left + side, y_of(part), "grid"),
            text(x_of(part), base + 15, percent(part), "small", "middle"),
            text(left - 6, y_of(part) + 4, percent(part), "small", "end"),
        ]
    body.append(line(x_of(0), y_of(0), x_of(1), y_of(1), "even"))
    for expected, came, sure in points:
        body.append(line(x_of(expected), y_of(came - sure), x_of(expected), y_of(came + sure), "whisker"))
        body.append(f'<circle cx="{x_of(expected):.1f}" cy="{y_of(came):.1f}" r="4" class="dot"/>')
    across, up = words
    body.append(text(left + side / 2, base + 32, across, "small", "middle"))
    body.append(
        f'<text class="small" text-anchor="middle" transform="translate(12 {TOP + side / 2:.0f}) rotate(-90)">'
        f"{escape(up)}</text>"
    )
    return svg(base + 40, description, body)
