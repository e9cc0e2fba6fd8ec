"""Self-play on threads: the arrays of each, and the pool that runs them."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from lampion.bots.search import Workspace
from lampion.bots.workspace import new_workspace, settings_for
from lampion.engine.network import ANSWERS, Net
from lampion.games.editions import Edition
from lampion.learning import matches, selfplay

CHUNK = 32
"""Games that one thread plays in a piece."""
DEALS = 8
"""Deals of a match that one thread plays in a piece."""


def workspace(edition: Edition, players: int, net: Net) -> Workspace:
    """Return the arrays to play games in by a net."""
    return new_workspace(edition, players, 0, settings_for(edition.game, on_net=True), 1, net)


@dataclass(frozen=True)
class Samples:
    """The training samples of a piece of self-play."""

    inputs: Any
    targets: Any
    games: int


@dataclass(frozen=True)
class SelfPlay:
    """Plays games on threads; the samples depend on their numbers and on the net alone, not on the threads."""

    edition: Edition
    seed: int
    pool: ThreadPoolExecutor

    def options(self, players: int) -> np.ndarray[Any, Any]:
        """Return the usual options as the rules read them."""
        return self.edition.game.code_options(self.edition.game.read_options(players))

    def play(self, net: Net, players: int, first: int, plan: np.ndarray[Any, Any]) -> Samples:
        """Play one piece of games from number `first` on."""
        game = self.edition.game
        work = workspace(self.edition, players, net)
        room = int(CHUNK * game.longest * players * float(plan["keep"][0])) + 100
        inputs = np.zeros((room, game.inputs), dtype=np.float32)
        targets = np.zeros((room, ANSWERS), dtype=np.float32)
        episode = selfplay.new_episode(game, players)
        rows = selfplay.play_games(
            work, self.options(players), plan, game.new_states(1), episode, self.seed, first, CHUNK, inputs, targets
        )
        return Samples(inputs[:rows].astype(np.float16), targets[:rows], CHUNK)

    def begin(
        self, net: Net, numbers: list[int], first: int, pieces: int, plan: np.ndarray[Any, Any]
    ) -> list[Future[Samples]]:
        """Start the pieces of a round, the numbers of players in turn."""
        return [
            self.pool.submit(self.play, net, numbers[piece % len(numbers)], first + piece * CHUNK, plan.copy())
            for piece in range(pieces)
        ]

    def share(self, net: Net, players: int, deals: int, *, selfish: bool, seed: int = 77) -> tuple[float, float]:
        """Return the net's share of the victories, one step ahead, against `greedy`, and half of its 95 % interval.

        An opponent that is not selfish weighs what it leaves to the others.
        """

        def some(first: int) -> Any:
            work = workspace(self.edition, players, net)
            other = work._replace(settings=settings_for(self.edition.game))
            shares = np.zeros(min(DEALS, deals - first))
            drawn = np.zeros(self.edition.game.sources, dtype=np.int64)
            empty = self.edition.game.new_states(1)
            matches.play_deals(work, other, int(selfish), self.options(players), empty, drawn, seed, first, shares)
            return shares

        shares = np.concatenate(list(self.pool.map(some, range(0, deals, DEALS))))
        return float(shares.mean()), 1.96 * float(shares.std()) / len(shares) ** 0.5
