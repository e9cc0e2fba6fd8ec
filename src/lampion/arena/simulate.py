"""Random games by the thousand, on all cores; the same seed gives the same figures whatever the number of threads.

Game number i of a run has a chance stream and players of its own, named by the run's seed and i, so it does not matter
who plays it. Its chance is that of `Seeded(game_seed(seed, i, 0))`: any game of a run can be looked at again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from lampion.engine import ranking, rules
from lampion.engine.compile import compiled
from lampion.engine.rng import game_seed, name_draw, new_rng
from lampion.games import core
from lampion.games.core import CHANCE, MOST_KEYS, MOST_SEATS, OVER
from lampion.games.editions import Edition
from lampion.games.move_types import Plain
from lampion.locale import Problem

# What is counted, and where
GAMES, MOVES, DECISIONS, SHORTEST, LONGEST, BROKEN, BROKEN_GAME, SCORES = range(8)
SHARES = SCORES + MOST_SEATS
COUNTS = SHARES + MOST_SEATS
SHARE = 60
"""A victory in whole parts that two, three, four or five winners can share."""
CHUNK = 512


@compiled
def play_games(
    boxes: Any,
    states: Any,
    players: int,
    options: Any,
    seed: np.uint64,
    first: int,
    games: int,
    check: int | None,
    ids: Any,
    weights: Any,
    drawn: Any,
    rngs: Any,
    keys: Any,
    log: Any,
    counts: Any,
) -> None:
    """Play games `first` to `first + games - 1` of a run at random and add them up in `counts`.

    states[0] is played in and states[1] stays all zeros; rngs holds a generator for chance and one for the players.
    With `check` what must hold is looked at after every move, and the first game that breaks it ends the run; where it
    is None, those checks are not even compiled.
    """
    box = boxes[0]
    state = states[0]
    chance, player = rngs[0], rngs[1]
    for game in range(first, first + games):
        rules.copy(state, states[1])
        rules.setup(box, state, players, options, log)
        for source in range(len(drawn)):
            drawn[source] = 0
        stream = game_seed(seed, game, 0)
        player[0] = game_seed(seed, game, 1)
        moves = 0
        decisions = 0
        actor = rules.actor(box, state)
        while actor != OVER:
            if actor == CHANCE:
                source = rules.source(box, state)
                name_draw(chance, stream, source, int(drawn[source]))
                drawn[source] += 1
                move = rules.pick(box, state, CHANCE, chance, ids, weights)
            else:
                decisions += 1
                move = rules.pick(box, state, actor, player, ids, weights)
            rules.apply(box, state, actor, move, log)
            moves += 1
            if check is not None:
                fact = rules.broken_invariant(box, state) if check else 0
                if fact != 0:
                    counts[BROKEN] = fact
                    counts[BROKEN_GAME] = game
                    return
            actor = rules.actor(box, state)
        add_up(box, state, players, moves, decisions, keys, counts)


@compiled
def add_up(box: Any, state: Any, players: int, moves: int, decisions: int, keys: Any, counts: Any) -> None:
    """Add a finished game to the counts."""
    if counts[GAMES] == 0 or moves < counts[SHORTEST]:
        counts[SHORTEST] = moves
    counts[LONGEST] = max(counts[LONGEST], moves)
    counts[GAMES] += 1
    counts[MOVES] += moves
    counts[DECISIONS] += decisions
    ranking.standing(box, state, players, keys)
    share = SHARE // ranking.winners(keys, players)
    for seat in range(players):
        counts[SCORES + seat] += keys[seat, 0]
        if ranking.place_of(keys, players, seat) == 1:
            counts[SHARES + seat] += share


@compiled
def copy_often(states: Any, times: int) -> None:
    """Copy positions to and fro."""
    for i in range(times):
        rules.copy(states[i & 1], states[2 + (i & 1)])


class FactBroken(Problem):
    """A game reached a position that must never be."""


class Simulation(Plain, frozen=True):
    """The figures of a run."""

    game: str
    players: int
    games: int
    seed: int
    options: dict[str, Any]
    edition: str
    seconds: float
    threads: int
    games_per_second: float
    moves_per_second: float
    decisions_per_second: float
    mean_scores: list[float]
    wins_by_seat: list[float]
    win_share_by_seat: list[float]
    mean_length: float
    shortest: int
    longest: int


class Runner:
    """What one thread plays with."""

    def __init__(self, edition: Edition, players: int, options: dict[str, Any], seed: int) -> None:
        game = edition.game
        self.boxes = edition.boxes
        self.states = game.new_states(2)
        self.players = players
        self.options = game.code_options(options)
        self.seed = np.uint64(seed)
        self.ids = np.zeros(game.most + 1, dtype=np.int32)
        self.weights = np.zeros(game.most + 1, dtype=np.int32)
        self.drawn = np.zeros(game.sources, dtype=np.int32)
        self.rngs = np.stack([new_rng(), new_rng()])
        self.keys = np.zeros((MOST_SEATS, MOST_KEYS), dtype=np.int64)
        self.log = np.zeros((0, core.ROW), dtype=np.int32)

    def play(self, first: int, games: int, check: bool = False) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The counts of some games of the run."""
        counts = np.zeros(COUNTS, dtype=np.int64)
        play_games(
            self.boxes, self.states, self.players, self.options, self.seed, first, games, 1 if check else None,
            self.ids, self.weights, self.drawn, self.rngs, self.keys, self.log, counts,
        )  # fmt: skip
        return counts


