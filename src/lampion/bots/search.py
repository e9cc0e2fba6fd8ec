"""Information-set Monte Carlo tree search, one implementation for every game, compiled.

Every simulation starts in a world drawn anew from what the searching seat sees (`conceal`), so the search cannot know
more than the seat. The tree is keyed by what the seat would see of a move (`seen`): another player's private draw does
not branch it, open chance does. Everybody maximises an own reward: the share of the victory first, the points second.
What the seat alone knows the others must not act upon: where that matters (`doubts`), their moves are learnt in
simulations of their own, which go on from the first move of another player in a world drawn anew from what that one
sees; all other simulations teach the searching seat alone, and the others answer with what they learnt.
Decisions of a simultaneous step are taken one seat at a time, the searching seat's first.

A node opens its moves one after another, the more visits the more of them: where there are hundreds, most are never
opened. Of a few moves, some of them the game's `playout_move` and some drawn among all, it opens the one that leaves
its mover the most by the game's `estimate`, and starts with that estimate as if it had been visited a little. At the
root every move is tried so once, and they are opened from the best on. Playouts follow `playout_move`, for as many
moves as is set or to the end; a game that was cut is judged by `estimate`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.engine import ranking, rules
from lampion.engine.compile import compiled, inlined
from lampion.engine.rng import below
from lampion.games import core
from lampion.games.core import CHANCE, OVER

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("value", np.float64),  # the rewards of its mover added up
                ("prior", np.float64),  # what the estimate promised its mover, from 0 to 1
                ("code", np.int64),  # what the searching seat sees of the move that leads here
                ("move", np.int32),  # one move that looks so
                ("visits", np.int32),
                ("available", np.int32),  # how often the move could have been chosen
                ("first", np.int32),  # its first child
                ("next", np.int32),  # its parent's next child
                ("mover", np.int32),
            ]
        ),
    )
)
NONE = -1
EVERYBODY = (1 << core.MOST_SEATS) - 1

SETTINGS: dict[str, float] = {
    "exploration": 0.5,
    "wide_factor": 1.5,
    "wide_power": 0.5,
    "looks": 6,  # moves tried one ply ahead before one is opened
    "hunches": 0,  # how many of these are the guide's, not drawn among all
    "trust": 2,  # how many visits the estimate of a move counts as
    "guided": 1,  # how often a playout follows the guide
    "horizon": -1,  # moves of a playout before it is cut; -1: to the end
    "points": 0.2,  # part of the reward that is for points
    "scale": 8,  # points that make a clear difference
    "doubts": 0,  # part of the simulations in which another learns, who does not know what the searching seat knows
    "overlooks": 0,  # part of the root's moves that are not seen
}
SETTING = np.dtype((np.record, np.dtype([(name, np.float64) for name in SETTINGS])))

# The states of a search: the position it thinks about, the world of a simulation, and one to try a move in.
GIVEN, WORLD, TRIAL = range(3)
STATES = 3
# What `used` counts: nodes taken, which is the root, and how many moves of it were surveyed.
NODES, ROOT, SURVEYED = range(3)
DEEPEST = 512
MANY = 1 << 20


@compiled
def new_node(tree: Any, used: Any, parent: int, mover: int, code: int, move: int) -> int:
    """A child for what is seen of a move; NONE where the tree is full."""
    node = int(used[NODES])
    if node >= len(tree):
        return NONE
    used[NODES] = node + 1
    fresh = tree[node]
    fresh.value = 0.0
    fresh.prior = 0.0
    fresh.code = code
    fresh.move = move
    fresh.visits = 0
    fresh.available = 0
    fresh.first = NONE
    fresh.next = NONE
    fresh.mover = mover
    if parent != NONE:
        fresh.next = tree[parent].first
        tree[parent].first = node
    return node


@compiled
def child_of(tree: Any, node: int, mover: int, code: int) -> int:
    """The child for what is seen of a mover's move, or NONE."""
    child = int(tree[node].first)
    while child != NONE and not (tree[child].code == code and tree[child].mover == mover):
        child = int(tree[child].next)
    return child


