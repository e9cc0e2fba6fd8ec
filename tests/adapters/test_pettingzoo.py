"""PettingZoo's own tests pass on our games, and nothing more than a seat sees comes through."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import lampion.adapters.pettingzoo as zoo
from lampion.adapters.setting import BadEnvironment
from lampion.engine.rng import new_rng
from lampion.games.core import BadSetup, IllegalMove, OutOfTurn

GAMES = ["lanternes", "dice", "lumens", "iles"]


def any_action(env: Any, agent: str, dice: np.random.Generator) -> int:
    return int(dice.choice(np.flatnonzero(env.observe(agent)["action_mask"])))


def play_to_the_end(env: Any, seed: int) -> dict[str, float]:
    """Random moves; everybody's rewards added up."""
    dice, total = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last(observe=False)
        total[agent] += reward
        env.step(None if terminated else any_action(env, agent, dice))
    return total


@pytest.mark.parametrize("game", GAMES)
def test_their_api_test_passes(game: str) -> None:
    api_test(zoo.env(game))


def test_their_api_test_passes_for_the_most_players_and_without_wrappers() -> None:
    api_test(zoo.raw_env("iles", players=5, render_mode="ansi"))


@pytest.mark.parametrize("game", GAMES)
def test_their_seed_test_passes(game: str) -> None:
    seed_test(lambda: zoo.env(game))


@pytest.mark.parametrize("players", [2, 4])
def test_their_parallel_api_test_passes_on_dice(players: int) -> None:
    parallel_api_test(zoo.parallel_env("dice", players=players))


@pytest.mark.parametrize("game", GAMES)
def test_their_parallel_seed_test_passes(game: str) -> None:
    parallel_seed_test(lambda: zoo.parallel_env(game), num_cycles=3)


@pytest.mark.parametrize("game", GAMES)
def test_two_parallel_games_of_one_seed_are_the_same_to_the_end(game: str) -> None:
    one, other = zoo.parallel_env(game), zoo.parallel_env(game)
    seen, again = one.reset(seed=42)[0], other.reset(seed=42)[0]
    dice = np.random.default_rng(42)
    while one.agents:
        assert all(np.array_equal(seen[agent][key], again[agent][key]) for agent in seen for key in seen[agent])
        actions = {agent: int(dice.choice(np.flatnonzero(seen[agent]["action_mask"]))) for agent in one.agents}
        seen, rewards, *_ = one.step(actions)
        again, same, *_ = other.step(actions)
        assert rewards == same
    assert other.agents == []
    assert sum(rewards.values()) == 1


def test_an_illegal_action_ends_a_parallel_game_for_its_agent() -> None:
    env = zoo.parallel_env("dice", players=3)
    seen, _ = env.reset(seed=2)
    legal = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in env.agents}
    _, rewards, ended, _, _ = env.step({**legal, "player_1": env.wait - 1})
    assert rewards == {"player_0": 0, "player_1": -1, "player_2": 0}
    assert all(ended.values())
    with pytest.raises(OutOfTurn, match="over"):
        env.step(legal)
    env.reset(seed=2)
    assert env.agents


def test_environments_have_names_and_versions() -> None:
    assert set(GAMES) <= {name.removesuffix("_v0") for name in zoo.names()}
    assert str(zoo.lumens_v0.env(players=3)) == "lumens_v0"
    assert zoo.dice_v0.parallel_env().metadata["name"] == "dice_v0"
    with pytest.raises(AttributeError):
        _ = zoo.lumens_v99


@pytest.mark.parametrize(("reward", "scores"), [("returns", (0, 1)), ("score", (10, 200)), ("margin", (-200, 200))])
def test_the_reward_is_the_victory_the_points_or_the_margin(reward: str, scores: tuple[int, int]) -> None:
    env = zoo.raw_env("lumens", players=3, reward=reward)
    total = play_to_the_end(env, 3)
    outcome = env.episode.position.outcome()
    assert outcome is not None
    points = outcome.scores
    expected = {
        "returns": outcome.shares,
        "score": points,
        "margin": [points[seat] - max(points[:seat] + points[seat + 1 :]) for seat in range(3)],
    }[reward]
    assert list(total.values()) == expected
    assert all(scores[0] <= value <= scores[1] for value in expected)


