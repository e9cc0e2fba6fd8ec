"""Lumens, a placing game: numbered tokens run in straight lines from one another, and light the rooms they end in."""

from __future__ import annotations

from lampion.games.core import Game, first_player
from lampion.games.lumens import components, estimate, features, invariants, rules, words

GAME = Game(
    name="lumens",
    version=1,
    players=range(2, 5),
    options=(first_player(),),
    box=rules.BOX,
    state=rules.STATE,
    rules=(rules, invariants, features, estimate),
    words=words,
    components=components,
    ids=rules.IDS,
    most=rules.MOST,
    rows=rules.ROWS,
    sources=rules.SOURCES,
    longest=rules.LONGEST,
    features=features.FEATURES,
    categories=words.CATEGORIES,
    keys=("points", "central"),
    invariants=invariants.INVARIANTS,
    hidden=True,
    open_score=True,
    simultaneous=False,
    revealing=frozenset({"placed"}),
    search={"exploration": 0.03, "wide_factor": 0.7, "looks": 16, "trust": 3, "horizon": 6},
    levels={
        "spark": {"overlooks": 0.9},
        "candle": {"overlooks": 0.75},
        "lantern": {"sims": 6},
        "lighthouse": {"sims": 400},
    },
)
