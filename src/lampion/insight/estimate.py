"""Everybody's chances in a position, compiled: by a net or by the game's own estimate, one decision or draw deep.

A net is trained on positions right after a decision. So a position in which somebody decides is judged as it is after
the move that its net likes best, and one in which chance moves by what its outcomes lead to, by their weights. A chain
of draws is followed to its end: all of it where that is little, else a sample that is the same for every first draw.
All of it is a function of the position: no generator carries state from one evaluation to the next.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lampion.bots.net_values import judge, mixed, outcome
from lampion.engine import rules
from lampion.engine.arrays import np
from lampion.engine.compile import compiled, entry, wrapping
from lampion.engine.constants import CHANCE, OVER
from lampion.engine.network import MARGIN
from lampion.engine.portable_math import exp, log
from lampion.engine.rng import mixed as scrambled

# The states of an evaluation: the position, a world, one to try a move in, one after an outcome of a draw, the best
# one, and the levels of a chain of draws.
GIVEN, WORLD, TRIAL, AFTER, BEST, CHAIN = range(6)
DEEPEST = 24
"""Draws in a row that are followed in all ways; what is deeper is judged where it is."""
STATES = CHAIN + DEEPEST + 2
ENDLESS = 1 << 30
ANY_WORLD = np.uint64(1)
"""Names the world in which a seat chooses where a position is judged: always the same draws."""
LEAST = 1e-9
"""No chance is smaller where its logarithm is taken."""
FEWEST = 8
"""Fewest ways in which a chain of draws is followed after each of its first outcomes."""


class Workspace(NamedTuple):
    """The arrays of one thread that evaluates: compiled code allocates none."""

    boxes: Any
    states: Any
    settings: Any
    """As in a search: how a game without a net makes chances of its estimates, and the part for points."""
    hesitation: float
    """The scale of the random error with which the players who reply judge moves."""
    sharpness: float
    """To which power the net's chances are raised before they are made to add up to 1."""
    players: int
    rng: Any
    chance: Any
    """The generator of draws that are named by their source."""
    drawn: Any
    """Draws by source."""
    ids: Any
    spare: Any
    weights: Any
    log: Any
    keys: Any
    promises: Any
    """By legal move, what it promises its mover."""
    answers: Any
    shares: Any
    """By seat, the chance to win of the position judged last; they add up to 1."""
    margins: Any
    """By seat, the points by which it will be ahead of the best other."""
    levels: Any
    """By level of a chain of draws: the outcome that is looked at, how many there are, their weight in all."""
    parts: Any
    """By level, how likely it is to be reached."""
    chain_ids: Any
    chain_weights: Any
    means: Any
    """By seat, the share and the margin that are expected."""
    outcomes: Any
    """By outcome of a draw and seat, the share and the margin that are expected after it."""
    tallies: Any
    """By followed move: how often it was followed, what it was worth, and how much more than the first move in the
    same world, with the squares of both."""
    sums: Any
    """By followed move and seat, the shares and margins added up."""
    net: Any
    learned: Any


@wrapping
def world_seed(seed: np.uint64, number: int) -> np.uint64:
    """Return the seed of world `number`."""
    return scrambled(scrambled(seed) + np.uint64(number))


@compiled
def make_move(work: Any, state: Any, mover: int, move: int) -> None:
    """Make a move, and write no log."""
    rules.apply(work.boxes[0], state, mover, move, work.log)


@compiled
def list_moves(work: Any, state: Any, seat: int) -> int:
    """List the moves of a seat in `ids`; return how many there are."""
    return int(rules.legal(work.boxes[0], state, seat, work.ids))


@compiled
def list_draws(work: Any, state: Any, ids: Any, weights: Any) -> int:
    """List what chance may do; return how many outcomes there are."""
    return int(rules.chances(work.boxes[0], state, ids, weights))


@compiled
def actor_of(work: Any, state: Any) -> int:
    """Return who acts."""
    return int(rules.actor(work.boxes[0], state))


