"""The bot that plays any legal move, all equally likely."""

from __future__ import annotations

from dataclasses import dataclass

from lampion.bots.player import Bot
from lampion.engine.rng import below, new_rng
from lampion.play.sight import Sight


class RandomBot(Bot):
    """A bot that plays any legal move."""

    def __init__(self, seed: int) -> None:
        self.rng = new_rng(seed)

    def choose(self, sight: Sight) -> int:
        ids = sight.ids
        return int(ids[below(self.rng, len(ids))])


@dataclass(frozen=True)
class Random:
    """Makes random bots."""

    name: str = "random"

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for the seat of a sight."""
        return RandomBot(seed)
