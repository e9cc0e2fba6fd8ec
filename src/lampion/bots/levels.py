"""Five levels for everybody, from a child's first opponent to one that an expert respects.

The lower ones err as people do: they overlook moves, see only their own gain, think one step ahead. The higher ones
search, further each.
"""

from __future__ import annotations

from lampion.bots.greedy import Greedy
from lampion.bots.player import Maker
from lampion.bots.searcher import Search

LEVELS: dict[str, Maker] = {
    "spark": Greedy("spark", overlooks=0.8, selfish=True),
    "candle": Greedy("candle", overlooks=0.2),
    "lantern": Search("lantern", sims=300),
    "lighthouse": Search("lighthouse", sims=2_000),
    "sun": Search("sun", sims=20_000),
}
STRONGEST = "sun"
