"""How good the figures of insight are: do luck and play add up, are chances calibrated, how long does an analysis take.

    python -m benchmarks.insight sums --games 1000            luck and play add up, in random games of every kind
    python -m benchmarks.insight calibrate lanternes 4 --games 2000 --processes 8
    python -m benchmarks.insight speed lanternes 4            one game of `learned` players, analysed

`calibrate` plays games between strong bots on deals that no net was trained on, asks in every game at some positions
for everybody's chances, and prints by tenths of them how often they won, as a table for docs/analysis.md.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from lampion.bots import named
from lampion.games.registry import games
from lampion.insight.analysis import analyse
from lampion.insight.evaluator import Evaluator
from lampion.insight.settings import STANDARD, Settings
from lampion.play import Position, Record, Seeded
from lampion.play.sight import sights

FIRST_DEAL = 9_000_000
"""Deals from here on are held out: training counts its games from 0."""
TINY = Settings(simulations=16, wide=3, looks=2, worlds=1, samples=16, ways=40)
TENTHS = 10
EACH = 5
"""One position in so many is asked about, so that a game's positions are not all alike."""
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


def sums(count: int) -> Iterator[str]:
    """Yield, by game and number of players, the largest difference between a result and what adds up to it."""
    for game in OURS:
        for players in games()[game].players:
            worst = 0.0
            for seed in range(count):
                found = analyse(Record.of(played(game, players, FIRST_DEAL + seed, by_lot(seed))), TINY)
                for seat in range(players):
                    parts = [change for step in found.steps for change in (step.luck, step.cost, step.unforeseen)]
                    total = found.start.shares[seat] + sum(part.shares[seat] for part in parts)
                    worst = max(worst, abs(total - found.result.shares[seat]))
            yield f"{game}, {players} players, {count} games: differs by at most {worst:.6f}"


def asked(game: str, players: int, bot: str, seed: int) -> list[tuple[float, float]]:
    """Return chances that were given in one game, and the share of the victory that came of each."""
    final = by_bots(game, players, bot, seed)
    evaluator = Evaluator(final.edition, players)
    shares = final.count().shares
    found = []
    for ply in range(seed % EACH, final.ply, EACH):
        given = evaluator.standing(final.at(ply).state).shares
        found += list(zip(given, shares, strict=True))
    return found


def calibrate(game: str, players: int, bot: str, count: int, processes: int) -> Iterator[str]:
    """Yield a table of chances given and won, by tenths, and the mean squared error beside that of an even chance."""
    seeds = range(FIRST_DEAL, FIRST_DEAL + count)
    with ProcessPoolExecutor(processes) as pool:
        pairs = np.array([pair for one in pool.map(partial(asked, game, players, bot), seeds) for pair in one])
    given, won = pairs[:, 0], pairs[:, 1]
    yield "| chance given | mean given | won | positions |"
    yield "|---|---|---|---|"
    for tenth in range(TENTHS):
        within = (given * TENTHS).clip(0, TENTHS - 1).astype(int) == tenth
        if within.any():
            low, high = tenth * 100 // TENTHS, (tenth + 1) * 100 // TENTHS
            means = f"{100 * given[within].mean():.1f} % | {100 * won[within].mean():.1f} %"
            yield f"| {low} to {high} % | {means} | {within.sum()} |"
    brier, even = ((given - won) ** 2).mean(), ((1 / players - won) ** 2).mean()
    yield f"{game}, {players} players, {count} games of {bot}"
    yield f"mean squared error {brier:.4f}, of an even chance {even:.4f}"


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


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.insight")
    parser.add_argument("what", choices=("sums", "calibrate", "speed"))
    parser.add_argument("game", nargs="?", default="lanternes", choices=OURS)
    parser.add_argument("players", nargs="?", type=int, default=2)
    parser.add_argument("--bot", default="learned")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    if given.what == "sums":
        lines = sums(given.games)
    elif given.what == "calibrate":
        lines = calibrate(given.game, given.players, given.bot, given.games, given.processes)
    else:
        lines = speed(given.game, given.players, given.bot)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
