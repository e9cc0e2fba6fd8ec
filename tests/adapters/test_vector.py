"""A batch of games plays by the rules, follows its seed whatever the threads, and shows a seat what it sees."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import lampion.adapters.vector as vector
from lampion.adapters.episode import Episode
from lampion.adapters.setting import BadEnvironment, Setting
from lampion.adapters.vector import VectorEnv
from lampion.engine.rng import game_seed
from lampion.games.core import IllegalMove

GAMES = ["lanternes", "dice", "lumens", "iles"]


@pytest.mark.parametrize("game", GAMES)
def test_every_row_is_the_game_that_a_position_plays_and_the_next_begins_when_it_ends(game: str) -> None:
    rows, seed = 3, 9
    env, setting = VectorEnv(game, rows), Setting.read(game)
    numbers = list(range(rows))

    def episode(row: int) -> Episode:
        return Episode(setting, int(game_seed(np.uint64(seed), numbers[row], 0)))

    env.reset(seed=seed)
    episodes = [episode(row) for row in range(rows)]
    ended = 0
    while ended < 4:
        for row, played in enumerate(episodes):
            seat = played.asked
            seen = played.observe(seat, setting.game.ids)
            assert env.actors[row] == seat
            assert np.array_equal(env.observations[row], seen["observation"])
            assert np.array_equal(env.masks[row], seen["action_mask"])
        actions = env.random_actions().copy()
        env.step(actions)
        for row, played in enumerate(episodes):
            played.answer(played.asked, actions[row])
            assert env.terminated[row] == played.position.is_over
            assert env.rewards[row].tolist() == pytest.approx(played.rewards())
            if played.position.is_over:
                ended += 1
                numbers[row] += rows
                episodes[row] = episode(row)


@pytest.mark.parametrize("reward", ["score", "margin"])
def test_the_reward_can_be_points_or_the_margin(reward: str) -> None:
    env, plain = VectorEnv("iles", 2, players=3, reward=reward), Setting.read("iles", 3, reward=reward)
    env.reset(seed=4)
    played = Episode(plain, int(game_seed(np.uint64(4), 1, 0)))
    while not env.terminated[1]:
        actions = env.random_actions()
        played.answer(played.asked, actions[1])
        env.step(actions)
    assert env.rewards[1].tolist() == played.rewards()
    assert len(set(played.rewards())) > 1


def test_the_same_seed_gives_the_same_games_whatever_the_threads() -> None:
    one, two = VectorEnv("lumens", 128), VectorEnv("lumens", 128, threads=2)
    assert two.threads == 2
    for env in (one, two):
        env.reset(seed=6)
    for _ in range(150):
        one.step(one.random_actions())
        two.step(two.random_actions())
    for name in ("observations", "masks", "actors", "rewards", "terminated"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    before = one.observations.copy()
    one.reset(seed=7)
    assert not np.array_equal(before, one.observations)


def test_the_arrays_are_written_in_place() -> None:
    env = VectorEnv("lumens", 8)
    first, info = env.reset(seed=1)
    begun = first.copy()
    second, _, _, _, again = env.step(env.random_actions())
    assert first is second is env.observations
    assert info is again
    assert info["action_mask"] is env.masks
    assert not np.array_equal(begun, second)


def test_rewards_last_for_one_step() -> None:
    env = VectorEnv("lumens", 4)
    env.reset(seed=2)
    ends = 0
    for _ in range(300):
        _, rewards, terminated, truncated, _ = env.step(env.random_actions())
        assert rewards[terminated].sum() == terminated.sum()
        assert not rewards[~terminated].any()
        assert not truncated.any()
        ends += int(terminated.sum())
    assert ends > 4


def test_one_illegal_action_is_named_and_changes_nothing_in_any_game() -> None:
    env = VectorEnv("lumens", 8)
    env.reset(seed=3)
    actions = env.random_actions().copy()
    actions[5] = int(np.flatnonzero(~env.masks[5])[0])
    states, seen = env._states.tobytes(), env.observations.copy()
    with pytest.raises(IllegalMove, match="game 5"):
        env.step(actions)
    for wild in (-1, 10**9):
        actions[5] = wild
        with pytest.raises(IllegalMove, match="game 5"):
            env.step(actions)
    env.masks[:] = True  # what others write into the mask makes nothing legal
    with pytest.raises(IllegalMove, match="game 5"):
        env.step(actions)
    assert env._states.tobytes() == states
    assert np.array_equal(env.observations, seen)


def test_what_is_no_list_of_actions_is_refused() -> None:
    env = VectorEnv("lumens", 4)
    with pytest.raises(BadEnvironment, match="reset"):
        env.step([0, 0, 0, 0])
    env.reset(seed=1)
    for wrong in ([0, 0, 0], [0.0] * 4, [[0] * 4]):
        with pytest.raises(BadEnvironment, match="4 whole numbers"):
            env.step(wrong)
    with pytest.raises(BadEnvironment, match="count"):
        VectorEnv("lumens", 0)
    with pytest.raises(BadEnvironment, match="reset"):
        VectorEnv("lumens", 4).random_actions()


def test_numbers_of_numpy_are_numbers() -> None:
    env, same = VectorEnv("lumens", np.int64(4), threads=np.int32(1)), VectorEnv("lumens", 4)  # type: ignore[arg-type]
    env.reset(seed=np.int64(3))  # type: ignore[arg-type]
    same.reset(seed=3)
    assert np.array_equal(env.observations, same.observations)


def test_resets_without_a_seed_follow_from_the_last_one() -> None:
    env = VectorEnv("lumens", 4)
    runs = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        runs.append((env.reset()[0].copy(), env.reset()[0].copy()))
    assert not np.array_equal(runs[0][0], runs[0][1])
    assert all(np.array_equal(one, other) for one, other in zip(runs[0], runs[1], strict=True))
    assert not np.array_equal(runs[0][0], runs[2][0])


def test_what_a_learner_writes_into_the_arrays_changes_no_game() -> None:
    env, same = VectorEnv("lumens", 4), VectorEnv("lumens", 4)
    for one in (env, same):
        one.reset(seed=5)
    for _ in range(150):
        _, rewards, terminated, _, _ = env.step(env.random_actions())
        same.step(same.random_actions())
        for name in ("observations", "masks", "actors", "rewards", "terminated"):
            assert np.array_equal(getattr(env, name), getattr(same, name))
        rewards -= 0.01
        terminated[:] = False
        env.actors[:] = 1 - env.actors
        env.observations[:] = -1.0
    env.masks[:] = True
    env.reset(seed=5)
    same.reset(seed=5)
    assert np.array_equal(env.masks, same.masks)


def test_the_example_in_the_module_works() -> None:
    failed, tried = doctest.testmod(vector)
    assert tried > 3
    assert failed == 0
