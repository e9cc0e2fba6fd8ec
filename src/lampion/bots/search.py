"""Information-set Monte Carlo tree search, one implementation for every game, compiled.

Every simulation starts in a world drawn anew from what the searching seat sees (`conceal`), so the search cannot know
more than the seat. The tree is keyed by what the seat would see of a move (`seen`): another player's private draw does
not branch it, open chance does. Every player maximises its reward: the share of the victory first, the points second.
The other players must not act on what the searching seat alone knows. Where that matters (`doubts`), their moves are
learnt in separate simulations: at the first move of another player the world is drawn again, from what that player
sees. All other simulations update the searching seat's nodes only; in them the others play what they have learnt.
Decisions of a simultaneous step are taken one seat at a time, the searching seat's first.

A node opens its moves one after another, the more visits the more of them: where there are hundreds, most are never
opened. Of a few moves, some of them the game's `playout_move` and some drawn among all, it opens the one that leaves
its mover the most by the game's `estimate`, and starts with that estimate as if it had been visited a little. At the
root every move is tried so once, and they are opened from the best on. Playouts follow `playout_move`, for as many
moves as is set or to the end; a game that was cut is judged by `estimate`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lampion.bots.net_values import value_to
from lampion.engine import ranking, rules
from lampion.engine.arrays import np, record_type
from lampion.engine.compile import compiled, entry, inlined
from lampion.engine.playout import ALWAYS, play_out
from lampion.engine.portable_math import exp, log
from lampion.engine.rng import below
from lampion.games.core import CHANCE, MOST_SEATS, OVER

NODE = record_type(
    [
        ("value", "f8"),  # the rewards of its mover added up
        ("prior", "f8"),  # what the estimate promised its mover, from 0 to 1
        ("code", "i8"),  # what the searching seat sees of the move that leads here
        ("move", "i4"),  # a move with this code
        ("visits", "i4"),
        ("naive_visits", "i4"),  # how often a naive player chose it
        ("available", "i4"),  # how often the move could have been chosen
        ("first", "i4"),  # its first child
        ("next", "i4"),  # its parent's next child
        ("mover", "i8"),  # as wide as it need not be, so that a node has no gap
    ]
)
NONE = -1
EVERYBODY = (1 << MOST_SEATS) - 1

SETTINGS: dict[str, float] = {
    "exploration": 0.5,
    "wide_factor": 1.5,
    "looks": 6,  # moves tried one ply ahead before one is opened
    "hunches": 0,  # how many of these are drawn by `playout_move`, not among all
    "trust": 2,  # how many visits the estimate of a move counts as
    "guided": 1,  # how often a playout follows `playout_move`
    "horizon": -1,  # moves of a playout before it is cut; -1: to the end
    "points": 0.2,  # part of the reward that is for points
    "scale": 8,  # points that make a clear difference
    "doubts": 0,  # part of the simulations that teach another player, from what that player knows
    "naive": 0,  # on a net: how likely the others are at first to take what `greedy` would; then their moves tell
    "modesty": 0,  # on a net: the part of the overestimate of visited moves that is subtracted from all estimates
}
SETTING = record_type([(name, "f8") for name in SETTINGS])

# The states of a search: the position it thinks about, the world of a simulation, one to try a move in, and the world
# as another player may imagine it.
GIVEN, WORLD, TRIAL, VIEW = range(4)
STATES = 4
# What `used` holds: the number of nodes in use, the index of the root, and how many of its moves were surveyed.
NODES, ROOT, SURVEYED = range(3)
DEEPEST = 512


class Workspace(NamedTuple):
    """The arrays of one search: compiled code allocates none."""

    boxes: Any
    states: Any
    """GIVEN, WORLD, TRIAL and VIEW."""
    settings: Any
    tree: Any
    used: Any
    """NODES, ROOT and SURVEYED."""
    players: int
    viewer: int
    """The searching seat."""
    rng: Any
    ids: Any
    spare: Any
    """Room for a list of moves while `ids` is in use."""
    weights: Any
    log: Any
    path: Any
    rewards: Any
    """By seat."""
    keys: Any
    chosen: Any
    """What `choose` or `follow` found: the number of opened moves, the child and its move."""
    promises: Any
    """What each surveyed move of the root promises; -1 where it is opened."""
    promise: Any
    """What the move that was found last promises."""
    net: Any
    """A net that judges in place of the game's estimate, or None: the code for one is then never compiled."""
    learned: Any
    """The arrays to evaluate the net in, or None."""


@compiled
def new_node(tree: Any, used: Any, parent: int, mover: int, code: int, move: int) -> int:
    """Add a child for what is seen of a move and return it; NONE where the tree is full."""
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
    fresh.naive_visits = 0
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
    """Return the child for what is seen of a mover's move, or NONE."""
    child = int(tree[node].first)
    while child != NONE and not (tree[child].code == code and tree[child].mover == mover):
        child = int(tree[child].next)
    return child


