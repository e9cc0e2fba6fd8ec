"""Does an analysis judge as well as one that makes more effort?

    python -m benchmarks.agreement lanternes 4 [--games 8] [--decisions 6] [--way simulations=2000,looks=6 ...]

Plays games of `learned` players, draws some decisions of each, and judges them with the effort of an analysis, and with
other efforts. All are compared with ten times as many moves in other worlds: how often the best move is the same, what
the chosen one is worth less by the long judgment, and how far the cost of the played move and everybody's chances lie
apart.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import msgspec
import numpy as np

from benchmarks.insight import FIRST_DEAL, OURS, by_bots
from lampion.insight.decision_positions import judged_positions
from lampion.insight.evaluator import Evaluator, Judged
from lampion.insight.settings import STANDARD, Settings

TIMES = 10
OTHER_WORLDS = np.uint64(1 << 60)
FIGURES = ("same best move", "worth less", "cost apart", "chances apart", "moves followed", "seconds")


class Elsewhere(Evaluator):
    """Judges in other worlds."""

    def seed(self, state: Any, viewer: int) -> np.uint64:
        """Return another number than an analysis would take."""
        return super().seed(state, viewer) ^ OTHER_WORLDS


def way_of(words: str) -> Settings:
    """Return the effort that is meant by `simulations=300,looks=24`."""
    given = dict(word.split("=") for word in words.split(",") if word)
    return msgspec.structs.replace(STANDARD, **{name: type(getattr(STANDARD, name))(n) for name, n in given.items()})


def cost(judged: Judged, played: int) -> float:
    """Return what a played move cost, 0 where that is within its interval."""
    return judged.ahead[0] if judged.ids[0] != played and judged.ahead[0] > judged.ahead_sure[0] else 0.0


def compare(game: str, players: int, decisions: int, ways: Sequence[Settings], deal: int) -> list[list[list[float]]]:
    """Return, by decision of one game and way to judge it, the figures."""
    final = by_bots(game, players, "learned", deal)
    seen = judged_positions(final)
    longest = max(TIMES * STANDARD.simulations, *(way.simulations for way in ways))
    long = Elsewhere(final.edition, players, Settings(simulations=longest, wide=2 * STANDARD.wide, fine=0.0))
    found = []
    for ply in random.Random(deal).sample(sorted(seen), min(decisions, len(seen))):
        (position, played), seat = seen[ply], final.played[ply].seat
        truth = long.judge(position.state, seat, played)
        rows = []
        for way in ways:
            evaluator = Evaluator(final.edition, players, way)
            began = time.process_time()
            judged = evaluator.judge(position.state, seat, played)
            took = time.process_time() - began
            best = judged.ids[0]
            less = truth.ahead[0] - (truth.ahead[truth.ids.index(best)] if best in truth.ids else min(truth.ahead))
            apart = float(np.abs(np.subtract(judged.shares[0], truth.shares[0])).mean())
            costs = abs(cost(judged, played) - cost(truth, played))
            rows.append([float(best == truth.ids[0]), max(0.0, less), costs, apart, float(judged.simulations), took])
        found.append(rows)
    return found


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agreement")
    parser.add_argument("game", choices=OURS)
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--decisions", type=int, default=6, help="of a game")
    parser.add_argument("--way", action="append", default=[], help="another effort than that of an analysis")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    names = ["", *given.way]
    task = partial(compare, given.game, given.players, given.decisions, [way_of(name) for name in names])
    partial(compare, given.game, given.players, 1, [way_of("simulations=1")])(0)  # compiled once, before all need it
    with ProcessPoolExecutor(given.processes) as pool:
        found = np.array([row for rows in pool.map(task, range(FIRST_DEAL, FIRST_DEAL + given.games)) for row in rows])
    print(f"{given.game}, {given.players} players, {given.games} games, {len(found)} decisions")
    for name, figures in zip(names, found.mean(axis=0), strict=True):
        told = ", ".join(f"{word} {number:.4f}" for word, number in zip(FIGURES, figures, strict=True))
        print(f"{name or 'as analyses do'}: {told}")


if __name__ == "__main__":
    main()
