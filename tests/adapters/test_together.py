"""Who decides at the same time as others does not see what they decide, whichever tool asks one seat after another."""

from __future__ import annotations

import copy
import random

import numpy as np
import pyspiel
import pytest

import lampion.adapters.openspiel as openspiel
import lampion.adapters.pettingzoo as zoo
from lampion.adapters.vector import VectorEnv
from lampion.games.core import OutOfTurn
from lampion.play import compiled_calls

TOGETHER = 8
"""Steps in which all decide at once to look at."""


@pytest.mark.parametrize("players", [2, 4])
def test_seat_by_seat_nobody_sees_what_was_just_decided(players: int) -> None:
    env, dice, looked = zoo.raw_env("dice", players=players), np.random.default_rng(1), 0
    env.reset(seed=1)
    while looked < TOGETHER:
        seat = env.episode.asked
        moves = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        if seat + 1 in env.episode.position.pending and len(moves) > 1:
            looked += 1
            seen = []
            for move in moves[:4]:
                branch = copy.deepcopy(env)
                branch.step(move)
                assert branch.agent_selection == f"player_{seat + 1}"
                assert not branch.observe(f"player_{seat}")["action_mask"].any()
                seen.append(branch.observe(f"player_{seat + 1}"))
            for name in ("observation", "action_mask"):
                assert all(np.array_equal(one[name], seen[0][name]) for one in seen)
        env.step(dice.choice(moves))


def test_decisions_that_were_taken_one_by_one_are_those_of_all_at_once() -> None:
    by_seat, at_once = zoo.raw_env("dice", players=3), zoo.parallel_env("dice", players=3)
    dice = np.random.default_rng(2)
    by_seat.reset(seed=2)
    at_once.reset(seed=2)
    while at_once.agents:
        actions = dict.fromkeys(at_once.agents, at_once.wait)
        for seat in at_once.episode.position.pending:
            agent = by_seat.agent_selection
            assert agent == f"player_{seat}"
            actions[agent] = dice.choice(np.flatnonzero(by_seat.observe(agent)["action_mask"]))
            by_seat.step(actions[agent])
        at_once.step(actions)
        assert by_seat.episode.position.bytes() == at_once.episode.position.bytes()
    assert by_seat.episode.rewards() == at_once.episode.rewards()


def test_a_decision_cannot_be_taken_twice() -> None:
    env = zoo.raw_env("dice")
    env.reset(seed=1)
    while len(env.episode.position.pending) < 2:
        env.step(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0])
    move = env.episode.position.legal_ids(0)[0]
    env.step(move)
    with pytest.raises(OutOfTurn):
        env.episode.answer(0, move)


def test_a_row_does_not_show_what_was_just_decided() -> None:
    env, looked = VectorEnv("dice", 1, players=3), 0
    env.reset(seed=3)
    while looked < TOGETHER:
        seat, moves = int(env.actors[0]), np.flatnonzero(env.masks[0])
        pending = compiled_calls.pending_at(env.setting.edition.boxes, env._states, 0)
        if pending >> (seat + 1) and len(moves) > 1:
            looked += 1
            shown = []
            for move in moves[:4]:
                branch = copy.deepcopy(env)
                branch.step([move])
                assert branch.actors[0] > seat
                shown.append((branch.observations.tobytes(), branch.masks.tobytes()))
            assert len(set(shown)) == 1
        env.step(env.random_actions())


def test_an_information_state_does_not_tell_what_was_just_decided() -> None:
    game, dice, looked = pyspiel.load_game("lampion_dice"), random.Random(4), 0
    state = game.new_initial_state()
    while looked < TOGETHER:
        if state.is_chance_node():
            ids, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(ids, odds)[0])
            continue
        moves = state.legal_actions()
        if state.world.pending() == [0, 1] and not state.world.held and len(moves) > 1:
            looked += 1
            children = [state.child(move) for move in moves[:4]]
            assert [child.current_player() for child in children] == [1] * len(children)
            assert len({child.information_state_string(1) for child in children}) == 1
            assert len({child.information_state_string(0) for child in children}) == len(children)
            held = {children[0].resample_from_infostate(1, dice.random).world.held[0] for _ in range(200)}
            assert held <= set(moves)
            assert len(held) > 1
            assert children[0].resample_from_infostate(0, dice.random).world.held == {0: moves[0]}
            rollouts = openspiel.RandomRollouts(1, seed=1)
            assert rollouts.evaluate(children[0]).sum() == pytest.approx(1.0)
        state.apply_action(dice.choice(moves))
