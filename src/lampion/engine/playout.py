"""Draw chance from a seeded stream, and play a position to its end."""

from __future__ import annotations

from typing import Any

from lampion.engine import rules
from lampion.engine.arrays import np
from lampion.engine.compile import compiled, inlined
from lampion.engine.constants import CHANCE, OVER
from lampion.engine.rng import below, name_draw

ALWAYS = 1 << 20
"""The chance of what always happens: chances are whole parts of it."""
TO_THE_END = -1
"""The horizon of a playout that is not cut."""


@inlined
def draw_chance(box: Any, state: Any, stream: np.uint64, drawn: Any, rng: Any, ids: Any, weights: Any) -> int:
    """Return the chance move that a seeded stream draws in `state`; `drawn` counts the draws by source."""
    source = rules.source(box, state)
    name_draw(rng, stream, source, int(drawn[source]))
    drawn[source] += 1
    return int(rules.pick(box, state, CHANCE, rng, ids, weights))


@compiled
def play_out(
    box: Any, state: Any, horizon: int, guided: int, rng: Any, ids: Any, weights: Any, log: Any
) -> None:  # fmt: skip
    """Play `state` on for `horizon` moves or TO_THE_END.

    A seat's move is the game's `playout_move` with a chance of `guided` / ALWAYS, else any legal one.
    """
    left = horizon
    actor = int(rules.actor(box, state))
    while actor != OVER and left != 0:
        if actor != CHANCE and (guided == ALWAYS or (guided and below(rng, ALWAYS) < guided)):
            move = int(rules.playout_move(box, state, actor, rng, ids, weights))
        else:
            move = int(rules.pick(box, state, actor, rng, ids, weights))
        rules.apply(box, state, actor, move, log)
        left -= 1
        actor = int(rules.actor(box, state))
