"""Gymnasium's own check passes on our games, bots sit at the other seats, and an agent learns nothing hidden."""

from __future__ import annotations

import doctest
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from waiting import until

import lampion.adapters.gymnasium as gym
from lampion.adapters.setting import BadEnvironment
from lampion.bots import BadBot, Bot
from lampion.games.core import IllegalMove, OutOfTurn
from lampion.games.editions import components_file
from lampion.games.registry import game
from lampion.play import Position, Sight

GAMES = ["lanternes", "dice", "lumens", "iles"]


def any_action(seen: dict[str, Any], dice: np.random.Generator) -> int:
    return int(dice.choice(np.flatnonzero(seen["action_mask"])))


def play_to_the_end(env: Any, seed: int) -> tuple[list[float], dict[str, Any]]:
    """Random moves of the agent; its rewards and the last info."""
    dice, rewards = np.random.default_rng(seed), []
    seen, info = env.reset(seed=seed)
    over = False
    while not over:
        seen, reward, over, truncated, info = env.step(any_action(seen, dice))
        assert not truncated
        rewards.append(reward)
    return rewards, info


@pytest.mark.parametrize("name", GAMES)
def test_their_check_passes(name: str) -> None:
    env = gymnasium.make(f"Lampion/{name.capitalize()}-v0", opponents="random")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # features have no bounds, which it warns of
        check_env(env.unwrapped)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_against_bots_comes_to_its_end(name: str) -> None:
    env = gym.AgainstBots(name, players=3, seat=None, opponents=["random", "spark"])
    rewards, info = play_to_the_end(env, 1)
    assert set(rewards[:-1]) <= {0.0}
    assert rewards[-1] == info["shares"][info["seat"]]


@pytest.mark.parametrize("reward", ["score", "margin"])
def test_the_reward_can_be_points_or_the_margin(reward: str) -> None:
    rewards, info = play_to_the_end(gym.AgainstBots("lumens", seat=1, reward=reward, opponents="random"), 2)
    own, other = info["scores"][1], info["scores"][0]
    assert rewards[-1] == (own if reward == "score" else own - other)


def test_the_same_seed_plays_the_same_game_with_the_same_bots() -> None:
    env = gym.AgainstBots("iles", players=4, seat=None, opponents="greedy")
    first, second, other = (play_to_the_end(env, seed) for seed in (5, 5, 6))
    assert first == second
    assert first != other


def test_a_seat_that_is_left_open_is_drawn_and_every_seat_can_be_had() -> None:
    env = gym.AgainstBots("lumens", players=3, seat=None, opponents="random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


class Watched(Bot):
    """A bot that notes the positions in which it is asked."""

    def __init__(self, bot: Bot, position: Position) -> None:
        self.bot, self.position = bot, position
        self.asked: list[bytes] = []

    def choose(self, sight: Sight) -> int:
        self.asked.append(self.position.bytes())
        return self.bot.choose(sight)


def test_a_bot_that_decides_at_the_same_time_does_not_know_the_agents_move() -> None:
    env, dice = gym.AgainstBots("dice", opponents="greedy"), np.random.default_rng(4)
    seen, _ = env.reset(seed=4)
    position, together = env.episode.position, 0
    env.bots[1] = bot = Watched(env.bots[1], position)
    for _ in range(40):
        before, pending, asked = position.bytes(), position.pending, len(bot.asked)
        seen, *_ = env.step(any_action(seen, dice))
        if pending == (0, 1):
            assert bot.asked[asked] == before
            together += 1
    assert together > 3


def test_an_illegal_action_ends_the_episode_or_is_refused() -> None:
    env = gym.AgainstBots("lumens", opponents="random")
    seen, _ = env.reset(seed=1)
    wrong = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(wrong)
    assert (reward, terminated, info["illegal_action"]) == (-1.0, True, True)
    with pytest.raises(OutOfTurn):
        env.step(any_action(seen, np.random.default_rng(1)))
    strict = gym.AgainstBots("lumens", opponents="random", illegal_reward=None)
    strict.reset(seed=1)
    before = strict.episode.position.bytes()
    with pytest.raises(IllegalMove):
        strict.step(wrong)
    assert strict.episode.position.bytes() == before


def test_an_action_as_learners_predict_it_is_taken() -> None:
    """An array of no dimensions, which the action space contains."""
    env = gym.AgainstBots("lumens", opponents="random")
    seen, _ = env.reset(seed=1)
    action = np.array(any_action(seen, np.random.default_rng(1)))
    assert env.action_space.contains(action)
    assert not env.step(action)[2]  # type: ignore[arg-type]


def test_an_illegal_action_is_worse_than_any_game_by_the_rules() -> None:
    for reward, lowest in (("returns", -1), ("score", -1000), ("margin", -1000)):
        env = gym.AgainstBots("lumens", opponents="random", reward=reward)
        env.reset(seed=1)
        assert env.step(-1)[1] == lowest
    env = gym.AgainstBots("lumens", opponents="random", reward="margin", illegal_reward=-7.0)
    env.reset(seed=1)
    assert env.step(-1)[1] == -7


def test_a_program_plays_game_after_game_and_hears_how_they_end(tmp_path: Path) -> None:
    program, heard = tmp_path / "bot.py", tmp_path / "heard"
    program.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        f"    print(os.getpid(), asked['ask'], asked.get('result') is None, file=open({str(heard)!r}, 'a'))\n"
        "    if asked['ask'] == 'move':\n"
        "        print(json.dumps({'move': asked['moves'][0]['id']}), flush=True)\n"
    )
    env = gym.AgainstBots("lumens", opponents=f"cmd:{sys.executable} {program}")
    for seed in (1, 2):
        play_to_the_end(env, seed)
    seen, _ = env.reset(seed=3)
    env.step(any_action(seen, np.random.default_rng(3)))
    env.close()
    until(lambda: heard.read_text().count("end") == 3, "the program reads the last line")
    told = [line.split() for line in heard.read_text().splitlines()]
    assert len({pid for pid, *_ in told}) == 1
    assert [broken for _, ask, broken in told if ask == "end"] == ["False", "False", "True"]


def test_the_agent_is_shown_its_own_view() -> None:
    env = gym.AgainstBots("iles", seat=1, opponents="random", render_mode="ansi")
    env.reset(seed=3)
    assert env.render() == env.episode.position.text(1)
    assert env.render() != env.episode.position.text(0)


def test_another_edition_is_played_from_its_file(tmp_path: Path) -> None:
    text = components_file(game("lumens")).read_text(encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text("# mine\n" + text, encoding="utf-8")
    rewards, _ = play_to_the_end(gym.AgainstBots("lumens", components=str(mine), opponents="random"), 1)
    assert rewards == play_to_the_end(gym.AgainstBots("lumens", opponents="random"), 1)[0]


def test_what_cannot_be_set_is_refused() -> None:
    with pytest.raises(BadEnvironment, match="2 opponents"):
        gym.AgainstBots("lumens", players=2, opponents=["random", "random"])
    for seat in (2, 1.0, "a"):
        with pytest.raises(BadEnvironment, match=f"seat {json.dumps(seat)}"):
            gym.AgainstBots("lumens", players=2, seat=seat)  # type: ignore[arg-type]
    with pytest.raises(BadEnvironment, match="reset"):
        gym.AgainstBots("lumens").step(0)
    with pytest.raises(BadBot):
        gym.AgainstBots("lumens", opponents="grandmaster")


def test_the_example_in_the_module_works() -> None:
    failed, tried = doctest.testmod(gym)
    assert tried > 3
    assert failed == 0
