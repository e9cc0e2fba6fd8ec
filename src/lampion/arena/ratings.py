"""Elo by maximum likelihood: the strengths that make the results between all pairs most likely (Bradley and Terry).

The first bot is at 0 and 400 points are odds of ten to one. Each pair counts with its share and with the number of
independent games that its interval is worth (`figures.Share`), so the intervals here follow from the deals as well;
they are of the difference to the first bot.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt

import numpy as np

from lampion.arena.figures import Z
from lampion.games.move_types import Plain

POINTS = 400 / log(10)
"""Elo points to one unit of log odds."""
STEPS = 100
CLOSE = 1e-10


class Rating(Plain, frozen=True):
    """A bot's place on the ladder."""

    elo: float
    low: float
    high: float


def ratings(count: int, meetings: Iterable[tuple[int, int, float, float]]) -> list[Rating]:
    """Return the ratings of `count` bots from meetings (a, b, A's share, worth in games) that connect all of them."""
    met = list(meetings)
    strengths = np.zeros(count)
    for _ in range(STEPS):
        gradient = np.zeros(count)
        information = np.zeros((count, count))
        for a, b, share, worth in met:
            expected = 1 / (1 + np.exp(strengths[b] - strengths[a]))
            gradient[a] += worth * (share - expected)
            gradient[b] -= worth * (share - expected)
            known = worth * expected * (1 - expected)
            information[[a, b], [a, b]] += known
            information[[a, b], [b, a]] -= known
        step = np.linalg.solve(information[1:, 1:], gradient[1:])
        strengths[1:] += np.clip(step, -2, 2)
        if np.all(np.abs(step) < CLOSE):
            break
    spread = np.linalg.inv(information[1:, 1:])
    found = [Rating(0.0, 0.0, 0.0)]
    for bot in range(1, count):
        elo, half = POINTS * float(strengths[bot]), POINTS * Z * sqrt(float(spread[bot - 1, bot - 1]))
        found.append(Rating(elo, elo - half, elo + half))
    return found
