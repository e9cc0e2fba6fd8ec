"""Compare the moves of a seat, compiled: each is followed in the same drawn worlds with the same draws to come.

Everybody plays on by the net; it goes on until the seat has decided once more after somebody else did. Everybody's
chances are read right after that decision: a net knows such positions best, and a move is worth what its seat can make
of it.
"""

from __future__ import annotations

from typing import Any

from lampion.bots.net_values import mixed
from lampion.engine import rules
from lampion.engine.arrays import np
from lampion.engine.compile import compiled, entry
from lampion.engine.constants import CHANCE, OVER
from lampion.engine.network import MARGIN
from lampion.engine.playout import ALWAYS, draw_chance
from lampion.engine.portable_math import log
from lampion.engine.rng import below
from lampion.insight.estimate import (
    GIVEN,
    TRIAL,
    WORLD,
    actor_of,
    judge_all,
    list_moves,
    make_move,
    promise_moves,
    world_seed,
    worth_to,
)

# What `tallies` hold of a followed move.
TIMES, WORTH, WORTH_SQUARED, MORE, MORE_SQUARED = range(5)
TALLIES = 5


@compiled
def reply(work: Any, state: Any, seat: int, looks: int) -> int:
    """Return the move of a seat that its net likes most: of all, or where they are many of `looks`.

    Half of these come from `playout_move`, half are drawn. Each is judged with a small random error of the scale of
    `hesitation`, since a player may choose any of several moves of about the same worth.
    """
    box, trial, ids, rng = work.boxes[0], work.states[TRIAL], work.ids, work.rng
    n = list_moves(work, state, seat)
    best, most = int(ids[0]), -1e30
    if n == 1:
        return best
    tries = n if n <= 2 * looks else looks
    for i in range(tries):
        if n == tries:
            move = int(ids[i])
        elif 2 * i < looks:
            move = int(rules.playout_move(box, state, seat, rng, work.spare, work.weights))
        else:
            move = int(ids[below(rng, n)])
        rules.copy(trial, state)
        make_move(work, trial, seat, move)
        found = worth_to(work, work.net, trial, seat)
        if work.hesitation > 0.0:
            found -= work.hesitation * log(-log((below(rng, ALWAYS) + 0.5) / ALWAYS))
        if found > most:
            best, most = move, found
    return best


@compiled
def follow(work: Any, viewer: int, move: int, seed: np.uint64, looks: int) -> None:
    """Play a move of the viewer in a drawn world and play on; write everybody's chances and margins where it ends."""
    box, world = work.boxes[0], work.states[WORLD]
    work.rng[0] = seed
    rules.copy(world, work.states[GIVEN])
    rules.conceal(box, world, viewer, work.rng)
    make_move(work, world, viewer, move)
    for source in range(len(work.drawn)):
        work.drawn[source] = 0
    others, ends = 0, False
    actor = actor_of(work, world)
    while actor != OVER and not ends:
        if actor == CHANCE:
            chosen = draw_chance(box, world, seed, work.drawn, work.chance, work.ids, work.weights)
            make_move(work, world, CHANCE, chosen)
        else:
            if actor != viewer:
                others += 1
            elif others > 0:
                ends = list_moves(work, world, actor) > 1
            make_move(work, world, actor, reply(work, world, actor, looks))
        actor = actor_of(work, world)
    judge_all(work, work.net, world)


@entry
def roll(work: Any, viewer: int, moves: Any, chosen: Any, k: int, times: int, seed: np.uint64, looks: int) -> None:
    """Follow `k` chosen moves `times` times in worlds common to all, and add up what they led to.

    `chosen` are places in `moves`; the first of them is compared with each. Where none is chosen, all legal moves are
    tried one step ahead in as many worlds.
    """
    if k == 0:
        promise_moves(work, work.states[GIVEN], viewer, times, seed)
        return
    tallies, sums, points = work.tallies, work.sums, work.settings[0].points
    for number in range(times):
        world = world_seed(seed, number)
        first = 0.0
        for i in range(k):
            at = int(chosen[i])
            follow(work, viewer, int(moves[at]), world, looks)
            for seat in range(work.players):
                sums[at, seat, 0] += work.shares[seat]
                sums[at, seat, 1] += work.margins[seat]
            worth = mixed(work.shares[viewer], work.margins[viewer] / MARGIN, points)
            if i == 0:
                first = worth
            tallies[at, TIMES] += 1.0
            tallies[at, WORTH] += worth
            tallies[at, WORTH_SQUARED] += worth * worth
            tallies[at, MORE] += worth - first
            tallies[at, MORE_SQUARED] += (worth - first) * (worth - first)
