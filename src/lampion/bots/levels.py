"""Five levels of bots, from beginner to expert.

The lower ones make mistakes as people do: they overlook moves, consider only their own gain, think one step ahead. The
higher ones search, each with more simulations. A game may set its levels otherwise (`Game.levels`), also by whether
more than two play, so that each beats the one below it clearly.
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
    "spark": {"overlooks": 0.8, "selfish": 1},
    "candle": {"overlooks": 0.2, "selfish": 0},
    "lantern": {"sims": 300},
    "lighthouse": {"sims": 2_000},
    "sun": {"sims": 20_000},
}
"""From the weakest to the strongest: `sims` simulations a move, or one step ahead; all else are settings of these."""
STRONGEST = list(LEVELS)[-1]


@dataclass(frozen=True)
class Level:
    """Makes bots of a level; a level that searches can be given another effort."""

    level: str
    name: str
    effort: Search | None = None

    @property
    def searches(self) -> bool:
        """Whether the level searches, so that its effort can be set."""
        return "sims" in LEVELS[self.level]

    def set(self, name: str, effort: Search) -> Level:
        """Return the level with another effort, which its name includes."""
        return replace(self, name=name, effort=effort)

    def maker(self, game: Game, players: int) -> Maker:
        """Return the maker of the level for a game with this number of players."""
        numbers = {**LEVELS[self.level], **game.levels.get(self.level, {})}
        if players > 2:
            numbers |= game.levels_of_many.get(self.level, {})
        if not self.searches:
            return Greedy(self.name, numbers["overlooks"], bool(numbers["selfish"]))
        sims = int(numbers.pop("sims"))
        return replace(self.effort or Search(sims=sims), name=self.name, settings=tuple(numbers.items()))

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for the seat of a sight."""
        return self.maker(sight.game, sight.players).sit(sight, seed)