@inlined
def move_here(box: Any, state: Any, tree: Any, child: int, actor: int, viewer: int, ids: Any, n: int) -> int:
    """The move of this world that looks to the viewer like the child's, or NONE.

    The viewer sees an own move as it is; of another's, one that looks the same will do.
    """
    move, code = int(tree[child].move), int(tree[child].code)
    if rules.is_listed(ids, n, move) and (actor == viewer or rules.seen(box, state, actor, move, viewer) == code):
        return move
    if actor != viewer and code != move:
        for i in range(n):
            if rules.seen(box, state, actor, int(ids[i]), viewer) == code:
                return int(ids[i])
    return NONE


@compiled
def choose(
    box: Any, state: Any, tree: Any, exploration: float, trust: float, node: int, actor: int, viewer: int,
    ids: Any, n: int, out: Any,
) -> None:  # fmt: skip
    """Of the opened moves that this world allows, the one with the highest upper bound.

    Leaves in `out`: how many there are, the child (or NONE) and its move.
    """
    out[0], out[1], out[2] = 0, NONE, NONE
    best = -1.0
    child = int(tree[node].first)
    while child != NONE:
        here = tree[child]
        if here.mover == actor:
            move = move_here(box, state, tree, child, actor, viewer, ids, n)
            if move != NONE:
                out[0] += 1
                here.available += 1
                weight = here.visits + trust
                mean = (here.value + trust * here.prior) / weight
                bound = mean + exploration * np.sqrt(np.log(1.0 + here.available) / weight)
                if bound > best:
                    best = bound
                    out[1] = child
                    out[2] = move
        child = int(here.next)


@compiled
def hopes(box: Any, state: Any, settings: Any, players: int, keys: Any, rewards: Any) -> None:
    """Everybody's chances by what the game thinks their positions are worth; they add up to 1."""
    rules.estimates(box, state, players, keys, rewards)
    most = -1e30
    for seat in range(players):
        most = max(most, rewards[seat])
    total = 0.0
    for seat in range(players):
        rewards[seat] = np.exp((rewards[seat] - most) / settings.scale)
        total += rewards[seat]
    for seat in range(players):
        rewards[seat] /= total


@compiled
def look(
    box: Any, states: Any, tree: Any, settings: Any, node: int, actor: int, viewer: int, players: int,
    rng: Any, ids: Any, n: int, log: Any, keys: Any, rewards: Any, promise: Any,
    spare: Any, weights: Any,
) -> int:  # fmt: skip
    """Of a few moves that the node has not opened, the one that leaves its mover the most.

    Leaves in `promise` what it leaves.
    """
    best = NONE
    promise[0] = -1.0
    looks = int(settings.looks)
    for i in range(min(looks, n)):
        if looks >= n:
            move = int(ids[i])
        elif i < settings.hunches:
            move = int(rules.playout_move(box, states[WORLD], actor, rng, spare, weights))
        else:
            move = int(ids[below(rng, n)])
        if child_of(tree, node, actor, rules.seen(box, states[WORLD], actor, move, viewer)) != NONE:
            continue
        rules.copy(states[TRIAL], states[WORLD])
        rules.apply(box, states[TRIAL], actor, move, log)
        hopes(box, states[TRIAL], settings, players, keys, rewards)
        if rewards[actor] > promise[0]:
            promise[0] = rewards[actor]
            best = move
    return best


