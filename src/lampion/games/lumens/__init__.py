"""Lumens, a placing game: tokens are placed in straight lines from one another and score in the rooms of the board."""

from __future__ import annotations

from lampion.games.assemble import assemble
from lampion.games.core import first_player

GAME = assemble(
    __name__,
    version=1,
    players=range(2, 5),
    options=(first_player(),),
    keys=("points", "central"),
    hidden=True,
    open_score=True,
    simultaneous=False,
    revealing=frozenset({"placed"}),
    search={"exploration": 0.03, "wide_factor": 0.7, "looks": 16, "trust": 3, "horizon": 6},
    net_search={"exploration": 0.03},
    instant=18,
    levels={
        "spark": {"overlooks": 0.9},
        "candle": {"overlooks": 0.75},
        "lantern": {"sims": 6},
        "lighthouse": {"sims": 400},
    },
)
