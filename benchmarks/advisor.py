"""A bot that plays what an analysis would think best: whether its judgment is worth something is seen in play."""

from __future__ import annotations

from dataclasses import dataclass

from lampion.bots.player import Bot
from lampion.engine.rng import new_rng
from lampion.insight.settings import Settings
from lampion.insight.worth import evaluator_for
from lampion.play.sight import Sight


@dataclass(frozen=True)
class Advisor(Bot):
    """Makes bots, and is one: it remembers nothing between two moves."""

    name: str
    settings: Settings

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for this seat."""
        return self

    def choose(self, sight: Sight) -> int:
        """Return the move that is worth most by what the seat knows."""
        if len(sight.ids) == 1:
            return int(sight.ids[0])
        evaluator = evaluator_for(sight.edition, sight.players, self.settings)
        return evaluator.judge(sight.imagined(new_rng()).state, sight.seat).ids[0]
