"""One game as learning tools want it: chance is resolved, moves are numbers, and a seat is given what it sees.

An observation is the features of a seat and the mask of its moves, nothing else: what is hidden from a seat changes
neither. The reward comes at the end of the game.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lampion.games import core, registry
from lampion.games.core import CHANCE, Game
from lampion.games.editions import Edition, edition, load, standard
from lampion.locale import Problem, written
from lampion.play.chance import Seeded
from lampion.play.outcome import Outcome
from lampion.play.position import Position

VERSION = 0
"""Of all environments; raised when ids, features or rewards of a game change."""

RETURNS, SCORE, MARGIN = "returns", "score", "margin"
REWARDS = (RETURNS, SCORE, MARGIN)
"""The share of the victory (1 in all), the own points, or how many more than the best of the others."""

LOWEST: Literal["lowest"] = "lowest"
ILLEGAL_REWARDS = {RETURNS: -1.0, SCORE: -1000.0, MARGIN: -1000.0}
"""For an illegal action, unless told otherwise: less than any game brings that is played by the rules."""

Components = Mapping[str, Any] | Edition | str | Path | None
"""An edition: as data, made, the path of its file, or ours."""


class BadEnvironment(Problem):
    """An environment that cannot be made, or cannot be driven, like this."""


@dataclass(frozen=True)
class Setting:
    """What is played in every episode."""

    game: Game
    players: int
    options: dict[str, Any]
    edition: Edition
    reward: str

    @classmethod
    def read(
        cls,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        components: Components = None,
        reward: str = RETURNS,
    ) -> Setting:
        """Check what was asked for and fill in what was not."""
        played = registry.game(game) if isinstance(game, str) else game
        if players is None:
            players = played.players[0]
        elif (number := whole(players)) is not None:
            players = number
        if reward not in REWARDS:
            raise BadEnvironment("error.reward", reward=written(reward), known=", ".join(REWARDS))
        if components is None:
            box = standard(played.name)
        elif isinstance(components, (str, Path)):
            box = load(played, Path(components))
        else:
            box = components if isinstance(components, Edition) else edition(played, components)
        return cls(played, players, played.read_options(players, options), box, reward)


def whole(value: Any) -> int | None:
    """A whole number, NumPy's and an array of no dimensions too; None for anything else."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def rewards(setting: Setting, outcome: Outcome) -> list[float]:
    """Everybody's reward for a finished game."""
    scores = outcome.scores
    if setting.reward == RETURNS:
        return list(outcome.shares)
    if setting.reward == SCORE:
        return [float(score) for score in scores]
    return [float(score - max(scores[:seat] + scores[seat + 1 :])) for seat, score in enumerate(scores)]


class Episode:
    """One game, from the first decision to the end."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self.position = Position(setting.game, setting.players, setting.options, components=setting.edition)
        self.chance = Seeded(seed)
        self.held: dict[int, int] = {}
        """Decisions of a simultaneous step that nobody has seen yet."""
        self.settle()

    def settle(self) -> None:
        """Let chance move until somebody decides or the game is over."""
        while self.position.actor == CHANCE:
            self.position.push_chance_rows(self.chance)

    @property
    def asked(self) -> int:
        """Who is asked next, where seats are asked one by one: of those that owe a decision, the lowest."""
        return next((seat for seat in self.position.pending if seat not in self.held), self.position.actor)

    def answer(self, seat: int, action: Any) -> None:
        """Take one seat's decision. All of a simultaneous step are made together: nobody knows another's before."""
        self.check(seat, action)
        if seat in self.held:
            raise core.OutOfTurn("error.out_of_turn", seat=seat, expected=self.asked)
        self.held[seat] = operator.index(action)
        if len(self.held) == len(self.position.pending):
            moves, self.held = self.held, {}
            self.play(moves)

    def play(self, moves: Mapping[int, Any]) -> None:
        """Make the moves of some pending seats, all of them or none, and let chance answer."""
        for seat, action in moves.items():
            self.check(seat, action)
        for seat, action in moves.items():
            self.position.push_rows(operator.index(action), seat)
        self.settle()

    def check(self, seat: int, action: Any) -> None:
        """Refuse what is no legal move of the seat."""
        position = self.position
        if position.is_over:
            raise core.OutOfTurn("error.over")
        if seat not in position.pending:
            expected = ", ".join(map(str, position.pending))
            raise core.OutOfTurn("error.out_of_turn", seat=seat, expected=expected)
        if not self.is_legal(seat, action):
            raise core.IllegalMove("error.illegal_action", action=written(action), seat=seat)

    def is_legal(self, seat: int, action: Any) -> bool:
        """Whether an action is the number of one of the seat's moves."""
        number = whole(action)
        return number is not None and bool(np.any(self.position.legal_ids(seat) == number))

    def observe(self, seat: int, actions: int) -> dict[str, np.ndarray[Any, Any]]:
        """What a seat is given: its features, and the mask of its moves among that many actions."""
        mask = np.zeros(actions, dtype=np.int8)
        if seat not in self.held:
            mask[self.position.legal_ids(seat)] = 1
        return {"observation": self.position.features(seat), "action_mask": mask}

    def rewards(self) -> list[float]:
        """Everybody's reward: zeros until the game is over."""
        if not self.position.is_over:
            return [0.0] * self.setting.players
        return rewards(self.setting, self.position.count())


class Player:
    """What plays one game after another."""

    _episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The game that is played."""
        if self._episode is None:
            raise BadEnvironment("error.no_reset")
        return self._episode
