"""Places, the tiny game that boardgame.io plays in the benchmark: in turn, each of two claims one of nine places."""

from __future__ import annotations

from lampion.games.core import Game
from places import components, rules, words

GAME = Game(
    name="places",
    version=1,
    players=range(2, 3),
    options=(),
    box=rules.BOX,
    state=rules.STATE,
    rules=(rules,),
    notation=words,
    view=words,
    events=words,
    text=words,
    svg=words,
    components=components,
    ids=rules.PLACES,
    most=rules.PLACES,
    rows=2,
    sources=1,
    longest=rules.MOST_TURNS,
    features=rules.PLACES,
    categories=("places",),
    keys=("places",),
    invariants=("turns",),
    hidden=False,
    simultaneous=False,
)
