"""What a position is worth follows from what the viewer knows, and the better move is found."""

from __future__ import annotations

import doctest

import msgspec
import pytest
from games_played import TINY, random_game

import lampion.insight.worth
from lampion.engine.arrays import np
from lampion.engine.rng import new_rng
from lampion.games.core import SPECTATOR
from lampion.games.editions import edition, standard
from lampion.insight import estimate
from lampion.insight.analysis import analyse
from lampion.insight.evaluator import Evaluator, Stopped
from lampion.insight.settings import Settings
from lampion.insight.worth import worth_of, worth_to_seat
from lampion.play import Position, Seeded, Sight, compiled_calls

SMALL = Settings(simulations=200, wide=4, looks=3, worlds=2, samples=64, ways=128)


def begun(game: str, players: int, plies: int) -> Position:
    """Return a random game at a decision, some moves on."""
    final = random_game(game, players).replay()
    ply = plies
    while final.at(ply).actor < 0:
        ply += 1
    return final.at(ply)


@pytest.mark.parametrize(("game", "players"), [("lanternes", 4), ("iles", 2), ("lumens", 3)])
def test_nothing_hidden_has_a_part_in_what_a_seat_is_told(game: str, players: int) -> None:
    position = begun(game, players, 30)
    seat = position.actor
    told = worth_to_seat(Sight(position, seat), TINY)
    for seed in (1, 2):
        other = position.concealed(seat, new_rng(seed))
        assert msgspec.json.encode(worth_to_seat(Sight(other, seat), TINY)) == msgspec.json.encode(told)


@pytest.mark.parametrize(("game", "players"), [("lanternes", 4), ("dice", 3)])
def test_chances_add_up_and_the_best_move_stands_first(game: str, players: int) -> None:
    position = begun(game, players, 40)
    told: list[tuple[int, int]] = []
    found = worth_of(position, TINY, progress=lambda done, total: told.append((done, total)))
    follows = -(-2 * TINY.simulations // players)
    assert told[0] == (0, follows)
    assert told[-1] == (follows, follows)
    assert sum(seat.share for seat in found.seats) == pytest.approx(1.0, abs=1e-5)
    assert found.mover == position.actor
    assert found.moves[0].behind == 0.0
    assert all(move.behind >= 0.0 and move.id in position.legal_ids() for move in found.moves)
    assert found.options == len(position.legal_ids())
    assert found.simulations >= follows // 2


def test_a_move_is_followed_until_its_seat_has_decided_again() -> None:
    position = begun("lumens", 2, 10)
    seat, evaluator = position.actor, Evaluator(standard("lumens"), 2, TINY)
    work = evaluator.work
    work.states[estimate.GIVEN] = position.state
    evaluator.roll([int(position.legal_ids()[0])], [0], 1, seat, np.uint64(1))
    assert compiled_calls.actor_at(work.boxes, work.states, estimate.GIVEN) == seat
    assert compiled_calls.actor_at(work.boxes, work.states, estimate.WORLD) != seat, "the tokens to come are drawn"


def test_chances_of_the_net_are_as_sharp_as_the_game_says() -> None:
    position = begun("iles", 3, 30)
    evaluator = Evaluator(standard("iles"), 3, TINY)
    given, sharpness = evaluator.standing(position.state).shares, position.game.sharpness[3]
    evaluator.work = evaluator.work._replace(sharpness=1.0)
    raised = [share**sharpness for share in evaluator.standing(position.state).shares]
    assert sharpness != 1.0
    assert given == pytest.approx([share / sum(raised) for share in raised], abs=1e-9)


def test_a_spectator_is_told_chances_and_no_moves() -> None:
    position = begun("lanternes", 4, 30)
    found = worth_to_seat(Sight(position, SPECTATOR), TINY)
    assert sum(seat.share for seat in found.seats) == pytest.approx(1.0, abs=1e-5)
    assert found.moves == []
    other = position.concealed(SPECTATOR, new_rng(5))
    assert worth_to_seat(Sight(other, SPECTATOR), TINY) == found


def test_a_finished_game_is_worth_its_result() -> None:
    final = random_game("lumens", 3).replay()
    found = worth_of(final, TINY)
    assert [seat.share for seat in found.seats] == [round(share, 6) for share in final.count().shares]
    assert found.moves == []
    assert found.mover is None


def test_the_last_reward_of_a_game_is_taken() -> None:
    """Whoever can still pay a set in the last turn of Lanternes is better off by its points."""
    final = random_game("lanternes", 2, seed=3).replay()
    found = False
    for ply in range(final.ply - 1, final.ply - 30, -1):
        position = final.at(ply)
        if position.actor < 0:
            continue
        kinds = {position.move(id).kind for id in position.legal_ids()}
        if position.view(position.actor).step == "reward" and "pass" in kinds and position.state.final:
            best = worth_to_seat(Sight(position, position.actor), SMALL).moves[0]
            assert best.move.kind == "reward"
            found = True
    assert found


def test_another_edition_is_judged_by_the_estimate() -> None:
    data = msgspec.json.decode(msgspec.json.encode(standard("lanternes").data))
    data["rewards"]["neutral"] = [[3, 0]] * 3
    position = Position("lanternes", 2, components=edition(standard("lanternes").game, data))
    chance = Seeded(1)
    position.push_chances(chance)
    found = worth_to_seat(Sight(position, position.actor), TINY)
    assert found.source == "estimate"
    assert sum(seat.share for seat in found.seats) == pytest.approx(1.0, abs=1e-5)


def test_a_wish_to_stop_is_heard() -> None:
    position = begun("lanternes", 4, 30)
    with pytest.raises(Stopped):
        worth_to_seat(Sight(position, position.actor), TINY, stop=lambda: True)


def test_a_game_of_another_package_is_judged_too() -> None:
    """It has no net and gives no reasons: its score judges."""
    record = random_game("fireflies", 2)
    found = analyse(record, TINY)
    assert found.source == "estimate"
    assert all(not step.decision.reasons for step in found.steps if step.decision is not None)
    assert sum(found.result.shares) == pytest.approx(1.0)


def test_the_example_of_worth_works() -> None:
    failed, tried = doctest.testmod(lampion.insight.worth)
    assert tried > 3
    assert failed == 0
