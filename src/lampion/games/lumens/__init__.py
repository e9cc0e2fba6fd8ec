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
    sharpness={2: 1.2, 3: 1.2},
    levels={
        "spark": {"noise": 0.02},
        "candle": {"noise": 0.115},
        "lantern": {"noise": 0.045},
    },
    levels_of_many={"candle": {"noise": 0.065}, "lantern": {"noise": 0.027}, "lighthouse": {"times": 2}},
)
