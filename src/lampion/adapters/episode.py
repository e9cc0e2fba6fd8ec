"""One game for learning tools: chance is resolved, moves are numbers, and a seat is given only what it sees.

An observation is the features of a seat, or what its nets are given, and the mask of its moves, nothing else: what is
hidden from a seat changes neither. The reward comes at the end of the game.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from lampion.adapters.setting import FEATURES, RETURNS, SCORE, BadEnvironment, Setting, whole
from lampion.games import core
from lampion.games.core import CHANCE
from lampion.locale import written
from lampion.play.chance import Seeded
from lampion.play.outcome import Outcome
from lampion.play.position import Position


def rewards(setting: Setting, outcome: Outcome) -> list[float]:
    """Return the reward of every seat for a finished game."""
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
        """By seat, the decisions of a simultaneous step that is not complete."""
        self.settle()

    def settle(self) -> None:
        """Make moves of chance until a seat decides or the game is over."""
        while self.position.actor == CHANCE:
            self.position.push_chance_rows(self.chance)

    @property
    def asked(self) -> int:
        """The seat that is asked next, where seats are asked one by one: the lowest that owes a decision."""
        return next((seat for seat in self.position.pending if seat not in self.held), self.position.actor)

    def answer(self, seat: int, action: Any) -> None:
        """Take the decision of one seat; make the moves of a simultaneous step when all its decisions are taken."""
        self.check(seat, action)
        if seat in self.held:
            raise core.OutOfTurn("error.out_of_turn", seat=seat, expected=self.asked)
        self.held[seat] = operator.index(action)
        if len(self.held) == len(self.position.pending):
            moves, self.held = self.held, {}
            self.play(moves)

    def play(self, moves: Mapping[int, Any]) -> None:
        """Make the moves of some pending seats, all of them or none, and then those of chance."""
        for seat, action in moves.items():
            self.check(seat, action)
        for seat, action in moves.items():
            self.position.push_rows(operator.index(action), seat)
        self.settle()

    def check(self, seat: int, action: Any) -> None:
        """Raise OutOfTurn or IllegalMove where an action is not a legal move of the seat."""
        position = self.position
        if position.is_over:
            raise core.OutOfTurn("error.over")
        if seat not in position.pending:
            expected = ", ".join(map(str, position.pending))
            raise core.OutOfTurn("error.out_of_turn", seat=seat, expected=expected)
        if not self.is_legal(seat, action):
            raise core.IllegalMove("error.illegal_action", action=written(action), seat=seat)

    def is_legal(self, seat: int, action: Any) -> bool:
        """Return whether an action is the id of one of the seat's moves."""
        number = whole(action)
        return number is not None and bool(np.any(self.position.legal_ids(seat) == number))

    def observe(self, seat: int, actions: int) -> dict[str, np.ndarray[Any, Any]]:
        """Return what a seat is given: numbers of what it sees, and a mask of length `actions` of its moves."""
        mask = np.zeros(actions, dtype=np.int8)
        if seat not in self.held:
            mask[self.position.legal_ids(seat)] = 1
        numbers = self.position.features if self.setting.observation == FEATURES else self.position.net_inputs
        return {"observation": numbers(seat), "action_mask": mask}

    def rewards(self) -> list[float]:
        """Return the reward of every seat: zeros until the game is over."""
        if not self.position.is_over:
            return [0.0] * self.setting.players
        return rewards(self.setting, self.position.count())


class Player:
    """Base of environments, which play one episode after another."""

    _episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The current episode; raise BadEnvironment before the first reset."""
        if self._episode is None:
            raise BadEnvironment("error.no_reset")
        return self._episode
