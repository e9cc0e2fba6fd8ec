"""Fireflies, a small game of nerve, in a package of its own, and an example of how to write a game.

Everybody draws a firefly in secret, brighter or dimmer, and in turn shows it or lets it go. The brightest one shown
scores, if no other is as bright; whoever let theirs go rests and scores a single point.

A game is a package with these parts, each as short as its subject:

    rules.py             the position as a record, and the rules as plain functions that Numba compiles
    components.toml, components.py    what is in the box, and how it is read and checked
    notation.py          the typed moves, their ids, and how they are written
    events.py            what can happen, and why, with the numbers that the rules write
    view.py              what a viewer sees, and a position set up from it
    text.py, svg.py      the position for a terminal, and as a picture
    en.json, fr.json     its words
    rules.en.md, rules.fr.md    its rules for players, which `lampion rules` and the server show
    __init__.py          its traits, as GAME

and one line in its package's metadata, by which Lampion finds it:

    [project.entry-points."lampion.games"]
    fireflies = "fireflies:GAME"

Then `lampion.testing.check_game("fireflies")` says what is still missing.

In a game of your own: the traits below; `lampion/games/core.py` says what each means.
"""

from __future__ import annotations

from fireflies import components, events, notation, rules, svg, text, view
from lampion.games.core import Game, Option, first_player

GAME = Game(
    name="fireflies",
    version=1,
    players=range(2, 4),
    options=(
        first_player(),
        Option("equal", "nobody", choices=lambda players: rules.EQUALS, code=rules.EQUALS.index),
    ),
    box=rules.BOX,
    state=rules.STATE,
    rules=(rules,),
    notation=notation,
    view=view,
    events=events,
    text=text,
    svg=svg,
    components=components,
    ids=rules.IDS,
    most=1 + rules.LIGHTS,
    rows=4 + rules.SEATS,
    sources=2,
    longest=1 + 2 * rules.SEATS * rules.MOST_NIGHTS,
    features=rules.FEATURES,
    categories=("light", "rest"),
    keys=("points", "light"),
    invariants=rules.INVARIANTS,
    hidden=True,
    simultaneous=False,
    revealing=frozenset({"shown"}),
)
