"""Search on a net: every node judges all of its moves one step ahead when it is first met, and grows from the best.

As in `search`, every simulation starts in a world drawn anew from what the searching seat sees, and the tree is keyed
by what the seat would see of a move. But nothing is played out: a move starts with what the net promises of it, as if
it had been visited a little, and a simulation ends at the first new node, with its best move.

Nor does everybody search: in a part of the simulations (`naive`) the others take what leaves them best at once, and the
searching seat alone learns from it. That part follows the moves that the others make (`SearchWorkspace.learn_from`).
"""

from __future__ import annotations

from typing import Any

from lampion.bots.net_values import POINTS
from lampion.bots.one_step import greedy_choice
from lampion.bots.search import NONE, VIEW, WORLD, child_of, follow, move_here, new_node, value_after
from lampion.engine import rules
from lampion.engine.arrays import np
from lampion.engine.compile import compiled

SETTINGS = {"points": POINTS, "exploration": 0.1, "trust": 3.0, "modesty": 0.5}
"""What differs from a search by the game's estimate."""
LOG_OF_TWO = 0.6931471805599453


@compiled
def about_log(count: int) -> float:
    """Return roughly the logarithm of a whole number, from its doublings and the rest: the same on every machine."""
    power, doublings = 1, 0
    while 2 * power <= count:
        power *= 2
        doublings += 1
    return LOG_OF_TWO * (doublings + count / power - 1.0)


@compiled
def excess(tree: Any, node: int, actor: int) -> float:
    """Return by how much the moves of a node were overestimated when they were opened, averaged over their visits."""
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

    The best of many estimates is too high, and does not yet include what others will do. So a part of the average
    overestimate of the visited moves is subtracted from every estimate: otherwise unvisited moves would look better.
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
    box, world, tree = work.boxes[0], work.states[WORLD], work.tree
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
            tree[child].prior = value_after(work, work.net, world, actor, move)
        if tree[child].prior > most:
            best, most = child, float(tree[child].prior)
    return best


@compiled
def choose_or_open(work: Any, node: int, actor: int, n: int) -> bool:
    """Choose a move of a node, after opening those it has not; return whether the node was met for the first time.

    The only move of a node is not worth a judgement: the simulation goes on.
    """
    choose(work, node, actor, n)
    is_new = work.chosen[0] == 0 and n > 1
    if work.chosen[0] < n and rank(work, node, actor, n) != NONE:
        choose(work, node, actor, n)
    return is_new


@compiled
def follow_naive(work: Any, node: int, actor: int, n: int) -> bool:
    """Follow the move that leaves another player best at once, by its own estimate and by what it sees.

    Return whether the tree grew by a move that was chosen among several.
    """
    view = work.states[VIEW]
    move = greedy_choice(work, work.states[WORLD], view, actor, n)
    has_grown = follow(work, node, actor, move) and n > 1
    child = int(work.chosen[1])
    if has_grown:
        work.tree[child].prior = value_after(work, work.net, view, actor, move)
    if child != NONE:
        work.tree[child].naive_visits += 1
    return has_grown
