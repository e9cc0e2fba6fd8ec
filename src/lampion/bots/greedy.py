"""The bot that looks one move ahead and takes the move with the best estimate.

`greedy` ignores what a move leaves to the others. Levels built on it may weigh that, may stand on a learned net, and
misjudge what they see: a little at random, never by more than their `noise`, so that what is plainly bad stays so.
"""

from __future__ import annotations

from dataclasses import dataclass

from lampion.bots import one_step
from lampion.bots.net_files import net_for
from lampion.bots.player import Bot
from lampion.bots.searcher import SearchWorkspace
from lampion.bots.workspace import settings_for
from lampion.engine.arrays import np
from lampion.engine.rng import game_seed
from lampion.play.sight import Sight


class GreedyBot(Bot):
    """A bot that takes the move with the best estimate after it."""

    def __init__(self, maker: Greedy, sight: Sight, seed: int) -> None:
        self.maker, self.seed = maker, seed
        net = net_for(sight, maker.net) if maker.learned else None
        settings = settings_for(sight.game, on_net=net is not None)
        self.workspace = SearchWorkspace(sight, settings, 1, net)

    def choose(self, sight: Sight) -> int:
        self.workspace.look_at(sight, int(game_seed(np.uint64(self.seed), sight.ply, 0)))
        return int(one_step.best_now(self.workspace.arrays, self.maker.noise, int(self.maker.selfish)))


@dataclass(frozen=True)
class Greedy:
    """Makes bots that look one step ahead."""

    name: str = "greedy"
    selfish: bool = True
    """Whether they ignore what a move leaves to the others."""
    noise: float = 0.0
    """By how much they misjudge a move at most, as a share of the victory."""
    learned: bool = False
    """Whether a net judges, where there is one for the table."""
    net: str = ""
    """The file of the net; without one, the net that comes with the game."""

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for this seat."""
        return GreedyBot(self, sight, seed)