@compiled
def survey(
    boxes: Any, states: Any, used: Any, settings: Any, players: int, viewer: int, rng: Any,
    ids: Any, log: Any, rewards: Any, keys: Any, promises: Any,
) -> None:  # fmt: skip
    """Try every move of the viewer once, one ply ahead: the root then opens them from the best on.

    What is overlooked promises nothing and is never opened; one move is always seen.
    """
    n = int(rules.legal(boxes[0], states[GIVEN], viewer, ids))
    unseen = int(settings[0].overlooks * MANY)
    sure = below(rng, n) if unseen else 0
    for i in range(n):
        if unseen and i != sure and below(rng, MANY) < unseen:
            promises[i] = -1.0
            continue
        rules.copy(states[TRIAL], states[GIVEN])
        rules.apply(boxes[0], states[TRIAL], viewer, int(ids[i]), log)
        hopes(boxes[0], states[TRIAL], settings[0], players, keys, rewards)
        promises[i] = rewards[viewer]
    used[SURVEYED] = n


@compiled
def most_promising(
    box: Any, state: Any, tree: Any, node: int, actor: int, viewer: int, ids: Any, n: int, promises: Any, promise: Any
) -> int:
    """Of the surveyed moves that the root has not opened, the best; NONE where all are open."""
    while True:
        best = NONE
        promise[0] = -1.0
        for i in range(n):
            if promises[i] > promise[0]:
                promise[0] = promises[i]
                best = i
        if best == NONE:
            return NONE
        promises[best] = -1.0
        move = int(ids[best])
        if child_of(tree, node, actor, rules.seen(box, state, actor, move, viewer)) == NONE:
            return move


@compiled
def next_actor(box: Any, state: Any, viewer: int) -> int:
    """Who acts next: where several owe a decision, the searching seat first."""
    return viewer if (rules.pending(box, state) >> viewer) & 1 else int(rules.actor(box, state))


@compiled
def simulate(
    box: Any, states: Any, tree: Any, used: Any, settings: Any, players: int, viewer: int, rng: Any,
    ids: Any, weights: Any, log: Any, path: Any, rewards: Any, keys: Any, out: Any, promises: Any,
    spare: Any,
) -> None:  # fmt: skip
    """One simulation: a world the viewer thinks possible, down the tree, one move opened, on to the end, back up."""
    state = states[WORLD]
    rules.copy(state, states[GIVEN])
    rules.conceal(box, state, viewer, rng)
    node = int(used[ROOT])
    depth = 0
    opened = False
    learners, since = EVERYBODY, 0
    doubting = False
    if settings.doubts > 0.0:
        learners = 1 << viewer
        doubting = below(rng, MANY) < settings.doubts * MANY
    actor = next_actor(box, state, viewer)
    while actor != OVER and not opened and depth < len(path):
        child = NONE
        if actor == CHANCE:
            move = int(rules.pick(box, state, CHANCE, rng, ids, weights))
            code = int(rules.seen(box, state, CHANCE, move, viewer))
            child = child_of(tree, node, CHANCE, code)
            if child == NONE:
                child = new_node(tree, used, node, CHANCE, code, move)
        else:
            if doubting and actor != viewer:
                doubting = False
                learners, since = 1 << actor, depth
                rules.conceal(box, state, actor, rng)
            learns = (learners >> actor) & 1 == 1
            n = int(rules.legal(box, state, actor, ids))
            choose(box, state, tree, settings.exploration, settings.trust, node, actor, viewer, ids, n, out)
            child, move = int(out[1]), int(out[2])
            wide = 1 + int(settings.wide_factor * float(tree[node].visits) ** settings.wide_power)
            if learns and out[0] < min(n, wide):
                promise = rewards[core.MOST_SEATS :]
                if depth == 0 and used[SURVEYED] == n:
                    found = most_promising(box, state, tree, node, actor, viewer, ids, n, promises, promise)
                else:
                    found = look(
                        box, states, tree, settings, node, actor, viewer, players,
                        rng, ids, n, log, keys, rewards, promise, spare, weights,
                    )  # fmt: skip
                if found != NONE:
                    code = int(rules.seen(box, state, actor, found, viewer))
                    fresh = new_node(tree, used, node, actor, code, found)
                    if fresh != NONE:
                        tree[fresh].prior = promise[0]
                        child, move = fresh, found
                        opened = True
        if child == NONE:
            break
        rules.apply(box, state, actor, move, log)
        node = child
        path[depth] = node
        depth += 1
        actor = next_actor(box, state, viewer)
    play_out(box, state, settings, rng, ids, weights, log)
    reward(box, state, settings, players, keys, rewards)
    tree[int(used[ROOT])].visits += 1
    for i in range(since, depth):
        passed = tree[int(path[i])]
        mover = int(passed.mover)
        if mover < 0 or (learners >> mover) & 1:
            passed.visits += 1
            if mover >= 0:
                passed.value += rewards[mover]


