"""Lanternes, a tile-laying game by Christopher Chung: tiles on a lake, lantern cards for everybody who faces them."""

from __future__ import annotations

from lampion.games.assemble import assemble
from lampion.games.core import Option, first_player
from lampion.games.lanternes.state import DISTRIBUTIONS

GAME = assemble(
    __name__,
    version=1,
    players=range(2, 5),
    options=(
        first_player(),
        Option("distribution", "first", choices=lambda players: DISTRIBUTIONS, code=DISTRIBUTIONS.index),
    ),
    keys=("points", "boats", "cards"),
    hidden=True,
    open_score=True,
    simultaneous=False,
    revealing=frozenset({"placed"}),
    search={
        "exploration": 0.1,
        "wide_factor": 0.5,
        "looks": 4,
        "hunches": 2,
        "trust": 20,
        "horizon": 30,
        "points": 0.3,
    },
    net_search={"exploration": 0.3, "trust": 10},
    instant=10,
    levels={
        "spark": {"noise": 0.015},
        "candle": {"noise": 0.125},
    },
    levels_of_many={"spark": {"noise": 0.02}, "candle": {"noise": 0.11}, "lantern": {"noise": 0.055}},
)
