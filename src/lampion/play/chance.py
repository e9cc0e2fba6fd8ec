"""Where chance comes from: a seed, the machine's entropy, or somebody's own dice.

A stream is asked for the k-th draw from a source. A seeded one answers from seed, source and k alone, on every machine,
so the same deal can be played from every seat although the games diverge.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from lampion.engine.rng import below, name_draw, new_rng
from lampion.locale import Problem, written

MOST_SEED = 2**64 - 1


class Chance(Protocol):
    """A stream of chance."""

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """The index of the outcome of the k-th draw from `source`, by whole weights."""


class ChanceNeeded(Problem):
    """The outcome must be typed in."""


class BadSeed(Problem):
    """A seed out of range."""


def by_weight(point: int, weights: Sequence[int]) -> int:
    """The index in whose share of the total the point falls."""
    for i, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return i
    raise ValueError(point)


class Seeded:
    """The same draws from the same seed, everywhere."""

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed <= MOST_SEED:
            raise BadSeed("error.seed", seed=written(seed))
        self.seed = int(seed)
        self.stream = np.uint64(seed)
        self.rng = new_rng()

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """By seed, source and k alone."""
        name_draw(self.rng, self.stream, source, k)
        return by_weight(int(below(self.rng, sum(weights))), weights)


class Entropy:
    """Draws that nobody can foresee."""

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """From the operating system."""
        return by_weight(secrets.randbelow(sum(weights)), weights)


class Manual:
    """Real dice and real tiles: every outcome is pushed by hand."""

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """Never draws."""
        raise ChanceNeeded("error.chance_needed")
