"""The bot that every other is measured against, for ever: the strongest level of the year before nets.

Its settings are written out here and never follow those of the games. `tests/bots/test_yardstick.py` holds some of its
moves: whoever changes the search by the game's estimate, an estimate or a playout, and sees that test fail, keeps the
old code beside this file and lets the yardstick run on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lampion.bots.player import Bot
from lampion.bots.searcher import Search
from lampion.play.sight import Sight

SIMULATIONS = 20_000
COMMON = {
    "exploration": 0.5, "wide_factor": 1.5, "looks": 6, "hunches": 0, "trust": 2, "guided": 1,
    "horizon": -1, "points": 0.2, "scale": 8, "doubts": 0, "naive": 0, "overlooks": 0,
}  # fmt: skip
BY_GAME: dict[str, dict[str, float]] = {
    "lanternes": {
        "exploration": 0.1, "wide_factor": 0.5, "looks": 4, "hunches": 2, "trust": 20, "horizon": 30, "points": 0.3,
    },
    "dice": {"exploration": 0.08, "horizon": 30, "scale": 4, "trust": 15},
    "lumens": {"exploration": 0.03, "wide_factor": 0.7, "looks": 16, "trust": 3, "horizon": 6},
    "iles": {},
}  # fmt: skip
OF_TWO: dict[str, dict[str, float]] = {"iles": {"doubts": 0.1}}


@dataclass(frozen=True)
class Yardstick:
    """Makes the yardstick; `effort` replaces its 20,000 simulations."""

    name: str = "yardstick"
    effort: Search | None = None

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for this seat."""
        game = sight.game.name
        settings = {**COMMON, **BY_GAME[game], **(OF_TWO.get(game, {}) if sight.players == 2 else {})}
        effort = self.effort or Search(sims=SIMULATIONS)
        return replace(effort, name=self.name, settings=tuple(settings.items())).sit(sight, seed)
