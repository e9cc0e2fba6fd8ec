"""Bots: random, greedy, search, programs of users, and the levels made of them.

A bot is named by a text: `random`, `greedy`, a level (`spark`, `candle`, `lantern`, `lighthouse`, `sun`), `strongest`
(the highest level) or `cmd:PROGRAM`, a program of your own; `name:ms=200` or `name:sims=5000` sets its effort. None of
them is given more than a `Sight`, what its seat knows. See docs/bots.md.

>>> from lampion.bots import named
>>> from lampion.play import Position, Seeded, Sight
>>> position = Position("lumens", players=2)
>>> position.push_chances(Seeded(1))
>>> sight = Sight(position, position.actor)
>>> bot = named("sun:sims=200").sit(sight, seed=1)
>>> bot.choose(sight) in sight.ids
True
"""

from lampion.bots.names import BadBot, named, split_names
from lampion.bots.player import Bot, BotFailed, Maker

__all__ = ["BadBot", "Bot", "BotFailed", "Maker", "named", "split_names"]
