"""1001 Îles, a drafting game by Antoine Bauza and Bruno Cathala: an island of tiles, and dreams that score it."""

from __future__ import annotations

from lampion.games.core import Game, first_player
from lampion.games.iles import (
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
    name="iles",
    version=1,
    players=range(2, 6),
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
    keys=("points", "brigands"),
    invariants=invariants.INVARIANTS,
    hidden=True,
    open_score=True,
    simultaneous=False,
    revealing=frozenset({"drew", "showed", "turned_up", "put_away"}),
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
