"""Search on a net: every node judges all of its moves one step ahead when it is first met, and grows from the best.

As in `search`, every simulation starts in a world drawn anew from what the searching seat sees, and the tree is keyed
by what the seat would see of a move. But nothing is played out: a move starts with what the net promises of it, as if
it had been visited a little, and a simulation ends at the first node that nobody met before, with its best move.
"""

from __future__ import annotations

from typing import Any

from lampion.bots.net_values import POINTS
from lampion.bots.search import (
    EVERYBODY,
    NONE,
    ROOT,
    TRIAL,
    WORLD,
    add_rewards,
    child_of,
    draw_world,
    follow_chance,
    hope,
    hopes,
    move_here,
    new_node,
    next_actor,
)
from lampion.engine import rules
from lampion.engine.arrays import np
from lampion.engine.compile import compiled, entry
from lampion.games.core import CHANCE, OVER

SETTINGS = {"points": POINTS, "exploration": 0.1, "trust": 3.0, "modesty": 0.5}
"""What differs from a search by the game's estimate."""
LOG_OF_TWO = 0.6931471805599453


@compiled
def about_log(count: int) -> float:
    """Return about the logarithm of a whole number, by doublings and what is left: the same on every machine."""
    power, doublings = 1, 0
    while 2 * power <= count:
        power *= 2
        doublings += 1
    return LOG_OF_TWO * (doublings + count / power - 1.0)


@compiled
def excess(tree: Any, node: int, actor: int) -> float:
    """Return how much more the visited moves of a node promised than they held, on average of the visits."""
    gap, visits = 0.0, 1
    child = int(tree[node].first)
    while child != NONE:
        here = tree[child]
        if here.mover == actor and here.visits > 0:
            gap += here.visits * here.prior - here.value
            visits += here.visits
        child = int(here.next)
    return gap / visits


@compiled
def choose(work: Any, node: int, actor: int, n: int) -> None:
    """Choose, of the opened moves that this world allows, the one with the highest upper bound, as `search.choose`.

    The best of many promises too much, and does not know yet what others will do. A part of what the visited moves
    held less than they promised is taken off all promises: else whatever nobody looked into would seem better.
    """
    tree, chosen, settings = work.tree, work.chosen, work.settings[0]
    chosen[0], chosen[1], chosen[2] = 0, NONE, NONE
    best = -1e30
    off = settings.modesty * excess(tree, node, actor)
    child = int(tree[node].first)
    while child != NONE:
        here = tree[child]
        move = move_here(work, child, actor, n) if here.mover == actor else NONE
        if move != NONE:
            chosen[0] += 1
            here.available += 1
            weight = here.visits + settings.trust
            bound = (here.value + settings.trust * (here.prior - off)) / weight
            bound += settings.exploration * np.sqrt(about_log(1 + int(here.available)) / weight)
            if bound > best:
                best = bound
                chosen[1], chosen[2] = child, move
        child = int(here.next)


@compiled
def rank(work: Any, node: int, actor: int, n: int) -> int:
    """Open those of the `n` listed moves that the node has not; return the best of them, or NONE."""
    box, world, trial, tree = work.boxes[0], work.states[WORLD], work.states[TRIAL], work.tree
    best, most = NONE, -1.0
    for i in range(n):
        move = int(work.ids[i])
        code = int(rules.seen(box, world, actor, move, work.viewer))
        if child_of(tree, node, actor, code) != NONE:
            continue
        child = new_node(tree, work.used, node, actor, code, move)
        if child == NONE:
            return best
        if n > 1:
            rules.copy(trial, world)
            rules.apply(box, trial, actor, move, work.log)
            tree[child].prior = hope(work, work.net, trial, actor)
        if tree[child].prior > most:
            best, most = child, float(tree[child].prior)
    return best


@compiled
def simulate(work: Any) -> None:
    """Run one simulation: draw a world, go down the tree to a new node, judge its moves, and add the rewards."""
    box, state, viewer, chosen = work.boxes[0], work.states[WORLD], work.viewer, work.chosen
    doubting, is_new = draw_world(work), False
    learners, since = 1 << viewer if work.settings[0].doubts > 0.0 else EVERYBODY, 0
    node, depth = int(work.used[ROOT]), 0
    actor = next_actor(box, state, viewer)
    while actor != OVER and not is_new and depth < len(work.path):
        if actor == CHANCE:
            follow_chance(work, node)
        else:
            if doubting and actor != viewer:
                doubting = False
                learners, since = 1 << actor, depth
                rules.conceal(box, state, actor, work.rng)
            n = int(rules.legal(box, state, actor, work.ids))
            choose(work, node, actor, n)
            if chosen[0] < n:
                is_new = chosen[0] == 0 and n > 1
                if rank(work, node, actor, n) != NONE:
                    choose(work, node, actor, n)
        if chosen[1] == NONE:
            break
        rules.apply(box, state, actor, int(chosen[2]), work.log)
        node = int(chosen[1])
        work.path[depth] = node
        depth += 1
        actor = next_actor(box, state, viewer)
    hopes(work, work.net, state)
    add_rewards(work, since, depth, learners)


@entry
def think(work: Any, simulations: int) -> None:
    """Run `simulations` simulations."""
    for _ in range(simulations):
        simulate(work)