@compiled
def estimate_all(work: Any, state: Any) -> None:
    """Write everybody's chances and margins by the game's own estimate of their points."""
    players, shares, margins = work.players, work.shares, work.margins
    rules.estimates(work.boxes[0], state, players, work.keys, shares)
    most = shares[0]
    for seat in range(1, players):
        most = max(most, shares[seat])
    for seat in range(players):
        best = -1e30
        for other in range(players):
            if other != seat:
                best = max(best, shares[other])
        margins[seat] = shares[seat] - best
    total = 0.0
    for seat in range(players):
        shares[seat] = exp((shares[seat] - most) / work.settings[0].scale)
        total += shares[seat]
    for seat in range(players):
        shares[seat] /= total


@compiled
def judge_all(work: Any, net: Any, state: Any) -> None:
    """Write everybody's chances and margins: of the game's end, by the net, or by the estimate where it is None."""
    players, shares, margins = work.players, work.shares, work.margins
    if actor_of(work, state) == OVER:
        for seat in range(players):
            outcome(work.boxes[0], state, players, seat, work.keys, work.answers)
            shares[seat] = work.answers[0]
            margins[seat] = work.answers[1] * MARGIN
        return
    if net is None:
        estimate_all(work, state)
    else:  # kept as an else: Numba compiles only the branch that fits the type of `net`
        total, sharpness = 0.0, work.sharpness
        for seat in range(players):
            judge(work, state, seat)
            shares[seat] = work.learned.answers[0]
            if sharpness != 1.0:
                shares[seat] = exp(sharpness * log(max(shares[seat], LEAST)))
            margins[seat] = work.learned.answers[1] * MARGIN
            total += shares[seat]
        for seat in range(players):
            shares[seat] /= total


@compiled
def worth_to(work: Any, net: Any, state: Any, seat: int) -> float:
    """Return what a position is worth to a seat, from 0 to 1: mostly the chance to win, a part for the points."""
    if net is None:
        judge_all(work, net, state)
        return float(mixed(work.shares[seat], work.margins[seat] / MARGIN, work.settings[0].points))
    else:
        judge(work, state, seat)
        answers = work.learned.answers
        return float(mixed(answers[0], answers[1], work.settings[0].points))


@compiled
def promise_moves(work: Any, state: Any, seat: int, worlds: int, seed: np.uint64) -> int:
    """Write to `promises` what each legal move promises a seat one step ahead, over some worlds; return the best."""
    box, world, trial, ids = work.boxes[0], work.states[WORLD], work.states[TRIAL], work.ids
    n = list_moves(work, state, seat)
    for i in range(n):
        work.promises[i] = 0.0
    for number in range(worlds):
        work.rng[0] = world_seed(seed, number)
        rules.copy(world, state)
        rules.conceal(box, world, seat, work.rng)
        for i in range(n):
            rules.copy(trial, world)
            make_move(work, trial, seat, int(ids[i]))
            work.promises[i] += worth_to(work, work.net, trial, seat) / worlds
    best = 0
    for i in range(1, n):
        if work.promises[i] > work.promises[best]:
            best = i
    return int(ids[best])


@compiled
def judge_decision(work: Any, state: Any) -> None:
    """Write everybody's chances and margins where a seat decides, or the game is over: as they are after the move that
    looks best to the actor, who knows no more than its seat does."""
    best = work.states[BEST]
    rules.copy(best, state)
    actor = actor_of(work, state)
    if actor >= 0:
        if list_moves(work, state, actor) > 1:
            move = promise_moves(work, state, actor, 1, ANY_WORLD)
        else:
            move = int(work.ids[0])
        make_move(work, best, actor, move)
    judge_all(work, work.net, best)


@compiled
def add_leaf(work: Any, state: Any, part: float) -> None:
    """Judge a position in which chance does not move, and add it to the means, `part` times."""
    judge_decision(work, state)
    for seat in range(work.players):
        work.means[seat, 0] += part * work.shares[seat]
        work.means[seat, 1] += part * work.margins[seat]