def simulate(
    edition: Edition,
    players: int,
    games: int,
    *,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    threads: int | None = None,
    check: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Simulation:
    """Play that many games and add them up. `progress` hears how many more are done."""
    chosen = edition.game.read_options(players, options)
    threads = threads or os.cpu_count() or 1
    runners = [Runner(edition, players, chosen, seed) for _ in range(threads)]
    runners[0].play(0, 0, check)  # compiled before the clock starts
    total = np.zeros(COUNTS, dtype=np.int64)
    chunk = max(1, min(CHUNK, games // (4 * threads) or 1))
    starts = iter(range(0, games, chunk))
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        running: dict[Future[Any], Runner] = {}

        def start(runner: Runner) -> None:
            if (first := next(starts, None)) is not None:
                running[pool.submit(runner.play, first, min(chunk, games - first), check)] = runner

        for runner in runners:
            start(runner)
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                counts, runner = future.result(), running.pop(future)
                if counts[BROKEN]:
                    fact = edition.game.invariants[counts[BROKEN] - 1]
                    raise FactBroken("error.fact_broken", number=int(counts[BROKEN_GAME]), seed=seed, fact=fact)
                add_counts(total, counts)
                progress(int(counts[GAMES]))
                start(runner)
    seconds = max(time.perf_counter() - began, 1e-9)
    return Simulation(
        game=edition.game.name,
        players=players,
        games=games,
        seed=seed,
        options=chosen,
        edition=edition.hash,
        seconds=seconds,
        threads=threads,
        games_per_second=games / seconds,
        moves_per_second=int(total[MOVES]) / seconds,
        decisions_per_second=int(total[DECISIONS]) / seconds,
        mean_scores=[int(total[SCORES + seat]) / games for seat in range(players)],
        wins_by_seat=[int(total[SHARES + seat]) / SHARE for seat in range(players)],
        win_share_by_seat=[int(total[SHARES + seat]) / SHARE / games for seat in range(players)],
        mean_length=int(total[MOVES]) / games,
        shortest=int(total[SHORTEST]),
        longest=int(total[LONGEST]),
    )


def add_counts(total: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> None:
    """Sums, and of the lengths the extremes."""
    shortest, longest = counts[SHORTEST], counts[LONGEST]
    if total[GAMES]:
        shortest, longest = min(total[SHORTEST], shortest), max(total[LONGEST], longest)
    total += counts
    total[SHORTEST], total[LONGEST] = shortest, longest
