"""Bots that fail, each in its own way: they must be importable in the processes that play."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from lampion.bots import Bot, BotFailed
from lampion.play.sight import Sight


class FailingBot(Bot):
    """Plays the first legal move until its hour has come."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.asked = 0

    def choose(self, sight: Sight) -> Any:
        self.asked += 1
        if self.asked < 3:
            return int(sight.ids[0])
        match self.way:
            case "crash":
                raise RuntimeError("no more ideas")
            case "exit":
                sys.exit(1)
            case "give_up":
                raise BotFailed("arena.failed.stalled", seconds=7)
            case "nonsense":
                return "the best move"
            case "illegal":
                return next(id for id in range(sight.game.ids) if id not in sight.ids)
            case "huge":
                return 10**30
        while True:
            try:
                sum(range(1000))
            except Exception:  # even a bot that catches all it can is woken
                continue


@dataclass(frozen=True)
class Failing:
    """Makes bots that fail at their third decision; one that cannot even sit down fails before."""

    name: str

    def sit(self, sight: Sight, seed: int) -> Bot:
        if self.name == "absent":
            raise OSError("the program is not there")
        return FailingBot(self.name)


@dataclass(frozen=True)
class Plain:
    """Makes bots that play the first legal move: the quickest there are."""

    name: str = "plain"

    def sit(self, sight: Sight, seed: int) -> Bot:
        return PlainBot()


class PlainBot(Bot):
    def choose(self, sight: Sight) -> int:
        return int(sight.ids[0])
