"""Luck and play add up, the same record gives the same bytes, and decisions are judged by what was known."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from games_played import TABLES, TINY, random_game

from lampion.games.core import CHANCE
from lampion.insight.analysis import CannotAnalyse, analyse
from lampion.insight.analysis_types import Analysis
from lampion.insight.decision_positions import judged_positions
from lampion.insight.evaluator import Evaluator, Stopped
from lampion.insight.moments import accuracy
from lampion.play import Record

ROUNDING = 1e-3
"""More than all roundings of a game's figures can come to."""


@pytest.fixture(scope="module")
def lanternes() -> Analysis:
    return analyse(random_game("lanternes", 2), TINY)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_luck_and_costs_add_up_to_the_result(game: str, players: int) -> None:
    record = random_game(game, players)
    found = analyse(record, TINY)
    assert record.result is not None
    for seat in range(players):
        changes = [change for step in found.steps for change in (step.luck, step.cost, step.unforeseen)]
        shares = found.start.shares[seat] + sum(change.shares[seat] for change in changes)
        margins = found.start.margins[seat] + sum(change.margins[seat] for change in changes)
        best_other = max(score for other, score in enumerate(record.result.scores) if other != seat)
        assert shares == pytest.approx(record.result.shares[seat], abs=ROUNDING)
        assert margins == pytest.approx(record.result.scores[seat] - best_other, abs=ROUNDING)
        player = found.players[seat]
        parts = player.luck + player.cost + player.gifts + player.unforeseen
        assert parts == pytest.approx(record.result.shares[seat] - found.start.shares[seat], abs=ROUNDING)


@pytest.mark.parametrize(("game", "players"), [("dice", 3), ("iles", 5)])
def test_every_step_is_what_the_one_before_became(game: str, players: int) -> None:
    found = analyse(random_game(game, players), TINY)
    before = found.start.shares
    for step in found.steps:
        for seat in range(players):
            parts = step.luck.shares[seat] + step.cost.shares[seat] + step.unforeseen.shares[seat]
            assert before[seat] + parts == pytest.approx(step.shares[seat], abs=1e-5)
        assert sum(step.shares) == pytest.approx(1.0, abs=1e-5)
        before = step.shares


def test_luck_is_of_draws_and_costs_are_of_decisions(lanternes: Analysis) -> None:
    assert any(any(step.luck.shares) for step in lanternes.steps)
    assert any(any(step.cost.shares) for step in lanternes.steps)
    for step in lanternes.steps:
        if step.seat is None:
            assert step.decision is None
            assert not any(step.cost.shares)
        else:
            assert not any(step.luck.shares)
            assert step.cost.shares[step.seat] <= 0
            assert step.cost.margins[step.seat] <= 0
            if step.decision is not None:
                assert step.decision.cost >= 0
                assert step.decision.moves[step.decision.played].ahead == 0


def test_the_luck_of_a_draw_is_nothing_on_average() -> None:
    final = random_game("iles", 2).replay()
    evaluator = Evaluator(final.edition, 2, TINY)
    for ply in [ply for ply, (seat, _) in enumerate(final.played) if seat == CHANCE][:12]:
        standing = evaluator.standing(final.at(ply).state)
        assert standing.outcomes is not None
        weights, shares = np.array(standing.outcomes.weights), np.array(standing.outcomes.shares)
        assert weights.sum() == pytest.approx(1.0)
        assert weights @ (shares - standing.shares) == pytest.approx([0.0, 0.0], abs=1e-9)


def test_luck_is_what_a_draw_brought_beside_all_it_could_have_brought(lanternes: Analysis) -> None:
    final = random_game("lanternes", 2).replay()
    evaluator = Evaluator(final.edition, 2, TINY)
    draws = [ply for ply, (seat, _) in enumerate(final.played) if seat == CHANCE and final.at(ply + 1).actor >= 0]
    for ply in draws[1:20:6]:
        before = final.at(ply)
        expected = np.zeros(2)
        weights = sum(weight for _, weight in before.chances())
        for move, weight in before.chances():
            after = before.copy()
            after.push(move)
            expected += weight / weights * np.array(evaluator.standing(after.state).shares)
        luck = np.array(evaluator.standing(final.at(ply + 1).state).shares) - expected
        assert lanternes.steps[ply].luck.shares == pytest.approx(luck.tolist(), abs=1e-5)


def test_the_same_record_gives_the_same_bytes_on_any_number_of_threads(lanternes: Analysis) -> None:
    record = Record.from_json(random_game("lanternes", 2).to_json())
    assert analyse(record, TINY, threads=1).to_json() == lanternes.to_json()
    assert Analysis.from_json(lanternes.to_json()).to_json() == lanternes.to_json()


def test_other_settings_give_other_figures(lanternes: Analysis) -> None:
    more = msgspec.structs.replace(TINY, simulations=40)
    assert analyse(random_game("lanternes", 2), more).to_json() != lanternes.to_json()


def test_a_seat_is_judged_by_its_own_moves_of_a_simultaneous_step() -> None:
    final = random_game("dice", 3).replay()
    alone = 0
    for ply, (seen, asked) in judged_positions(final).items():
        seat, id = final.played[ply]
        truth = final.at(ply)
        assert asked in seen.legal_ids(seat)
        assert seen.move(asked) == truth.move(id)
        assert seen.legal_ids(seat).tolist() == truth.legal_ids(seat).tolist()
        alone += seen != truth
    assert alone > 5


def test_progress_is_told_and_a_wish_to_stop_is_heard() -> None:
    record = random_game("lumens", 3)
    told: list[tuple[int, int]] = []
    analyse(record, TINY, progress=lambda done, total: told.append((done, total)))
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] > 0
    with pytest.raises(Stopped):
        analyse(record, TINY, stop=lambda: True)


def test_only_finished_games_are_analysed() -> None:
    record = random_game("lanternes", 2)
    begun = Record.of(record.replay(20), record.seats)
    with pytest.raises(CannotAnalyse):
        analyse(begun, TINY)


def test_accuracy_is_100_without_costs_and_0_as_by_lot(lanternes: Analysis) -> None:
    def with_costs(part: float) -> list:  # type: ignore[type-arg]
        return [
            step
            if step.decision is None
            else msgspec.structs.replace(
                step, decision=msgspec.structs.replace(step.decision, cost=part * step.decision.stake)
            )
            for step in lanternes.steps
        ]

    assert accuracy(with_costs(0.0), 0) == 100.0
    assert accuracy(with_costs(0.25), 0) == 75.0
    assert accuracy(with_costs(1.0), 0) == 0.0
    assert accuracy(with_costs(3.0), 0) == 0.0
    assert accuracy([], 0) is None
