"""A move that somebody tries is judged at once: the best is good, a bad one costs, what cannot be made is refused."""

from __future__ import annotations

import msgspec
import pytest
from write_positions import record

from lampion.games.core import IllegalMove, OutOfTurn
from lampion.insight.judged_move import answer
from lampion.insight.settings import Settings
from lampion.play import Position

SMALL = Settings(simulations=120, wide=4, looks=3, worlds=2, samples=32, ways=64)


@pytest.fixture(scope="module")
def last_reward() -> Position:
    """A position of the last turn of Lanternes in which a set can be paid: nothing but its points counts."""
    return record("lanternes-last-reward").replay()


def test_to_pass_a_reward_of_the_last_turn_costs_and_the_reason_is_its_points(last_reward: Position) -> None:
    seat = last_reward.actor
    found = answer(last_reward, seat, "pass", SMALL)
    assert not found.is_good
    assert found.cost > 0.0
    assert found.best_move.kind == "reward"
    assert found.best_share >= found.share
    assert found.reasons[0].kind == "reward"
    assert found.reasons[0].more > 0
    assert msgspec.json.encode(found)


def test_the_best_move_is_good(last_reward: Position) -> None:
    seat = last_reward.actor
    best = answer(last_reward, seat, "pass", SMALL).best
    found = answer(last_reward, seat, best, SMALL)
    assert found.is_good
    assert found.cost == 0.0
    assert found.reasons == []


def test_what_cannot_be_made_is_refused(last_reward: Position) -> None:
    before = last_reward.bytes()
    with pytest.raises(IllegalMove):
        answer(last_reward, last_reward.actor, 0, SMALL)
    with pytest.raises(OutOfTurn):
        answer(last_reward, 1 - last_reward.actor, "pass", SMALL)
    assert last_reward.bytes() == before
