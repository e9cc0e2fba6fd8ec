"""What a seat is shown is chosen: the features of its game, or what its nets are trained on, the same in every tool."""

from __future__ import annotations

from importlib import import_module

import gymnasium
import numpy as np
import pyspiel
import pytest

import lampion.adapters.gymnasium
import lampion.adapters.openspiel
import lampion.adapters.pettingzoo as zoo
from lampion.adapters.setting import NET_INPUTS, OBSERVATIONS, BadEnvironment, Setting
from lampion.adapters.vector import VectorEnv
from lampion.engine.rng import game_seed
from lampion.games.registry import game
from lampion.play import Position, Seeded

GAME, MOVES = "iles", 12


def played(seed: int) -> Position:
    """A position some moves into a deal, each the first that was legal."""
    position, chance = Position(GAME, 2), Seeded(seed)
    position.push_chances(chance)
    for _ in range(MOVES):
        position.push_rows(int(position.legal_ids()[0]))
        position.push_chances(chance)
    return position


def expected(position: Position, seat: int, observation: str) -> list[float]:
    """What a seat is to be shown of a position."""
    numbers = position.net_inputs(seat) if observation == NET_INPUTS else position.features(seat)
    return [float(number) for number in numbers]


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_every_agent_is_shown_what_was_asked_for(observation: str) -> None:
    env = zoo.raw_env(GAME, players=2, observation=observation)
    env.reset(seed=7)
    for _ in range(MOVES):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    for seat, agent in enumerate(env.agents):
        shown = env.observe(agent)
        assert shown["observation"].tolist() == expected(played(7), seat, observation)
        assert env.observation_space(agent).contains(shown)


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_every_row_shows_what_was_asked_for(observation: str) -> None:
    env = VectorEnv(GAME, 3, players=2, observation=observation)
    env.reset(seed=7)
    for _ in range(MOVES):
        env.step(env.masks.argmax(axis=1))
    for row in range(3):
        position = played(int(game_seed(np.uint64(7), row, 0)))
        assert env.observations[row].tolist() == expected(position, position.actor, observation)


def test_rows_show_the_same_on_two_threads() -> None:
    one, two = (VectorEnv(GAME, 128, players=2, threads=threads, observation=NET_INPUTS) for threads in (1, 2))
    assert two.threads == 2
    for env in (one, two):
        env.reset(seed=7)
        for _ in range(MOVES):
            env.step(env.masks.argmax(axis=1))
    assert np.array_equal(one.observations, two.observations)


def test_an_agent_among_bots_is_shown_what_was_asked_for_to_the_end() -> None:
    env = gymnasium.make("Lampion/Iles-v0", opponents="random", observation=NET_INPUTS)
    bare = env.unwrapped
    assert isinstance(bare, lampion.adapters.gymnasium.AgainstBots)
    shown, _ = env.reset(seed=1)
    over = False
    while not over:
        shown, _, over, _, _ = env.step(int(shown["action_mask"].argmax()))
        assert shown["observation"].tolist() == expected(bare.episode.position, 0, NET_INPUTS)
        assert env.observation_space.contains(shown)


@pytest.mark.parametrize(("name", "after"), [("iles", "OPEN"), ("lumens", "FIRST")])
def test_at_the_end_no_step_is_shown(name: str, after: str) -> None:
    inputs, position = import_module(f"lampion.games.{name}.inputs"), Position(name, 2, {"first": 1})
    chance, draw = Seeded(1), np.random.default_rng(1)
    position.push_chances(chance)
    while not position.is_over:
        position.push_rows(int(draw.choice(position.legal_ids())))
        position.push_chances(chance)
    shown = position.net_inputs(0)
    assert not shown[inputs.STEP : getattr(inputs, after)].any()
    assert shown[getattr(inputs, after)] == 0.0, "neither the first pile is open nor seat 0 began"


def test_tensors_hold_what_was_asked_for() -> None:
    loaded, position = pyspiel.load_game("lampion_iles(observation=net_inputs)"), played(3)
    state = loaded.state_of(position)
    tensor = state.information_state_tensor(position.actor)
    assert len(tensor) == game(GAME).inputs
    assert tensor == expected(position, position.actor, NET_INPUTS)
    assert pyspiel.load_game(str(loaded)).state_of(position).observation_tensor(position.actor) == tensor


def test_an_observer_shows_its_own_kind_of_any_state_of_its_game() -> None:
    position = played(3)
    states = {kind: pyspiel.load_game("lampion_iles", {"observation": kind}) for kind in OBSERVATIONS}
    for kind, loaded in states.items():
        observer = loaded.make_py_observer()
        for other in states.values():
            observer.set_from(other.state_of(position), position.actor)
            assert observer.tensor.tolist() == expected(position, position.actor, kind)
    with pytest.raises(ValueError, match="a state of lumens, not of iles"):
        observer.set_from(pyspiel.load_game("lampion_lumens").new_initial_state(), 0)


def test_a_setting_that_there_is_not_is_named() -> None:
    with pytest.raises(TypeError, match="AgainstBots has no setting 'observaton'"):
        lampion.adapters.gymnasium.AgainstBots(GAME, observaton="features")  # type: ignore[call-arg]


def test_another_observation_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadEnvironment, match=r"no observation \"pixels\"\. The observations are features, net_inputs"):
        Setting.read(GAME, observation="pixels")
