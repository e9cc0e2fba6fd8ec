"""The bot that looks one move ahead and takes what leaves it best, by the game's own estimate of its position.

What a move leaves to the others it does not weigh. The levels built on it may (`selfish`), and may overlook moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lampion.bots import search
from lampion.bots.player import Bot
from lampion.bots.searcher import Desk, settings_for
from lampion.engine.rng import game_seed
from lampion.play.sight import Sight


class GreedyBot(Bot):
    """Takes the best move at sight."""

    def __init__(self, maker: Greedy, sight: Sight, seed: int) -> None:
        self.maker, self.seed = maker, seed
        self.desk = Desk(sight, settings_for(sight.game), 1)

    def choose(self, sight: Sight) -> int:
        desk = self.desk
        desk.look_at(sight, int(game_seed(np.uint64(self.seed), sight.ply, 0)))
        found = search.best_now(
            desk.edition.boxes, desk.states, desk.settings, desk.players, desk.seat, self.maker.overlooks,
            int(self.maker.selfish), desk.rng, desk.ids, desk.log, desk.rewards, desk.keys,
        )  # fmt: skip
        return int(found)


@dataclass(frozen=True)
class Greedy:
    """Makes greedy bots. `overlooks`: the part of the moves they do not see; `selfish`: they forget the others."""

    name: str = "greedy"
    overlooks: float = 0.0
    selfish: bool = True

    def sit(self, sight: Sight, seed: int) -> Bot:
        """A bot for this seat."""
        return GreedyBot(self, sight, seed)
