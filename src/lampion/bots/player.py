"""The interface of bots: a bot plays one seat of one game."""

from __future__ import annotations

from typing import Protocol

from lampion.engine.arrays import np
from lampion.engine.rng import game_seed
from lampion.locale import Problem
from lampion.play.outcome import Outcome
from lampion.play.sight import Sight

BOTS = 2
"""The part of a game's seed that its bots draw from."""


class BotFailed(Problem):
    """A bot that cannot go on: it crashed, stalled or returned no legal move. The game is lost for its seat."""


class Bot:
    """Plays one seat of one game from what the seat knows."""

    def choose(self, sight: Sight) -> int:
        """Return the id of one of the seat's moves; called when the seat owes a decision."""
        raise NotImplementedError

    def end(self, outcome: Outcome | None) -> None:
        """Handle the end of the game; the outcome is None where the game was aborted."""


class Maker(Protocol):
    """A kind of bot with its settings, which makes bots; it can be pickled for another process."""

    @property
    def name(self) -> str:
        """The name as it is written on a command line."""

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for the seat of a sight; its random draws follow from the seed."""


def seat_seed(seed: int, seat: int) -> int:
    """Return the seed of the bot at a seat in a game with this seed."""
    return int(game_seed(np.uint64(seed), seat, BOTS))
