"""The compiled part of the vector environment: step many games in one call.

It is apart from the class that offers it, so that a change in that class compiles nothing anew.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from lampion.engine import ranking, rules
from lampion.engine.compile import compiled
from lampion.engine.playout import draw_chance
from lampion.engine.rng import below, game_seed
from lampion.games.core import CHANCE, MOST_KEYS, MOST_SEATS, OVER, Game

BY_RETURNS, BY_SCORE, BY_MARGIN = range(3)
"""The rewards of `setting.REWARDS`, in their order."""
ALL_LEGAL = -1


@cache  # Numba recognises a type that is the same object much faster than an equal one
def row_type(game: Game) -> np.dtype[Any]:
    """Return the record of a row: what the games played in it need beside the state."""
    fields = [
        ("number", np.int64),  # which game of the run is played
        ("stream", np.uint64),  # the seed of its chance
        ("rng", np.uint64, (1,)),  # the generator of random actions
        ("decisions", np.int64, (MOST_SEATS,)),  # of a simultaneous step that is not complete
        ("action", np.int64),
        ("actor", np.int64),
        ("count", np.int64),  # the number of legal moves
        ("ids", np.int32, (game.most + 1,)),  # the legal moves of the actor, ascending
        ("drawn", np.int32, (game.sources,)),  # the draws of chance by source
    ]
    return np.dtype((np.record, np.dtype(fields)))


@cache
def part_type(game: Game) -> np.dtype[Any]:
    """Return the record of the part of the rows that one thread steps: its bounds, the run, and room to work in."""
    fields = [
        ("first", np.int64),
        ("last", np.int64),  # the row after the last one
        ("players", np.int64),
        ("reward", np.int64),  # BY_RETURNS, BY_SCORE or BY_MARGIN
        ("seed", np.uint64),  # of the run
        ("rng", np.uint64, (1,)),
        ("keys", np.int64, (MOST_SEATS, MOST_KEYS)),
        ("ids", np.int32, (game.most + 1,)),
        ("weights", np.int32, (game.most + 1,)),
    ]
    return np.dtype((np.record, np.dtype(fields)))


@compiled
def resolve_chance(box: Any, state: Any, row: Any, part: Any, log: Any) -> int:
    """Make moves of chance until a seat decides or the game is over; return the actor."""
    actor = int(rules.actor(box, state))
    while actor == CHANCE:
        move = draw_chance(box, state, row.stream, row.drawn, part.rng, part.ids, part.weights)
        rules.apply(box, state, CHANCE, move, log)
        actor = int(rules.actor(box, state))
    return actor


@compiled
def begin_game(box: Any, state: Any, row: Any, part: Any, options: Any, log: Any, number: int) -> int:
    """Set up game `number` of the run in a state of zeros and deal; return the first actor."""
    row.number = number
    row.stream = game_seed(part.seed, number, 0)
    for source in range(len(row.drawn)):
        row.drawn[source] = 0
    rules.setup(box, state, part.players, options[0], log)
    return resolve_chance(box, state, row, part, log)


class Shown(NamedTuple):
    """What the actors of all rows see and may do."""

    masks: Any
    observations: Any
    notes: Any
    """Room for `net_inputs`, or None where features are shown: the code for the others is then never compiled."""


@compiled
def show(box: Any, state: Any, row: Any, actor: int, shown: Any, notes: Any, i: int) -> None:
    """Write what the actor of row `i` sees and may do, in place of what was shown before."""
    mask, observation = shown.masks[i], shown.observations[i]
    for k in range(row.count):
        mask[int(row.ids[k])] = False
    row.actor = actor
    row.count = int(rules.legal(box, state, actor, row.ids))
    for k in range(row.count):
        mask[int(row.ids[k])] = True
    if notes is None:
        rules.features(box, state, actor, observation)
    else:  # kept as an else: Numba compiles only the branch that fits the type of `notes`
        rules.net_inputs(box, state, actor, notes, observation)


@compiled
def write_rewards(box: Any, state: Any, part: Any, out: Any) -> None:
    """Write the reward of every seat for a finished game."""
    players, keys = part.players, part.keys
    ranking.standing(box, state, players, keys)
    winners = ranking.winners(keys, players)
    for seat in range(players):
        if part.reward == BY_RETURNS:
            out[seat] = 1.0 / winners if ranking.place_of(keys, players, seat) == 1 else 0.0
        elif part.reward == BY_SCORE:
            out[seat] = keys[seat, 0]
        else:
            most = -(1 << 60)
            for other in range(players):
                if other != seat:
                    most = max(most, int(keys[other, 0]))
            out[seat] = int(keys[seat, 0]) - most


@compiled
def start_rows(boxes: Any, states: Any, rows: Any, parts: Any, options: Any, log: Any, shown: Any) -> None:
    """Begin a game in every row of parts[0]; the last of the states is no row's and stays all zeros."""
    box, part = boxes[0], parts[0]
    for i in range(part.first, part.last):
        state, row = states[i], rows[i]
        row.rng[0] = game_seed(part.seed, i, 1)
        rules.copy(state, states[len(rows)])
        actor = begin_game(box, state, row, part, options, log, i)
        show(box, state, row, actor, shown, shown.notes, i)


@compiled
def store_actions(rows: Any, actions: Any) -> int:
    """Store the action of every row; return the first row where it is not legal, or ALL_LEGAL."""
    for i in range(len(rows)):
        rows[i].action = actions[i]
        if not rules.is_listed(rows[i].ids, rows[i].count, rows[i].action):
            return i
    return ALL_LEGAL


@compiled
def decide(box: Any, state: Any, row: Any, log: Any) -> int:
    """Take the actor's action as its decision; return the seat that must decide before any move is made.

    Where all seats have decided, make their moves, lowest seat first, and return CHANCE.
    """
    pending = int(rules.pending(box, state))
    row.decisions[row.actor] = row.action
    later = row.actor + 1
    if pending >> later:
        while not (pending >> later) & 1:
            later += 1
        return int(later)
    for seat in range(later):
        if (pending >> seat) & 1:
            rules.apply(box, state, seat, row.decisions[seat], log)
    return CHANCE


@compiled
def step_rows(
    boxes: Any, states: Any, rows: Any, parts: Any, options: Any, log: Any, shown: Any, rewards: Any, terminated: Any
) -> None:
    """Take the stored action in every row of parts[0]; begin the next game of the run where one ends."""
    box, part = boxes[0], parts[0]
    for i in range(part.first, part.last):
        state, row = states[i], rows[i]
        for seat in range(part.players):
            rewards[i, seat] = 0.0
        actor = decide(box, state, row, log)
        if actor == CHANCE:
            actor = resolve_chance(box, state, row, part, log)
        terminated[i] = actor == OVER
        if actor == OVER:
            write_rewards(box, state, part, rewards[i])
            rules.copy(state, states[len(rows)])
            actor = begin_game(box, state, row, part, options, log, row.number + len(rows))
        show(box, state, row, actor, shown, shown.notes, i)


@compiled
def draw_actions(rows: Any, actions: Any) -> None:
    """Write a legal action for every row, all equally likely."""
    for i in range(len(rows)):
        actions[i] = rows[i].ids[below(rows[i].rng, rows[i].count)]