@compiled
def clear_means(work: Any) -> None:
    """Set the means to zero."""
    for seat in range(work.players):
        work.means[seat, 0] = 0.0
        work.means[seat, 1] = 0.0


@compiled
def count_leaves(work: Any, state: Any) -> int:
    """Return roughly how many ways a chain of draws can go, as if every level branched as after the first outcomes."""
    walk = work.states[CHAIN + DEEPEST + 1]
    rules.copy(walk, state)
    ways, depth = 1, 0
    while actor_of(work, walk) == CHANCE:
        n = list_draws(work, walk, work.ids, work.weights)
        ways = min(ways * n, ENDLESS)
        depth += 1
        if depth > DEEPEST:
            return ENDLESS
        make_move(work, walk, CHANCE, int(work.ids[0]))
    return ways


@compiled
def open_level(work: Any, level: int) -> None:
    """List the outcomes of the draw at a level of a chain."""
    ids, weights = work.chain_ids[level], work.chain_weights[level]
    n = list_draws(work, work.states[CHAIN + level], ids, weights)
    total = 0
    for i in range(n):
        total += int(weights[i])
    work.levels[level, 0], work.levels[level, 1], work.levels[level, 2] = 0, n, total


@compiled
def expect_all(work: Any, state: Any) -> None:
    """Write to the means what is expected of a position, over all ways in which a chain of draws can go."""
    levels = work.levels
    clear_means(work)
    rules.copy(work.states[CHAIN], state)
    if actor_of(work, state) != CHANCE:
        add_leaf(work, work.states[CHAIN], 1.0)
        return
    work.parts[0] = 1.0
    open_level(work, 0)
    level = 0
    while level >= 0:
        i = int(levels[level, 0])
        if i == levels[level, 1]:
            level -= 1
            continue
        levels[level, 0] = i + 1
        part = work.parts[level] * int(work.chain_weights[level, i]) / int(levels[level, 2])
        below = work.states[CHAIN + level + 1]
        rules.copy(below, work.states[CHAIN + level])
        make_move(work, below, CHANCE, int(work.chain_ids[level, i]))
        if actor_of(work, below) == CHANCE and level < DEEPEST - 1:
            level += 1
            work.parts[level] = part
            open_level(work, level)
        else:
            add_leaf(work, below, part)


@compiled
def expect_sample(work: Any, state: Any, samples: int) -> None:
    """Write to the means what is expected of a position, over a sample of draws that is the same everywhere."""
    box, walk = work.boxes[0], work.states[CHAIN]
    clear_means(work)
    for number in range(samples):
        work.chance[0] = world_seed(ANY_WORLD, number)
        rules.copy(walk, state)
        while actor_of(work, walk) == CHANCE:
            move = int(rules.pick(box, walk, CHANCE, work.chance, work.ids, work.weights))
            make_move(work, walk, CHANCE, move)
        add_leaf(work, walk, 1.0 / samples)


@entry
def expect_outcomes(work: Any, most: int, sample: int) -> int:
    """Write to `outcomes` what is expected after every outcome of the draw in GIVEN; return how many there are.

    A chain of draws with more than `most` ways is followed by a sample of about `sample` ways. `spare` and `weights`
    hold the outcomes and their weights. Where chance does not move, return 0 and judge the position itself.
    """
    given = work.states[GIVEN]
    if actor_of(work, given) != CHANCE:
        judge_decision(work, given)
        return 0
    ways = count_leaves(work, given)
    n = list_draws(work, given, work.spare, work.weights)
    for i in range(n):
        after = work.states[AFTER]
        rules.copy(after, given)
        make_move(work, after, CHANCE, int(work.spare[i]))
        if ways <= most or actor_of(work, after) != CHANCE:
            expect_all(work, after)
        else:
            expect_sample(work, after, max(FEWEST, sample // n))
        for seat in range(work.players):
            work.outcomes[i, seat, 0] = work.means[seat, 0]
            work.outcomes[i, seat, 1] = work.means[seat, 1]
    return list_draws(work, given, work.spare, work.weights)
