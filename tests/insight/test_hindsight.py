"""A decision costs what was lost for good: what a seat can still make of its turn is not lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from games_played import TINY, random_game

from lampion.insight.analysis import analyse
from lampion.insight.evaluator import Judged
from lampion.insight.hindsight import verdict, worth


def compared(shares: list[list[float]], sure: float = 0.02) -> Judged:
    """Return a comparison of three moves of seat 0, of which the second was played."""
    worths = [worth([row, [0.0, 0.0]], 0) for row in shares]
    return Judged(
        ids=[7, 8, 9],
        shares=shares,
        margins=[[0.0, 0.0]] * 3,
        worth=worths,
        sure=[sure] * 3,
        ahead=[each - worths[1] for each in worths],
        ahead_sure=[sure] * 3,
        stake=0.3,
        options=12,
        simulations=100,
    )


def test_the_best_move_less_the_played_one_is_lost() -> None:
    found = verdict(compared([[0.7, 0.3], [0.5, 0.5], [0.2, 0.8]]), 0, 8, None)
    assert not found.is_best
    assert found.change(0)[0] == pytest.approx([-0.2, 0.2])
    assert found.cost == pytest.approx(0.18)  # nine tenths of a worth are the chance to win


def test_a_difference_within_the_noise_costs_nothing() -> None:
    found = verdict(compared([[0.51, 0.49], [0.5, 0.5], [0.2, 0.8]]), 0, 8, None)
    assert found.is_best
    assert found.cost == 0.0
    assert found.change(0) == [[0.0, 0.0], [0.0, 0.0]]
    assert found.best[0] == pytest.approx([0.5, 0.5])


def test_what_the_turn_can_still_bring_is_not_lost() -> None:
    judged = compared([[0.7, 0.3], [0.5, 0.5], [0.2, 0.8]])
    open_still = [[0.9, 0.1], [0.0, 0.0]]
    found = verdict(judged, 0, 8, open_still)
    assert found.is_best
    assert found.cost == 0.0
    assert found.best[0] == pytest.approx([0.9, 0.1])
    half = verdict(judged, 0, 8, [[0.6, 0.4], [0.0, 0.0]])
    assert half.change(0)[0] == pytest.approx([-0.1, 0.1])


def test_nobody_loses_more_in_a_turn_than_they_had() -> None:
    found = analyse(random_game("lanternes", 2), TINY)
    steps = found.steps
    for before, step in pairwise(steps):
        if before.decision is not None and step.decision is not None and before.seat == step.seat:
            assert before.unforeseen.shares == [0.0, 0.0]
            assert -step.cost.shares[step.seat or 0] <= before.shares[step.seat or 0] + 1e-6
