"""A simulation of either search: with playouts (`search`), or on a net (`net_search`)."""

from __future__ import annotations

from typing import Any

from lampion.bots import net_search, search
from lampion.bots.net_values import value_to
from lampion.bots.search import (
    EVERYBODY,
    NONE,
    ROOT,
    WORLD,
    add_rewards,
    draw_world,
    follow_chance,
    happens,
    movers_on_path,
    next_actor,
)
from lampion.engine import rules
from lampion.engine.compile import compiled, entry
from lampion.games.core import CHANCE, OVER


@compiled
def choose_or_open(work: Any, net: Any, node: int, actor: int, n: int, may_open: bool, is_root: bool) -> bool:
    """Write to `chosen` a child of a node and its move; return whether the simulation ends there."""
    if net is None:
        return search.choose_or_open(work, node, actor, n, may_open, is_root)
    else:  # kept as an else: Numba compiles only the branch that fits the type of `net`
        return net_search.choose_or_open(work, node, actor, n)


@compiled
def judge(work: Any, net: Any, seats: int) -> None:
    """Write the rewards of `seats` in the world of a simulation: after a playout, or at once by a net."""
    if net is None:
        search.play_on(work)
    else:
        for seat in range(work.players):
            if seats >> seat & 1:
                work.rewards[seat] = value_to(work, work.states[WORLD], seat)


@compiled
def simulate(work: Any) -> None:
    """Run one simulation: draw a world, go down the tree to where it grows, judge, and add the rewards on the path.

    A net is asked only for those who learn, and not again for a move that was judged when it was opened.
    """
    box, state, viewer, chosen = work.boxes[0], work.states[WORLD], work.viewer, work.chosen
    settings = work.settings[0]
    draw_world(work)
    doubting = happens(work, settings.doubts)
    naive = work.net is not None and not doubting and happens(work, settings.naive)
    learners = 1 << viewer if naive or settings.doubts > 0.0 else EVERYBODY
    since, has_grown = 0, False
    node, depth = int(work.used[ROOT]), 0
    actor = next_actor(box, state, viewer)
    while actor != OVER and not has_grown and depth < len(work.path):
        if actor == CHANCE:
            follow_chance(work, node)
        else:
            if doubting and actor != viewer:
                doubting = False
                learners, since = 1 << actor, depth
                rules.conceal(box, state, actor, work.rng)
            n = int(rules.legal(box, state, actor, work.ids))
            if naive and actor != viewer:
                has_grown = net_search.follow_naive(work, node, actor, n)
            else:
                may_open = (learners >> actor) & 1 != 0
                has_grown = choose_or_open(work, work.net, node, actor, n, may_open, depth == 0)
        if chosen[1] == NONE:  # the tree is full
            has_grown = False
            break
        rules.apply(box, state, actor, int(chosen[2]), work.log)
        node = int(chosen[1])
        work.path[depth] = node
        depth += 1
        actor = next_actor(box, state, viewer)
    seats = learners & movers_on_path(work, since, depth)
    if work.net is not None and has_grown and not naive:
        mover = int(work.tree[node].mover)
        work.rewards[mover] = work.tree[node].prior
        seats &= ~(1 << mover)
    judge(work, work.net, seats)
    add_rewards(work, since, depth, learners)


@entry
def think(work: Any, simulations: int) -> None:
    """Run `simulations` simulations."""
    for _ in range(simulations):
        simulate(work)
