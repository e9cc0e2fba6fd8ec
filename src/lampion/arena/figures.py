"""Estimate from many games how strong two bots are: shares of the victory and scores, with confidence intervals.

A deal is played once from every seat, and counts as one sample: its games depend on each other, deals do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

Z = 1.959963984540054
"""95 % of a normal variable lies within this number of standard deviations."""
STUDENT = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469)
"""The same for a spread that is estimated from two samples, from three, and so on (Student)."""


@dataclass(frozen=True)
class Share:
    """A share of the victory: its value, its 95 % interval, and the number of even games with an interval as narrow."""

    value: float
    low: float
    high: float
    smooth: float
    """The value pulled towards even, so that it is never 0 or 1; ratings are computed from it."""
    weight: float


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval, which takes at least two samples."""

    value: float
    low: float | None
    high: float | None


def scaled(share: float, players: int) -> float:
    """Return the share of one seat rescaled as if it had one opponent: 1 / players becomes 50 %, 0 and 1 stay."""
    odds = share * (players - 1)
    return odds / (odds + 1 - share)


def slope(share: float, players: int) -> float:
    """Return the derivative of `scaled`."""
    return (players - 1) / (share * (players - 1) + 1 - share) ** 2


def share_of(one_a: Sequence[float], one_b: Sequence[float], players: int) -> Share:
    """Return A's share against B, scaled so that even is 50 %, from the results of the deals.

    `one_a` has, for each deal, the mean share of a single A over all seats; `one_b` the same of a single B. The value
    is the mean of `scaled(A)` and 1 - `scaled(B)`; with two players both come from the same games, so it is A's share.

    The interval is Agresti and Coull's, with deals as the sample: z² ≈ 3.84 imagined even games are added to each side,
    and the mean and the variance of real deals and imagined games together give its centre and its width, through the
    slope of the scale. So it stays within 0 ... 1, has a width even if every deal went the same way, narrows where
    deals agree, and always contains the value. Luck belongs to a seat, so the games of a deal are correlated negatively
    if at all: an imagined game may count as one game instead of a whole deal.
    """
    series = [(one_a, 1.0)] if players == 2 else [(one_a, 0.5), (one_b, -0.5)]
    even, deals, added = 1 / players, len(one_a), Z * Z / players
    total = deals + added
    value = smooth = 0.0 if players == 2 else 0.5
    errors = [0.0] * deals
    imagined = 0.0
    for shares, part in series:
        mean = (sum(shares) + added * even) / total
        value += part * scaled(sum(shares) / deals, players)
        smooth += part * scaled(mean, players)
        rate = part * slope(mean, players)
        errors = [error + rate * (share - mean) for error, share in zip(errors, shares, strict=True)]
        imagined += added / players * rate**2 * (even * (1 - mean) ** 2 + (1 - even) * mean**2)
    deviation = sqrt((sum(error**2 for error in errors) + imagined) / total / (total - 1))
    low, high = max(0.0, smooth - Z * deviation), min(1.0, smooth + Z * deviation)
    return Share(value, min(low, value), max(high, value), smooth, smooth * (1 - smooth) / deviation**2)


def part_of(samples: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of samples from 0 to 1, and an interval, not empty for equal samples (Agresti and Coull)."""
    total = len(samples) + Z * Z
    middle = (sum(samples) + Z * Z / 2) / total
    half = Z * sqrt(middle * (1 - middle) / total)
    value = sum(samples) / len(samples)
    return value, max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half))


def student(freedom: int) -> float:
    """Return Student's factor for `freedom` degrees of freedom in place of Z; exact for few, else a series."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3


def mean_of(samples: Sequence[float]) -> Mean:
    """Return the mean of samples and its interval."""
    count = len(samples)
    mean = sum(samples) / count
    if count < 2:
        return Mean(mean, None, None)
    half = student(count - 1) * sqrt(sum((sample - mean) ** 2 for sample in samples) / (count - 1) / count)
    return Mean(mean, mean - half, mean + half)