@compiled
def play_out(box: Any, state: Any, settings: Any, rng: Any, ids: Any, weights: Any, log: Any) -> None:
    """Play the world on, to the end or for the set number of moves."""
    left = int(settings.horizon)
    guided = int(settings.guided * MANY)
    actor = int(rules.actor(box, state))
    while actor != OVER and left != 0:
        if actor != CHANCE and (guided == MANY or (guided and below(rng, MANY) < guided)):
            move = int(rules.playout_move(box, state, actor, rng, ids, weights))
        else:
            move = int(rules.pick(box, state, actor, rng, ids, weights))
        rules.apply(box, state, actor, move, log)
        left -= 1
        actor = int(rules.actor(box, state))


@compiled
def reward(box: Any, state: Any, settings: Any, players: int, keys: Any, rewards: Any) -> None:
    """Everybody's reward, from 0 to 1: the share of the victory and a part for the points; a cut game is estimated."""
    hopes(box, state, settings, players, keys, rewards)
    if int(rules.actor(box, state)) == OVER:
        ranking.standing(box, state, players, keys)
        share = (1.0 - settings.points) / ranking.winners(keys, players)
        for seat in range(players):
            rewards[seat] *= settings.points
            if ranking.place_of(keys, players, seat) == 1:
                rewards[seat] += share


@compiled
def think(
    boxes: Any, states: Any, tree: Any, used: Any, settings: Any, players: int, viewer: int, rng: Any,
    ids: Any, weights: Any, log: Any, path: Any, rewards: Any, keys: Any, out: Any, promises: Any,
    spare: Any, simulations: int,
) -> None:  # fmt: skip
    """So many simulations."""
    for _ in range(simulations):
        simulate(
            boxes[0], states, tree, used, settings[0], players, viewer, rng,
            ids, weights, log, path, rewards, keys, out, promises, spare,
        )  # fmt: skip


@compiled
def best_now(
    boxes: Any, states: Any, settings: Any, players: int, seat: int, overlooks: float, selfish: int, rng: Any,
    ids: Any, log: Any, rewards: Any, keys: Any,
) -> int:  # fmt: skip
    """The move that leaves its mover the most at once, of those that are not overlooked; ties by chance.

    A selfish player counts only what it may hope for itself, the others their chances beside everybody's.
    """
    box, given, trial = boxes[0], states[GIVEN], states[TRIAL]
    n = int(rules.legal(box, given, seat, ids))
    best = int(ids[below(rng, n)])
    most = -1e30
    level = 0
    for i in range(n):
        if n > 1 and below(rng, MANY) < overlooks * MANY:
            continue
        rules.copy(trial, given)
        rules.apply(box, trial, seat, int(ids[i]), log)
        if selfish:
            found = float(rules.estimate(box, trial, seat, keys[seat]))
        else:
            hopes(box, trial, settings[0], players, keys, rewards)
            found = float(rewards[seat])
        if found > most + 1e-9:
            most, best, level = found, int(ids[i]), 1
        elif found > most - 1e-9:
            level += 1
            if below(rng, level) == 0:
                best = int(ids[i])
    return best
