"""What a bot is: somebody who sits down at one seat of one game and is asked for moves."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from lampion.engine.rng import game_seed
from lampion.locale import Problem
from lampion.play.outcome import Outcome
from lampion.play.sight import Sight

BOTS = 2
"""The part of a game's seed that its bots draw from."""


class BotFailed(Problem):
    """A bot that cannot go on: it crashed, stalled or answered nonsense. The game is lost for its seat."""


class Bot:
    """Plays one seat of one game from what the seat knows."""

    def choose(self, sight: Sight) -> int:
        """The id of one of the seat's moves, when it owes a decision."""
        raise NotImplementedError

    def end(self, outcome: Outcome | None) -> None:
        """The game has ended (None: it was broken off)."""


class Maker(Protocol):
    """A kind of bot, set and ready: it can be sent to another process and makes a bot a seat."""

    @property
    def name(self) -> str:
        """As it is written on a command line."""

    def sit(self, sight: Sight, seed: int) -> Bot:
        """A bot for the seat of this sight; what it draws at random follows from the seed."""


def seat_seed(seed: int, seat: int) -> int:
    """The seed of the bot at a seat, in a game with this seed."""
    return int(game_seed(np.uint64(seed), seat, BOTS))
