"""Lumens, a placing game: tokens are placed in straight lines from one another and score in the rooms of the board."""

from __future__ import annotations

from lampion.games.core import Game, first_player
from lampion.games.lumens import (
    components,
    estimate,
    events,
    features,
    invariants,
    knowledge,
    notation,
    rules,
    scoring,
    state,
    svg,
    text,
    view,
)

GAME = Game(
    name="lumens",
    version=1,
    players=range(2, 5),
    options=(first_player(),),
    box=state.BOX,
    state=state.STATE,
    rules=(rules, knowledge, scoring, invariants, features, estimate),
    notation=notation,
    view=view,
    events=events,
    text=text,
    svg=svg,
    components=components,
    ids=state.IDS,
    most=state.MOST,
    rows=state.ROWS,
    sources=state.SOURCES,
    longest=state.LONGEST,
    features=features.FEATURES,
    categories=scoring.CATEGORIES,
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
