"""Random games by the thousand, on all cores; the same seed gives the same figures whatever the number of threads.

Game number i of a run has a chance stream and players of its own, named by the run's seed and i, so it does not matter
which thread plays it. Its chance is that of `Seeded(game_seed(seed, i, 0))`: any game of a run can be looked at again.
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
from lampion.engine.playout import draw_chance
from lampion.engine.rng import game_seed
from lampion.games.core import CHANCE, MOST_KEYS, MOST_SEATS, OVER, ROW, Game
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


def scratch_type(game: Game) -> np.dtype[Any]:
    """Return the record that `play_games` works in: lists of moves, draws by source, generators, keys and counts."""
    fields = [
        ("ids", np.int32, (game.most + 1,)),
        ("weights", np.int32, (game.most + 1,)),
        ("drawn", np.int32, (game.sources,)),
        ("chance", np.uint64, (1,)),
        ("player", np.uint64, (1,)),
        ("keys", np.int64, (MOST_SEATS, MOST_KEYS)),
        ("counts", np.int64, (COUNTS,)),
    ]
    return np.dtype((np.record, np.dtype(fields)))


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
    scratch: Any,
    log: Any,
) -> None:
    """Play games `first` to `first + games - 1` of a run at random and add them up in the counts of scratch[0].

    states[0] is played in and states[1] stays all zeros. With `check` the invariants are checked after every move, and
    the first game that breaks one ends the run; where it is None, those checks are not even compiled.
    """
    box, state, own = boxes[0], states[0], scratch[0]
    for game in range(first, first + games):
        rules.copy(state, states[1])
        rules.setup(box, state, players, options[0], log)
        for source in range(len(own.drawn)):
            own.drawn[source] = 0
        stream = game_seed(seed, game, 0)
        own.player[0] = game_seed(seed, game, 1)
        moves = 0
        decisions = 0
        actor = rules.actor(box, state)
        while actor != OVER:
            if actor == CHANCE:
                move = draw_chance(box, state, stream, own.drawn, own.chance, own.ids, own.weights)
            else:
                decisions += 1
                move = rules.pick(box, state, actor, own.player, own.ids, own.weights)
            rules.apply(box, state, actor, move, log)
            moves += 1
            if check is not None:
                broken = rules.broken_invariant(box, state) if check else 0
                if broken != 0:
                    own.counts[BROKEN] = broken
                    own.counts[BROKEN_GAME] = game
                    return
            actor = rules.actor(box, state)
        add_up(box, state, players, moves, decisions, own.keys, own.counts)


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
    """Copy positions back and forth, to measure the time of a copy."""
    for i in range(times):
        rules.copy(states[i & 1], states[2 + (i & 1)])


class InvariantBroken(Problem):
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
    """The arrays of one thread."""

    def __init__(self, edition: Edition, players: int, options: dict[str, Any], seed: int) -> None:
        game = edition.game
        self.boxes = edition.boxes
        self.states = game.new_states(2)
        self.players = players
        self.options = game.code_options(options)
        self.seed = np.uint64(seed)
        self.scratch = np.zeros(1, dtype=scratch_type(game))
        self.log = np.zeros((0, ROW), dtype=np.int32)

    def play(self, first: int, games: int, check: bool = False) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the counts of games `first` to `first + games - 1` of the run."""
        self.scratch["counts"] = 0
        play_games(
            self.boxes, self.states, self.players, self.options, self.seed, first, games, 1 if check else None,
            self.scratch, self.log,
        )  # fmt: skip
        return self.scratch["counts"][0].copy()


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
    """Play `games` games and return the figures; `progress` is called with the number of games finished since."""
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
                    raise InvariantBroken("error.fact_broken", number=int(counts[BROKEN_GAME]), seed=seed, fact=fact)
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
    """Add counts to a total; of the lengths, keep the shortest and the longest."""
    shortest, longest = counts[SHORTEST], counts[LONGEST]
    if total[GAMES]:
        shortest, longest = min(total[SHORTEST], shortest), max(total[LONGEST], longest)
    total += counts
    total[SHORTEST], total[LONGEST] = shortest, longest
