"""What an environment plays: the game, players, options and edition, and what it shows and rewards."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict

import numpy as np

from lampion.games import registry
from lampion.games.core import Game
from lampion.games.editions import Edition, edition, load, standard
from lampion.locale import Problem, written

VERSION = 0
"""The version of all environments; raised when ids, features, net inputs or rewards of a game change."""

RETURNS, SCORE, MARGIN = "returns", "score", "margin"
REWARDS = (RETURNS, SCORE, MARGIN)
"""The share of the victory (all shares add up to 1), the points, or the lead over the best other seat."""

FEATURES, NET_INPUTS = "features", "net_inputs"
OBSERVATIONS = (FEATURES, NET_INPUTS)
"""What a seat is shown: the features of its game, or the numbers that nets are trained on."""

LOWEST: Literal["lowest"] = "lowest"
ILLEGAL_REWARDS = {RETURNS: -1.0, SCORE: -1000.0, MARGIN: -1000.0}
"""The LOWEST reward, for an illegal action: less than any game by the rules brings."""

Components = Mapping[str, Any] | Edition | str | Path | None
"""An edition: its data, an `Edition`, the path of its file, or None for the standard one."""


class Chosen(TypedDict, total=False):
    """What every environment can be given beside the game and the number of players."""

    options: Mapping[str, Any] | None
    components: Components
    reward: str
    observation: str


class BadEnvironment(Problem):
    """An environment that cannot be made, or cannot be used, in this way."""


@dataclass(frozen=True)
class Setting:
    """What every episode of an environment plays."""

    game: Game
    players: int
    options: dict[str, Any]
    edition: Edition
    reward: str
    observation: str

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self.game.features if self.observation == FEATURES else self.game.inputs

    @classmethod
    def read(
        cls,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        components: Components = None,
        reward: str = RETURNS,
        observation: str = FEATURES,
    ) -> Setting:
        """Return a setting from what the user gave, with defaults for the rest; raise a Problem where it is wrong."""
        played = registry.game(game) if isinstance(game, str) else game
        if players is None:
            players = played.players[0]
        elif (number := whole(players)) is not None:
            players = number
        if reward not in REWARDS:
            raise BadEnvironment("error.reward", reward=written(reward), known=", ".join(REWARDS))
        if observation not in OBSERVATIONS:
            known = ", ".join(OBSERVATIONS)
            raise BadEnvironment("error.observation", observation=written(observation), known=known)
        if components is None:
            box = standard(played.name)
        elif isinstance(components, (str, Path)):
            box = load(played, Path(components))
        else:
            box = components if isinstance(components, Edition) else edition(played, components)
        return cls(played, players, played.read_options(players, options), box, reward, observation)


def whole(value: Any) -> int | None:
    """Return a whole number, also of NumPy or in an array of no dimensions, as int; None for anything else."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def illegal_reward_of(setting: Setting, reward: float | Literal["lowest"] | None) -> float | None:
    """Return the reward for an illegal action; LOWEST means less than any game by the rules brings."""
    return ILLEGAL_REWARDS[setting.reward] if reward == LOWEST else reward
