"""1001 Îles, a drafting game by Antoine Bauza and Bruno Cathala: an island of tiles, and dreams that score it."""

from __future__ import annotations

from lampion.games.assemble import assemble
from lampion.games.core import first_player

GAME = assemble(
    __name__,
    version=1,
    players=range(2, 6),
    options=(first_player(),),
    keys=("points", "brigands"),
    hidden=True,
    open_score=True,
    simultaneous=False,
    revealing=frozenset({"drew", "showed", "turned_up", "put_away"}),
    instant=150,
    levels={
        "spark": {"overlooks": 0.97},
        "candle": {"overlooks": 0.53},
        "lantern": {"sims": 8, "overlooks": 0.35},
        "lighthouse": {"sims": 40},
        "sun": {"doubts": 0.1},
    },
    levels_of_many={
        "candle": {"overlooks": 0.72},
        "lantern": {"sims": 6, "overlooks": 0.56},
        "lighthouse": {"sims": 8, "overlooks": 0.2},
        "sun": {"doubts": 0},
    },
)
