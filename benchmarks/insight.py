"""How good the figures of insight are: do luck and play add up, how long does an analysis take.

benchmarks/calibration.py asks whether the chances are right.

    python -m benchmarks.insight sums --games 1000    luck and play add up, in random games of every kind
    python -m benchmarks.insight speed lanternes 4    one game of `learned` players, analysed
    python -m benchmarks.insight hints lanternes 4    hints for some decisions of such a game
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from lampion.bots import named
from lampion.games.registry import games
from lampion.insight.analysis import analyse
from lampion.insight.decision_positions import judged_positions
from lampion.insight.hints import hints
from lampion.insight.settings import STANDARD, Settings
from lampion.play import Position, Record, Seeded
from lampion.play.sight import Sight, sights

FIRST_DEAL = 9_000_000
"""Deals from here on are held out: training counts its games from 0."""
TINY = Settings(simulations=16, wide=3, looks=2, worlds=1, samples=16, ways=40)
SMALLEST = Settings(simulations=2, wide=2, looks=1, worlds=1, samples=1, ways=1)
"""Enough for sums, which hold however little was followed."""
OURS = ("lanternes", "dice", "lumens", "iles")


def played(game: str, players: int, seed: int, choose: Callable[[Position, int], int]) -> Position:
    """Return a finished game in which seats choose their moves so."""
    position, chance = Position(game, players), Seeded(seed)
    position.push_chances(chance)
    while not position.is_over:
        seat = position.pending[0]
        position.push(choose(position, seat), seat)
        position.push_chances(chance)
    return position


def by_lot(seed: int) -> Callable[[Position, int], int]:
    """Return a choice among all legal moves."""
    dice = random.Random(seed)
    return lambda position, seat: int(dice.choice(position.legal_ids(seat)))


def by_bots(game: str, players: int, bot: str, seed: int) -> Position:
    """Return a finished game between bots of a kind."""
    position, chance = Position(game, players), Seeded(seed)
    seen = sights(position)
    bots = [named(bot).sit(sight, seed + sight.seat) for sight in seen]
    position.push_chances(chance)
    while not position.is_over:
        seat = position.actor
        position.push(bots[seat].choose(seen[seat]), seat)
        position.push_chances(chance)
    return position


def difference(game: str, players: int, seed: int) -> float:
    """Return by how much a result differs from what adds up to it in a random game, at most over all seats."""
    found = analyse(Record.of(played(game, players, FIRST_DEAL + seed, by_lot(seed))), SMALLEST, threads=1)
    parts = [change for step in found.steps for change in (step.luck, step.cost, step.unforeseen)]
    start, result = found.start, found.result
    return max(
        abs(sum(part.shares[seat] for part in parts) + start.shares[seat] - result.shares[seat])
        for seat in range(players)
    )


def sums(count: int, processes: int) -> Iterator[str]:
    """Yield, by game and number of players, the largest difference between a result and what adds up to it."""
    for game in OURS:
        difference(game, games()[game].players[0], 0)  # compiled once, before all processes need it
        with ProcessPoolExecutor(processes) as pool:
            for players in games()[game].players:
                worst = max(pool.map(partial(difference, game, players), range(count), chunksize=8))
                yield f"{game}, {players} players, {count} games: differs by at most {worst:.6f}"


def speed(game: str, players: int, bot: str) -> Iterator[str]:
    """Yield how long the analysis of a game takes, once everything is compiled."""
    record = Record.of(by_bots(game, players, bot, FIRST_DEAL))
    analyse(record, TINY)
    began, used = time.perf_counter(), time.process_time()
    found = analyse(record, STANDARD)
    took, used = time.perf_counter() - began, time.process_time() - used
    decisions = [step.decision for step in found.steps if step.decision is not None]
    followed = sum(decision.simulations for decision in decisions)
    yield f"{game}, {players} players, {len(found.steps)} moves, {len(decisions)} decisions, {followed} moves followed"
    yield f"{took:.1f} s on two threads, {used:.1f} s of processor time"


def hint_times(game: str, players: int, bot: str) -> Iterator[str]:
    """Yield how long hints take, in the middle and at most, for every third decision of a game."""
    final = by_bots(game, players, bot, FIRST_DEAL)
    took = []
    for ply in list(judged_positions(final))[::3]:
        sight = Sight(final.at(ply), final.played[ply].seat)
        hints(sight, TINY)
        began = time.process_time()
        hints(sight, STANDARD)
        took.append(time.process_time() - began)
    took.sort()
    middle, most = took[len(took) // 2], took[-1]
    yield f"{game}, {players} players, {len(took)} hints, seconds of processor time: {middle:.2f}, at most {most:.2f}"


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.insight")
    parser.add_argument("what", choices=("sums", "speed", "hints"))
    parser.add_argument("game", nargs="?", default="lanternes", choices=OURS)
    parser.add_argument("players", nargs="?", type=int, default=2)
    parser.add_argument("--bot", default="learned")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    if given.what == "sums":
        lines = sums(given.games, given.processes)
    elif given.what == "hints":
        lines = hint_times(given.game, given.players, given.bot)
    else:
        lines = speed(given.game, given.players, given.bot)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
