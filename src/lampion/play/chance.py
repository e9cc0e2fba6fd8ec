"""Sources of chance: a seed, the entropy of the operating system, or outcomes typed in by people.

A stream returns the k-th draw from a source. A seeded stream derives it from seed, source and k alone, on every
machine, so the same deal can be played from every seat although the games diverge.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol

from lampion.engine.arrays import np
from lampion.engine.rng import below, name_draw, new_rng
from lampion.locale import Problem, written

MOST_SEED = 2**64 - 1


class Chance(Protocol):
    """A stream of random draws."""

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """Return the index of the outcome of the k-th draw from `source`; the odds are the weights."""


class ChanceNeeded(Problem):
    """A draw whose outcome must be typed in."""


class BadSeed(Problem):
    """A seed out of range."""


def by_weight(point: int, weights: Sequence[int]) -> int:
    """Return the index whose part of the summed weights contains `point`; raise ValueError beyond the sum."""
    for i, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return i
    raise ValueError(point)


class Seeded:
    """Draws that follow from a seed, the same on every machine."""

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed <= MOST_SEED:
            raise BadSeed("error.seed", seed=written(seed))
        self.seed = int(seed)
        self.stream = np.uint64(seed)
        self.rng = new_rng()

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """Return the draw that follows from the seed, `source` and `k`."""
        name_draw(self.rng, self.stream, source, k)
        return by_weight(int(below(self.rng, sum(weights))), weights)


class Entropy:
    """Unpredictable draws."""

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """Return a draw with randomness of the operating system."""
        return by_weight(secrets.randbelow(sum(weights)), weights)


class Manual:
    """No draws: every outcome is pushed as a move, for real dice and tiles."""

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """Raise ChanceNeeded."""
        raise ChanceNeeded("error.chance_needed")
