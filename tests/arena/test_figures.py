"""Shares, intervals and ratings against figures worked out by hand."""

from __future__ import annotations

import random
from math import comb, log10, sqrt

import pytest

from lampion.arena.figures import Z, mean_of, part_of, scaled, share_of, student
from lampion.arena.ratings import ratings


def test_even_is_half_however_many_play() -> None:
    for players in (2, 3, 4, 5):
        assert scaled(1 / players, players) == pytest.approx(0.5)
        assert scaled(0, players) == 0
        assert scaled(1, players) == 1
    assert scaled(0.5, 4) == pytest.approx(0.75)  # odds of 1 to 1 against three are 3 to 1 against one
    assert scaled(0.37, 2) == pytest.approx(0.37)


def test_the_share_of_two_players_by_hand() -> None:
    share = share_of([1.0, 0.5, 1.0, 0.5], [0.0, 0.5, 0.0, 0.5], 2)
    added = Z**2 / 2
    mean = (3 + added / 2) / (4 + added)
    spread = 2 * (1 - mean) ** 2 + 2 * (0.5 - mean) ** 2 + added / 2 * (0.5 * mean**2 + 0.5 * (1 - mean) ** 2)
    half = Z * sqrt(spread / (4 + added) / (3 + added))
    assert share.value == 0.75
    assert (share.low, share.high) == (pytest.approx(mean - half), pytest.approx(min(1.0, mean + half)))  # type: ignore[comparison-overlap]


def test_the_share_of_four_players_is_the_mean_of_one_against_three_and_the_reverse() -> None:
    share = share_of([0.5, 0.5], [0.25, 0.0], 4)
    reverse = 3 * 0.125 / (3 * 0.125 + 0.875)
    assert share.value == pytest.approx((0.75 + 1 - reverse) / 2)
    other = share_of([0.25, 0.0], [0.5, 0.5], 4)
    assert other.value == pytest.approx(1 - share.value)
    assert (other.low, other.high) == (pytest.approx(1 - share.high), pytest.approx(1 - share.low))  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("deals", [1, 2, 10, 200])
def test_an_interval_has_a_width_where_everything_was_won(players: int, deals: int) -> None:
    won = share_of([1.0] * deals, [0.0] * deals, players)
    assert won.value == won.high == 1.0
    assert 0.0 < won.low < 1.0
    lost = share_of([0.0] * deals, [1.0] * deals, players)
    assert lost.value == lost.low == 0.0
    assert lost.high == pytest.approx(1 - won.low)
    if deals == 200:
        assert won.low > 0.97


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    dice = random.Random(3)
    for players, strength in ((2, 1.0), (2, 4.0), (4, 2.0)):
        one_a, one_b = strength / (strength + players - 1), 1 / (1 + strength * (players - 1))
        truth, held = strength / (strength + 1), 0
        for _ in range(400):
            a = [sum(dice.random() < one_a for _ in range(players)) / players for _ in range(15)]
            b = [sum(dice.random() < one_b for _ in range(players)) / players for _ in range(15)]
            share = share_of(a, [1 - x for x in a] if players == 2 else b, players)
            held += share.low <= truth <= share.high
        assert 0.91 <= held / 400 <= 0.99, (players, strength)


def test_a_mean_by_hand() -> None:
    found = mean_of([1.0, 3.0])
    assert (found.value, found.low, found.high) == (2.0, pytest.approx(2 - 12.7062), pytest.approx(2 + 12.7062))  # type: ignore[comparison-overlap]
    assert mean_of([4.0]).low is None


@pytest.mark.parametrize(
    ("freedom", "wide"), [(1, 12.706), (6, 2.447), (7, 2.365), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_few_samples_make_wide_intervals(freedom: int, wide: float) -> None:
    assert student(freedom) == pytest.approx(wide, abs=0.002)


@pytest.mark.parametrize(("chance", "samples"), [(0.05, 20), (0.2, 5), (0.5, 4), (0.5, 100)])
def test_the_interval_of_a_part_holds_the_truth_as_often_as_it_says(chance: float, samples: int) -> None:
    held = 0.0
    for count in range(samples + 1):
        value, low, high = part_of([1.0] * count + [0.0] * (samples - count))
        assert 0 <= low <= value <= high <= 1
        assert low < high
        if low <= chance <= high:
            held += comb(samples, count) * chance**count * (1 - chance) ** (samples - count)
    assert held > 0.93


def test_two_bots_are_as_far_apart_as_their_odds() -> None:
    first, second = ratings(2, [(0, 1, 0.25, 100.0)])
    assert (first.elo, first.low, first.high) == (0, 0, 0)
    assert second.elo == pytest.approx(400 * log10(3))
    half = Z * 400 / 2.302585092994046 / sqrt(100 * 0.25 * 0.75)
    assert (second.low, second.high) == (pytest.approx(second.elo - half), pytest.approx(second.elo + half))  # type: ignore[comparison-overlap]


def test_ratings_agree_with_all_pairs_at_once() -> None:
    odds = 10 ** (100 / 400)
    one, two = odds / (1 + odds), odds**2 / (1 + odds**2)
    found = ratings(3, [(1, 0, one, 50.0), (2, 1, one, 80.0), (2, 0, two, 30.0)])
    assert [rating.elo for rating in found] == [0, pytest.approx(100), pytest.approx(200)]


def test_a_rating_stays_finite_where_nearly_everything_was_won() -> None:
    found = ratings(3, [(0, 1, 0.001, 400.0), (1, 2, 0.0005, 400.0)])
    assert found[2].elo == pytest.approx(400 * log10(999) + 400 * log10(1999))
