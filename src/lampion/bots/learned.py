"""The bot that stands on a learned net and answers at once: a short search on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lampion.bots.player import Bot
from lampion.bots.searcher import Search, SearchBot
from lampion.play.sight import Sight


@dataclass(frozen=True)
class Learned:
    """Makes bots on the net of a game; without an effort they take the few milliseconds that the game says.

    Where a table has no net, as with components of one's own, the game's estimate judges.
    """

    name: str = "learned"
    effort: Search | None = None
    net: str = ""
    """The file of another net."""

    searches = stands_on_net = True

    def set(self, name: str, effort: Search | None, net: str = "") -> Learned:
        """Return the bot with another effort or another net, which its name includes."""
        return replace(self, name=name, effort=effort, net=net)

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for this seat."""
        effort = self.effort or Search(sims=sight.game.instant)
        return SearchBot(replace(effort, name=self.name, learned=True, net=self.net), sight, seed)
