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
    hesitation=0.01,
    sharpness={3: 0.8, 4: 0.8, 5: 0.8},
    instant=150,
    levels={
        "spark": {"noise": 0.4},
        "candle": {"noise": 0.225},
        "lantern": {"noise": 0.11},
        "lighthouse": {"times": 0, "noise": 0.045},
        "sun": {"times": 20, "doubts": 0.1, "naive": 0.3},
    },
    levels_of_many={
        "spark": {"noise": 0.2},
        "candle": {"noise": 0.1},
        "lantern": {"noise": 0.05},
        "lighthouse": {"noise": 0.01},
        "sun": {"doubts": 0, "naive": 0},
    },
)
