"""The bot that looks one move ahead and takes the move with the best estimate.

It ignores what a move leaves to the others. Levels built on it may weigh that (`selfish`), and may overlook moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lampion.bots import search
from lampion.bots.player import Bot
from lampion.bots.searcher import SearchWorkspace
from lampion.bots.workspace import settings_for
from lampion.engine.rng import game_seed
from lampion.play.sight import Sight


class GreedyBot(Bot):
    """A bot that takes the move with the best estimate after it."""

    def __init__(self, maker: Greedy, sight: Sight, seed: int) -> None:
        self.maker, self.seed = maker, seed
        self.workspace = SearchWorkspace(sight, settings_for(sight.game), 1)

    def choose(self, sight: Sight) -> int:
        self.workspace.look_at(sight, int(game_seed(np.uint64(self.seed), sight.ply, 0)))
        return int(search.best_now(self.workspace.arrays, self.maker.overlooks, int(self.maker.selfish)))


@dataclass(frozen=True)
class Greedy:
    """Makes greedy bots. `overlooks`: the part of the moves they do not see; `selfish`: they forget the others."""

    name: str = "greedy"
    overlooks: float = 0.0
    selfish: bool = True

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for this seat."""
        return GreedyBot(self, sight, seed)
