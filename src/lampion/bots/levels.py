"""Five levels of bots, from beginner to expert, on the net of a game where there is one for the table.

Every level considers every move. The lower ones look one step ahead and misjudge what they see, by no
more than their `noise`, as people do who know the game less; the lowest sees its own gain alone. The fourth searches a
little, the fifth as much as a person will wait for. A game may set its levels otherwise (`Game.levels`), also by
whether more than two play, so that each beats the one below it clearly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lampion.bots.greedy import Greedy
from lampion.bots.player import Bot, Maker
from lampion.bots.searcher import Search
from lampion.games.core import Game
from lampion.play.sight import Sight

LEVELS: dict[str, Mapping[str, float]] = {
    "spark": {"noise": 0.03, "selfish": 1},
    "candle": {"noise": 0.12, "selfish": 0},
    "lantern": {"noise": 0.05, "selfish": 0},
    "lighthouse": {"times": 1, "sims": 100},
    "sun": {"times": 100, "sims": 20_000},
}
"""From the weakest to the strongest: one step ahead with `noise`, or a search of `times` the effort of `learned`.

A search without a net makes `sims` simulations. Where `times` is 0, a level that could search looks one step ahead. All
else are settings of the search.
"""
STRONGEST = list(LEVELS)[-1]
INSTANT_MS = 5
"""About what one effort of `learned` takes."""
SIMULATIONS_PER_MS = 30
"""About what a search without a net makes; most machines make more."""


@dataclass(frozen=True)
class Level:
    """Makes bots of a level; a level that searches can be given another effort."""

    level: str
    name: str
    effort: Search | None = None
    net: str = ""
    """The file of another net."""

    @property
    def searches(self) -> bool:
        """Whether the level searches, so that its effort can be set."""
        return "sims" in LEVELS[self.level]

    @property
    def stands_on_net(self) -> bool:
        """Whether a net judges, where there is one; the lowest level sees its own gain alone."""
        return not LEVELS[self.level].get("selfish")

    def set(self, name: str, effort: Search | None, net: str = "") -> Level:
        """Return the level with another effort or another net, which its name includes."""
        return replace(self, name=name, effort=effort, net=net)

    def numbers(self, game: Game, players: int) -> dict[str, float]:
        """Return what makes the level in a game with this number of players."""
        of_many = game.levels_of_many.get(self.level, {}) if players > 2 else {}
        return {**LEVELS[self.level], **game.levels.get(self.level, {}), **of_many}

    def milliseconds(self, game: Game, players: int) -> float:
        """Return about how long a move takes at most."""
        numbers = self.numbers(game, players)
        return max(INSTANT_MS * numbers["times"], numbers["sims"] / SIMULATIONS_PER_MS) if numbers.get("times") else 0

    def maker(self, game: Game, players: int) -> Maker:
        """Return the maker of the level for a game with this number of players.

        A simulation on a net judges for every player, so the more play, the fewer are made.
        """
        numbers = self.numbers(game, players)
        if not self.effort and not numbers.get("times"):
            return Greedy(
                self.name, bool(numbers.get("selfish")), numbers.get("noise", 0.0), learned=True, net=self.net
            )
        on_net = max(1, round(numbers["times"] * game.instant * 2 / players))
        effort = self.effort or Search(sims=int(numbers["sims"]), sims_on_net=on_net)
        return replace(effort, name=self.name, settings=tuple(numbers.items()), learned=True, net=self.net)

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for the seat of a sight."""
        return self.maker(sight.game, sight.players).sit(sight, seed)
