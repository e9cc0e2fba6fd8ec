"""Games of a net against itself, compiled, and the samples they give: positions with what they turned out to be worth.

After every decision the position is noted as each seat sees it. When the game is over, its result goes back from
decision to decision, mixed on the way with what the net thought (TD with lambda). A move that was made to explore
teaches nothing about the positions before it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lampion.bots.net_values import judge
from lampion.bots.search import GIVEN, WORLD, value_after
from lampion.engine import rules
from lampion.engine.compile import compiled
from lampion.engine.constants import CHANCE, OVER
from lampion.engine.network import ANSWERS
from lampion.engine.playout import ALWAYS
from lampion.engine.rng import below, game_seed
from lampion.games.core import Game

PLAN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("begins", np.int64),  # 1: the game's estimate plays, not the net
                ("explore", np.float64),  # part of the moves made at random
                ("noise", np.float64),  # added to what a move promises, as a scale
                ("trace", np.float64),  # lambda: how much of a position's worth is what came later
                ("keep", np.float64),  # part of the positions that are kept
            ]
        ),
    )
)


class Episode(NamedTuple):
    """The positions of one game after each decision, as every seat saw them."""

    inputs: Any
    """By decision and seat."""
    thought: Any
    """What the net answered there: the share of the victory and the margin in tens."""
    explored: Any
    """Whether the decision was made at random."""
    targets: Any


def new_episode(game: Game, players: int) -> Episode:
    """Return room for one game."""
    return Episode(
        inputs=np.zeros((game.longest, players, game.inputs), dtype=np.float32),
        thought=np.zeros((game.longest, players, ANSWERS), dtype=np.float64),
        explored=np.zeros(game.longest, dtype=np.int8),
        targets=np.zeros(ANSWERS, dtype=np.float64),
    )


@compiled
def noisy_choice(work: Any, net: Any, state: Any, seat: int, n: int, noise: float) -> int:
    """Return one of the `n` listed moves: the best one step ahead, each with a random part, in a world of the seat.

    A net judges, or the game's estimate where it is None.
    """
    world, rng = work.states[WORLD], work.rng
    rules.copy(world, state)
    rules.conceal(work.boxes[0], world, seat, rng)
    best, most = 0, -1e30
    for i in range(n):
        found = value_after(work, net, world, seat, int(work.ids[i]))
        if noise > 0.0:
            found -= noise * np.log(-np.log((below(rng, ALWAYS) + 0.5) / ALWAYS))
        if found > most:
            best, most = i, found
    return int(work.ids[best])


@compiled
def note_position(work: Any, state: Any, episode: Any, at: int, explored: int) -> None:
    """Note a position as every seat sees it, and what the net thinks of it."""
    learned = work.learned
    for seat in range(work.players):
        judge(work, state, seat)
        for i in range(len(learned.inputs)):
            episode.inputs[at, seat, i] = learned.inputs[i]
        for j in range(ANSWERS):
            episode.thought[at, seat, j] = learned.answers[j]
    episode.explored[at] = explored


@compiled
def play_one(work: Any, options: Any, plan: Any, episode: Any) -> int:
    """Play one game from its set-up; return how many positions were noted."""
    box, state, rng = work.boxes[0], work.states[GIVEN], work.rng
    rules.setup(box, state, work.players, options, work.log)
    noted = 0
    actor = int(rules.actor(box, state))
    while actor != OVER:
        if actor == CHANCE:
            move = int(rules.pick(box, state, CHANCE, rng, work.ids, work.weights))
            rules.apply(box, state, CHANCE, move, work.log)
        else:
            n = int(rules.legal(box, state, actor, work.ids))
            explored = 0
            move = int(work.ids[0])
            if n > 1:
                if below(rng, ALWAYS) < plan.explore * ALWAYS:
                    explored = 1
                    move = int(work.ids[below(rng, n)])
                elif plan.begins:
                    move = noisy_choice(work, None, state, actor, n, plan.noise)
                else:
                    move = noisy_choice(work, work.net, state, actor, n, plan.noise)
            rules.apply(box, state, actor, move, work.log)
            if n > 1 and int(rules.actor(box, state)) != OVER:
                note_position(work, state, episode, noted, explored)
                noted += 1
        actor = int(rules.actor(box, state))
    return noted


@compiled
def write_samples(work: Any, plan: Any, episode: Any, noted: int, inputs: Any, targets: Any, rows: int) -> int:
    """Write a part of the noted positions with what they turned out to be worth; return the number of rows."""
    for seat in range(work.players):
        judge(work, work.states[GIVEN], seat)
        share, margin = float(work.learned.answers[0]), float(work.learned.answers[1])
        for at in range(noted - 1, -1, -1):
            if at < noted - 1:
                if episode.explored[at + 1]:
                    share, margin = float(episode.thought[at, seat, 0]), float(episode.thought[at, seat, 1])
                    continue
                share += (1.0 - plan.trace) * (episode.thought[at + 1, seat, 0] - share)
                margin += (1.0 - plan.trace) * (episode.thought[at + 1, seat, 1] - margin)
            if rows < len(targets) and below(work.rng, ALWAYS) < plan.keep * ALWAYS:
                for i in range(inputs.shape[1]):
                    inputs[rows, i] = episode.inputs[at, seat, i]
                targets[rows, 0] = share
                targets[rows, 1] = margin
                rows += 1
    return rows


@compiled
def play_games(
    work: Any, options: Any, plans: Any, empty: Any, episode: Any, seed: int, first: int, games: int, inputs: Any,
    targets: Any,
) -> int:  # fmt: skip
    """Play `games` games from number `first` on; write their samples and return the number of rows."""
    rows = 0
    for game in range(first, first + games):
        work.rng[0] = game_seed(np.uint64(seed), game, 0)
        rules.copy(work.states[GIVEN], empty[0])
        noted = play_one(work, options[0], plans[0], episode)
        rows = write_samples(work, plans[0], episode, noted, inputs, targets, rows)
    return rows
