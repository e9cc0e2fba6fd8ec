"""Does an analysis judge as well as one that follows 2,000 moves in every decision?

    python -m benchmarks.agreement lanternes 4 [--games 8] [--decisions 6] [--processes N]

Plays games of `learned` players, draws some decisions of each, and judges them with the effort of an analysis, which
ends where a decision is clear, and with all 2,000 moves in any case. Both are compared with ten times as many moves in
other worlds: how often the best move is the same, what the chosen one is worth less by the long judgment, and how far
the cost of the played move and everybody's chances lie apart.
"""

from __future__ import annotations

import argparse
import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from benchmarks.insight import FIRST_DEAL, OURS, by_bots
from lampion.insight.evaluator import Evaluator, Judged, Numbers
from lampion.insight.settings import STANDARD, Settings
from lampion.insight.simultaneous import judged_positions

TIMES = 10
OTHER_WORLDS = np.uint64(1 << 60)
FIGURES = ("same best move", "worth less", "cost apart", "chances apart", "moves followed", "seconds")


class Whole(Evaluator):
    """Follows as many moves as it may, however clear a decision is."""

    def _differences(self, chosen: Any) -> tuple[Numbers, Numbers]:
        more, _ = super()._differences(chosen)
        return more, np.full(len(more), np.inf)


class Long(Whole):
    """The same in other worlds."""

    def seed(self, state: Any, viewer: int) -> np.uint64:
        """Return another number than an analysis would take."""
        return super().seed(state, viewer) ^ OTHER_WORLDS


def cost(judged: Judged, played: int) -> float:
    """Return what a played move cost, 0 where that is within its interval."""
    return float(judged.ahead[0]) if judged.ids[0] != played and judged.ahead[0] > judged.ahead_sure[0] else 0.0


def compare(game: str, players: int, decisions: int, deal: int) -> list[list[list[float]]]:
    """Return, by decision of one game and way to judge it, the figures."""
    final = by_bots(game, players, "learned", deal)
    seen = judged_positions(final)
    long = Long(final.edition, players, Settings(simulations=TIMES * STANDARD.simulations))
    ways = Evaluator(final.edition, players), Whole(final.edition, players)
    found = []
    for ply in random.Random(deal).sample(sorted(seen), min(decisions, len(seen))):
        (position, played), seat = seen[ply], final.played[ply].seat
        truth = long.judge(position.state, seat, played)
        rows = []
        for way in ways:
            began = time.process_time()
            judged = way.judge(position.state, seat, played)
            took = time.process_time() - began
            at = truth.ids.index(judged.ids[0])
            less = float(truth.ahead[0] - truth.ahead[at])
            apart = float(np.abs(judged.shares[0] - truth.shares[0]).mean())
            costs = abs(cost(judged, played) - cost(truth, played))
            rows.append([float(at == 0), max(0.0, less), costs, apart, float(judged.simulations), took])
        found.append(rows)
    return found


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agreement")
    parser.add_argument("game", choices=OURS)
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--decisions", type=int, default=6, help="of a game")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    task = partial(compare, given.game, given.players, given.decisions)
    partial(compare, given.game, given.players, 1)(0)  # compiled once, before all processes need it
    with ProcessPoolExecutor(given.processes) as pool:
        found = np.array([row for rows in pool.map(task, range(FIRST_DEAL, FIRST_DEAL + given.games)) for row in rows])
    print(f"{given.game}, {given.players} players, {given.games} games, {len(found)} decisions")
    for name, figures in zip(("as analyses do", "all 2,000 moves"), found.mean(axis=0), strict=True):
        print(f"{name}: " + ", ".join(f"{word} {number:.4f}" for word, number in zip(FIGURES, figures, strict=True)))


if __name__ == "__main__":
    main()