@inlined
def move_here(work: Any, child: int, actor: int, n: int) -> int:
    """Return the move of this world that looks to the viewer like the child's, or NONE; `ids` lists the `n` legal ones.

    A move of the viewer itself must be the same; of another player, any that looks the same to the viewer.
    """
    box, state, viewer = work.boxes[0], work.states[WORLD], work.viewer
    move, code = int(work.tree[child].move), int(work.tree[child].code)
    if rules.is_listed(work.ids, n, move) and (actor == viewer or rules.seen(box, state, actor, move, viewer) == code):
        return move
    if actor != viewer and code != move:
        for i in range(n):
            if rules.seen(box, state, actor, int(work.ids[i]), viewer) == code:
                return int(work.ids[i])
    return NONE


@compiled
def choose(work: Any, node: int, actor: int, n: int) -> None:
    """Choose, of the opened moves that this world allows, the one with the highest upper bound.

    Write to `chosen` the number of these moves, the child (or NONE) and its move.
    """
    tree, chosen = work.tree, work.chosen
    exploration, trust = work.settings[0].exploration, work.settings[0].trust
    chosen[0], chosen[1], chosen[2] = 0, NONE, NONE
    best = -1.0
    child = int(tree[node].first)
    while child != NONE:
        here = tree[child]
        if here.mover == actor:
            move = move_here(work, child, actor, n)
            if move != NONE:
                chosen[0] += 1
                here.available += 1
                weight = here.visits + trust
                mean = (here.value + trust * here.prior) / weight
                bound = mean + exploration * np.sqrt(log(1.0 + here.available) / weight)
                if bound > best:
                    best = bound
                    chosen[1] = child
                    chosen[2] = move
        child = int(here.next)


@compiled
def value_to_seat(work: Any, net: Any, state: Any, seat: int) -> float:
    """Return what a position is worth to a seat, from 0 to 1: by a net, or by the game's estimates where it is None."""
    if net is None:
        write_estimated_values(work, state)
        return float(work.rewards[seat])
    else:  # kept as an else: Numba compiles only the branch that fits the type of `net`
        return float(value_to(work, state, seat))


@compiled
def write_estimated_values(work: Any, state: Any) -> None:
    """Write to `rewards` everybody's chances by the game's estimates, which add up to 1."""
    players, rewards = work.players, work.rewards
    rules.estimates(work.boxes[0], state, players, work.keys, rewards)
    most = -1e30
    for seat in range(players):
        most = max(most, rewards[seat])
    total = 0.0
    for seat in range(players):
        rewards[seat] = exp((rewards[seat] - most) / work.settings[0].scale)
        total += rewards[seat]
    for seat in range(players):
        rewards[seat] /= total


@compiled
def value_after(work: Any, net: Any, state: Any, seat: int, move: int) -> float:
    """Return what a position is worth to a seat after a move of this seat."""
    trial = work.states[TRIAL]
    rules.copy(trial, state)
    rules.apply(work.boxes[0], trial, seat, move, work.log)
    return value_to_seat(work, net, trial, seat)


@compiled
def look(work: Any, node: int, actor: int, n: int) -> int:
    """Return the best of a few moves that the node has not opened, each tried one ply ahead, or NONE.

    Write its estimate to `promise`.
    """
    box, world, rng, promise = work.boxes[0], work.states[WORLD], work.rng, work.promise
    best = NONE
    promise[0] = -1.0
    looks = int(work.settings[0].looks)
    for i in range(min(looks, n)):
        if looks >= n:
            move = int(work.ids[i])
        elif i < work.settings[0].hunches:
            move = int(rules.playout_move(box, world, actor, rng, work.spare, work.weights))
        else:
            move = int(work.ids[below(rng, n)])
        if child_of(work.tree, node, actor, rules.seen(box, world, actor, move, work.viewer)) != NONE:
            continue
        found = value_after(work, work.net, world, actor, move)
        if found > promise[0]:
            promise[0] = found
            best = move
    return best


@entry
def survey(work: Any) -> None:
    """Try every move of the viewer once, one ply ahead: the root then opens them from the best on."""
    given = work.states[GIVEN]
    n = int(rules.legal(work.boxes[0], given, work.viewer, work.ids))
    for i in range(n):
        work.promises[i] = value_after(work, work.net, given, work.viewer, int(work.ids[i]))
    work.used[SURVEYED] = n


@compiled
def most_promising(work: Any, node: int, actor: int, n: int) -> int:
    """Return, of the surveyed moves that the root has not opened, the best; NONE where all are open."""
    promise, promises = work.promise, work.promises
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
        move = int(work.ids[best])
        code = rules.seen(work.boxes[0], work.states[WORLD], actor, move, work.viewer)
        if child_of(work.tree, node, actor, code) == NONE:
            return move


