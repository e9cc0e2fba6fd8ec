"""Decide between the best moves by short rollouts: everybody plays on by the net, and its value stands at the end.

The net ranks all moves one step ahead. The few best are followed in the same drawn worlds with the same chance, so that
luck does not decide between them, and the worse half is dropped again and again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.bots.search import GIVEN, NONE, TRIAL, WORLD, hope
from lampion.engine import rules
from lampion.engine.compile import compiled
from lampion.engine.constants import CHANCE, OVER
from lampion.engine.rng import mixed


@compiled
def best_of(work: Any, state: Any, seat: int) -> int:
    """Return the move of a seat that the net likes most one step ahead; write to `promises` what each promises."""
    box, trial, ids = work.boxes[0], work.states[TRIAL], work.ids
    n = int(rules.legal(box, state, seat, ids))
    best, most = 0, -1.0
    if n > 1:
        for i in range(n):
            rules.copy(trial, state)
            rules.apply(box, trial, seat, int(ids[i]), work.log)
            work.promises[i] = hope(work, work.net, trial, seat)
            if work.promises[i] > most:
                best, most = i, float(work.promises[i])
    return int(ids[best])


@compiled
def candidates(work: Any, moves: Any, priors: Any, gap: float) -> int:
    """Write the best moves of the viewer with what they promise, best first; return how many there are.

    A move that promises `gap` less than the best is none.
    """
    best_of(work, work.states[GIVEN], work.viewer)
    n = int(rules.legal(work.boxes[0], work.states[GIVEN], work.viewer, work.ids))
    if n == 1:
        moves[0] = work.ids[0]
        return 1
    found = 0
    while found < min(n, len(moves)):
        best = 0
        for i in range(n):
            if work.promises[i] > work.promises[best]:
                best = i
        if found > 0 and work.promises[best] < priors[0] - gap:
            break
        moves[found] = work.ids[best]
        priors[found] = work.promises[best]
        work.promises[best] = -1.0
        found += 1
    return found


@compiled
def follow(work: Any, move: int, turns: int) -> float:
    """Play a move in a drawn world and play on by the net until the viewer has made `turns` more decisions.

    Return what the position then is worth to the viewer. Its own next decision ends it only after another's.
    """
    box, world, viewer = work.boxes[0], work.states[WORLD], work.viewer
    rules.copy(world, work.states[GIVEN])
    rules.conceal(box, world, viewer, work.rng)
    rules.apply(box, world, viewer, move, work.log)
    own, others = 0, 0
    actor = int(rules.actor(box, world))
    while actor != OVER:
        if actor == CHANCE:
            chosen = int(rules.pick(box, world, CHANCE, work.rng, work.ids, work.weights))
        else:
            if int(rules.legal(box, world, actor, work.ids)) > 1:
                if actor == viewer:
                    if own >= turns and others > 0:
                        break
                    own += 1
                else:
                    others += 1
            chosen = best_of(work, world, actor)
        rules.apply(box, world, actor, chosen, work.log)
        actor = int(rules.actor(box, world))
    return hope(work, work.net, world, viewer)


@compiled
def roll(work: Any, moves: Any, k: int, turns: int, times: int, sums: Any) -> None:
    """Follow each of the first `k` moves `times` times, in worlds common to all, and add what they led to."""
    for _ in range(times):
        seed = work.rng[0]
        for i in range(k):
            work.rng[0] = seed
            sums[i] += follow(work, int(moves[i]), turns)
        work.rng[0] = mixed(seed + np.uint64(1))


@compiled
def best_by_rollouts(
    work: Any, moves: Any, k: int, turns: int, times: int, trust: float, sums: Any, priors: Any
) -> int:
    """Return the best of `k` moves: `times` rollouts of each, then the worse half is dropped, and again."""
    for i in range(k):
        sums[i] = trust * priors[i]
    while k > 1:
        roll(work, moves, k, turns, times, sums)
        for i in range(1, k):  # the best first, stable
            j = i
            while j > 0 and sums[j] > sums[j - 1]:
                sums[j], sums[j - 1] = sums[j - 1], sums[j]
                moves[j], moves[j - 1] = moves[j - 1], moves[j]
                j -= 1
        k = (k + 1) >> 1
        times *= 2
    return int(moves[0]) if k else NONE
