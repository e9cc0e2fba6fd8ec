"""The functions of the contract (`lampion.games.core`), callable for the state of any game.

Where a game does not give an optional function, a default from here is called that gives the same result.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled, inlined
from lampion.engine.constants import CHANCE
from lampion.engine.dispatch import copy, rule_function
from lampion.engine.rng import below

__all__ = [
    "actor", "apply", "broken_invariant", "chances", "conceal", "copy", "estimate", "estimates", "features",
    "is_listed", "key", "legal", "net_inputs", "pending", "pick", "pick_listed", "playout_move", "score", "seen",
    "setup", "source", "tally",
]  # fmt: skip

setup = rule_function("setup")
pending = rule_function("pending")
actor = rule_function("actor")
legal = rule_function("legal")
chances = rule_function("chances")
source = rule_function("source")
apply = rule_function("apply")
seen = rule_function("seen")
conceal = rule_function("conceal")
tally = rule_function("tally")
key = rule_function("key")
features = rule_function("features")
broken_invariant = rule_function("broken_invariant")


@inlined
def is_listed(ids: Any, n: int, move: int) -> bool:
    """Return whether a move is among the first `n` of an ascending list, as `legal` and `chances` write them."""
    low, high = 0, n
    while low < high:
        middle = (low + high) >> 1
        if ids[middle] < move:
            low = middle + 1
        else:
            high = middle
    return low < n and int(ids[low]) == move


@inlined
def pick_listed(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return a move at random: of chance by its weights, of a seat with equal odds."""
    if seat != CHANCE:
        return int(ids[below(rng, legal(box, state, seat, ids))])
    n = chances(box, state, ids, weights)
    total = 0
    for i in range(n):
        total += int(weights[i])
    left = below(rng, total)
    for i in range(n):
        left -= int(weights[i])
        if left < 0:
            return int(ids[i])
    return -1


@compiled
def score(box: Any, state: Any, seat: int, keys: Any) -> float:
    """Return the points that a seat has now; `keys` is a row to write its key into."""
    key(box, state, seat, keys)
    return float(keys[0])


pick = rule_function("pick", pick_listed)
playout_move = rule_function("playout_move", pick)
estimate = rule_function("estimate", score)


@inlined
def estimate_each(box: Any, state: Any, players: int, keys: Any, out: Any) -> None:
    """Write the estimate of every seat into `out`."""
    for seat in range(players):
        out[seat] = estimate(box, state, seat, keys[seat])


estimates = rule_function("estimates", estimate_each)


@inlined
def features_as_inputs(box: Any, state: Any, seat: int, notes: Any, out: Any) -> None:
    """Write the features of a seat, for a game that names no inputs for its nets."""
    features(box, state, seat, out)


net_inputs = rule_function("net_inputs", features_as_inputs)