def test_an_agent_is_shown_nothing_that_is_hidden_from_it() -> None:
    for game in ("lanternes", "lumens", "iles"):
        env, dice = zoo.raw_env(game, players=2), np.random.default_rng(1)
        env.reset(seed=5)
        changed = False
        for _ in range(30):
            truth = env.episode.position
            for seat, agent in enumerate(env.possible_agents):
                seen = env.observe(agent)
                env.episode.position = truth.concealed(seat, new_rng(7))
                changed |= env.episode.position != truth
                again = env.observe(agent)
                env.episode.position = truth
                assert all(np.array_equal(seen[key], again[key]) for key in seen)
            env.step(any_action(env, env.agent_selection, dice))
        assert changed, "no hidden thing was ever drawn anew: this test shows nothing"


def test_an_illegal_action_loses_the_game_in_the_wrapped_environment_and_is_refused_in_the_raw_one() -> None:
    raw = zoo.raw_env("lumens")
    raw.reset(seed=1)
    wrong = int(np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"] == 0)[0])
    before = raw.episode.position.bytes()
    with pytest.raises(IllegalMove, match=str(wrong)):
        raw.step(wrong)
    assert raw.episode.position.bytes() == before
    env = zoo.env("lumens")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(wrong)
    assert env.rewards[agent] == -1
    assert all(env.terminations.values())
    worse = zoo.env("lumens", reward="margin")
    worse.reset(seed=1)
    worse.step(wrong)
    assert worse.rewards[agent] == -1000  # no game that is lost by the rules is lost so high


def test_in_parallel_who_owes_nothing_can_only_wait() -> None:
    env, dice = zoo.raw_parallel_env("dice", players=3), np.random.default_rng(2)
    seen, _ = env.reset(seed=2)
    waited = decided_together = False
    while env.agents:
        masks = {agent: np.flatnonzero(seen[agent]["action_mask"]) for agent in env.agents}
        waiting = {agent for agent, mask in masks.items() if list(mask) == [env.wait]}
        assert waiting == {agent for agent, mask in masks.items() if env.wait in mask}
        waited |= bool(waiting)
        decided_together |= len(waiting) < 2
        actions = {agent: int(dice.choice(mask)) for agent, mask in masks.items()}
        if waiting:
            with pytest.raises(OutOfTurn, match="wait"):
                env.step({**actions, next(iter(waiting)): 0})
        awake = next(agent for agent in env.agents if agent not in waiting)
        with pytest.raises(IllegalMove):
            env.step({**actions, awake: env.wait})
        with pytest.raises(BadEnvironment, match=awake):
            env.step({agent: action for agent, action in actions.items() if agent != awake})
        seen, rewards, _, _, _ = env.step(actions)
    assert waited
    assert decided_together
    assert sum(rewards.values()) == 1
    with pytest.raises(OutOfTurn, match="over"):
        env.step({})


def test_what_cannot_be_set_is_refused() -> None:
    with pytest.raises(BadEnvironment, match="returns, score, margin"):
        zoo.raw_env("lumens", reward="fame")
    with pytest.raises(BadEnvironment, match="ansi"):
        zoo.raw_env("lumens", render_mode="film")
    for players in (2.0, "two", 9):
        with pytest.raises(BadSetup, match="2 to 4 players"):
            zoo.raw_env("lumens", players=players)
    for env in (zoo.raw_env("lumens"), zoo.parallel_env("dice")):
        with pytest.raises(BadEnvironment, match="reset"):
            env.step({})  # type: ignore[arg-type]


def test_an_action_may_be_any_whole_number() -> None:
    for kind in (int, np.int64, np.uint16, np.array):
        env = zoo.raw_env("lumens")
        env.reset(seed=1)
        env.step(kind(any_action(env, env.agent_selection, np.random.default_rng(1))))  # type: ignore[arg-type]
        assert env.episode.position.ply > 1
    for wrong in (1.0, np.array([1]), True, None, "1"):
        with pytest.raises(IllegalMove):
            env.step(wrong)  # type: ignore[arg-type]


def test_the_example_in_the_module_works() -> None:
    failed, tried = doctest.testmod(zoo)
    assert tried > 3
    assert failed == 0
