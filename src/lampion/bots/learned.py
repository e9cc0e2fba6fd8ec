"""Bots that stand on a learned net and answer at once: one step ahead, or between the best moves by short rollouts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lampion.bots import rollouts, search
from lampion.bots.net_files import net_for
from lampion.bots.player import Bot
from lampion.bots.searcher import SearchWorkspace
from lampion.bots.values import POINTS
from lampion.bots.workspace import settings_for
from lampion.engine.rng import game_seed
from lampion.play.sight import Sight


class LearnedBot(Bot):
    """A bot that ranks its moves by a net, and follows the best of them a little way."""

    def __init__(self, maker: Learned, sight: Sight, seed: int) -> None:
        self.maker, self.seed = maker, seed
        net = net_for(sight, maker.path)
        settings = settings_for(sight.game, {"points": POINTS} if net else {})
        self.workspace = SearchWorkspace(sight, settings, 1, net)
        self.moves = np.zeros(maker.wide, dtype=np.int64)
        self.sums = np.zeros(maker.wide, dtype=np.float64)
        self.priors = np.zeros(maker.wide, dtype=np.float64)

    def choose(self, sight: Sight) -> int:
        ids = sight.ids
        if len(ids) == 1:
            return int(ids[0])
        maker, work = self.maker, self.workspace.arrays
        self.workspace.look_at(sight, int(game_seed(np.uint64(self.seed), sight.ply, 0)))
        if maker.times == 0:
            return int(search.best_now(work, 0.0, 0))
        count = int(rollouts.candidates(work, self.moves, self.priors, maker.gap))
        best = rollouts.best_by_rollouts(
            work, self.moves, count, maker.turns, maker.times, maker.trust, self.sums, self.priors
        )
        return int(best)


@dataclass(frozen=True)
class Learned:
    """Makes bots on a net: `times` rollouts of each of the `wide` best moves, `turns` own decisions deep; 0: none."""

    name: str = "learned"
    path: str = ""
    times: int = 2
    wide: int = 8
    turns: int = 0
    gap: float = 0.05
    trust: float = 2.0

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for this seat."""
        return LearnedBot(self, sight, seed)