@compiled
def next_actor(box: Any, state: Any, viewer: int) -> int:
    """Return who acts next: where several owe a decision, the searching seat first."""
    return viewer if (rules.pending(box, state) >> viewer) & 1 else int(rules.actor(box, state))


@compiled
def open_move(work: Any, node: int, actor: int, n: int, is_root: bool) -> int:
    """Open one more move of a node, unless it is wide enough for its visits; return the new child or NONE."""
    settings = work.settings[0]
    wide = 1 + int(settings.wide_factor * np.sqrt(float(work.tree[node].visits)))
    if work.chosen[0] >= min(n, wide):
        return NONE
    if is_root and work.used[SURVEYED] == n:
        move = most_promising(work, node, actor, n)
    else:
        move = look(work, node, actor, n)
    if move == NONE:
        return NONE
    code = int(rules.seen(work.boxes[0], work.states[WORLD], actor, move, work.viewer))
    child = new_node(work.tree, work.used, node, actor, code, move)
    if child != NONE:
        work.tree[child].prior = work.promise[0]
    return child


@inlined
def draw_world(work: Any) -> None:
    """Draw a world to simulate in."""
    rules.copy(work.states[WORLD], work.states[GIVEN])
    rules.conceal(work.boxes[0], work.states[WORLD], work.viewer, work.rng)


@inlined
def happens(work: Any, part: float) -> bool:
    """Return True in this part of the simulations, at random."""
    return part > 0.0 and below(work.rng, ALWAYS) < part * ALWAYS


@inlined
def follow(work: Any, node: int, mover: int, move: int) -> bool:
    """Write to `chosen` a move and the child for what is seen of it; return whether that is a new one."""
    code = int(rules.seen(work.boxes[0], work.states[WORLD], mover, move, work.viewer))
    child = child_of(work.tree, node, mover, code)
    is_new = child == NONE
    if is_new:
        child = new_node(work.tree, work.used, node, mover, code, move)
    work.chosen[1], work.chosen[2] = child, move
    return is_new and child != NONE


@inlined
def follow_chance(work: Any, node: int) -> None:
    """Draw what chance brings at a node, and follow it."""
    follow(work, node, CHANCE, rules.pick(work.boxes[0], work.states[WORLD], CHANCE, work.rng, work.ids, work.weights))


@compiled
def choose_or_open(work: Any, node: int, actor: int, n: int, may_open: bool, is_root: bool) -> bool:
    """Choose a move of a node, or open one that it has not where it `may_open` one; return whether one was opened."""
    chosen = work.chosen
    choose(work, node, actor, n)
    fresh = open_move(work, node, actor, n, is_root) if may_open else NONE
    if fresh != NONE:
        chosen[1], chosen[2] = fresh, work.tree[fresh].move
    return fresh != NONE


@compiled
def play_on(work: Any) -> None:
    """Play on from the world of a simulation as far as is set, and write everybody's reward."""
    settings = work.settings[0]
    horizon, guided = int(settings.horizon), int(settings.guided * ALWAYS)
    play_out(work.boxes[0], work.states[WORLD], horizon, guided, work.rng, work.ids, work.weights, work.log)
    reward(work)


@compiled
def movers_on_path(work: Any, since: int, depth: int) -> int:
    """Return who made the moves of the path from `since` on, one bit a seat; chance has none."""
    movers = 0
    for i in range(since, depth):
        mover = int(work.tree[int(work.path[i])].mover)
        if mover >= 0:
            movers |= 1 << mover
    return movers


@compiled
def add_rewards(work: Any, since: int, depth: int, learners: int) -> None:
    """Count a visit of the root and of the path's nodes from `since` on whose movers learn, and add their rewards."""
    work.tree[int(work.used[ROOT])].visits += 1
    for i in range(since, depth):
        passed = work.tree[int(work.path[i])]
        mover = int(passed.mover)
        if mover < 0 or (learners >> mover) & 1:
            passed.visits += 1
            if mover >= 0:
                passed.value += work.rewards[mover]


@compiled
def reward(work: Any) -> None:
    """Write everybody's reward, from 0 to 1: the share of the victory and a part for the points.

    A game that was cut is estimated.
    """
    box, state, players, keys, rewards = work.boxes[0], work.states[WORLD], work.players, work.keys, work.rewards
    points = work.settings[0].points
    write_estimated_values(work, state)
    if int(rules.actor(box, state)) == OVER:
        ranking.standing(box, state, players, keys)
        share = (1.0 - points) / ranking.winners(keys, players)
        for seat in range(players):
            rewards[seat] *= points
            if ranking.place_of(keys, players, seat) == 1:
                rewards[seat] += share
