"""The games for PettingZoo: one seat at a time (AEC), or all at once (parallel) where decisions are simultaneous.

>>> from lampion.adapters.pettingzoo import lumens_v0
>>> env = lumens_v0.env(players=3)
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> int(observation["action_mask"].sum()) > 1
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from lampion.adapters.episode import Episode, Player
from lampion.adapters.setting import (
    FEATURES,
    LOWEST,
    RETURNS,
    VERSION,
    BadEnvironment,
    Components,
    Setting,
    illegal_reward_of,
)
from lampion.adapters.spaces import MOST_SEED, Observation, observation_space
from lampion.games import core, registry
from lampion.games.core import SPECTATOR, Game
from lampion.locale import written

Space = gymnasium.spaces.Space[Any]


class _Seats(Player):
    """What both kinds of environment have: agents by seat, their spaces, seeds and a text picture."""

    extra_actions = 0
    """The number of actions that are not moves of the game."""

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        components: Components = None,
        reward: str = RETURNS,
        render_mode: str | None = None,
        observation: str = FEATURES,
    ) -> None:
        self.setting = Setting.read(game, players, options, components, reward, observation)
        if render_mode not in (None, "ansi"):
            raise BadEnvironment("error.render_mode", mode=written(render_mode), known="ansi")
        self.render_mode = render_mode
        played = self.setting.game
        self.metadata = {"render_modes": ["ansi"], "name": f"{played.name}_v{VERSION}", "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(self.setting.players)]
        self.agents: list[str] = []
        self.actions = played.ids + self.extra_actions
        self._action_spaces = {agent: gymnasium.spaces.Discrete(self.actions) for agent in self.possible_agents}
        self._observation_spaces = {
            agent: observation_space(self.setting.observation_size, self.actions) for agent in self.possible_agents
        }
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> Space:
        """Return the space of the observation and its mask."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        """Return the space of the ids of the game's moves."""
        return self._action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        """Begin a game with a seed, or with one drawn from the generator of the last."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._episode = Episode(self.setting, int(self._seeds.integers(MOST_SEED)) if seed is None else int(seed))
        self.agents = list(self.possible_agents)

    def render(self) -> str | None:
        """Return the game as a spectator sees it, as text; None without a render mode."""
        return self.episode.position.text(SPECTATOR) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class SeatBySeat(_Seats, AECEnv[str, Observation, int]):
    """An environment that asks the seats one by one.

    In a simultaneous step the lowest seat is asked first, and no seat sees a decision before all have decided.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the same seed gives the same chance. `options` is not used."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[self.episode.asked]

    def observe(self, agent: str) -> Observation:
        """Return what the agent sees; its mask is empty while it owes no decision."""
        return self.episode.observe(self.possible_agents.index(agent), self.actions)

    def step(self, action: int | None) -> None:
        """Make the move of the agent that is asked."""
        episode, agent = self.episode, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode.answer(self.possible_agents.index(agent), action)
        self._cumulative_rewards[agent] = 0.0
        over = episode.position.is_over
        self.rewards = dict(zip(self.agents, episode.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = self.agents[0 if over else episode.asked]
        self._accumulate_rewards()


class AllAtOnce(_Seats, ParallelEnv[str, Observation, int]):
    """An environment in which all seats that owe a decision decide at once; the others have one action, `wait`.

    It takes the arguments of `SeatBySeat`, and `illegal_reward`.

    An illegal action is refused with an error; with an `illegal_reward` it ends the game with that reward for its
    agent.
    """

    extra_actions = 1

    def __init__(
        self,
        game: str | Game,
        *args: Any,
        illegal_reward: float | Literal["lowest"] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(game, *args, **kwargs)
        self.illegal_reward = illegal_reward_of(self.setting, illegal_reward)
        self.metadata["is_parallelizable"] = True
        self.wait = self.actions - 1
        """The action of a seat that owes no decision."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; the same seed gives the same chance. `options` is not used."""
        self._begin(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Observation]:
        pending = self.episode.position.pending
        seen = {agent: self.episode.observe(seat, self.actions) for seat, agent in enumerate(self.possible_agents)}
        for seat, agent in enumerate(self.possible_agents):
            seen[agent]["action_mask"][self.wait] = seat not in pending
        return seen

    def _check(self, seat: int, action: Any) -> None:
        """Raise BadMove where a seat may not do this now."""
        if seat in self.episode.position.pending:
            self.episode.check(seat, action)
        elif action != self.wait:
            raise core.OutOfTurn("error.must_wait", agent=self.possible_agents[seat], wait=self.wait)

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Make the moves of all seats that owe one; a missing action is an error that changes nothing."""
        episode, agents = self.episode, list(self.agents)
        if not agents:
            raise core.OutOfTurn("error.over")
        refusals: dict[str, core.BadMove] = {}
        for seat, agent in enumerate(self.possible_agents):
            if agent not in actions:
                raise BadEnvironment("error.no_action", agent=agent)
            try:
                self._check(seat, actions[agent])
            except core.BadMove as refusal:
                refusals[agent] = refusal
        if refusals and self.illegal_reward is None:
            raise next(iter(refusals.values()))
        if refusals:
            rewards = [self.illegal_reward or 0.0 if agent in refusals else 0.0 for agent in agents]
        else:
            episode.play({seat: actions[self.possible_agents[seat]] for seat in episode.position.pending})
            rewards = episode.rewards()
        over = bool(refusals) or episode.position.is_over
        self.agents = [] if over else agents
        return (
            self._observations(),
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )


def raw_env(game: str | Game, **setting: Any) -> SeatBySeat:
    """Return an environment that refuses an illegal action with an error and is not changed by it."""
    return SeatBySeat(game, **setting)


def env(game: str | Game, illegal_reward: float | Literal["lowest"] = LOWEST, **setting: Any) -> Any:
    """Return an environment in PettingZoo's usual wrappers.

    An illegal action ends the game with `illegal_reward` for its agent, by default less than any game by the rules
    brings.
    """
    bare = raw_env(game, **setting)
    lowest = illegal_reward_of(bare.setting, illegal_reward)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(bare, illegal_reward=lowest)))


def raw_parallel_env(game: str | Game, **setting: Any) -> AllAtOnce:
    """Return an environment in which all seats act at once, and an illegal action is refused with an error."""
    return AllAtOnce(game, **setting)


def parallel_env(game: str | Game, illegal_reward: float | Literal["lowest"] = LOWEST, **setting: Any) -> AllAtOnce:
    """Return an environment in which all seats act at once, and an illegal action ends the game, as in `env`."""
    return AllAtOnce(game, illegal_reward=illegal_reward, **setting)


@dataclass(frozen=True)
class Named:
    """The environments of one game and version, as PettingZoo's own modules offer them."""

    game: str

    def env(self, **setting: Any) -> Any:
        """Return `env` of the game."""
        return env(self.game, **setting)

    def raw_env(self, **setting: Any) -> SeatBySeat:
        """Return `raw_env` of the game."""
        return raw_env(self.game, **setting)

    def raw_parallel_env(self, **setting: Any) -> AllAtOnce:
        """Return `raw_parallel_env` of the game."""
        return raw_parallel_env(self.game, **setting)

    def parallel_env(self, **setting: Any) -> AllAtOnce:
        """Return `parallel_env` of the game."""
        return parallel_env(self.game, **setting)


def names() -> dict[str, Named]:
    """Return the environments of all installed games by name and version."""
    return {f"{name}_v{VERSION}": Named(name) for name in registry.games()}


def __getattr__(name: str) -> Named:
    """Return the environments of a name such as `lumens_v0`."""
    game, _, version = name.rpartition("_v")
    if version != str(VERSION) or game not in registry.games():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Named(game)
