"""The compiled part of the tools: games stepped by the thousand, and games played out at random.

Apart from the classes that offer it, so that a change in those compiles nothing anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.engine import ranking, rules
from lampion.engine.compile import compiled
from lampion.engine.playout import draw_chance
from lampion.engine.rng import below, game_seed
from lampion.games.core import CHANCE, OVER

BY_RETURNS, BY_SCORE, BY_MARGIN = range(3)
"""The rewards of `episode.REWARDS`, in their order."""
FINE = -1


@compiled
def settle(
    box: Any, state: Any, stream: np.uint64, drawn: Any, rng: Any, ids: Any, weights: Any, log: Any
) -> int:  # fmt: skip
    """Let chance move until somebody decides or the game is over; who acts then."""
    actor = int(rules.actor(box, state))
    while actor == CHANCE:
        rules.apply(box, state, CHANCE, draw_chance(box, state, stream, drawn, rng, ids, weights), log)
        actor = int(rules.actor(box, state))
    return actor


@compiled
def begin(
    box: Any, state: Any, blank: Any, players: int, options: Any, stream: np.uint64, drawn: Any, rng: Any,
    ids: Any, weights: Any, log: Any,
) -> int:  # fmt: skip
    """Set a game up and deal; who acts first."""
    rules.copy(state, blank)
    rules.setup(box, state, players, options[0], log)
    for source in range(len(drawn)):
        drawn[source] = 0
    return settle(box, state, stream, drawn, rng, ids, weights, log)


@compiled
def show(box: Any, state: Any, actor: int, ids: Any, before: int, mask: Any, observation: Any) -> int:
    """Write what the actor sees and may do, in place of the `before` moves of the last; how many moves there are."""
    for i in range(before):
        mask[int(ids[i])] = False
    n = int(rules.legal(box, state, actor, ids))
    for i in range(n):
        mask[int(ids[i])] = True
    rules.features(box, state, actor, observation)
    return n


@compiled
def pay(box: Any, state: Any, players: int, kind: int, keys: Any, out: Any) -> None:
    """Everybody's reward for a finished game."""
    ranking.standing(box, state, players, keys)
    winners = ranking.winners(keys, players)
    for seat in range(players):
        if kind == BY_RETURNS:
            out[seat] = 1.0 / winners if ranking.place_of(keys, players, seat) == 1 else 0.0
        elif kind == BY_SCORE:
            out[seat] = keys[seat, 0]
        else:
            most = -(1 << 60)
            for other in range(players):
                if other != seat:
                    most = max(most, int(keys[other, 0]))
            out[seat] = int(keys[seat, 0]) - most


@compiled
def start_rows(
    boxes: Any, states: Any, blank: Any, players: int, options: Any, seed: np.uint64, first: int, last: int,
    games: Any, streams: Any, rngs: Any, drawn: Any, ids: Any, counts: Any, weights: Any, rng: Any, log: Any,
    masks: Any, observations: Any, actors: Any,
) -> None:  # fmt: skip
    """Begin the games of the rows from `first` on."""
    for i in range(first, last):
        games[i] = i
        streams[i] = game_seed(seed, i, 0)
        rngs[i, 0] = game_seed(seed, i, 1)
        actor = begin(
            boxes[0], states[i], blank[0], players, options, streams[i], drawn[i], rng, weights[0], weights[1], log
        )
        actors[i] = actor
        counts[i] = show(boxes[0], states[i], actor, ids[i], int(counts[i]), masks[i], observations[i])


@compiled
def first_illegal(ids: Any, counts: Any, actions: Any) -> int:
    """The first row whose action is not among its moves, or FINE."""
    for i in range(len(actions)):
        low, high = 0, int(counts[i])
        while low < high:
            middle = (low + high) >> 1
            if ids[i, middle] < actions[i]:
                low = middle + 1
            else:
                high = middle
        if low == counts[i] or ids[i, low] != actions[i]:
            return i
    return FINE


@compiled
def answered(box: Any, state: Any, actor: int, action: int, held: Any, log: Any) -> int:
    """Take the actor's decision: who must decide before any is made, or CHANCE where all were, lowest seat first."""
    pending = int(rules.pending(box, state))
    held[actor] = action
    if pending >> (actor + 1):
        later = actor + 1
        while not (pending >> later) & 1:
            later += 1
        return later
    for seat in range(actor + 1):
        if (pending >> seat) & 1:
            rules.apply(box, state, seat, int(held[seat]), log)
    return CHANCE


@compiled
def step_rows(
    boxes: Any, states: Any, blank: Any, players: int, options: Any, seed: np.uint64, first: int, last: int,
    games: Any, streams: Any, drawn: Any, ids: Any, counts: Any, weights: Any, rng: Any, log: Any,
    masks: Any, observations: Any, actors: Any, actions: Any, held: Any, kind: int, keys: Any, rewards: Any,
    terminated: Any,
) -> None:  # fmt: skip
    """Take a decision in the game of each row from `first` on, and begin those anew that end."""
    box = boxes[0]
    for i in range(first, last):
        state = states[i]
        for seat in range(players):
            rewards[i, seat] = 0.0
        actor = answered(box, state, int(actors[i]), int(actions[i]), held[i], log)
        if actor == CHANCE:
            actor = settle(box, state, streams[i], drawn[i], rng, weights[0], weights[1], log)
        terminated[i] = actor == OVER
        if actor == OVER:
            pay(box, state, players, kind, keys, rewards[i])
            games[i] += len(states)
            streams[i] = game_seed(seed, int(games[i]), 0)
            actor = begin(
                box, state, blank[0], players, options, streams[i], drawn[i], rng, weights[0], weights[1], log
            )
        actors[i] = actor
        counts[i] = show(box, state, actor, ids[i], int(counts[i]), masks[i], observations[i])


@compiled
def draw_actions(ids: Any, counts: Any, rngs: Any, actions: Any) -> None:
    """A legal action for every row, all equally likely."""
    for i in range(len(actions)):
        actions[i] = ids[i, below(rngs[i], int(counts[i]))]


@compiled
def play_out(boxes: Any, states: Any, rng: Any, ids: Any, weights: Any, log: Any) -> None:
    """Play states[0] on at random to the end."""
    box, state = boxes[0], states[0]
    actor = int(rules.actor(box, state))
    while actor != OVER:
        rules.apply(box, state, actor, rules.pick(box, state, actor, rng, ids, weights), log)
        actor = int(rules.actor(box, state))
