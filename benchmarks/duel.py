"""One bot against others, every deal from every seat: python -m benchmarks.duel GAME PLAYERS A B [--deals N].

A sits in one seat, B in all the others; where more than two are named, each plays so against the last. They are names
of bots, or `search:sims=1000,looks=4,...` with any settings of the search, or `greedy:selfish=0`, who also weighs what
is left to the others: how the settings were chosen. On a net of one's own: `learned:net=FILE,ms=5,...`. `yardstick`,
also `yardstick:ms=1000`, is the one that all are measured against. Prints A's share of the victories with its 95 %
interval, the same scaled so that even is 50 %, and the processor time of a decision.
"""

from __future__ import annotations

import argparse
import sys
import time
from multiprocessing import Pool
from typing import Any, NamedTuple

import numpy as np

from benchmarks.yardstick import Yardstick
from lampion.bots import Maker, named
from lampion.bots.greedy import Greedy
from lampion.bots.learned import Learned
from lampion.bots.searcher import Search
from lampion.play import Position, Seeded
from lampion.play.sight import sights


def maker(text: str) -> Maker:
    """A bot by its name, or one with settings of its own."""
    kind, _, given = text.partition(":")
    if kind == "yardstick":
        unit, _, effort = given.partition("=")
        asked = {unit: int(effort)} if given else {}
        return Yardstick(text, Search(sims=asked.get("sims", 0), ms=asked.get("ms", 0)) if given else None)
    if kind not in ("search", "greedy", "learned") or not given or ("net=" not in given and kind == "learned"):
        return named(text)
    settings = dict(part.split("=") for part in given.split(","))
    net = settings.pop("net", "")
    numbers = {name: float(value) for name, value in settings.items()}
    if kind == "greedy":
        return Greedy(text, numbers.get("overlooks", 0.0), bool(numbers.get("selfish", 1)))
    sims, ms = int(numbers.pop("sims", 0)), int(numbers.pop("ms", 0))
    search = Search(text, sims=sims, ms=ms, settings=tuple(numbers.items()))
    return Learned(text, search, net) if kind == "learned" else search


class Deal(NamedTuple):
    """What is played once from every seat."""

    game: str
    players: int
    a: str
    b: str
    seed: int


class Result(NamedTuple):
    """What came of a deal: A's share of the victories, and for A and for B the seconds and the number of decisions."""

    share: float
    seconds: np.ndarray[Any, Any]
    decisions: np.ndarray[Any, Any]


def play_deal(deal: Deal) -> Result:
    """Play one deal with A in each seat, and B in all others."""
    makers = maker(deal.a), maker(deal.b)
    share, seconds, decisions = 0.0, np.zeros(2), np.zeros(2)
    for hero in range(deal.players):
        position, chance = Position(deal.game, deal.players), Seeded(deal.seed)
        seen = sights(position)
        bots = [makers[sight.seat != hero].sit(sight, deal.seed * 8 + sight.seat) for sight in seen]
        position.push_chances(chance)
        while not position.is_over:
            chosen = {}  # before any of them is made
            for seat in position.pending:
                began = time.thread_time()
                chosen[seat] = bots[seat].choose(seen[seat])
                if len(seen[seat].ids) > 1:
                    seconds[int(seat != hero)] += time.thread_time() - began
                    decisions[int(seat != hero)] += 1
            for seat, move in chosen.items():
                position.push_rows(move, seat)
            position.push_chances(chance)
        share += position.count().shares[hero] / deal.players
    return Result(share, seconds, decisions)


def match(pool: Any, game: str, players: int, a: str, b: str, deals: range) -> str:
    """Play A against B and return a line about it."""
    results = []
    for number, result in enumerate(pool.imap(play_deal, [Deal(game, players, a, b, seed) for seed in deals])):
        results.append(result)
        print(f"\r{number + 1} of {len(deals)} deals", end=" ", file=sys.stderr)
    print(file=sys.stderr)
    shares = np.array([result.share for result in results])
    share, margin = float(shares.mean()), 1.96 * float(shares.std()) / len(deals) ** 0.5
    scaled = share * (players - 1) / (share * (players - 1) + 1 - share)
    spent = 1000 * sum(result.seconds for result in results) / sum(result.decisions for result in results)
    return (
        f"{game}, {players} players, {a} ({spent[0]:.1f} ms) against {b} ({spent[1]:.1f} ms): "
        f"{share:.3f} ± {margin:.3f}, scaled {scaled:.3f}, {len(deals) * players} games"
    )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("bots", nargs="+", help="A and B; more than two: each against the last")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    *first, last = given.bots
    for name in first:
        play_deal(Deal(given.game, given.players, name, last, given.first))  # compiled once, before the others need it
    with Pool(given.processes) as pool:
        for name in first:
            deals = range(given.first, given.first + given.deals)
            print(match(pool, given.game, given.players, name, last, deals), flush=True)


if __name__ == "__main__":
    main()
